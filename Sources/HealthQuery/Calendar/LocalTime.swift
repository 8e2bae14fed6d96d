package import Foundation

/// An instant in the clock and calendar of the current time zone.
package struct LocalTime: Equatable {
  package let date: CivilDate
  package let hour: Int
  package let minute: Int
  package let second: Int
  /// The fraction of a second after the clock time, in `0..<1`.
  package let fraction: Double
  /// Seconds east of UTC, in whole minutes.
  package let offset: Int
  /// 0 is Monday.
  package let weekday: Int

  /// Computes the clock time at an instant in seconds since 2001-01-01 UTC.
  ///
  /// Before standard time some offsets had odd seconds, which ISO 8601 cannot express: they are
  /// truncated to minutes, so that the text still means the same instant.
  package init(_ instant: Double, in zones: ZoneTimeline) {
    // Far beyond the years 1 and 9999; keeps Foundation and the arithmetic below in bounds.
    let bounded = min(max(instant, -1e12), 1e12)
    offset = zones.offset(at: bounded) / 60 * 60
    let whole = bounded.rounded(.down)
    fraction = bounded - whole
    let local = Int(whole) + offset
    let days = local.floorDivided(by: CivilDate.secondsPerDay)
    let secondOfDay = local - days * CivilDate.secondsPerDay
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
    // 2001-01-01 was a Monday.
    weekday = days - days.floorDivided(by: 7) * 7
    date = CivilDate(dayNumber: days)
  }

  /// Computes the clock time of one zone.
  package init(_ instant: Double, in zone: TimeZone) { self.init(instant, in: ZoneTimeline(zone)) }

  /// Whether the clock shows midnight.
  package var isMidnight: Bool { hour == 0 && minute == 0 && second == 0 && fraction == 0 }

  /// The date: `2024-03-05`.
  package var dateText: String { Self.text(of: date) }

  /// A date: `2024-03-05`.
  package static func text(of date: CivilDate) -> String {
    "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
  }

  /// The time to the minute: `13:05`.
  package var minuteText: String { "\(Self.digits(hour, 2)):\(Self.digits(minute, 2))" }

  /// The time: `13:05`, with seconds only if they are not zero.
  package var clockText: String {
    second == 0 && fraction == 0 ? minuteText : minuteText + ":" + Self.digits(second, 2)
  }

  /// The day of the week: `Mon`.
  package var weekdayText: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday] }

  /// ISO 8601 with the offset: `2024-03-05T00:00:00+01:00`; with fractions only if not zero.
  package var isoText: String {
    guard fraction > 0 || !(0...9999).contains(date.year) else { return shortText }
    var text = dateText + "T" + Self.digits(hour, 2) + ":" + Self.digits(minute, 2) + ":"
    text += Self.digits(second, 2)
    if fraction > 0 {
      let microseconds = Int((fraction * 1e6).rounded(.down))
      var decimals = Self.digits(microseconds, 6)[...]
      while decimals.last == "0" { decimals.removeLast() }
      if !decimals.isEmpty { text += "." + decimals }
    }
    let minutes = abs(offset) / 60
    return text + (offset < 0 ? "-" : "+") + Self.digits(minutes / 60, 2) + ":"
      + Self.digits(minutes % 60, 2)
  }

  /// ``isoText`` of a whole second in the years of four digits, written byte by byte: exports write
  /// three of them per sample.
  private var shortText: String {
    String(unsafeUninitializedCapacity: 25) { bytes in
      var place = 0
      func put(_ byte: UInt8) {
        bytes[place] = byte
        place += 1
      }
      func put(_ number: Int, of digits: Int, after mark: Unicode.Scalar? = nil) {
        if let mark { put(UInt8(ascii: mark)) }
        if digits == 4 {
          put(UInt8(ascii: "0") + UInt8(number / 1000))
          put(UInt8(ascii: "0") + UInt8(number / 100 % 10))
        }
        put(UInt8(ascii: "0") + UInt8(number / 10 % 10))
        put(UInt8(ascii: "0") + UInt8(number % 10))
      }
      let minutes = abs(offset) / 60
      put(date.year, of: 4)
      put(date.month, of: 2, after: "-")
      put(date.day, of: 2, after: "-")
      put(hour, of: 2, after: "T")
      put(minute, of: 2, after: ":")
      put(second, of: 2, after: ":")
      put(minutes / 60, of: 2, after: offset < 0 ? "-" : "+")
      put(minutes % 60, of: 2, after: ":")
      return place
    }
  }

  private static func digits(_ value: Int, _ count: Int) -> String {
    let text = String(abs(value))
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
