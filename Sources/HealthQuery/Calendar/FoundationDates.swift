public import Foundation
public import HealthSamples
public import HealthStatistics

// Conversions from and to Foundation's dates; internally, instants are seconds since 2001-01-01
// UTC.

extension QueryDate {
  /// Makes a date from Foundation's, to which intervals of a calendar unit align.
  public init(_ date: Date) {
    self.init(instant: date.timeIntervalSinceReferenceDate, alignsIntervals: true)
  }

  /// The instant as Foundation's date.
  public var date: Date { Date(timeIntervalSinceReferenceDate: instant) }
}

extension Boundaries {
  /// Makes the boundaries of adjacent intervals from Foundation's dates.
  ///
  /// - Throws: `ColumnError`, as for edges
  public init(dates: [Date]) throws(ColumnError) {
    try self.init(edges: dates.map(\.timeIntervalSinceReferenceDate))
  }

  /// The edges as Foundation's dates.
  public var dates: [Date] { edges.map(Date.init(timeIntervalSinceReferenceDate:)) }
}

extension SampleColumns {
  /// Makes the columns of one source from Foundation's dates, whose rows may be in any order.
  ///
  /// - Throws: `ColumnError`, as for instants in seconds
  public init(
    type: SampleType, source: Source, startDates: [Date], endDates: [Date], values: [Double]
  ) throws(ColumnError) {
    try self.init(
      type: type, source: source, starts: startDates.map(\.timeIntervalSinceReferenceDate),
      ends: endDates.map(\.timeIntervalSinceReferenceDate), values: values)
  }
}

extension StatisticsRow {
  /// The interval as Foundation's dates.
  public var dateInterval: DateInterval {
    DateInterval(
      start: Date(timeIntervalSinceReferenceDate: start),
      end: Date(timeIntervalSinceReferenceDate: end))
  }
}

extension CalendarInterval {
  /// The edges of the intervals of a period, as in a statistics query.
  ///
  /// The first interval contains `from`, the last starts before `to` and ends at or after it.
  ///
  /// ```swift
  /// let days = try CalendarInterval(.day).boundaries(from: first, to: last, in: zones)
  /// ```
  ///
  /// - Throws: ``QueryError`` for a period that is empty, too long or out of range.
  public func boundaries(
    from: QueryDate, to: QueryDate, anchor: QueryDate? = nil, in zones: ZoneTimeline
  ) throws(QueryError) -> Boundaries {
    var plan = StatisticsPlan(type: SampleType(.stepCount), timeZone: zones)
    (plan.interval, plan.from, plan.to, plan.anchor) = (self, from, to, anchor)
    let intervals = try IntervalResolver(plan, firstSample: nil)
    guard let boundaries = try intervals.boundaries(for: nil, sourceCount: 0) else {
      throw QueryError(.emptyPeriod(from: from.instant, to: to.instant))
    }
    return boundaries
  }

  /// The edges of the intervals of a period in one zone, from Foundation's dates.
  ///
  /// ```swift
  /// let days = try CalendarInterval(.day).boundaries(from: start, to: end, in: .current)
  /// ```
  ///
  /// - Throws: ``QueryError`` for a period that is empty, too long or out of range.
  public func boundaries(
    from: Date, to: Date, in zone: TimeZone
  ) throws(QueryError) -> Boundaries {
    try boundaries(from: QueryDate(from), to: QueryDate(to), in: ZoneTimeline(zone))
  }
}
