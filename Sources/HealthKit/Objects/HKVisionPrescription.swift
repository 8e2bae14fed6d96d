/// A prescription of glasses or contact lenses.
open class HKVisionPrescription: HKSample, NSCopying, @unchecked Sendable {
  private let kind: HKVisionPrescriptionType
  private let expires: Date?

  init(_ kind: HKVisionPrescriptionType, issued: Date, expires: Date?, facts: ObjectFacts) {
    self.kind = kind
    self.expires = expires
    super.init(
      type: HKObjectType.visionPrescriptionType(), start: issued, end: issued, facts: facts)
  }

  /// Makes a prescription without lenses.
  ///
  /// Traps for an expiration before the issue;
  /// ``validated(type:dateIssued:expirationDate:device:metadata:)`` throws.
  public convenience init(
    type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?, device: HKDevice?,
    metadata: [String: Any]?
  ) {
    raising { () throws(ObjectError) in
      try Self.check(dateIssued, expirationDate, metadata)
    }
    self.init(
      type, issued: dateIssued, expires: expirationDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Makes a prescription without lenses.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?,
    device: HKDevice? = nil, metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKVisionPrescription {
    try check(dateIssued, expirationDate, metadata)
    return HKVisionPrescription(
      type, issued: dateIssued, expires: expirationDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  static func check(
    _ issued: Date, _ expires: Date?, _ metadata: [String: Any]?
  ) throws(ObjectError) {
    try check(
      type: HKObjectType.visionPrescriptionType(), start: issued, end: issued,
      metadata: metadata)
    if let expires, expires < issued { throw ObjectError(.expiresBeforeIssue) }
  }

  /// Reads a prescription from an archive.
  public required init?(coder: NSCoder) {
    guard let kind = coder.decodeCase(HKVisionPrescriptionType.self, "prescriptionType")
    else { return nil }
    self.kind = kind
    expires = coder.decodeDate("expirationDate")
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(kind.rawValue, forKey: "prescriptionType")
    coder.encodeDate(expires, "expirationDate")
  }

  /// The prescription itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Glasses or contact lenses.
  open var prescriptionType: HKVisionPrescriptionType { kind }
  /// When it was issued.
  open var dateIssued: Date { startDate }
  /// When it expires; `nil` when it does not.
  open var expirationDate: Date? { expires }
}

/// A prescription of glasses.
open class HKGlassesPrescription: HKVisionPrescription, @unchecked Sendable {
  private let right: HKGlassesLensSpecification?
  private let left: HKGlassesLensSpecification?

  init(
    right: HKGlassesLensSpecification?, left: HKGlassesLensSpecification?, issued: Date,
    expires: Date?, facts: ObjectFacts
  ) {
    self.right = right
    self.left = left
    super.init(.glasses, issued: issued, expires: expires, facts: facts)
  }

  /// Makes a prescription of glasses.
  ///
  /// Traps without any lens, and for an expiration before the issue;
  /// ``validated(rightEyeSpecification:leftEyeSpecification:dateIssued:expirationDate:device:metadata:)`` throws.
  public convenience init(
    rightEyeSpecification: HKGlassesLensSpecification?,
    leftEyeSpecification: HKGlassesLensSpecification?, dateIssued: Date,
    expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
  ) {
    raising { () throws(ObjectError) in
      try Self.check(
        [rightEyeSpecification, leftEyeSpecification], dateIssued, expirationDate, metadata)
    }
    self.init(
      right: rightEyeSpecification, left: leftEyeSpecification, issued: dateIssued,
      expires: expirationDate, facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Makes a prescription of glasses.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    rightEyeSpecification: HKGlassesLensSpecification?,
    leftEyeSpecification: HKGlassesLensSpecification?,
    dateIssued: Date, expirationDate: Date?, device: HKDevice? = nil,
    metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKGlassesPrescription {
    try check([rightEyeSpecification, leftEyeSpecification], dateIssued, expirationDate, metadata)
    return HKGlassesPrescription(
      right: rightEyeSpecification, left: leftEyeSpecification, issued: dateIssued,
      expires: expirationDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Reads a prescription from an archive.
  public required init?(coder: NSCoder) {
    right = coder.decodeOne(HKGlassesLensSpecification.self, "rightEye")
    left = coder.decodeOne(HKGlassesLensSpecification.self, "leftEye")
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(right, forKey: "rightEye")
    coder.encode(left, forKey: "leftEye")
  }

  /// The right lens.
  open var rightEye: HKGlassesLensSpecification? { right }
  /// The left lens.
  open var leftEye: HKGlassesLensSpecification? { left }
}

/// A prescription of contact lenses.
open class HKContactsPrescription: HKVisionPrescription, @unchecked Sendable {
  private let right: HKContactsLensSpecification?
  private let left: HKContactsLensSpecification?
  private let maker: String

  init(
    right: HKContactsLensSpecification?, left: HKContactsLensSpecification?, brand: String,
    issued: Date, expires: Date?, facts: ObjectFacts
  ) {
    self.right = right
    self.left = left
    maker = brand
    super.init(.contacts, issued: issued, expires: expires, facts: facts)
  }

  /// Makes a prescription of contact lenses.
  ///
  /// Traps without any lens, and for an expiration before the issue;
  /// ``validated(rightEyeSpecification:leftEyeSpecification:brand:dateIssued:expirationDate:device:metadata:)`` throws.
  public convenience init(
    rightEyeSpecification: HKContactsLensSpecification?,
    leftEyeSpecification: HKContactsLensSpecification?, brand: String, dateIssued: Date,
    expirationDate: Date?, device: HKDevice?, metadata: [String: Any]?
  ) {
    raising { () throws(ObjectError) in
      try Self.check(
        [rightEyeSpecification, leftEyeSpecification], dateIssued, expirationDate, metadata)
    }
    self.init(
      right: rightEyeSpecification, left: leftEyeSpecification, brand: brand,
      issued: dateIssued, expires: expirationDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Makes a prescription of contact lenses.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    rightEyeSpecification: HKContactsLensSpecification?,
    leftEyeSpecification: HKContactsLensSpecification?,
    brand: String, dateIssued: Date, expirationDate: Date?, device: HKDevice? = nil,
    metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKContactsPrescription {
    try check([rightEyeSpecification, leftEyeSpecification], dateIssued, expirationDate, metadata)
    return HKContactsPrescription(
      right: rightEyeSpecification, left: leftEyeSpecification, brand: brand, issued: dateIssued,
      expires: expirationDate, facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Reads a prescription from an archive.
  public required init?(coder: NSCoder) {
    guard let maker = coder.decodeText("brand") else { return nil }
    self.maker = maker
    right = coder.decodeOne(HKContactsLensSpecification.self, "rightEye")
    left = coder.decodeOne(HKContactsLensSpecification.self, "leftEye")
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeText(maker, "brand")
    coder.encode(right, forKey: "rightEye")
    coder.encode(left, forKey: "leftEye")
  }

  /// The right lens.
  open var rightEye: HKContactsLensSpecification? { right }
  /// The left lens.
  open var leftEye: HKContactsLensSpecification? { left }
  /// Who makes the lenses.
  open var brand: String { maker }
}

extension HKVisionPrescription {
  fileprivate static func check(
    _ lenses: [HKLensSpecification?], _ issued: Date, _ expires: Date?, _ metadata: [String: Any]?
  ) throws(ObjectError) {
    guard lenses.contains(where: { $0 != nil }) else { throw ObjectError(.missingLens) }
    try check(issued, expires, metadata)
  }
}
