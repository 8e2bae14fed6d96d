package import Foundation
package import HealthSamples

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
    let bounded = Self.bounded(instant)
    self.init(bounded, offset: zones.offset(at: bounded))
  }

  /// Computes the clock time at one of many instants that are close together.
  package init(_ instant: Double, in offsets: inout OffsetCache) {
    let bounded = Self.bounded(instant)
    self.init(bounded, offset: offsets.offset(at: bounded))
  }

  /// Computes the clock time of one zone.
  package init(_ instant: Double, in zone: TimeZone) { self.init(instant, in: ZoneTimeline(zone)) }

  /// Far beyond the years 1 and 9999; keeps Foundation and the arithmetic below in bounds.
  private static func bounded(_ instant: Double) -> Double { min(max(instant, -1e12), 1e12) }

  private init(_ instant: Double, offset seconds: Int) {
    offset = seconds / 60 * 60
    let whole = instant.rounded(.down)
    fraction = instant - whole
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

  /// Whether the clock shows midnight.
  package var isMidnight: Bool { hour == 0 && minute == 0 && second == 0 && fraction == 0 }

  /// The date: `2024-03-05`.
  package var dateText: String { Self.text(of: date) }

  /// A date: `2024-03-05`.
  package static func text(of date: CivilDate) -> String {
    ClockText.string(ClockText.shortCapacity) { $0.put(date) }
  }

  /// The time to the minute: `13:05`.
  package var minuteText: String {
    ClockText.string(ClockText.shortCapacity) { $0.put(hour, minute) }
  }

  /// The time: `13:05`, with seconds only if they are not zero.
  package var clockText: String {
    ClockText.string(ClockText.shortCapacity) { put(clockTo: &$0) }
  }

  /// The date and the time: `2024-03-05 13:05`, with seconds only if they are not zero.
  package var momentText: String {
    ClockText.string {
      $0.put(date)
      $0.put(" ")
      put(clockTo: &$0)
    }
  }

  /// ISO 8601 with the offset: `2024-03-05T00:00:00+01:00`; with fractions only if not zero.
  package var isoText: String { ClockText.string { put(isoTo: &$0) } }

  /// Appends ``isoText``; exports write three of them per sample.
  package func append(isoTo bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ClockText.capacity) { room in
      var text = ClockText(room)
      put(isoTo: &text)
      bytes.append(contentsOf: room[..<text.count])
    }
  }

  private func put(clockTo text: inout ClockText) {
    text.put(hour, minute)
    guard second != 0 || fraction != 0 else { return }
    text.put(":")
    text.put(second)
  }

  private func put(isoTo text: inout ClockText) {
    text.put(date)
    text.put("T")
    text.put(hour, minute)
    text.put(":")
    text.put(second)
    if fraction > 0 { text.put(microseconds: Int((fraction * 1e6).rounded(.down))) }
    text.put(offset < 0 ? "-" : "+")
    let minutes = abs(offset) / 60
    text.put(minutes / 60, minutes % 60)
  }
}

/// Writes the digits of a date into uninitialized memory.
private struct ClockText {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  /// A year of five digits and a sign, microseconds and an offset take 34 bytes.
  static let capacity = 40
  /// The capacity of a date or a time, which Swift strings store inline.
  static let shortCapacity = 15

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  static func string(
    _ capacity: Int = capacity, _ put: (inout ClockText) -> Void
  ) -> String {
    String(unsafeUninitializedCapacity: capacity) { bytes in
      var text = ClockText(bytes)
      put(&text)
      return text.count
    }
  }

  mutating func put(_ mark: Unicode.Scalar) {
    bytes[count] = UInt8(ascii: mark)
    count += 1
  }

  /// Two digits.
  mutating func put(_ number: Int) {
    bytes[count] = UInt8(ascii: "0") + UInt8(number / 10)
    bytes[count + 1] = UInt8(ascii: "0") + UInt8(number % 10)
    count += 2
  }

  /// Two digits, a colon, two digits.
  mutating func put(_ first: Int, _ second: Int) {
    put(first)
    put(":")
    put(second)
  }

  mutating func put(_ date: CivilDate) {
    if date.year < 0 { put("-") }
    let year = abs(date.year)
    // Instants are limited to years of at most five digits.
    if year >= 10_000 { put(Unicode.Scalar(UInt8(ascii: "0") + UInt8(year / 10_000 % 10))) }
    put(year / 100 % 100)
    put(year % 100)
    put("-")
    put(date.month)
    put("-")
    put(date.day)
  }

  /// A point and six digits without trailing zeros; nothing for zero.
  mutating func put(microseconds: Int) {
    guard microseconds > 0 else { return }
    put(".")
    put(microseconds / 10_000)
    put(microseconds / 100 % 100)
    put(microseconds % 100)
    while bytes[count - 1] == UInt8(ascii: "0") { count -= 1 }
  }
}
