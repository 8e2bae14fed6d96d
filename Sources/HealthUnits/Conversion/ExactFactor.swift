package import _HealthNumerics

/// An exact factor as it is defined by law: a decimal number or a quotient, and powers of π.
package struct ExactFactor: Sendable, Hashable, ExpressibleByIntegerLiteral {
  package private(set) var numerator: UInt128
  package private(set) var denominator: UInt128 = 1
  package private(set) var exponentOfTen = 0
  package private(set) var exponentOfPi = 0

  package init(integerLiteral value: UInt64) { self.init(UInt128(value)) }

  package init(
    _ numerator: UInt128, over denominator: UInt128 = 1, tens exponentOfTen: Int = 0,
    pi exponentOfPi: Int = 0
  ) {
    self.numerator = numerator
    self.denominator = denominator
    self.exponentOfTen = exponentOfTen
    self.exponentOfPi = exponentOfPi
    normalize()
  }

  /// Reduces to lowest terms with every power of ten in the exponent, so that products stay small.
  private mutating func normalize() {
    while numerator > 0, numerator % 10 == 0 {
      numerator /= 10
      exponentOfTen += 1
    }
    while denominator % 10 == 0 {
      denominator /= 10
      exponentOfTen -= 1
    }
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    numerator /= a
    denominator /= a
  }

  /// The product; the factors of the table fit into 128 bits, which a test checks.
  package static func * (left: ExactFactor, right: ExactFactor) -> ExactFactor {
    let a = ExactFactor(left.numerator, over: right.denominator)
    let b = ExactFactor(right.numerator, over: left.denominator)
    return ExactFactor(
      a.numerator * b.numerator, over: a.denominator * b.denominator,
      tens: left.exponentOfTen + right.exponentOfTen + a.exponentOfTen + b.exponentOfTen,
      pi: left.exponentOfPi + right.exponentOfPi)
  }

  package var reciprocal: ExactFactor {
    ExactFactor(denominator, over: numerator, tens: -exponentOfTen, pi: -exponentOfPi)
  }

  package func raised(to power: Int) -> ExactFactor {
    let base = power < 0 ? reciprocal : self
    return (0..<abs(power)).reduce(1) { product, _ in product * base }
  }

  /// The factor without its powers of π.
  package var rational: ExactRatio {
    ExactRatio(Natural(wide: numerator), over: Natural(wide: denominator))
      * .powerOfTen(exponentOfTen)
  }

  /// An upper limit of the bits that numerator and denominator need.
  package var bitWidth: Int {
    256 - numerator.leadingZeroBitCount - denominator.leadingZeroBitCount
      + (abs(exponentOfTen) * 7 + 1) / 2 + abs(exponentOfPi) * 400
  }

  /// A decimal number: digits, an optional fraction and an optional exponent.
  package init?(decimal text: Substring) {
    let parts = text.split(separator: "e", omittingEmptySubsequences: false)
    guard let mantissa = parts.first, parts.count <= 2 else { return nil }
    let digits = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    guard digits.count <= 2, let number = UInt128(digits.joined()),
      let exponent = parts.count == 2 ? Int(parts[1]) : 0
    else { return nil }
    self.init(number, tens: exponent - (digits.count == 2 ? digits[1].count : 0))
  }
}
