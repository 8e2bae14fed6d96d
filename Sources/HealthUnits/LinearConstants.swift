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

  init(factor exactFactor: ExactRatio, offset exactOffset: ExactRatio) {
    factor = exactFactor.nearestDouble
    offset = exactOffset.nearestDouble
    factorRest =
      factor.isNormal ? (exactFactor - ExactRatio(exactly: factor)).nearestDouble : 0
    offsetRest = offset.isFinite ? (exactOffset - ExactRatio(exactly: offset)).nearestDouble : 0
    // 2^27 + 1 splits a double into halves whose products are exact (Veltkamp).
    let spread = factor * 134_217_729
    factorHigh = spread - (spread - factor)
    factorLow = factor - factorHigh
  }

  var kernel: hk_conversion {
    let isAbove = factorRest < 0
    // Exact but for 2^-53 of itself, because the rest is at most half of an ulp.
    let rest = isAbove ? factorRest + (factor - factor.nextDown) : factorRest
    return hk_conversion(
      factor: factor, factor_rest: factorRest, factor_high: factorHigh, factor_low: factorLow,
      factor_down: isAbove ? factor.nextDown : factor, rest_least: rest * (1 - 0x1p-47),
      rest_most: rest * (1 + 0x1p-47), offset: offset, offset_rest: offsetRest)
  }

  /// Whether no intermediate result of a value from 2^-600 on leaves the normal range unnoticed.
  var isSafe: Bool {
    (0x1p-100...0x1p100).contains(factor)
      && (factorRest == 0 || factorRest.magnitude > 0x1p-300)
      && (offset == 0 || offset.magnitude > 0x1p-100)
      && offset.magnitude < 0x1p100
  }

  /// The nearest double to value × factor + offset, or nil when exact arithmetic has to tell.
  ///
  /// The same steps as in the kernels: the error of the product from halves (Dekker), and the test
  /// whether all that is left out could move the result to another double (Ziv).
  @inlinable func nearest(_ value: Double) -> Double? {
    let product = value * factor
    let spread = value * 134_217_729
    let high = spread - (spread - value)
    let low = value - high
    let lost =
      ((high * factorHigh - product) + high * factorLow + low * factorHigh) + low * factorLow
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
}
