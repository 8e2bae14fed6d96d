import Foundation
import HealthUnits
package import _HealthNumerics

/// Numbers as text for programs: exact, and with no more digits than they need.
package enum NumberText {
  /// The shortest digits that read back to the same double.
  ///
  /// `1e999` reads back as infinity; JSON has no number for that, see ``JSON``.
  ///
  /// No not-a-number reaches output: statistics never give one.
  package static func exact(_ value: Double) -> String {
    var bytes: [UInt8] = []
    bytes.append(exact: value)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same digits without an exponent and without a sign before zero, for formats that know
  /// neither.
  package static func withoutExponent(_ value: Double) -> String {
    DecimalDigits.withoutExponent(exact(value == 0 ? 0 : value))
  }

  /// All digits of a number that ends within the decimals that FHIR allows; `nil` of others.
  ///
  /// A decimal of FHIR R5 has at most 18 digits before its point and 17 behind it
  /// (https://hl7.org/fhir/R5/datatypes.html#decimal).
  package static func clinicalDecimal(_ number: ExactRatio) -> String? {
    let five = Natural(5)
    let twos = number.denominator.trailingZeroBitCount
    var rest = number.denominator >> twos
    var fives = 0
    while rest != Natural(1) {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: five)
      guard remainder.isZero, fives < 17 else { return nil }
      rest = quotient
      fives += 1
    }
    let decimals = max(twos, fives)
    guard decimals <= 17 else { return nil }
    let scaled = (number.numerator * Natural(10).raised(to: decimals) / number.denominator)
      .description
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
      let shorter = rounded(value, digits: digits) ?? Double(String(format: "%.*g", digits, value))
      if let shorter, survives(shorter) { return shorter }
    }
    return value
  }

  /// The number rounded to significant digits, as if printed and parsed by C; `nil` if doubles cannot
  /// represent the digits or the power of ten exactly.
  static func rounded(_ value: Double, digits: Int) -> Double? {
    let size = value.magnitude
    guard size > 1e-7, size < 1e15 else { return nil }
    var power = digits - 1 - Int(log10(size).rounded(.down))
    // The logarithm of a number next to a power of ten may be off by one.
    guard powersOfTen.indices.contains(power) else { return nil }
    let product = ExactProduct(size, powersOfTen[power])
    if product < powersOfTen[digits - 1] { power += 1 }
    if product >= powersOfTen[digits] { power -= 1 }
    guard powersOfTen.indices.contains(power),
      let whole = ExactProduct(size, powersOfTen[power]).nearestWhole
    else { return nil }
    return (value < 0 ? -whole : whole) / powersOfTen[power]
  }

  /// The powers of ten that doubles represent exactly.
  package static let powersOfTen = (0...22).map { exponent in
    repeatElement(10.0, count: exponent).reduce(1, *)
  }
}

/// The exact product of two doubles.
package struct ExactProduct {
  /// The rounded product, and its rounding error.
  private let nearest: Double
  private let error: Double

  package init(_ left: Double, _ right: Double) {
    nearest = left * right
    error = (-nearest).addingProduct(left, right)
  }

  static func < (product: Self, limit: Double) -> Bool {
    product.nearest < limit || (product.nearest == limit && product.error < 0)
  }

  static func >= (product: Self, limit: Double) -> Bool { !(product < limit) }

  /// The nearest whole number to a nonnegative product, ties to even; `nil` if a double cannot tell.
  package var nearestWhole: Double? {
    guard nearest < 0x1p53 else { return nil }
    let below = nearest.rounded(.down)
    let part = nearest - below
    if part == 0.5, error != 0 { return error > 0 ? below + 1 : below }
    // Above 2^52 doubles have no fractions, and the error may be a tie.
    return part == 0 && error.magnitude == 0.5 ? nil : nearest.rounded(.toNearestOrEven)
  }
}
