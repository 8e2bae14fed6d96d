package import HealthSamples
import HealthUnits

/// How far two values of one time may differ and be one value (law 2.1).
///
/// Six printed digits round differently in another unit. The digits of a temperature limit its error
/// relative to the printed number, which may be far from the canonical one: temperatures are
/// compared as absolute ones.
package struct ValueAgreement: Sendable {
  /// Relative to the larger value.
  package static let tolerance = 2e-5

  private let isExact: Bool
  private let zeroOffset: Double

  package init(of type: SampleType) {
    isExact = type.canonicalUnit == nil
    zeroOffset = type.canonicalUnit.map(Self.distanceFromAbsoluteZero) ?? 0
  }

  private static let kelvin = try? UnitExpression("K")

  private static func distanceFromAbsoluteZero(_ unit: UnitExpression) -> Double {
    guard let kelvin, let conversion = try? UnitConversion(from: unit, to: kelvin) else { return 0 }
    return conversion(0).magnitude
  }

  /// Whether two values are one, but for a number of roundings.
  package func callAsFunction(_ left: Double, _ right: Double, roundings: Double = 1) -> Bool {
    if left == right { return true }
    let scale = max(left.magnitude, right.magnitude) + zeroOffset
    return !isExact && (left - right).magnitude <= roundings * Self.tolerance * scale
  }

  /// Whether two rows have one time, and one value but for its rounding.
  package func callAsFunction(_ left: RowKey, _ right: RowKey) -> Bool {
    left.isSimultaneous(with: right) && self(left.canonical, right.canonical)
  }
}
