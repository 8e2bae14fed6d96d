/// Writes scaled numbers in a language, as the page's script does.
///
/// The script writes digits with
/// `new Intl.NumberFormat(code, {minimumFractionDigits: d, maximumFractionDigits: d})`, differences
/// with `signDisplay: "exceptZero"`, where `code` is ``ReportLanguage/Base``'s raw value, and then
/// puts U+2212 for `-`. All the rest comes from ``Words/Patterns``, which it has, too. Foundation's
/// styles give the same digits, but take a `Double`, and ten times as long.
struct NumberWriter: Sendable {
  let language: ReportLanguage
  let patterns: Words.Patterns
  private let separators: Separators

  init(_ language: ReportLanguage) {
    self.language = language
    patterns = Words.of(language.base).patterns
    separators = Separators(language.base)
  }

  /// A number: `−1,234.5`.
  ///
  /// `scaled` is the number times 10^digits; `digits` are the decimals shown, from 0 to 9.
  func number(_ scaled: Int, digits: Int = 0) -> String {
    (scaled < 0 ? Self.minus : "") + magnitude(scaled, digits: digits)
  }

  /// A difference with its sign: `+330`, `−2,158`, `±0`.
  ///
  /// Nothing is `±0` without decimals, whatever the decimals of its measure.
  func difference(_ scaled: Int, digits: Int = 0) -> String {
    scaled == 0 ? Self.none : sign(scaled) + magnitude(scaled, digits: digits)
  }

  /// A number and its unit, which no line break parts; a number alone if there is no unit.
  func withUnit(_ number: String, _ unit: String) -> String {
    unit.isEmpty ? number : TextPattern.filled(patterns.numberAndUnit, number, unit)
  }

  /// A number in percent: `93%`, and `93 %` in German.
  func percent(_ scaled: Int, digits: Int = 0) -> String {
    TextPattern.filled(patterns.percent, number(scaled, digits: digits))
  }

  /// A duration: `8 h 05`, and `13 min` under an hour.
  func duration(minutes: Int) -> String {
    (minutes < 0 ? Self.minus : "") + durationMagnitude(minutes)
  }

  /// A difference of durations: `+48 min`, `−1 h 05`, `±0 min`.
  func durationDifference(minutes: Int) -> String {
    (minutes == 0 ? "±" : sign(minutes)) + durationMagnitude(minutes)
  }

  /// Minutes and seconds, or hours, minutes and seconds: `6:19`, `1:02:05`.
  func stopwatch(seconds: Int) -> String {
    let total = Int(seconds.magnitude)
    let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
    let text =
      hours > 0
      ? "\(hours):\(Self.twoDigits(minutes)):\(Self.twoDigits(rest))"
      : "\(minutes):\(Self.twoDigits(rest))"
    return (seconds < 0 ? Self.minus : "") + text
  }

  /// From one number to another: `8,313 – 12,622`.
  func range(_ first: String, _ last: String) -> String {
    TextPattern.filled(patterns.numberRange, first, last)
  }

  static let minus = "\u{2212}"
  private static let none = "±0"

  static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func sign(_ scaled: Int) -> String { scaled < 0 ? Self.minus : "+" }

  private func durationMagnitude(_ minutes: Int) -> String {
    let (hours, rest) = Int(clamping: minutes.magnitude).quotientAndRemainder(dividingBy: 60)
    guard hours > 0 else { return TextPattern.filled(patterns.minutes, "\(rest)") }
    return TextPattern.filled(
      patterns.hoursAndMinutes, magnitude(hours, digits: 0), Self.twoDigits(rest), "\(rest)")
  }

  private func magnitude(_ scaled: Int, digits: Int) -> String {
    var rest = scaled.magnitude
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for _ in 0..<digits {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    if digits > 0 { bytes.append(separators.decimal) }
    let isGrouped = rest >= separators.leastGrouped
    var count = 0
    repeat {
      if isGrouped, count > 0, count.isMultiple(of: 3) { bytes += separators.group }
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
      count += 1
    } while rest > 0
    return String(decoding: bytes.reversed(), as: UTF8.self)
  }
}

/// The separators of CLDR 48.
struct Separators {
  let decimal: UInt8
  /// The bytes between groups of three digits, the last one first.
  let group: [UInt8]
  /// From where on digits are grouped: in Spanish, 1234 is not.
  let leastGrouped: UInt

  init(_ language: ReportLanguage.Base) {
    switch language {
    case .english, .japanese: self.init(".", ",")
    case .german: self.init(",", ".")
    case .french: self.init(",", "\u{202F}")
    case .spanish: self.init(",", ".", leastGrouped: 10_000)
    }
  }

  private init(_ decimal: Unicode.Scalar, _ group: String, leastGrouped: UInt = 1000) {
    self.decimal = UInt8(ascii: decimal)
    self.group = group.utf8.reversed()
    self.leastGrouped = leastGrouped
  }
}
