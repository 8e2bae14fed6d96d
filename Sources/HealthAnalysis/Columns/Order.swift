extension Sequence<Double> {
  /// The value in the middle of the sorted ones, or the mean of the two there; `nil` for no values.
  /// - Complexity: O(*n* log *n*)
  var median: Double? { quantile(0.5) }

  /// The value at a share of the sorted ones: 0 is the least, 1 the greatest.
  ///
  /// It lies on the line between its neighbours, at index (*n* − 1)·share: type 7 of R. J. Hyndman
  /// and Y. Fan, *Sample Quantiles in Statistical Packages*, The American Statistician 50 (1996).
  ///
  /// - Returns: the value; `nil` for no values, or a share outside of 0 to 1
  /// - Complexity: O(*n* log *n*)
  func quantile(_ share: Double) -> Double? {
    let sorted = self.sorted()
    guard !sorted.isEmpty, share >= 0, share <= 1 else { return nil }
    let place = Double(sorted.count - 1) * share
    let lower = Swift.min(Int(place), sorted.count - 1)
    let rest = place - Double(lower)
    guard rest > 0, lower + 1 < sorted.count else { return sorted[lower] }
    let (low, high) = (sorted[lower], sorted[lower + 1])
    let difference = high - low
    // The difference of values of opposite signs may overflow; that of their halves does not.
    let value =
      difference.isFinite
      ? low + difference * rest : 2 * (low / 2 + (high / 2 - low / 2) * rest)
    return Swift.min(Swift.max(value, low), high)
  }
}
