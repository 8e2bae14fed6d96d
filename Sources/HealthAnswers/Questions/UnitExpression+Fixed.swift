import HealthUnits

extension UnitExpression {
  /// The unit of counts.
  static let count = fixed("count")
  /// The unit of times.
  static let seconds = fixed("s")
  /// The unit of shares, which is a fraction.
  static let percent = fixed("%")

  /// Temperatures and levels: their 0 is chosen, so that one is no share of another.
  private static let scalesOfIntervals = ["degC", "dBASPL", "dBHL"].map(fixed)

  /// Whether numbers in the unit have differences but no ratios.
  var isOfIntervals: Bool { Self.scalesOfIntervals.contains { isCompatible(with: $0) } }

  private static func fixed(_ text: String) -> UnitExpression {
    guard let unit = try? UnitExpression(text) else {
      preconditionFailure("\(text) is a unit.")
    }
    return unit
  }
}
