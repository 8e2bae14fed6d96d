/// How two values stand to each other.
public enum ValueOrder: Sendable, Hashable {
  case ascending
  case same
  case descending
}

extension UnitConversion {
  /// Compares two values as HealthKit does: the second is brought into the unit of the first by
  /// HealthKit's order of operations, and a difference below 2^-52 counts as none.
  ///
  /// - Throws: `UnitError` with reason `incompatible` when the dimensions differ.
  public static func healthKitOrder(
    of value: Double, _ unit: UnitExpression, and other: Double, _ otherUnit: UnitExpression
  ) throws(UnitError) -> ValueOrder {
    let conversion = try UnitConversion(from: otherUnit, to: unit, arithmetic: .healthKit)
    let difference = value - conversion(other)
    if difference.magnitude < 0x1p-52 { return .same }
    return difference < 0 ? .ascending : .descending
  }
}
