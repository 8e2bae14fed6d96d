/// Finds spans of time that no span of another source touches.
struct Solitude {
  /// One span, and whose it is.
  struct Span {
    var start: Double
    var end: Double
    var source: Int
  }

  /// Whether each span is touched by none of another source, ends included.
  ///
  /// - Complexity: O(*n* log *n*)
  static func ofSpans(_ spans: [Span]) -> [Bool] {
    let order = spans.indices.sorted { spans[$0].start < spans[$1].start }
    var isAlone = Array(repeating: true, count: spans.count)
    // Of the spans that start before: how far they reach, and how far those of a second source.
    var reach = Span(start: 0, end: -.infinity, source: -1)
    var otherReach = -Double.infinity
    for index in order {
      let span = spans[index]
      let before = reach.source == span.source ? otherReach : reach.end
      if before >= span.start { isAlone[index] = false }
      if span.source == reach.source {
        reach.end = max(reach.end, span.end)
      } else if span.end > reach.end {
        otherReach = reach.end
        reach = span
      } else {
        otherReach = max(otherReach, span.end)
      }
    }
    // Of the spans that start later: the first, and the first of a second source.
    var next = Span(start: .infinity, end: 0, source: -1)
    var otherStart = Double.infinity
    for index in order.reversed() {
      let span = spans[index]
      let after = next.source == span.source ? otherStart : next.start
      if after <= span.end { isAlone[index] = false }
      if span.source != next.source { otherStart = next.start }
      next = span
    }
    return isAlone
  }
}
