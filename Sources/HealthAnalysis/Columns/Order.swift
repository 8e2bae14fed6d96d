// Statistics of order: medians, quantiles, deviations about a median, ranks.

extension Sequence<Double> {
  /// The middle value, or the mean of the two middle ones; `nil` of nothing.
  ///
  /// - Complexity: O(*n* log *n*)
  var median: Double? { sorted().medianOfSorted }

  /// The value that a share of the others lies below, between 0 and 1; `nil` of nothing.
  ///
  /// It is type 7 of Hyndman and Fan (*The American Statistician* 50, 1996, 361–365): linear between
  /// the values beside rank 1 + (*n* − 1)·share.
  ///
  /// - Complexity: O(*n* log *n*)
  func quantile(_ share: Double) -> Double? { sorted().quantileOfSorted(share) }
}

extension [Double] {
  /// The median of values in ascending order.
  var medianOfSorted: Double? {
    guard !isEmpty else { return nil }
    let high = self[count / 2]
    guard count.isMultiple(of: 2) else { return high }
    let low = self[count / 2 - 1]
    let sum = low + high
    return sum.isFinite ? sum / 2 : low / 2 + high / 2
  }

  /// The quantile, by type 7, of values in ascending order.
  func quantileOfSorted(_ share: Double) -> Double? {
    guard !isEmpty else { return nil }
    let place = Double(count - 1) * Swift.min(1, Swift.max(0, share))
    let row = Int(place)
    guard row < count - 1 else { return self[count - 1] }
    let rest = place - Double(row)
    let low = self[row]
    let high = self[row + 1]
    let distance = high - low
    guard distance.isFinite else { return low * (1 - rest) + high * rest }
    return rest < 0.5 ? low + distance * rest : high - distance * (1 - rest)
  }

  /// The rank of each value, counted from 1; equal values share the mean of their ranks.
  ///
  /// - Complexity: O(*n* log *n*)
  var averageRanks: [Double] {
    let order = indices.sorted { self[$0] < self[$1] }
    var ranks = [Double](repeating: 0, count: count)
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, self[order[end]] == self[order[start]] { end += 1 }
      // Ranks start + 1 to end, whose mean is half of their ends' sum.
      for place in start..<end { ranks[order[place]] = Double(start + 1 + end) / 2 }
      start = end
    }
    return ranks
  }
}

/// The median of the distances from a centre; `nil` of nothing.
///
/// - Complexity: O(*n* log *n*)
func medianAbsoluteDeviation(_ values: [Double], around centre: Double) -> Double? {
  values.map { ($0 - centre).magnitude }.median
}
