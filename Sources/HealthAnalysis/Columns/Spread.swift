import _HealthNumerics

extension [Double] {
  /// The mean, of a sum that is compensated; 0 for no values.
  /// - Complexity: O(*n*)
  var compensatedMean: Double {
    isEmpty ? 0 : reduce(into: CompensatedSum()) { $0.add($1) }.mean(count: count)
  }

  /// √(Σ(x − x̄)²/divisor): the standard deviation, 0 when all values are equal.
  ///
  /// Pass *n* − 1 for that of a sample. Squares neither overflow nor vanish.
  ///
  /// - Precondition: `divisor` is positive.
  /// - Complexity: O(*n*)
  func standardDeviation(divisor: Int) -> Double {
    let mean = compensatedMean
    guard mean.isFinite else { return .infinity }
    return map { $0 - mean }.norm / Double(divisor).squareRoot()
  }
}
