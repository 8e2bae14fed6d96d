public import HealthKit
public import HealthSignatures

extension SignedSample {
  /// What the digital signature of a sample covers: its type, time, value and unit, as the store has
  /// them; `nil` for a sample that is neither a quantity nor a category.
  ///
  /// ```swift
  /// let signature = try SignedSample(sample).map { try key.sign($0).base64 }
  /// ```
  ///
  /// The text goes into the metadata of an equal sample, with the key `HKMetadataKeyDigitalSignature`.
  ///
  /// - Throws: `SignatureError` for a number that is not finite, and for a text that is too long
  public init?(_ sample: HKSample) throws(SignatureError) {
    let value: Double
    let unit: String
    switch sample {
    case let sample as HKQuantitySample:
      (value, unit) = sample.recorded
    case let sample as HKCategorySample: (value, unit) = (Double(sample.value), "")
    default: return nil
    }
    try self.init(
      type: sample.sampleType.identifier,
      start: sample.startDate.timeIntervalSinceReferenceDate,
      end: sample.endDate.timeIntervalSinceReferenceDate, value: value, unit: unit)
  }
}

extension HKSample {
  /// The digital signature in the metadata; `nil` without one.
  ///
  /// Nothing is verified by reading it:
  ///
  /// ```swift
  /// if let signature = try sample.digitalSignature, let signed = try SignedSample(sample) {
  ///   try signature.verify(signed, with: key)
  /// }
  /// ```
  ///
  /// - Throws: `SignatureError` for a text that is no signature
  public var digitalSignature: SampleSignature? {
    get throws(SignatureError) {
      guard let text = metadata?[HKMetadataKeyDigitalSignature] as? String else { return nil }
      return try SampleSignature(base64: text)
    }
  }
}
