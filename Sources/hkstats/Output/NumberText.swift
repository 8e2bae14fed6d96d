import Foundation

/// Numbers as text: exact for programs, rounded for people.
enum NumberText {
  /// The shortest digits that read back to the same double.
  ///
  /// `1e999` reads back as infinity; JSON has no number for that, see ``JSON``.
  ///
  /// No not-a-number reaches output: statistics never give one.
  static func exact(_ value: Double) -> String {
    guard value.isFinite else { return value < 0 ? "-1e999" : "1e999" }
    var text = value.description
    if text.hasSuffix(".0") { text.removeLast(2) }
    guard let exponent = text.firstIndex(of: "e") else { return text }
    var mantissa = text[..<exponent]
    if mantissa.hasSuffix(".0") { mantissa.removeLast(2) }
    let power = Int(text[text.index(after: exponent)...]) ?? 0
    return "\(mantissa)e\(power)"
  }

  /// The same digits without an exponent, for formats that know none.
  static func withoutExponent(_ value: Double) -> String {
    let text = exact(value)
    guard text.contains("e") else { return text }
    // Seventeen digits tell every double apart, wherever the first of them stands.
    let decimals = max(0, 17 - Int(log10(abs(value)).rounded(.down)))
    var digits = String(format: "%.*f", min(decimals, 400), value)[...]
    guard digits.contains(".") else { return String(digits) }
    while digits.last == "0" { digits.removeLast() }
    if digits.last == "." { digits.removeLast() }
    return String(digits)
  }

  /// The double with the fewest digits near one that came out of a conversion, which rounds in its
  /// last places: 62 for 62.00000000000001.
  static func shortest(_ value: Double) -> Double {
    shortest(value) { ($0 - value).magnitude <= 2 * value.ulp }
  }

  /// The same for as long as the shorter number survives the way back.
  static func shortest(_ value: Double, whereSurviving survives: (Double) -> Bool) -> Double {
    guard value.isFinite, value != value.rounded() else { return value }
    for digits in [15, 16] {
      if let shorter = Double(String(format: "%.*g", digits, value)), survives(shorter) {
        return shorter
      }
    }
    return value
  }

  /// A whole number with a comma between thousands.
  static func grouped(_ value: Int) -> String { grouping(String(value)) }

  /// A number with a fixed count of decimals and a comma between thousands.
  static func rounded(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value < 0 ? "-∞" : "∞" }
    guard abs(value) < 1e15 else { return String(format: "%.4g", value) }
    let text = String(format: "%.*f", decimals, value)
    let isZero = text.allSatisfy { !$0.isNumber || $0 == "0" }
    return grouping(isZero && text.hasPrefix("-") ? String(text.dropFirst()) : text)
  }

  /// How many decimals show a column of numbers to about four significant digits.
  ///
  /// Whole numbers get none. The largest magnitude decides, so that all rows align.
  static func decimals(for values: some Sequence<Double>) -> Int {
    var largest = 0.0
    var isWhole = true
    for value in values where value.isFinite {
      largest = max(largest, abs(value))
      isWhole = isWhole && value == value.rounded()
    }
    guard !isWhole, largest > 0 else { return 0 }
    return min(15, max(0, 3 - Int(log10(largest).rounded(.down))))
  }

  /// Puts commas into the whole part of a decimal text.
  private static func grouping(_ text: String) -> String {
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.dropFirst(sign.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = parts.first ?? ""
    var whole = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { whole += "," }
      whole.append(digit)
    }
    return sign + whole + (parts.count > 1 ? "." + parts[1] : "")
  }
}
