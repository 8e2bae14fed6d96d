internal import CKernels

/// Factor and offset of a conversion, each as a sum of two doubles.
@usableFromInline struct LinearConstants: Sendable {
  @usableFromInline let factor: Double
  @usableFromInline let factorRest: Double

  /// The halves of the factor, with 26 bits each.
  @usableFromInline let factorHigh: Double
  @usableFromInline let factorLow: Double

  @usableFromInline let offset: Double
  @usableFromInline let offsetRest: Double

  /// The nearest doubles and what they leave.
  init(factor exactFactor: ExactRatio, offset exactOffset: ExactRatio) {
    let factor = exactFactor.nearestDouble
    let offset = exactOffset.nearestDouble
    self.init(
      factor: factor,
      rest: factor.isNormal ? (exactFactor - ExactRatio(exactly: factor)).nearestDouble : 0,
      offset: offset,
      rest: offset.isFinite ? (exactOffset - ExactRatio(exactly: offset)).nearestDouble : 0)
  }

  private init(factor: Double, rest factorRest: Double, offset: Double, rest offsetRest: Double) {
    self.factor = factor
    self.factorRest = factorRest
    self.offset = offset
    self.offsetRest = offsetRest
    // 2^27 + 1 splits a double into halves whose products are exact (Veltkamp).
    let spread = factor * 134_217_729
    factorHigh = spread - (spread - factor)
    factorLow = factor - factorHigh
  }

  /// The constants for the column kernels, with those of the split product where there is one.
  func kernel(with split: LinearConstants?) -> hk_conversion {
    let isAbove = factorRest < 0
    // Exact but for 2^-53 of itself, because the rest is at most half of an ulp.
    let rest = isAbove ? factorRest + (factor - factor.nextDown) : factorRest
    return hk_conversion(
      factor: factor, factor_rest: factorRest, factor_high: factorHigh, factor_low: factorLow,
      factor_down: isAbove ? factor.nextDown : factor, rest_least: rest * (1 - 0x1p-47),
      rest_most: rest * (1 + 0x1p-47), split_factor: split?.factor ?? 0,
      split_rest: split?.factorRest ?? 0, offset: offset, offset_rest: offsetRest)
  }

  /// Whether no intermediate result of a value from 2^-600 on leaves the normal range unnoticed.
  var isSafe: Bool {
    (0x1p-100...0x1p100).contains(factor)
      && (factorRest == 0 || factorRest.magnitude > 0x1p-300)
      && (offset == 0 || offset.magnitude > 0x1p-100)
      && offset.magnitude < 0x1p100
  }

  /// What the product of a value and the factor lost in rounding, exactly (Dekker).
  @inlinable func lost(by product: Double, of value: Double) -> Double {
    let spread = value * 134_217_729
    let high = spread - (spread - value)
    let low = value - high
    return ((high * factorHigh - product) + high * factorLow + low * factorHigh) + low * factorLow
  }

  /// The nearest double to value × factor + offset, or nil when exact arithmetic has to tell.
  ///
  /// The same steps as in the kernels: the error of the product from halves (Dekker), and the test
  /// whether all that is left out could move the result to another double (Ziv).
  @inlinable func nearest(_ value: Double) -> Double? {
    let product = value * factor
    let lost = lost(by: product, of: value)
    // One comparison for magnitudes above zero and below 2^-600: zero wraps to the far end.
    guard (value.bitPattern & ~(1 << 63)) &- 1 >= ((1023 - 600) << 52) - 1 else { return nil }
    if offset == 0 {
      let rest = lost + value * factorRest
      // Next to a tie the rest is at least 2^-54 of the product, and what it leaves out below 2^-104.
      let least = product + rest * (1 - 0x1p-47)
      guard least == product + rest * (1 + 0x1p-47) else { return nil }
      return value == 0 ? value : least
    }
    let sum = product + offset
    let back = sum - product
    let sumLost = (product - (sum - back)) + (offset - back)
    let rest = sumLost + ((lost + offsetRest) + value * factorRest)
    let doubt = (product.magnitude + offset.magnitude) * 0x1p-100
    let least = sum + (rest - doubt)
    return least == sum + (rest + doubt) ? least : nil
  }

  /// The double next to value × factor for constants of `init(splitting:)`, or nil for zero and for
  /// magnitudes below 2^-600 and from 2^900 on.
  @inlinable func nearestOfSplit(_ value: Double) -> Double? {
    let size = value.bitPattern & ~(1 << 63)
    guard size &- (1023 - 600) << 52 < (600 + 900) << 52 else { return nil }
    let product = value * factor
    let lost = lost(by: product, of: value)
    return product + (lost + value * factorRest)
  }
}

// A product with a sum of two doubles that needs no test.
//
// Let the odd parts of the exact factor's terms be n and d. How far value × n/d is from the middle
// between two doubles, in ulp of the result, is 0 or at least 1 / (2 · max(n, d)): both are whole
// multiples of one fraction. So terms of 44 bits leave 2^-45, and the roundings of
// factor × value + (rest × value) leave out less than 2^-48. Only the middle itself remains.
//
// A value with its result in the middle is a multiple of d, and the result has 54 bits, so there is
// none when n < d. Else rest × value, exactly, is a whole number of at most 53 bits times a power of
// two, if the factor is so near that rest is at most an ulp of it, or n / (2 · d) ulp. When the double
// next to the rest is within 2^-54 of it, relatively, the rounded product is this very number. Then
// nothing is lost before the last rounding, which brings the middle to the even double.
extension LinearConstants {
  /// A sum of two doubles, both above zero, whose product needs no test; nil where there is none.
  init?(splitting exact: ExactRatio) {
    let top = exact.numerator >> exact.numerator.trailingZeroBitCount
    let bottom = exact.denominator >> exact.denominator.trailingZeroBitCount
    guard top.bitWidth <= 44, bottom.bitWidth <= 44 else { return nil }
    let hasMiddles = bottom < top
    let slack = max(1, Double(top.low64) / Double(bottom.low64) / 2)
    var factor = exact.nearestDouble
    if (exact - ExactRatio(exactly: factor)).isNegative { factor = factor.nextDown }
    for _ in 0..<4 {
      let exactRest = exact - ExactRatio(exactly: factor)
      let rest = exactRest.nearestDouble
      let error = (ExactRatio(exactly: rest) - exactRest) / exactRest
      if !hasMiddles || (rest < factor.ulp * slack && abs(error.nearestDouble) < 0x1p-54) {
        self.init(factor: factor, rest: rest, offset: 0, rest: 0)
        return
      }
      factor = factor.nextDown
    }
    return nil
  }
}
