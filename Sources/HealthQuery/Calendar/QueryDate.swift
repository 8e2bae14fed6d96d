public import Foundation
import HealthSamples
package import HealthStore

/// An instant of a query, and whether calendar intervals align or begin there.
///
/// ```swift
/// try QueryDate("2024-03-09", in: zone, now: now)   // local midnight
/// try QueryDate("2024-03-09T10:00+01:00", in: zone, now: now)
/// try QueryDate("2024-03", in: zone, now: now)      // its first instant
/// try QueryDate("-30d", in: zone, now: now)         // local midnight, 30 days before today
/// try QueryDate("-30d", in: zone, now: now, boundsPeriod: true)  // the last 30 days, with today
/// ```
public struct QueryDate: Sendable, Hashable, Codable {
  /// Seconds since 2001-01-01 UTC.
  public let instant: Double
  /// Whether intervals of a calendar unit align to the calendar; else one begins at the instant.
  public let alignsIntervals: Bool
  /// Whether nothing later counts where it ends a period, also in an interval that it does not end.
  public let isLimit: Bool
  /// Whether data that end earlier end the period that it limits, so that no empty intervals follow.
  package private(set) var endsWithData: Bool

  /// Makes a date from an instant.
  public init(instant: Double, alignsIntervals: Bool = false, isLimit: Bool = false) {
    self.instant = instant
    self.alignsIntervals = alignsIntervals
    (self.isLimit, endsWithData) = (isLimit, isLimit)
  }

  /// The same, whose period does not end with the data.
  package var whereverDataEnd: QueryDate {
    var date = self
    date.endsWithData = false
    return date
  }

