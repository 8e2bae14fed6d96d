// Statistics of order: medians, quantiles, deviations about a median, ranks.

extension Sequence<Double> {
  /// The middle value, or the mean of the two middle ones; `nil` of nothing.
  ///
  /// - Complexity: O(*n* log *n*)
  package var median: Double? { sorted().medianOfSorted }

  /// The value that a share of the others lies below; `nil` of nothing, and for a share outside of 0
  /// to 1.
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
    isEmpty ? nil : self[(count - 1) / 2].midpoint(with: self[count / 2])
  }

  /// The quantile, by type 7, of values in ascending order.
  func quantileOfSorted(_ share: Double) -> Double? {
    guard !isEmpty, share >= 0, share <= 1 else { return nil }
    let place = Double(count - 1) * share
    let row = Int(place)
    guard row < count - 1 else { return self[count - 1] }
    let rest = place - Double(row)
    let low = self[row]
    let high = self[row + 1]
    let distance = high - low
    // Values of opposite signs may lie further apart than a double reaches.
    let value = distance.isFinite ? low + distance * rest : low * (1 - rest) + high * rest
    return Swift.min(Swift.max(value, low), high)
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

extension [Double] {
  /// The values, where those that lie within a distance of the next smaller one are equal to it.
  ///
  /// - Complexity: O(*n* log *n*)
  func joined(within distance: Double) -> [Double] {
    var values = self
    let order = indices.sorted { self[$0] < self[$1] }
    for (place, last) in zip(order.dropFirst(), order) where self[place] - self[last] <= distance {
      values[place] = values[last]
    }
    return values
  }
}

/// The median of the distances from a centre; `nil` of nothing.
///
/// - Complexity: O(*n* log *n*)
func medianAbsoluteDeviation(_ values: [Double], around centre: Double) -> Double? {
  values.map { ($0 - centre).magnitude }.median
}

extension Double {
  /// The mean of two numbers, without overflow of their sum.
  func midpoint(with other: Double) -> Double {
    let sum = self + other
    return sum.isFinite ? sum / 2 : self / 2 + other / 2
  }
}
