import HealthQuery
import HealthSamples

/// The intervals of a question about elements, by the rules of `StatisticsPlan`.
///
/// An element belongs to the interval in which it starts, wherever it ends.
struct ElementIntervals {
  /// The start of each interval, in seconds since 2001-01-01 UTC.
  let starts: [Double]
  /// The end of each interval.
  let ends: [Double]
  private let edges: [Double]

  /// Resolves the intervals of a period.
  ///
  /// - Parameters:
  ///   - interval: the length; `nil` for one interval, exactly the period
  ///   - from: the first interval contains it; the first instant when `nil`
  ///   - to: the last interval starts before it; the last instant when `nil`
  ///   - zones: the zones of the calendar
  ///   - instants: the starts of all elements
  /// - Throws: `QueryError` for an invalid period, or too many intervals
  init(
    by interval: CalendarInterval?, from: QueryDate?, to: QueryDate?, in zones: ZoneTimeline,
    instants: [Double]
  ) throws(QueryError) {
    let plan = Self.plan(by: interval, from: from, to: to, in: zones)
    let resolver = try IntervalResolver(plan, firstSample: instants.min())
    let range = resolver.sampleRange
    let known = instants.filter { range.contains($0) }
    let span = known.min().flatMap { first in
      known.max().map { SampleSpan(firstStart: first, lastStart: $0, lastEnd: $0) }
    }
    edges = try resolver.boundaries(for: span, sourceCount: 1)?.edges ?? []
    (starts, ends) = (Array(edges.dropLast()), Array(edges.dropFirst()))
  }

  /// The instants of the elements that such a question needs, at least.
  static func range(
    by interval: CalendarInterval?, from: QueryDate?, to: QueryDate?, in zones: ZoneTimeline
  ) throws(QueryError) -> Range<Double> {
    let range = try IntervalResolver(
      plan(by: interval, from: from, to: to, in: zones), firstSample: nil
    ).sampleRange
    // Without a beginning the first element may move the edges.
    return from == nil && interval != nil ? -.infinity ..< .infinity : range
  }

  private static func plan(
    by interval: CalendarInterval?, from: QueryDate?, to: QueryDate?, in zones: ZoneTimeline
  ) -> StatisticsPlan {
    // Only the period of the plan is used, which is the same for every type.
    var plan = StatisticsPlan(type: SampleType(.stepCount), timeZone: zones)
    (plan.interval, plan.from, plan.to) = (interval, from, to)
    plan.clips = interval == nil
    return plan
  }

  /// The number of intervals. - Complexity: O(1)
  var count: Int { starts.count }

  /// The interval that contains an instant; `nil` outside of all.
  ///
  /// - Complexity: O(log *n*)
  func row(of instant: Double) -> Int? {
    let row = edges.lastEdge(notAfter: instant)
    return row >= 0 && row < count ? row : nil
  }
}
