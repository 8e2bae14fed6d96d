public import Foundation
public import HealthSamples
public import HealthStatistics

// Dates of Foundation at the door: inside, instants are seconds since 2001-01-01 UTC.

extension QueryDate {
  /// Makes a date from Foundation's.
  public init(_ date: Date) { self.init(instant: date.timeIntervalSinceReferenceDate) }

  /// The instant as Foundation's date.
  public var date: Date { Date(timeIntervalSinceReferenceDate: instant) }
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
  /// The edges of the intervals of a period, as a question for them has them.
  ///
  /// The first interval contains `from`, the last starts before `to` and ends at or after it.
  ///
  /// ```swift
  /// let days = try CalendarInterval(.day).boundaries(from: QueryDate(start), to: QueryDate(end), in: zones)
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
}
