import HealthUnits

/// The conversion from the canonical unit of a type to the unit of an answer.
struct OutputConversion {
  private let ofValues: UnitConversion?
  private let ofDistances: UnitConversion?

  /// `nil` leaves everything unchanged.
  init(_ conversion: UnitConversion?) {
    ofValues = conversion
    ofDistances = conversion.map { UnitConversion(factor: $0.exactFactor) }
  }

  /// Converts values, with the offset of temperatures.
  func values(_ column: inout [Double]) { Self.apply(ofValues, to: &column) }

  /// Converts differences of values, without an offset.
  func distances(_ column: inout [Double]) { Self.apply(ofDistances, to: &column) }

  private static func apply(_ conversion: UnitConversion?, to column: inout [Double]) {
    guard let conversion, !conversion.isIdentity else { return }
    conversion.apply(to: &column)
  }
}
