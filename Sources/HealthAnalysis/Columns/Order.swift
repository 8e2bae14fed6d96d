extension Sequence<Double> {
  /// The middle value, or the mean of the two middle ones; `nil` without values.
  ///
  /// - Complexity: O(*n* log *n*)
  public var median: Double? {
    let sorted = sorted()
    guard let last = sorted.last else { return nil }
    let middle = sorted.count / 2
    if sorted.count.isMultiple(of: 2) { return sorted[middle - 1].midpoint(with: sorted[middle]) }
    return middle < sorted.count ? sorted[middle] : last
  }

  /// The value below which a share of the values lies, linear between order statistics (type 7 of
  /// Hyndman and Fan, *The American Statistician* 50, 1996); `nil` without values.
  ///
  /// - Parameter share: from 0, the smallest value, to 1, the largest; limited to them
  /// - Returns: the value; `nil` also for a share that is not a number
  /// - Complexity: O(*n* log *n*)
  public func quantile(_ share: Double) -> Double? {
    let sorted = sorted()
    guard !sorted.isEmpty, !share.isNaN else { return nil }
    let place = Swift.min(1, Swift.max(0, share)) * Double(sorted.count - 1)
    let below = Int(place)
    let above = Swift.min(below + 1, sorted.count - 1)
    let part = place - Double(below)
    return part == 0 ? sorted[below] : sorted[below] * (1 - part) + sorted[above] * part
  }
}

extension [Double] {
  /// The rank of each value, from 1; equal values have the mean of their ranks.
  ///
  /// - Complexity: O(*n* log *n*)
  public var averageRanks: [Double] {
    let order = indices.sorted { self[$0] < self[$1] }
    var ranks = [Double](repeating: 0, count: count)
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, self[order[end]] == self[order[start]] { end += 1 }
      // The mean of start + 1, …, end.
      for place in start..<end { ranks[order[place]] = Double(start + 1 + end) / 2 }
      start = end
    }
    return ranks
  }
}

/// The median of the distances from a centre, without a factor; `nil` without values.
///
/// - Complexity: O(*n* log *n*)
public func medianAbsoluteDeviation(_ values: [Double], around centre: Double) -> Double? {
  values.map { ($0 - centre).magnitude }.median
}

extension Double {
  /// The mean of two numbers, without overflow of their sum.
  func midpoint(with other: Double) -> Double {
    let sum = self + other
    return sum.isFinite ? sum / 2 : self / 2 + other / 2
  }
}
