import HealthSamples

/// Parses the dates of exports to whole seconds since 2001-01-01 UTC.
///
/// Consecutive records have the same day and offset, so both are cached as bytes and a date costs
/// little more than its time of day. Within its forms it agrees with ``WallClockText``.
struct DateScanner {
  /// The length of `yyyy-MM-dd HH:mm:ss ±HHMM`.
  static let length = 25
  /// Returned for an invalid date.
  static let invalid = Int.min

  /// The first instant of the year 1900.
  static let year1900 = -3_187_296_000.0
  /// The first instant after the year 2200.
  static let year2201 = 6_311_347_200.0

  private var dayText: (first: UInt64, last: UInt64) = (0, 0)
  private var day = 0
  private var offsetText: UInt64 = 0
  /// The offset from UTC of the last date, in seconds.
  private(set) var offset = 0

  init() {}

  /// The date at `place`, or ``invalid``.
  ///
  /// - Precondition: 25 bytes are readable.
  @inline(__always)
  mutating func scan(_ place: UnsafePointer<UInt8>) -> Int {
    // The words are "yyyy-MM-", "y-MM-dd ", "HH:mm:ss" and "ss ±HHMM" without its first two bytes.
    let dayText = (first: place.word(at: 0), last: place.word(at: 3))
    if dayText != self.dayText, !rememberDay(place, text: dayText) { return Self.invalid }
    let time = place.word(at: 11) ^ 0x3030_3A30_303A_3030
    let isTime = (time | (time &+ 0x7676_7F76_767F_7676)) & 0x8080_8080_8080_8080 == 0
    let offsetText = place.word(at: 17) >> 16
    if offsetText != self.offsetText, !rememberOffset(place + 19, text: offsetText) {
      return Self.invalid
    }
    let hours = Int(time & 15) * 10 + Int(time >> 8 & 15)
    let minutes = Int(time >> 24 & 15) * 10 + Int(time >> 32 & 15)
    let seconds = Int(time >> 48 & 15) * 10 + Int(time >> 56 & 15)
    guard isTime, hours < 24, minutes < 60, seconds <= 60 else { return Self.invalid }
    return day + hours * 3600 + minutes * 60 + seconds - offset
  }

  /// The date of the whole `text`, in the current form or the compact one of iOS 8
  /// (`yyyyMMddHHmmss±HHMM`); otherwise ``invalid``.
  mutating func date(_ text: Bytes) -> Int {
    guard let base = text.baseAddress else { return Self.invalid }
    if text.count == Self.length { return scan(base) }
    guard text.count == 19 else { return Self.invalid }
    var full: [UInt8] = []
    for (index, byte) in text.enumerated() {
      switch index {
      case 4, 6: full.append(UInt8(ascii: "-"))
      case 8, 14: full.append(UInt8(ascii: " "))
      case 10, 12: full.append(UInt8(ascii: ":"))
      default: break
      }
      full.append(byte)
    }
    return full.withUnsafeBufferPointer { $0.baseAddress.map { scan($0) } ?? Self.invalid }
  }

  private mutating func rememberDay(
    _ place: UnsafePointer<UInt8>, text: (first: UInt64, last: UInt64)
  ) -> Bool {
    guard let century = Self.twoDigits(place), let yearOfCentury = Self.twoDigits(place + 2),
      place[4] == UInt8(ascii: "-"), let month = Self.twoDigits(place + 5),
      place[7] == UInt8(ascii: "-"), let dayOfMonth = Self.twoDigits(place + 8),
      place[10] == 0x20,
      let date = CivilDate(existing: century * 100 + yearOfCentury, month, dayOfMonth)
    else { return false }
    dayText = text
    day = date.dayNumber * CivilDate.secondsPerDay
    return true
  }

  private mutating func rememberOffset(_ place: UnsafePointer<UInt8>, text: UInt64) -> Bool {
    guard place[0] == 0x20, place[1] == UInt8(ascii: "+") || place[1] == UInt8(ascii: "-"),
      let hours = Self.twoDigits(place + 2), hours < 24,
      let minutes = Self.twoDigits(place + 4), minutes < 60
    else { return false }
    offsetText = text
    offset = (hours * 3600 + minutes * 60) * (place[1] == UInt8(ascii: "-") ? -1 : 1)
    return true
  }

  private static func twoDigits(_ place: UnsafePointer<UInt8>) -> Int? {
    place[0].isDigit && place[1].isDigit
      ? Int(place[0] - 0x30) * 10 + Int(place[1] - 0x30) : nil
  }
}
