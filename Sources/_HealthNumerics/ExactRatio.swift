/// An exact rational number in lowest terms.
package struct ExactRatio: Hashable, Sendable {
  package let isNegative: Bool
  package let numerator: Natural
  package let denominator: Natural

  /// A quotient; the denominator must not be zero.
  package init(
    _ numerator: Natural, over denominator: Natural = Natural(1),
    isNegative: Bool = false
  ) {
    let divisor = Natural.greatestCommonDivisor(numerator, denominator)
    let isReduced = divisor == Natural(1)
    self.numerator = isReduced ? numerator : numerator / divisor
    self.denominator = isReduced ? denominator : denominator / divisor
    self.isNegative = isNegative && !numerator.isZero
  }

  package init(_ numerator: UInt64, over denominator: UInt64 = 1) {
    self.init(Natural(UInt(numerator)), over: Natural(UInt(denominator)))
  }

  /// The exact value of a finite double.
  package init(exactly value: Double) {
    precondition(value.isFinite, "only a finite number is a ratio")
    let dyadic = Dyadic(value)
    self.init(
      dyadic.magnitude << max(dyadic.exponent, 0),
      over: Natural(1) << max(-dyadic.exponent, 0), isNegative: dyadic.isNegative)
  }

  /// A quotient that is already in lowest terms, or that is only rounded.
  private init(unreduced numerator: Natural, over denominator: Natural, isNegative: Bool) {
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
    let power = Natural(10).raised(to: abs(exponent))
    return exponent < 0
      ? ExactRatio(unreduced: Natural(1), over: power, isNegative: false)
      : ExactRatio(unreduced: power, over: Natural(1), isNegative: false)
  }

  /// The nearest double; a tie goes to the even one, a ratio that is too large to infinity.
  package var nearestDouble: Double {
    isZero
      ? 0
      : Dyadic(isNegative: isNegative, magnitude: numerator)
        .rounded(dividedBy: Dyadic(magnitude: denominator))
  }

  /// The double nearest to value × ratio + offset for a finite value.
  package func nearestDouble(times value: Double, plus offset: ExactRatio) -> Double {
    let exact = Dyadic(value)
    let isDown = exact.isNegative != isNegative
    var top = (exact.magnitude * numerator) << max(exact.exponent, 0)
    var bottom = denominator << max(-exact.exponent, 0)
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
}

extension ExactRatio: CustomStringConvertible {
  /// The ratio in lowest terms: `45359237/100000`, or only the numerator of a whole number.
  package var description: String {
    let sign = isNegative ? "-" : ""
    return denominator == Natural(1)
      ? "\(sign)\(numerator)" : "\(sign)\(numerator)/\(denominator)"
  }
}
