import HealthSamples

/// Parses dates as apps write them on phones: in the style of the phone's clock and language.
///
/// `2024-03-09 15:04:05 -0700`, `2024-03-09 3:04:05 PM -0700`, AM or PM in any language of the
/// table before or after the time, with any kind of space, digits of any script, or ISO 8601.
struct LocalisedDate {
  private var dates = DateScanner()
  /// The seconds east of UTC with which the last date is written; `nil` for one in UTC (`Z`), and if
  /// it was none.
  private(set) var offset: Int?

  private static let longest = 128

  /// Seconds since 2001-01-01 UTC; `nil` if the text is not such a date.
  mutating func instant(_ text: Bytes) -> Double? {
    offset = nil
    let date = dates.date(text)
    if date != DateScanner.invalid {
      offset = dates.offset
      return Double(date)
    }
    guard text.count <= Self.longest else { return nil }
    if let instant = plainInstant(text) { return instant }
    guard var plain = Self.rewritten(String(decoding: text, as: UTF8.self)) else { return nil }
    return plain.withUTF8 { plainInstant($0) }
  }

  /// The instant of a date in ISO 8601.
  private mutating func plainInstant(_ text: Bytes) -> Double? {
    guard let clock = WallClockText(text, years: CivilDate.years), let instant = clock.instant
    else { return nil }
    if text[text.count - 1].isDigit { offset = clock.offset }
    return instant
  }

  /// Forgets the last date.
  mutating func forgetOffset() { offset = nil }

  /// Seconds since 2001-01-01 UTC; `nil` if the text is not such a date.
  mutating func instant(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { instant($0) }
  }

  /// Whether a text is a date except for a missing offset from UTC.
  static func lacksOffset(_ text: String) -> Bool {
    var dates = LocalisedDate()
    return dates.instant(text + " +0000") != nil
  }

  /// The date in ISO 8601; `nil` if it has no day, no time or no offset.
  private static func rewritten(_ text: String) -> String? {
    let (numbers, marker) = parts(of: text)
    guard numbers.count == 3, let offset = numbers.last?.first, offset == "+" || offset == "-"
    else { return nil }
    var clock = numbers[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard (2...3).contains(clock.count), var hour = Int(clock[0]) else { return nil }
    if !marker.isEmpty {
      guard (1...12).contains(hour), let isAfternoon = isAfternoon[marker] else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    clock[0] = (hour < 10 ? "0" : "") + String(hour)
    return "\(numbers[0])T\(clock.joined(separator: ":"))\(numbers[2])"
  }

  /// The numbers of a date in ASCII digits, and all of its letters.
  private static func parts(of text: String) -> (numbers: [String], marker: String) {
    var numbers: [String] = []
    var isInNumber = false
    var marker = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let part = part(scalar) {
        if isInNumber { numbers[numbers.count - 1] += part } else { numbers.append(part) }
        isInNumber = true
      } else {
        isInNumber = false
        if scalar.properties.isAlphabetic { marker.append(scalar) }
      }
    }
    return (numbers, String(marker).lowercased())
  }

  /// The contribution of a character to a number; `nil` if it is not in one.
  private static func part(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "0"..."9", ":", "-", "+": String(scalar)
    case "\u{2212}": "-"
    default:
      scalar.properties.numericType == .decimal
        ? scalar.properties.numericValue.flatMap(Int.init(exactly:)).map(String.init) : nil
    }
  }

  /// Whether a word means the second half of the day.
  private static let isAfternoon = Dictionary(
    halvesOfDay.flatMap {
      [(parts(of: $0.first).marker, false), (parts(of: $0.second).marker, true)]
    },
    uniquingKeysWith: { first, _ in first })
}
