import _HealthNumerics

extension ExactSum {
  /// The correctly rounded sum; infinite when it is out of the range of `Double`.
  public var result: Double { quotient(by: Dyadic(1)) }

  /// The correctly rounded sum divided by a positive count.
  public func mean(count: Int) -> Double {
    quotient(by: Dyadic(magnitude: Natural(UInt(count))))
  }

  /// The correctly rounded sum divided by a positive number.
  ///
  /// Fractions are truncated at a precision that grows until both bounds round to the same double.
  /// Bounds that never do enclose a midpoint of two doubles, which is the quotient itself once the
  /// precision exceeds all denominators; then the result is the even neighbour.
  func quotient(by divisor: Dyadic) -> Double {
    let whole = wholePart
    if fractions.isEmpty { return whole.rounded(dividedBy: divisor) }
    let deciding = decidingPrecision(divisor)
    var precision = min(Self.firstPrecision, deciding)
    while true {
      let bounds = bounds(precision: precision)
      let lower = (whole + bounds.lower).rounded(dividedBy: divisor)
      let upper = (whole + bounds.upper).rounded(dividedBy: divisor)
      if lower == upper { return lower }
      if precision >= deciding { return lower.significandBitPattern & 1 == 0 ? lower : upper }
      precision = min(2 * precision, deciding)
    }
  }

  /// Bounds of the fractions, which are truncated below 2^-precision.
  private func bounds(precision: Int) -> (lower: Dyadic, upper: Dyadic) {
    // Every fraction is rounded towards minus infinity, so that the bounds differ by the number of
    // roundings.
    var sum = Dyadic(magnitude: Natural())
    var cuts: UInt = 0
    for (denominator, numerator) in fractions {
      let shift = precision + numerator.exponent
      let (quotient, remainder) =
        (numerator.magnitude << shift).quotientAndRemainder(dividingBy: denominator)
      let isCut = !remainder.isZero || numerator.magnitude.hasBit(below: -shift)
      let away = Natural(isCut && numerator.isNegative ? 1 : 0)
      sum =
        sum
        + Dyadic(
          isNegative: numerator.isNegative, magnitude: quotient + away, exponent: -precision)
      cuts += isCut ? 1 : 0
    }
    return (sum, sum + Dyadic(magnitude: Natural(cuts), exponent: -precision))
  }

  /// The precision at which bounds that still differ enclose a midpoint: the sum minus a midpoint
  /// times the divisor is a multiple of 2^exponent / (product of the denominators).
  private func decidingPrecision(_ divisor: Dyadic) -> Int {
    let lowest = fractions.values.reduce(0) { min($0, $1.exponent) }
    let denominators = fractions.keys.reduce(0) { $0 + $1.bitWidth }
    let ties = 1075 - min(0, divisor.exponent)
    return min(
      max(ties, -lowest) + denominators + fractions.count.bitWidth + 2, Self.largestPrecision)
  }

  // Enough for the smallest doubles and the denominators of everyday lengths.
  private static var firstPrecision: Int { 1074 + 128 }
  // Limits the time for a malicious sum; midpoints with more than this in their denominators are
  // rounded to even without proof.
  private static var largestPrecision: Int { 1 << 18 }
}
