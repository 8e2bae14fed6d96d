internal import CKernels
import _HealthNumerics

/// Factor and offset of a conversion as double-double numbers.
@usableFromInline struct LinearConstants: Sendable {
  @usableFromInline let factor: Double
  @usableFromInline let factorTail: Double

  /// The halves of the factor, 26 bits each.
  @usableFromInline let factorHigh: Double
  @usableFromInline let factorLow: Double

  @usableFromInline let offset: Double
  @usableFromInline let offsetTail: Double

  /// Rounds each constant to the nearest double; the tail is the rounded remainder.
  init(factor exactFactor: ExactRatio, offset exactOffset: ExactRatio) {
    let factor = exactFactor.nearestDouble
    let offset = exactOffset.nearestDouble
    self.init(
      factor: factor,
      tail: factor.isNormal ? (exactFactor - ExactRatio(exactly: factor)).nearestDouble : 0,
      offset: offset,
      tail: offset.isFinite ? (exactOffset - ExactRatio(exactly: offset)).nearestDouble : 0)
  }

  private init(factor: Double, tail factorTail: Double, offset: Double, tail offsetTail: Double) {
    self.factor = factor
    self.factorTail = factorTail
    self.offset = offset
    self.offsetTail = offsetTail
    // 2^27 + 1 splits a double into halves whose products are exact (Veltkamp).
    let spread = factor * 134_217_729
    factorHigh = spread - (spread - factor)
    factorLow = factor - factorHigh
  }

  /// The constants for the column kernels, with those of the double-double product where there is
  /// one.
  func kernel(with doubleDouble: LinearConstants?) -> hk_conversion {
    let isAbove = factorTail < 0
    // Exact up to a relative error of 2^-53, because the tail is at most half an ulp.
    let tail = isAbove ? factorTail + (factor - factor.nextDown) : factorTail
    return hk_conversion(
      factor: factor, factor_tail: factorTail, factor_high: factorHigh, factor_low: factorLow,
      factor_down: isAbove ? factor.nextDown : factor, tail_least: tail * (1 - 0x1p-47),
      tail_most: tail * (1 + 0x1p-47), head: doubleDouble?.factor ?? 0,
      tail: doubleDouble?.factorTail ?? 0, offset: offset, offset_tail: offsetTail)
  }

  /// Whether intermediate results of all values from 2^-600 on stay in the normal range, or are
  /// detected.
  var isSafe: Bool {
    (0x1p-100...0x1p100).contains(factor)
      && (factorTail == 0 || factorTail.magnitude > 0x1p-300)
      && (offset == 0 || offset.magnitude > 0x1p-100)
      && offset.magnitude < 0x1p100
  }

  /// The rounding error of the product of a value and the factor, exact (Dekker).
  @inlinable func roundingError(of product: Double, value: Double) -> Double {
    let spread = value * 134_217_729
    let high = spread - (spread - value)
    let low = value - high
    return ((high * factorHigh - product) + high * factorLow + low * factorHigh) + low * factorLow
  }

  /// The nearest double to value × factor + offset, or nil when only exact arithmetic can decide.
  ///
  /// The same steps as in the kernels: the exact error of the product by halves (Dekker), and a
  /// test whether the remaining error could change the rounding (Ziv).
  @inlinable func nearest(_ value: Double) -> Double? {
    let product = value * factor
    let error = roundingError(of: product, value: value)
    // One comparison for magnitudes above zero and below 2^-600: zero wraps to the far end.
    guard (value.bitPattern & ~(1 << 63)) &- 1 >= ((1023 - 600) << 52) - 1 else { return nil }
    if offset == 0 {
      let tail = error + value * factorTail
      // Unless it is a tie, the tail is at least 2^-54 of the product, and its error is below
      // 2^-104.
      let least = product + tail * (1 - 0x1p-47)
      guard least == product + tail * (1 + 0x1p-47) else { return nil }
      return value == 0 ? value : least
    }
    // Written out, not `twoSum`: this is inlined into the modules of users.
    let sum = product + offset
    let back = sum - product
    let sumError = (product - (sum - back)) + (offset - back)
    let tail = sumError + ((error + offsetTail) + value * factorTail)
    let bound = (product.magnitude + offset.magnitude) * 0x1p-100
    let least = sum + (tail - bound)
    return least == sum + (tail + bound) ? least : nil
  }

  /// The nearest double to value × factor for constants of `init(doubleDouble:)`, or nil for zero
  /// and for magnitudes below 2^-600 or from 2^900 on.
  @inlinable func nearestOfDoubleDouble(_ value: Double) -> Double? {
    let size = value.bitPattern & ~(1 << 63)
    guard size &- (1023 - 600) << 52 < (600 + 900) << 52 else { return nil }
    let product = value * factor
    let error = roundingError(of: product, value: value)
    return product + (error + value * factorTail)
  }
}

// A double-double product that needs no rounding test.
//
// Let n and d be the odd parts of the numerator and denominator of the exact factor. The distance
// of value × n/d from the midpoint of two doubles, in ulp of the result, is 0 or at least 1 / (2 ·
// max(n, d)), because both are integer multiples of one fraction. So with n and d up to 44 bits the
// distance is at least 2^-45, and the rounding error of factor × value + (tail × value) is less
// than 2^-48. Only exact midpoints remain.
//
// A value whose result is a midpoint is a multiple of d, and the midpoint has 54 bits, so there is
// none when n < d. Otherwise tail × value, exactly, is an integer of at most 53 bits times a power
// of two, if the head is so near to the factor that the tail is at most an ulp of it, or n / (2 ·
// d) ulp. When the double nearest to the tail is within 2^-54 of it, relatively, the rounded
// product is exactly this number. Then only the last rounding has an error, and it rounds the
// midpoint to even.
extension LinearConstants {
  /// A double-double factor, both parts positive, whose product needs no rounding test; nil if
  /// there is none.
  init?(doubleDouble exact: ExactRatio) {
    let top = exact.numerator >> exact.numerator.trailingZeroBitCount
    let bottom = exact.denominator >> exact.denominator.trailingZeroBitCount
    guard top.bitWidth <= 44, bottom.bitWidth <= 44 else { return nil }
    let hasMidpoints = bottom < top
    let slack = max(1, Double(top.lowestWord) / Double(bottom.lowestWord) / 2)
    var factor = exact.nearestDouble
    if (exact - ExactRatio(exactly: factor)).isNegative { factor = factor.nextDown }
    for _ in 0..<4 {
      let exactTail = exact - ExactRatio(exactly: factor)
      let tail = exactTail.nearestDouble
      let error = (ExactRatio(exactly: tail) - exactTail) / exactTail
      if !hasMidpoints || (tail < factor.ulp * slack && abs(error.nearestDouble) < 0x1p-54) {
        self.init(factor: factor, tail: tail, offset: 0, tail: 0)
        return
      }
      factor = factor.nextDown
    }
    return nil
  }
}
