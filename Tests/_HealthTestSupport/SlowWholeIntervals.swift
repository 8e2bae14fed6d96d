/// The slow twin of the rule of which intervals count: cuts an interval wherever a span of told time
/// begins or ends, and asks of each piece whether any span has it.
public enum SlowWholeIntervals {
  /// Whether an interval is over at a moment, and the data cover all of it.
  ///
  /// Of two days and more the first 24 hours may be missing.
  public static func isWhole(
    _ interval: Range<Double>, at now: Double, told: [(first: Double, end: Double)]
  ) -> Bool {
    let day = 86_400.0
    let (start, end) = (interval.lowerBound, interval.upperBound)
    if end > now { return false }
    let edges = told.flatMap { [$0.first, $0.end] } + [start, end]
    let cuts = Set(edges.filter { start <= $0 && $0 <= end }).sorted()
    for (from, to) in zip(cuts, cuts.dropFirst()) {
      let mayLack = end - start >= 2 * day && to <= start + day
      if !mayLack, !told.contains(where: { $0.first <= from && to <= $0.end }) { return false }
    }
    return true
  }
}
