extension ExactRatio {
  /// The bits after the binary point of a logarithm: enough for the product with any double, down
  /// to the last bit of the smallest difference of two such products.
  private static let logarithmPlaces = 512

  package static let naturalLogarithmOfTwo = areaTangent(of: ExactRatio(1, over: 3))

  package static let naturalLogarithmOfTen = naturalLogarithm(of: ExactRatio(10))

  /// The natural logarithm of a positive ratio to 500 bits after the binary point.
  package static func naturalLogarithm(of ratio: ExactRatio) -> ExactRatio {
    let exponent = ratio.numerator.bitWidth - ratio.denominator.bitWidth
    // Between 1/2 and 2, where the series is short.
    let rest = ratio.scaled(byPowerOfTwo: -exponent)
    let small = areaTangent(of: (rest - .one) / (rest + .one))
    guard exponent != 0 else { return small }
    let whole = naturalLogarithmOfTwo * ExactRatio(UInt64(exponent.magnitude))
    return small + (exponent < 0 ? whole.negated : whole)
  }

  /// Twice the inverse hyperbolic tangent of z, the logarithm of (1 + z) / (1 - z):
  /// 2 · (z + z^3/3 + z^5/5 + …), summed in fixed point.
  private static func areaTangent(of ratio: ExactRatio) -> ExactRatio {
    let (top, bottom) = (ratio.numerator, ratio.denominator)
    var term = (top << (logarithmPlaces + 1)) / bottom
    let (squaredTop, squaredBottom) = (top * top, bottom * bottom)
    var sum = Natural()
    var odd: UInt = 1
    while !term.isZero {
      sum = sum + term / Natural(odd)
      term = (term * squaredTop) / squaredBottom
      odd += 2
    }
    return ExactRatio(sum, over: Natural(1) << logarithmPlaces, isNegative: ratio.isNegative)
  }

  package func scaled(byPowerOfTwo exponent: Int) -> ExactRatio {
    ExactRatio(
      numerator << max(exponent, 0), over: denominator << max(-exponent, 0),
      isNegative: isNegative)
  }
}
