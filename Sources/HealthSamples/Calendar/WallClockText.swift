/// A date with an optional time in ISO 8601: `YYYY-MM-DD`, then `T` or a space and
/// `HH:MM[:SS[.fff]]`, then, also after a space, `Z`, `±HH`, `±HHMM` or `±HH:MM`.
///
/// A minute may have the second 60, which is the first of the next one. A fraction counts up to its
/// ninth digit. Everything that reads such dates reads them here, but `DateScanner` of exports,
/// which agrees.
package struct WallClockText {
  package let date: CivilDate
  /// The whole seconds of the time of day; 0 for a bare date.
  private let wholeSeconds: Int
  private let fraction: Double
  /// Seconds east of UTC; `nil` when the text has none.
  package let offset: Int?
  package let isBareDate: Bool

  /// A date without a time.
  package init(_ date: CivilDate) {
    (self.date, wholeSeconds, fraction, offset, isBareDate) = (date, 0, 0, nil, true)
  }

  /// Parses a text.
  ///
  /// The last day before year 1 and the first ones of year 10000 are accepted: offsets and intervals
  /// extend there from valid years.
  package init?(_ text: String) {
    var text = text
    guard let clock = text.withUTF8({ WallClockText($0, years: 0...10_000) }) else { return nil }
    self = clock
  }

  /// Parses the whole of a text in memory, whose date is in one of some years.
  package init?(_ text: UnsafeBufferPointer<UInt8>, years: ClosedRange<Int>) {
    var rest = Rest(text: text)
    let hasFifthDigit = text.count > 5 && text[0] == UInt8(ascii: "1") && text[5] == Rest.dash
    guard let year = rest.takeNumber(digits: hasFifthDigit ? 5 : 4), rest.take("-"),
      let month = rest.takeNumber(digits: 2), rest.take("-"),
      let day = rest.takeNumber(digits: 2),
      let date = CivilDate(existing: year, month, day, within: years)
    else { return nil }
    self.date = date
    isBareDate = rest.isEmpty
    guard !rest.isEmpty else {
      (wholeSeconds, fraction, offset) = (0, 0, nil)
      return
    }
    guard rest.take("T") || rest.take(" "), let time = rest.takeTime() else { return nil }
    (wholeSeconds, fraction) = time
    if rest.isEmpty {
      offset = nil
    } else {
      guard let offset = rest.takeOffset(), rest.isEmpty else { return nil }
      self.offset = offset
    }
  }

  /// The time of day; 0 for a bare date.
  package var seconds: Double { Double(wholeSeconds) + fraction }

  /// Seconds since 2001-01-01 UTC; `nil` for a text without an offset.
  package var instant: Double? {
    offset.map { offset in
      Double(date.dayNumber * CivilDate.secondsPerDay + wholeSeconds - offset) + fraction
    }
  }
}

/// What is not parsed yet of a text.
private struct Rest {
  let text: UnsafeBufferPointer<UInt8>
  private var place = 0

  static let dash = UInt8(ascii: "-")

  init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

  var isEmpty: Bool { place == text.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func takeDigit() -> Int? {
    guard place < text.count, (0x30...0x39).contains(text[place]) else { return nil }
    defer { place += 1 }
    return Int(text[place] - 0x30)
  }

  mutating func takeNumber(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = takeDigit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`.
  mutating func takeTime() -> (whole: Int, fraction: Double)? {
    guard let hour = takeNumber(digits: 2), hour < 24, take(":"),
      let minute = takeNumber(digits: 2), minute < 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60
    guard take(":") else { return (seconds, 0) }
    guard let second = takeNumber(digits: 2), second <= 60 else { return nil }
    guard take(".") || take(",") else { return (seconds + second, 0) }
    guard let tenths = takeDigit() else { return nil }
    var (fraction, scale) = (Double(tenths), 10.0)
    while let digit = takeDigit() {
      if scale < 1e9 { (fraction, scale) = (fraction * 10 + Double(digit), scale * 10) }
    }
    return (seconds + second, fraction / scale)
  }

  mutating func takeOffset() -> Int? {
    _ = take(" ")
    if take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = takeNumber(digits: 2), hours < 24 else { return nil }
    guard !isEmpty else { return sign * hours * 3600 }
    _ = take(":")
    guard let minutes = takeNumber(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
