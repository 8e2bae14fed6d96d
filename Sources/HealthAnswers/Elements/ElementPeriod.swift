public import HealthQuery

/// The intervals of a question about elements.
///
/// An element belongs to the interval in which it starts, wherever it ends.
public struct ElementPeriod: Sendable, Hashable {
  /// The length of an interval; `nil` for one over the whole period.
  public var interval: CalendarInterval?
  /// The first interval contains it; the first element when `nil`.
  public var from: QueryDate?
  /// The last interval starts before it and ends at or after it; the last element when `nil`.
  public var to: QueryDate?
  /// The zones of the calendar of the intervals.
  public var timeZone: ZoneTimeline

  /// Makes a period, by default all time.
  public init(
    timeZone: ZoneTimeline, interval: CalendarInterval? = nil, from: QueryDate? = nil,
    to: QueryDate? = nil
  ) {
    self.timeZone = timeZone
    self.interval = interval
    (self.from, self.to) = (from, to)
  }

  /// The instants of the elements that are needed, at least.
  package func range() throws(QueryError) -> Range<Double> {
    try ElementIntervals.range(by: interval, from: from, to: to, in: timeZone)
  }

  /// The intervals of elements that start at some instants.
  func intervals(of instants: [Double]) throws(QueryError) -> ElementIntervals {
    try ElementIntervals(by: interval, from: from, to: to, in: timeZone, instants: instants)
  }
}
