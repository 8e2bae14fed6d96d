import HealthSamples

/// The edges of intervals for kernels, and the intervals that a span belongs to.
///
/// Interval *i* is `[edges[i], edges[i + 1])`. An instant belongs to the interval that starts at
/// it, as `lastEdge(notAfter:near:)` decides; a longer span to every interval that it overlaps.
/// `interval_sums.c` iterates over the intervals of a long span by the same rule.
struct IntervalEdges {
  /// Ascending; `-infinity` and `infinity` make one interval for everything.
  let edges: [Double]

  var count: Int { Swift.max(0, edges.count - 1) }

  /// One interval for everything.
  static let unbounded = IntervalEdges(edges: [-.infinity, .infinity])

  init(_ boundaries: Boundaries) { edges = boundaries.edges }

  private init(edges: [Double]) { self.edges = edges }

  /// The intervals that a span overlaps; empty when it lies outside.
  ///
  /// The hint is an interval near the start of the span.
  ///
  /// - Complexity: O(log *d*) in the distance from the hint, and O(intervals overlapped)
  func intervals(from start: Double, to end: Double, near hint: Int) -> Range<Int> {
    let first = interval(startingNotAfter: start, near: hint)
    if start == end {
      return first < 0 || first >= count ? 0..<0 : first..<first + 1
    }
    let lower = Swift.max(first, 0)
    var upper = lower
    while upper < count, edges[upper] < end { upper += 1 }
    return lower..<upper
  }

  /// The first interval that a span overlaps; `nil` when it lies outside.
  ///
  /// - Complexity: O(log *d*) in the distance from the hint
  func firstInterval(from start: Double, to end: Double, near hint: Int) -> Int? {
    let first = interval(startingNotAfter: start, near: hint)
    if first >= 0 { return first < count ? first : nil }
    return start < end && count > 0 && edges[0] < end ? 0 : nil
  }

  /// The index of the last edge at or before `instant`, -1 when all edges are later; gallops from
  /// the hint.
  func interval(startingNotAfter instant: Double, near hint: Int) -> Int {
    edges.lastEdge(notAfter: instant, near: hint)
  }
}
