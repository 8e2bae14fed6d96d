public import Foundation

/// The slow twin of the interval grid: every edge is asked of Foundation's calendar.
public struct ReferenceCalendar {
  private let zone: Calendar
  private let utc: Calendar

  public init?(zone identifier: String) {
    guard let timeZone = TimeZone(identifier: identifier) else { return nil }
    var zone = Calendar(identifier: .gregorian)
    zone.timeZone = timeZone
    var utc = Calendar(identifier: .gregorian)
    utc.timeZone = .gmt
    (self.zone, self.utc) = (zone, utc)
  }

  /// Edge `index` of intervals of some months and days, anchored at an instant.
  ///
  /// The months are counted on the wall clock and clamped to the length that the calendar gives;
  /// days are steps of 24 h without a zone; the outcome is placed in the zone. A midnight that
  /// does not exist there is the first instant of its date.
  public func edge(_ index: Int, anchor: Date, months: Int, days: Int) -> Date? {
    var parts = zone.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: anchor)
    guard let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
    let total = year * 12 + month - 1 + months * index
    parts.year = total / 12
    parts.month = total % 12 + 1
    parts.day = 1
    guard let first = utc.date(from: parts),
      let length = utc.range(of: .day, in: .month, for: first)?.count
    else { return nil }
    let steps = min(day, length) - 1 + days * index
    let wall = first.addingTimeInterval(Double(steps) * 86_400)
    parts = utc.dateComponents([.year, .month, .day, .hour, .minute, .second], from: wall)
    guard let placed = zone.date(from: parts) else { return nil }
    return parts.hour == 0 && parts.minute == 0 && parts.second == 0
      ? firstInstant(of: placed, named: parts) : placed
  }

  /// The first instant whose local date is the named one, sought by minutes around midnight.
  private func firstInstant(of placed: Date, named parts: DateComponents) -> Date {
    let start = placed.addingTimeInterval(-3 * 3600)
    for minute in 0..<6 * 60 {
      let candidate = start.addingTimeInterval(Double(minute * 60))
      let found = zone.dateComponents([.year, .month, .day], from: candidate)
      if (found.year, found.month, found.day) == (parts.year, parts.month, parts.day) {
        return candidate
      }
    }
    return placed
  }
}
