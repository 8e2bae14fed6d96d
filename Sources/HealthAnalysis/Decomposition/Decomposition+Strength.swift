import _HealthNumerics

extension Decomposition {
  /// max(0, 1 − Var(R)/Var(P + R)), where P is a part and R the remainder, over some rows.
  ///
  /// - Parameter level: the largest magnitude of the values: a standard deviation below 2^-44 of it
  ///   is rounding
  /// - Returns: from 0 to 1; `nil` when the sum does not vary beyond rounding
  /// - Complexity: O(rows)
  static func strength(
    of part: [Double], remainder: [Double], rows: [Int], level: Double
  ) -> Double? {
    let whole = variance(rows.map { part[$0] + remainder[$0] })
    guard whole.squareRoot() > 0x1p-44 * level else { return nil }
    return max(0, 1 - variance(rows.map { remainder[$0] }) / whole)
  }

  /// The mean square of the distances from the mean.
  private static func variance(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let mean = values.compensatedSum / Double(values.count)
    return values.lazy.map { ($0 - mean) * ($0 - mean) }.compensatedSum / Double(values.count)
  }
}
