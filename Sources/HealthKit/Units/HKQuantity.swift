internal import HealthUnits

/// A value in a unit.
///
/// Conversions run in HealthKit's order of operations, so they give its bits. Two quantities are
/// equal when they are the same amount in the units of scale 1: 1 kg equals 1000 g.
open class HKQuantity: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let unit: HKUnit
  let value: Double

  /// Makes a quantity.
  public convenience init(unit: HKUnit, doubleValue value: Double) {
    self.init(value, unit)
  }

  init(_ value: Double, _ unit: HKUnit) {
    self.unit = unit
    self.value = value
  }

  /// Reads a quantity from an archive.
  public required init?(coder: NSCoder) {
    guard let unit = coder.decodeOne(HKUnit.self, "unit"),
      let value = coder.decodeNumber("value")
    else { return nil }
    self.unit = unit
    self.value = value
  }

  /// Writes the value and the unit.
  open func encode(with coder: NSCoder) {
    coder.encode(unit, forKey: "unit")
    coder.encode(value, forKey: "value")
  }

  /// Quantities are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The quantity itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the unit measures what a unit does.
  open func `is`(compatibleWith unit: HKUnit) -> Bool {
    self.unit.isCompatible(with: unit)
  }

  /// The value in a unit.
  ///
  /// Traps when the unit measures something else; ``value(in:)`` throws.
  open func doubleValue(for unit: HKUnit) -> Double {
    raising { () throws(ObjectError) in try value(in: unit) }
  }

  /// The value in a unit.
  ///
  /// - Throws: ``ObjectError`` with reason `incompatibleUnits`
  public func value(in unit: HKUnit) throws(ObjectError) -> Double {
    guard self.unit.isCompatible(with: unit) else {
      throw ObjectError(.incompatibleUnits(from: self.unit.unitString, to: unit.unitString))
    }
    return self.unit.scale.convert(value, to: unit.scale)
  }

  /// The order of two quantities, in the unit of this one; a difference below 2^-52 is none.
  ///
  /// Traps when the units measure different things; ``order(relativeTo:)`` throws.
  open func compare(_ quantity: HKQuantity) -> ComparisonResult {
    raising { () throws(ObjectError) in try order(relativeTo: quantity) }
  }

  /// The order of two quantities, in the unit of this one; a difference below 2^-52 is none.
  ///
  /// - Throws: ``ObjectError`` with reason `incompatibleUnits`
  public func order(relativeTo quantity: HKQuantity) throws(ObjectError) -> ComparisonResult {
    let difference = value - (try quantity.value(in: unit))
    if difference.magnitude < 0x1p-52 { return .orderedSame }
    return difference < 0 ? .orderedAscending : .orderedDescending
  }

  /// Whether the object is a quantity of the same amount.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQuantity else { return false }
    return self === other
      || unit.isCompatible(with: other.unit)
        && unit.scale.base(value) == other.unit.scale.base(other.value)
  }

  /// Hashes the amount.
  open override var hash: Int {
    // -0 and 0 are equal.
    let base = unit.scale.base(value) + 0
    return base.hashValue
  }

  /// The value with six significant digits, and the unit, as in metadata of exports.
  open override var description: String {
    String(format: "%g ", value) + unit.unitString
  }
}

extension HKQuantity {
  /// Checks that a quantity, if there is one, measures what a unit does.
  ///
  /// `dimension` and `owner` are the words of the error.
  static func check(
    _ quantity: HKQuantity?, in unit: HKUnit, _ dimension: String, of owner: String
  ) throws(ObjectError) {
    guard let quantity, !quantity.is(compatibleWith: unit) else { return }
    throw ObjectError(
      .unitOfProperty(
        objectClass: owner, dimension: dimension, unit: quantity.unit.unitString))
  }
}
