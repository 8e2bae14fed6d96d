/// Decimal numbers as text.
package enum DecimalDigits {
  /// The shortest digits that read back to the same number, a whole one without a point.
  package static func shortest(_ value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The digits of a number without an exponent, for formats that do not know one: `0.00001` for
  /// `1e-05`.
  package static func withoutExponent(_ text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let mantissa = parts.first, let power = Int(parts[1]) else {
      return text
    }
    let sign = mantissa.hasPrefix("-") ? "-" : ""
    let numbers = mantissa.dropFirst(sign.count).split(separator: ".")
    let digits = numbers.joined()
    let point = (numbers.first?.count ?? 0) + power
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    guard point < digits.count else {
      return sign + digits + String(repeating: "0", count: point - digits.count)
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }
}
