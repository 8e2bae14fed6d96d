/// An exact rational number in lowest terms.
package struct ExactRatio: Hashable, Sendable {
  package let isNegative: Bool
  package let numerator: BigNatural
  package let denominator: BigNatural

  /// A quotient; the denominator must not be zero.
  package init(
    _ numerator: BigNatural, over denominator: BigNatural = BigNatural(1),
    isNegative: Bool = false
  ) {
    let divisor = BigNatural.greatestCommonDivisor(numerator, denominator)
    let isReduced = divisor == BigNatural(1)
    self.numerator = isReduced ? numerator : numerator.dividedBy(divisor).quotient
    self.denominator = isReduced ? denominator : denominator.dividedBy(divisor).quotient
    self.isNegative = isNegative && !numerator.isZero
  }

  package init(_ numerator: UInt64, over denominator: UInt64 = 1) {
    self.init(BigNatural(numerator), over: BigNatural(denominator))
  }

  /// The exact value of a finite double.
  package init(exactly value: Double) {
    precondition(value.isFinite, "only a finite number is a ratio")
    let exponent = value.exponentBitPattern == 0 ? -1074 : Int(value.exponentBitPattern) - 1075
    let mantissa = BigNatural(
      value.significandBitPattern | (value.exponentBitPattern == 0 ? 0 : 1 << 52))
    if exponent >= 0 {
      self.init(mantissa << exponent, isNegative: value < 0)
    } else {
      self.init(mantissa, over: BigNatural(1) << -exponent, isNegative: value < 0)
    }
  }

  /// A quotient that is already in lowest terms, or that is only rounded.
  private init(unreduced numerator: BigNatural, over denominator: BigNatural, isNegative: Bool) {
    self.numerator = numerator
    self.denominator = denominator
    self.isNegative = isNegative
  }

  package static let zero = ExactRatio(0)
  package static let one = ExactRatio(1)

  package var isZero: Bool { numerator.isZero }

  package var negated: ExactRatio {
    ExactRatio(numerator, over: denominator, isNegative: !isNegative)
  }

  package static func * (left: ExactRatio, right: ExactRatio) -> ExactRatio {
    ExactRatio(
      left.numerator * right.numerator, over: left.denominator * right.denominator,
      isNegative: left.isNegative != right.isNegative)
  }

  /// The quotient; the divisor must not be zero.
  package static func / (left: ExactRatio, right: ExactRatio) -> ExactRatio {
    ExactRatio(
      left.numerator * right.denominator, over: left.denominator * right.numerator,
      isNegative: left.isNegative != right.isNegative)
  }

  package static func + (left: ExactRatio, right: ExactRatio) -> ExactRatio {
    let a = left.numerator * right.denominator
    let b = right.numerator * left.denominator
    let denominator = left.denominator * right.denominator
    if left.isNegative == right.isNegative {
      return ExactRatio(a + b, over: denominator, isNegative: left.isNegative)
    }
    return a < b
      ? ExactRatio(b - a, over: denominator, isNegative: right.isNegative)
      : ExactRatio(a - b, over: denominator, isNegative: left.isNegative)
  }

  package static func - (left: ExactRatio, right: ExactRatio) -> ExactRatio {
    left + right.negated
  }

  /// The ratio raised to a power; zero must not be raised to a negative one.
  package func raised(to power: Int) -> ExactRatio {
    let count = abs(power)
    let (top, bottom) = (numerator.raised(to: count), denominator.raised(to: count))
    let sign = isNegative && count % 2 == 1
    // Powers of numbers without a common divisor have none either.
    return power < 0
      ? ExactRatio(unreduced: bottom, over: top, isNegative: sign)
      : ExactRatio(unreduced: top, over: bottom, isNegative: sign)
  }

  /// A power of ten; the exponent may be negative.
  package static func powerOfTen(_ exponent: Int) -> ExactRatio {
    let power = BigNatural(10).raised(to: abs(exponent))
    return exponent < 0
      ? ExactRatio(unreduced: BigNatural(1), over: power, isNegative: false)
      : ExactRatio(unreduced: power, over: BigNatural(1), isNegative: false)
  }

  /// The nearest double; a tie goes to the even one, a ratio that is too large to infinity.
  package var nearestDouble: Double {
    guard !isZero else { return 0 }
    // `exponent` is that of the last mantissa bit, never below that of the subnormals.
    var exponent = max(numerator.bitWidth - denominator.bitWidth - 53, -1074)
    var (quotient, remainder, divisor) = scaled(by: exponent)
    if quotient.bitWidth > 53 {
      exponent += 1
      (quotient, remainder, divisor) = scaled(by: exponent)
    }
    var mantissa = quotient.low64
    let twice = remainder << 1
    if twice > divisor || (twice == divisor && mantissa & 1 == 1) { mantissa += 1 }
    if exponent > 971 { return isNegative ? -.infinity : .infinity }
    // 2^exponent may itself be subnormal, so it is applied in two exact steps.
    let half = exponent / 2
    let value =
      Double(mantissa) * Double(sign: .plus, exponent: half, significand: 1)
      * Double(sign: .plus, exponent: exponent - half, significand: 1)
    return isNegative ? -value : value
  }

  /// The double nearest to value × ratio + offset for a finite value.
  package func nearestDouble(times value: Double, plus offset: ExactRatio) -> Double {
    let isSubnormal = value.exponentBitPattern == 0
    let exponent = Int(value.exponentBitPattern) - 1075 + (isSubnormal ? 1 : 0)
    let mantissa = BigNatural(value.significandBitPattern | (isSubnormal ? 0 : 1 << 52))
    let isDown = (value < 0) != isNegative
    var top = mantissa * numerator << max(exponent, 0)
    var bottom = denominator << max(-exponent, 0)
    guard !offset.isZero else {
      return ExactRatio(unreduced: top, over: bottom, isNegative: isDown).nearestDouble
    }
    let added = offset.numerator * bottom
    top = top * offset.denominator
    bottom = bottom * offset.denominator
    if isDown == offset.isNegative {
      return ExactRatio(unreduced: top + added, over: bottom, isNegative: isDown).nearestDouble
    }
    return top < added
      ? ExactRatio(unreduced: added - top, over: bottom, isNegative: !isDown).nearestDouble
      : ExactRatio(unreduced: top - added, over: bottom, isNegative: isDown).nearestDouble
  }

  private func scaled(
    by exponent: Int
  ) -> (quotient: BigNatural, remainder: BigNatural, divisor: BigNatural) {
    let divisor = exponent > 0 ? denominator << exponent : denominator
    let dividend = exponent < 0 ? numerator << -exponent : numerator
    let (quotient, remainder) = dividend.dividedBy(divisor)
    return (quotient, remainder, divisor)
  }
}

extension ExactRatio: CustomStringConvertible {
  /// The ratio in lowest terms: `45359237/100000`, or only the numerator of a whole number.
  package var description: String {
    let sign = isNegative ? "-" : ""
    return denominator == BigNatural(1)
      ? "\(sign)\(numerator)" : "\(sign)\(numerator)/\(denominator)"
  }
}
