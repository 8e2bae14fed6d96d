import Foundation
package import HealthUnits

/// Numbers as text for programs: exact, and with no more digits than they need.
package enum NumberText {
  /// The shortest digits that read back to the same double.
  ///
  /// `1e999` reads back as infinity; JSON has no number for that, see ``JSON``.
  ///
  /// No not-a-number reaches output: statistics never give one.
  package static func exact(_ value: Double) -> String {
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
  package static func withoutExponent(_ value: Double) -> String {
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
  package static func clinicalDecimal(_ number: ExactRatio) -> String? {
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
  package static func decimal(of value: Double) -> ExactRatio? {
    guard value.isFinite, let size = ExactFactor(decimal: Substring(exact(abs(value)))) else {
      return nil
    }
    return value < 0 ? size.rational.negated : size.rational
  }

  /// The double with the fewest digits near one that came out of a conversion, which rounds in its
  /// last places: 62 for 62.00000000000001.
  package static func shortest(_ value: Double) -> Double {
    shortest(value) { ($0 - value).magnitude <= 2 * value.ulp }
  }

  /// The same for as long as the shorter number survives the way back.
  package static func shortest(_ value: Double, whereSurviving survives: (Double) -> Bool) -> Double
  {
    guard value.isFinite, value != value.rounded() else { return value }
    for digits in [15, 16] {
      if let shorter = Double(String(format: "%.*g", digits, value)), survives(shorter) {
        return shorter
      }
    }
    return value
  }
}
