/// Parses decimal numbers: sign, digits, fraction, exponent; the correctly rounded `Double`.
///
/// A significand below 2^53 and a power of ten up to 10^22 are exact as `Double`, so one
/// multiplication or division rounds once (Clinger 1990, "How to read floating point numbers
/// accurately", fast path). Everything longer goes to the standard library.
enum NumberScanner {
  private static let mostDigits = 19

  /// The number at `place` and its end; `nil` if there is none or it has too many digits.
  ///
  /// - Precondition: at or after `end` there is a byte that cannot be in a number.
  @inline(__always)
  static func scan(
    _ place: UnsafePointer<UInt8>
  ) -> (value: Double, end: UnsafePointer<UInt8>)? {
    var place = place
    let isNegative = place.pointee == UInt8(ascii: "-")
    if isNegative || place.pointee == UInt8(ascii: "+") { place += 1 }
    var significand: UInt64 = 0
    let digits = place
    while place.pointee.isDigit {
      significand = significand &* 10 &+ UInt64(place.pointee &- 0x30)
      place += 1
    }
    var digitCount = place - digits
    var exponent = 0
    if place.pointee == UInt8(ascii: ".") {
      place += 1
      let fraction = place
      while place.pointee.isDigit {
        significand = significand &* 10 &+ UInt64(place.pointee &- 0x30)
        place += 1
      }
      exponent = fraction - place
      if exponent == 0 { return nil }
      digitCount -= exponent
    }
    guard digitCount > 0, digitCount <= mostDigits, significand <= 1 << 53 else { return nil }
    if place.pointee | 0x20 == UInt8(ascii: "e") {
      guard let (written, end) = self.exponent(place + 1) else { return nil }
      exponent += written
      place = end
    }
    guard exponent >= -22, exponent <= 22 else { return nil }
    let magnitude = Double(significand)
    let value =
      exponent < 0 ? magnitude / power(-exponent) : magnitude * power(exponent)
    return (isNegative ? -value : value, place)
  }

  /// The number of the whole `text`, as ``number(_:)``, but usually faster.
  ///
  /// - Precondition: after `text` there is a byte that cannot be in a number.
  static func enclosed(_ text: Bytes) -> Double? {
    if let base = text.baseAddress, let (value, end) = scan(base), end == base + text.count {
      return value
    }
    return number(text)
  }

  /// The number of the whole `text`; `nil` if it is invalid or not finite.
  static func number(_ text: Bytes) -> Double? {
    guard !text.isEmpty, isNumber(text), let value = Double(String(decoding: text, as: UTF8.self)),
      value.isFinite
    else { return nil }
    return value
  }

  private static func exponent(
    _ place: UnsafePointer<UInt8>
  ) -> (value: Int, end: UnsafePointer<UInt8>)? {
    var place = place
    let isNegative = place.pointee == UInt8(ascii: "-")
    if isNegative || place.pointee == UInt8(ascii: "+") { place += 1 }
    let digits = place
    var value = 0
    while place.pointee.isDigit, place - digits < 4 {
      value = value * 10 + Int(place.pointee - 0x30)
      place += 1
    }
    return place == digits ? nil : (isNegative ? -value : value, place)
  }

  /// Whether `text` is a decimal number, which excludes hexadecimal digits, infinity and NaN, which
  /// the standard library also accepts.
  private static func isNumber(_ text: Bytes) -> Bool {
    var rest = text[...]
    func skipSign() {
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    }
    func skipDigits() -> Int {
      let count = rest.prefix(while: \.isDigit).count
      rest.removeFirst(count)
      return count
    }
    skipSign()
    let whole = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if skipDigits() == 0 { return false }
    } else if whole == 0 {
      return false
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      skipSign()
      if skipDigits() == 0 { return false }
    }
    return rest.isEmpty
  }

  /// 10^`exponent`, exact for exponents from 0 to 22.
  @inline(__always)
  private static func power(_ exponent: Int) -> Double {
    switch exponent {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    case 9: 1e9
    case 10: 1e10
    case 11: 1e11
    case 12: 1e12
    case 13: 1e13
    case 14: 1e14
    case 15: 1e15
    case 16: 1e16
    case 17: 1e17
    case 18: 1e18
    case 19: 1e19
    case 20: 1e20
    case 21: 1e21
    default: 1e22
    }
  }
}