  /// Decodes a date; one without the member `isLimit` is none.
  ///
  /// - Throws: `DecodingError`
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    instant = try members.decode(Double.self, forKey: .instant)
    alignsIntervals = try members.decode(Bool.self, forKey: .alignsIntervals)
    isLimit = try members.decodeIfPresent(Bool.self, forKey: .isLimit) ?? false
    endsWithData = try members.decodeIfPresent(Bool.self, forKey: .endsWithData) ?? isLimit
  }

  /// The instants of the years 1 to 9999, in UTC, with a day of margin for offsets.
  package static let range = CivilDate.instants

  /// Parses ISO 8601 with or without a time, seconds, fraction and offset, a month or a year,
  /// `now`, `today`, `tomorrow`, `yesterday`, `this week`, `last month` and the like, or a relative
  /// time: `-` and a number of `min h d w mo y`.
  ///
  /// A time without an offset is in the zone's wall clock. A bare date, month or year, `today`,
  /// `tomorrow`, `yesterday`, `last week` and relative times in days and longer units are the first
  /// instant of that date; with shorter units beside longer ones, `-1d12h`, the longer ones are taken from the
  /// wall clock first. Dates that start with the year may omit zeros and use `/` or no separator:
  /// 2024/3/9, 20240309; so is the day first with points, 9.3.2024. `30 days ago` is `-30d`.
  ///
  /// As an edge of a period `-7d` includes today: from there to the end of today are seven days.
  /// `7 days ago` stays the date seven days before today.
  ///
  /// - Parameters:
  ///   - text: the text
  ///   - zones: the zones of the wall clock
  ///   - now: the reference of `today` and relative times, in seconds since 2001-01-01 UTC
  ///   - boundsPeriod: whether the date is an edge of a period, and no moment
  /// - Throws: ``QueryError`` with ``QueryError/Reason/unreadableDate(_:suggestions:)`` or
  ///   ``QueryError/Reason/dateOutOfRange``
  public init(
    _ text: String, in zones: ZoneTimeline, now: Double, boundsPeriod: Bool = false
  ) throws(QueryError) {
    guard Self.range.contains(now) else { throw QueryError(.dateOutOfRange) }
    let loose = LooseDate(text)
    let includesToday = boundsPeriod && !loose.saysAgo
    if let date = try Self.relative(loose.words, in: zones, now: now, includesToday) {
      self = date
      return
    }
    guard let clock = loose.clock else {
      let today = WallClock(of: zones, over: now...now).day(containing: now)
      throw QueryError(
        .unreadableDate(text, suggestions: loose.suggestions(today: CivilDate(dayNumber: today))))
    }
    let instant = Self.instant(of: clock, in: zones)
    guard Self.range.contains(instant) else { throw QueryError(.dateOutOfRange) }
    self.init(instant: instant, alignsIntervals: clock.isBareDate)
  }

  /// The instant of a text; without an offset in the wall clock of the zones.
  static func instant(of clock: WallClockText, in zones: ZoneTimeline) -> Double {
    clock.instant ?? instant(of: clock.date, seconds: clock.seconds, in: zones)
  }

  /// The same in one zone.
  public init(
    _ text: String, in zone: TimeZone, now: Double, boundsPeriod: Bool = false
  ) throws(QueryError) {
    try self.init(text, in: ZoneTimeline(zone), now: now, boundsPeriod: boundsPeriod)
  }

  private static func relative(
    _ text: String, in zones: ZoneTimeline, now: Double, _ includesToday: Bool
  ) throws(QueryError) -> QueryDate? {
    let today = WallClock(of: zones, over: now...now).day(containing: now)
    func midnight(_ date: CivilDate) throws(QueryError) -> QueryDate {
      guard CivilDate.years.contains(date.year) else { throw QueryError(.dateOutOfRange) }
      return QueryDate(instant: instant(of: date, seconds: 0, in: zones), alignsIntervals: true)
    }
    switch text {
    case "now": return QueryDate(instant: now)
    case "today": return try midnight(CivilDate(dayNumber: today))
    case "tomorrow": return try midnight(CivilDate(dayNumber: today + 1))
    case "yesterday":
      return try midnight(CivilDate(dayNumber: zones.day(before: today, by: 1)))
    default: break
    }
    if let first = LooseDate.start(ofNamed: text, today: CivilDate(dayNumber: today)) {
      return try midnight(first)
    }
    guard text.hasPrefix("-"), let ago = CalendarInterval(String(text.dropFirst())),
      ago.alignment == nil
    else { return nil }
    guard ago.seconds > 0 else {
      let last = CivilDate(dayNumber: includesToday ? today + 1 : today)
      let date = last.adding(months: -ago.months)
      return try midnight(CivilDate(dayNumber: zones.day(before: date.dayNumber, by: ago.days)))
    }
    let month = CivilDate(dayNumber: today).adding(months: -ago.months)
    let date = CivilDate(dayNumber: month.dayNumber - ago.days)
    guard CivilDate.years.contains(date.year) else { throw QueryError(.dateOutOfRange) }
    let isElapsed = ago.months == 0 && ago.days == 0
    let clock = now + Double(zones.offset(at: now) - today * CivilDate.secondsPerDay)
    let start = isElapsed ? now : instant(of: date, seconds: clock, in: zones)
    let moment = start - Double(ago.seconds)
    guard range.contains(moment) else { throw QueryError(.dateOutOfRange) }
    return QueryDate(instant: moment)
  }

  private static func instant(
    of date: CivilDate, seconds: Double, in zones: ZoneTimeline
  ) -> Double {
    let day = date.dayNumber
    let midnight = Double(day * CivilDate.secondsPerDay)
    return WallClock(of: zones, over: midnight...midnight).instant(ofDay: day, seconds: seconds)
  }
}

extension Now {
  /// Parses a date and time in ISO 8601 with the offset from UTC.
  ///
  /// - Throws: ``QueryError`` with ``QueryError/Reason/notAMoment(_:)``
  package init(stated text: String) throws(QueryError) {
    guard let now = Now(text) else { throw QueryError(.notAMoment(text)) }
    self = now
  }
}
