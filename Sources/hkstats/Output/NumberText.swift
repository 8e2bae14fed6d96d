import Foundation
import HealthUnits

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

  /// The same digits without an exponent and without a sign before zero, for formats that know
  /// neither.
  static func withoutExponent(_ value: Double) -> String {
    let parts = exact(value == 0 ? 0 : value).split(separator: "e")
    guard parts.count == 2, let mantissa = parts.first, let power = Int(parts[1]) else {
      return parts.joined()
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

  /// All digits of a number that ends within the decimals that FHIR allows; `nil` of others.
  ///
  /// A decimal of FHIR R5 has at most 18 digits before its point and 17 behind it
  /// (https://hl7.org/fhir/R5/datatypes.html#decimal).
  static func clinicalDecimal(_ number: ExactRatio) -> String? {
    let five = BigNatural(5)
    let twos = number.denominator.trailingZeroBitCount
    var rest = number.denominator >> twos
    var fives = 0
    while rest != BigNatural(1) {
      let (quotient, remainder) = rest.dividedBy(five)
      guard remainder.isZero, fives < 17 else { return nil }
      rest = quotient
      fives += 1
    }
    let decimals = max(twos, fives)
    guard decimals <= 17 else { return nil }
    let scaled = (number.numerator * BigNatural(10).raised(to: decimals))
      .dividedBy(number.denominator).quotient.description
    let digits = String(repeating: "0", count: max(0, decimals + 1 - scaled.count)) + scaled
    guard digits.count - decimals <= 18 else { return nil }
    let whole = (number.isNegative ? "-" : "") + digits.dropLast(decimals)
    return decimals == 0 ? whole : "\(whole).\(digits.suffix(decimals))"
  }

  /// The number that the shortest text of a finite double says.
  static func decimal(of value: Double) -> ExactRatio? {
    guard value.isFinite, let size = ExactFactor(decimal: Substring(exact(abs(value)))) else {
      return nil
    }
    return value < 0 ? size.rational.negated : size.rational
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

  /// A number by itself, to about four significant digits, without zeros at the end of decimals.
  static func rounded(_ value: Double) -> String {
    let text = rounded(value, decimals: decimals(for: [value]))
    guard text.contains("."), !text.contains("e") else { return text }
    let digits = text.reversed().drop { $0 == "0" }.reversed()
    return String(digits.last == "." ? digits.dropLast() : digits[...])
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

  /// Decimals that tell the ends of a scale apart, and no more.
  static func decimals(between low: Double, and high: Double) -> Int {
    let span = high / 2 - low / 2
    guard span > 0 else { return decimals(for: [high]) }
    return min(9, max(0, 1 - Int(log10(span).rounded(.down))))
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
