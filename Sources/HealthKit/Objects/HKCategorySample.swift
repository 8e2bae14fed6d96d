internal import HealthSamples

/// A sample with one constant of an enumeration.
open class HKCategorySample: HKSample, @unchecked Sendable {
  private let ownType: HKCategoryType
  private let raw: Int

  init(_ type: HKCategoryType, _ value: Int, start: Date, end: Date, facts: ObjectFacts) {
    ownType = type
    raw = value
    super.init(type: type, start: start, end: end, facts: facts)
  }

  /// Makes a sample.
  ///
  /// Traps for a value that the type does not have, an end before the start, or a duration that the
  /// type does not allow; ``validated(type:value:start:end:device:metadata:)`` throws.
  public init(type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date) {
    (ownType, raw) = Self.checked(type, value, start: startDate, end: endDate)
    super.init(type: type, start: startDate, end: endDate, facts: ObjectFacts())
  }

  /// Makes a sample with metadata; see ``init(type:value:start:end:)``.
  public init(
    type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
    metadata: [String: Any]?
  ) {
    (ownType, raw) = Self.checked(type, value, start: startDate, end: endDate, metadata)
    super.init(
      type: type, start: startDate, end: endDate, facts: ObjectFacts(metadata: metadata))
  }

  /// Makes a sample with a device and metadata; see ``init(type:value:start:end:)``.
  public init(
    type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date, device: HKDevice?,
    metadata: [String: Any]?
  ) {
    (ownType, raw) = Self.checked(type, value, start: startDate, end: endDate, metadata)
    super.init(
      type: type, start: startDate, end: endDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Reads a sample from an archive.
  public required init?(coder: NSCoder) {
    guard let type = coder.decodeOne(HKCategoryType.self, "sampleType"),
      let value = coder.decodeWhole("value")
    else { return nil }
    ownType = type
    raw = value
    super.init(coder: coder)
  }

  /// Writes the sample.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(value, forKey: "value")
  }

  /// The type.
  open var categoryType: HKCategoryType { ownType }

  /// The raw value of the constant, such as that of ``HKCategoryValueSleepAnalysis``.
  open var value: Int { raw }

  /// Makes a sample.
  ///
  /// - Throws: ``ObjectError``
  public static func validated(
    type: HKCategoryType, value: Int, start: Date, end: Date, device: HKDevice? = nil,
    metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKCategorySample {
    try check(type, value, start: start, end: end, metadata: metadata)
    return HKCategorySample(
      type, value, start: start, end: end, facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// What the initializers take, when it is right; they are designated, so that doubles inherit them.
  private static func checked(
    _ type: HKCategoryType, _ value: Int, start: Date, end: Date, _ metadata: [String: Any]? = nil
  ) -> (HKCategoryType, Int) {
    raising { () throws(ObjectError) in
      try check(type, value, start: start, end: end, metadata: metadata)
    }
    return (type, value)
  }

  private static func check(
    _ type: HKCategoryType, _ value: Int, start: Date, end: Date, metadata: [String: Any]?
  ) throws(ObjectError) {
    guard type.hasValue(value) else {
      throw ObjectError(.invalidValue(type: type.identifier))
    }
    try check(type: type, start: start, end: end, metadata: metadata)
  }
}

extension HKCategoryType {
  /// Whether the raw value is that of a constant of the type's enumeration.
  func hasValue(_ value: Int) -> Bool { Self.values[identifier]?.contains(value) ?? true }

  /// The raw values of the types whose enumeration is published.
  private static let values: [String: Set<Int>] = {
    let cases = Dictionary(grouping: Catalogue.enumerationCases, by: \.enumeration)
    return Dictionary(
      Catalogue.categoryTypes.compactMap { row in
        let known = (cases[row.enumeration] ?? []).compactMap(\.rawValue)
        return known.isEmpty ? nil : (row.identifier.rawValue, Set(known))
      }, uniquingKeysWith: { $0.union($1) })
  }()
}
