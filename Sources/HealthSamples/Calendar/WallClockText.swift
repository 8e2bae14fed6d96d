/// A date with an optional time in ISO 8601: `YYYY-MM-DD`, then `T` or a space and
/// `HH:MM[:SS[.fff]]`, then `Z`, `±HH`, `±HHMM` or `±HH:MM`.
///
/// The last day before year 1 and the first ones of year 10000 are accepted: offsets and intervals
/// extend there from valid years.
package struct WallClockText {
  package let date: CivilDate
  /// The time of day; 0 for a bare date.
  package let seconds: Double
  /// Seconds east of UTC; `nil` when the text has none.
  package let offset: Int?
  package let isBareDate: Bool

  /// A date without a time.
  package init(_ date: CivilDate) {
    (self.date, seconds, offset, isBareDate) = (date, 0, nil, true)
  }

  /// Parses a text.
  package init?(_ text: String) {
    var rest = Substring(text).utf8
    let fifthDigit = rest.first == UInt8(ascii: "1") && rest.dropFirst(5).first == UInt8(ascii: "-")
    guard let year = rest.takeNumber(digits: fifthDigit ? 5 : 4), rest.take("-"),
      let month = rest.takeNumber(digits: 2), rest.take("-"),
      let day = rest.takeNumber(digits: 2),
      (0...10_000).contains(year), (1...12).contains(month),
      (1...CivilDate.length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    date = CivilDate(year: year, month: month, day: day)
    isBareDate = rest.isEmpty
    guard !rest.isEmpty else {
      (seconds, offset) = (0, nil)
      return
    }
    guard rest.take("T") || rest.take(" "), let seconds = rest.takeTime() else { return nil }
    self.seconds = seconds
    if rest.isEmpty {
      offset = nil
    } else {
      guard let offset = rest.takeOffset(), rest.isEmpty else { return nil }
      self.offset = offset
    }
  }
}

extension Substring.UTF8View {
  fileprivate mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = first, Unicode.Scalar(byte) == character else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func takeNumber(digits: Int) -> Int? {
    let text = prefix(digits)
    guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    removeFirst(digits)
    return text.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`.
  fileprivate mutating func takeTime() -> Double? {
    guard let hour = takeNumber(digits: 2), hour < 24, take(":"),
      let minute = takeNumber(digits: 2), minute < 60
    else { return nil }
    let seconds = Double(hour * 3600 + minute * 60)
    guard take(":") else { return seconds }
    guard let second = takeNumber(digits: 2), second < 60 else { return nil }
    guard take(".") || take(",") else { return seconds + Double(second) }
    let digits = prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    let fraction = digits.reduce(0.0) { $0 * 10 + Double($1 - 0x30) }
    let scale = digits.reduce(1.0) { scale, _ in scale * 10 }
    removeFirst(digits.count)
    return seconds + Double(second) + fraction / scale
  }

  fileprivate mutating func takeOffset() -> Int? {
    if take("Z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = takeNumber(digits: 2), hours < 24 else { return nil }
    guard !isEmpty else { return sign * hours * 3600 }
    _ = take(":")
    guard let minutes = takeNumber(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
