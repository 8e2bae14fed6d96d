/// Parses instants in ISO 8601: `2025-09-26T17:08:03Z`, with a fraction or an offset.
enum InstantText {
  /// Seconds since 2001-01-01 UTC; `nil` if the whole text is not an instant.
  ///
  /// A text without an offset is not an instant.
  static func instant(_ text: Bytes) -> Double? {
    var rest = text[...]
    guard let year = number(&rest, digits: 4), skip(&rest, "-"),
      let month = number(&rest, digits: 2),
      skip(&rest, "-"), let day = number(&rest, digits: 2), skip(&rest, "T") || skip(&rest, " "),
      let hour = number(&rest, digits: 2), hour < 24, skip(&rest, ":"),
      let minute = number(&rest, digits: 2), minute < 60, skip(&rest, ":"),
      let second = number(&rest, digits: 2), second <= 60,
      let days = DateScanner.days(year: year, month: month, day: day)
    else { return nil }
    var fraction = 0.0
    if skip(&rest, ".") || skip(&rest, ",") {
      let digits = rest.prefix(while: \.isDigit)
      guard !digits.isEmpty else { return nil }
      for digit in digits.prefix(9).reversed() { fraction = (fraction + Double(digit - 0x30)) / 10 }
      rest = rest.dropFirst(digits.count)
    }
    guard let offset = offset(rest) else { return nil }
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction
  }

  /// The seconds east of UTC of `Z`, `+01:00` or ` +0100`.
  private static func offset(_ text: Slice<Bytes>) -> Int? {
    var rest = text
    _ = skip(&rest, " ")
    if skip(&rest, "Z") || skip(&rest, "z") { return rest.isEmpty ? 0 : nil }
    let isWest = skip(&rest, "-")
    guard isWest || skip(&rest, "+"), let hours = number(&rest, digits: 2), hours < 24 else {
      return nil
    }
    _ = skip(&rest, ":")
    guard let minutes = number(&rest, digits: 2), minutes < 60, rest.isEmpty else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  private static func number(_ text: inout Slice<Bytes>, digits count: Int) -> Int? {
    let digits = text.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
    text = text.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func skip(_ text: inout Slice<Bytes>, _ character: Unicode.Scalar) -> Bool {
    guard let first = text.first, UInt32(first) == character.value else { return false }
    text = text.dropFirst()
    return true
  }
}
