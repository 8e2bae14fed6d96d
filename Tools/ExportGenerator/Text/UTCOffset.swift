/// What a wall clock is ahead of UTC, as an export writes it behind every date.
struct UTCOffset: Equatable {
  /// Seconds ahead of UTC.
  let seconds: Int
  /// The text ` ±HHMM`.
  let bytes: [UInt8]

  /// Makes an offset from seconds; what is less than a minute is left out.
  init(seconds: Int) {
    let minutes = abs(seconds) / 60
    self.seconds = (seconds < 0 ? -60 : 60) * minutes
    let text = [minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 10]
    bytes = [UInt8](" \(seconds < 0 ? "-" : "+")\(text.map(String.init).joined())".utf8)
  }

  /// Reads `±HHMM`, or gives nothing when it is not an offset of less than a day.
  init?(_ text: String) {
    let digits = text.dropFirst().compactMap(\.wholeNumberValue)
    guard text.utf8.count == 5, digits.count == 4, let sign = text.first, "+-".contains(sign)
    else { return nil }
    let hours = digits[0] * 10 + digits[1]
    let minutes = digits[2] * 10 + digits[3]
    guard hours < 24, minutes < 60 else { return nil }
    self.init(seconds: (sign == "-" ? -60 : 60) * (hours * 60 + minutes))
  }
}
