import HealthUnits

extension UnitExpression {
  /// The unit of counts.
  static let count = fixed("count")
  /// The unit of times.
  static let seconds = fixed("s")
  /// The unit of shares, which is a fraction.
  static let percent = fixed("%")

  private static func fixed(_ text: String) -> UnitExpression {
    guard let unit = try? UnitExpression(text) else {
      preconditionFailure("\(text) is a unit.")
    }
    return unit
  }
}
