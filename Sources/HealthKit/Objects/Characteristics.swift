// The answers about a person, which a store gives out and tests imitate by subclassing. Each holds
// one value, and two of one class with the same value are equal.

/// A person's biological sex, as the store answers it.
open class HKBiologicalSexObject: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let value: HKBiologicalSex

  /// The value.
  open var biologicalSex: HKBiologicalSex { value }

  /// Makes an answer of which nothing is known.
  public override init() { value = .notSet }

  /// Makes an answer.
  init(_ value: HKBiologicalSex) { self.value = value }

  /// Reads an answer from an archive.
  public required init?(coder: NSCoder) {
    guard let value = coder.decodeCase(HKBiologicalSex.self, "biologicalSex") else { return nil }
    self.value = value
  }

  /// Writes the answer into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
  }

  open class var supportsSecureCoding: Bool { true }

  /// The answer itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other is an answer of the same class with the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKBiologicalSexObject, type(of: other) == type(of: self) else {
      return false
    }
    return biologicalSex == other.biologicalSex
  }

  open override var hash: Int { biologicalSex.rawValue }
}

/// A person's blood type, as the store answers it.
open class HKBloodTypeObject: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let value: HKBloodType

  /// The value.
  open var bloodType: HKBloodType { value }

  /// Makes an answer of which nothing is known.
  public override init() { value = .notSet }

  /// Makes an answer.
  init(_ value: HKBloodType) { self.value = value }

  /// Reads an answer from an archive.
  public required init?(coder: NSCoder) {
    guard let value = coder.decodeCase(HKBloodType.self, "bloodType") else { return nil }
    self.value = value
  }

  /// Writes the answer into an archive.
  open func encode(with coder: NSCoder) { coder.encode(bloodType.rawValue, forKey: "bloodType") }

  open class var supportsSecureCoding: Bool { true }

  /// The answer itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other is an answer of the same class with the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKBloodTypeObject, type(of: other) == type(of: self) else {
      return false
    }
    return bloodType == other.bloodType
  }

  open override var hash: Int { bloodType.rawValue }
}

/// A person's skin type, as the store answers it.
open class HKFitzpatrickSkinTypeObject: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let value: HKFitzpatrickSkinType

  /// The value.
  open var skinType: HKFitzpatrickSkinType { value }

  /// Makes an answer of which nothing is known.
  public override init() { value = .notSet }

  /// Makes an answer.
  init(_ value: HKFitzpatrickSkinType) { self.value = value }

  /// Reads an answer from an archive.
  public required init?(coder: NSCoder) {
    guard let value = coder.decodeCase(HKFitzpatrickSkinType.self, "skinType") else { return nil }
    self.value = value
  }

  /// Writes the answer into an archive.
  open func encode(with coder: NSCoder) { coder.encode(skinType.rawValue, forKey: "skinType") }

  open class var supportsSecureCoding: Bool { true }

  /// The answer itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other is an answer of the same class with the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKFitzpatrickSkinTypeObject, type(of: other) == type(of: self)
    else { return false }
    return skinType == other.skinType
  }

  open override var hash: Int { skinType.rawValue }
}

/// Whether a person uses a wheelchair, as the store answers it.
open class HKWheelchairUseObject: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let value: HKWheelchairUse

  /// The value.
  open var wheelchairUse: HKWheelchairUse { value }

  /// Makes an answer of which nothing is known.
  public override init() { value = .notSet }

  /// Makes an answer.
  init(_ value: HKWheelchairUse) { self.value = value }

  /// Reads an answer from an archive.
  public required init?(coder: NSCoder) {
    guard let value = coder.decodeCase(HKWheelchairUse.self, "wheelchairUse") else { return nil }
    self.value = value
  }

  /// Writes the answer into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
  }

  open class var supportsSecureCoding: Bool { true }

  /// The answer itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other is an answer of the same class with the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWheelchairUseObject, type(of: other) == type(of: self) else {
      return false
    }
    return wheelchairUse == other.wheelchairUse
  }

  open override var hash: Int { wheelchairUse.rawValue }
}

/// What counts towards a person's goal of movement, as the store answers it.
open class HKActivityMoveModeObject: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let value: HKActivityMoveMode

  /// The value.
  open var activityMoveMode: HKActivityMoveMode { value }

  /// Makes an answer of which nothing is known.
  public override init() { value = .activeEnergy }

  /// Makes an answer.
  init(_ value: HKActivityMoveMode) { self.value = value }

  /// Reads an answer from an archive.
  public required init?(coder: NSCoder) {
    guard let value = coder.decodeCase(HKActivityMoveMode.self, "activityMoveMode") else {
      return nil
    }
    self.value = value
  }

  /// Writes the answer into an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
  }

  open class var supportsSecureCoding: Bool { true }

  /// The answer itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other is an answer of the same class with the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKActivityMoveModeObject, type(of: other) == type(of: self) else {
      return false
    }
    return activityMoveMode == other.activityMoveMode
  }

  open override var hash: Int { activityMoveMode.rawValue }
}

extension NSCoder {
  /// The case of an enumeration that an archive holds by its raw value.
  func decodeCase<Value: RawRepresentable<Int>>(_ type: Value.Type, _ key: String) -> Value? {
    containsValue(forKey: key) ? Value(rawValue: decodeInteger(forKey: key)) : nil
  }
}
