/// A sum of doubles and of shares of doubles that is rounded once, at the end.
///
/// The four verbs commute: no order, no chunking and no layout changes a bit of the result.
/// Whole doubles are added in a fixed-point number that spans the range of `Double`; shares
/// `value * part / whole` are kept as exact fractions.
public struct ExactSum: Sendable {
  /// Digits of 32 bits, lowest first, of a whole number of 2^-1074.
  ///
  /// Each may hold more than its 32 bits, of either sign, until carries are moved up.
  private var digits = Array(repeating: 0, count: ExactSum.digitCount)
  private var additions = 0
  private var shares: [Share] = []

  // 2098 bits from the smallest double to the largest, 64 more for the number of terms, and the
  // sign.
  private static let digitCount = 69
  private static let digitMask = 1 << 32 - 1
  // A digit takes less than 2^33 at a time and holds 63 bits.
  private static let additionsBeforeCarry = 1 << 29

  /// One exact fraction `±numerator / denominator * 2^exponent`.
  private struct Share {
    let isNegative: Bool
    let numerator: Natural
    let denominator: Natural
    let exponent: Int
  }

  /// Makes the sum of no terms.
  public init() {}

  /// Adds a finite double. - Complexity: O(1)
  public mutating func add(_ value: Double) {
    let biased = Int(value.exponentBitPattern)
    let significand = UInt64(value.significandBitPattern) | (biased == 0 ? 0 : 1 << 52)
    let shift = max(biased, 1) - 1
    let (digit, rest) = shift.quotientAndRemainder(dividingBy: 32)
    let low = significand << UInt64(rest)
    let high = rest == 0 ? 0 : significand >> UInt64(64 - rest)
    let sign = value < 0 ? -1 : 1
    digits[digit] += sign * Int(low & UInt64(Self.digitMask))
    digits[digit + 1] += sign * Int(low >> 32)
    digits[digit + 2] += sign * Int(high)
    additions += 1
    if additions == Self.additionsBeforeCarry { carry() }
  }

  /// Adds the share of `value` that falls to a part of its span, exactly.
  ///
  /// - Precondition: `start <= partStart < partEnd <= end`, all finite.
  public mutating func add(
    _ value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) {
    guard value != 0 else { return }
    let factor = ScaledNatural(magnitudeOf: value).reduced
    let part = ScaledNatural(from: partStart, to: partEnd).reduced
    let whole = ScaledNatural(from: start, to: end).reduced
    shares.append(
      Share(
        isNegative: value < 0, numerator: factor.magnitude * part.magnitude,
        denominator: whole.magnitude,
        exponent: factor.exponent + part.exponent - whole.exponent))
  }

  /// Adds the terms of another sum.
  public mutating func merge(_ other: Self) {
    var other = other
    carry()
    other.carry()
    for index in digits.indices { digits[index] += other.digits[index] }
    additions = 2
    shares += other.shares
  }

  /// The correctly rounded sum; infinite when that leaves the range of `Double`.
  ///
  /// Fractions are cut off at a precision that grows until both bounds round alike. Bounds that
  /// never do enclose a point half-way between two doubles, which is the sum itself once the
  /// precision exceeds all denominators; the even neighbour is the answer then.
  public var result: Double {
    var precision = 1074 + 128
    while true {
      let bounds = bounds(precision: precision)
      let lower = bounds.lower.rounded(exponent: -precision)
      let upper = bounds.upper.rounded(exponent: -precision)
      if lower == upper { return lower }
      if precision >= decidingPrecision {
        return lower.significandBitPattern & 1 == 0 ? lower : upper
      }
      precision = min(2 * precision, decidingPrecision)
    }
  }

  /// The correctly rounded sum divided by a count above zero, for sums without shares.
  public func mean(count: Int) -> Double {
    precondition(shares.isEmpty, "The mean of shares is not defined.")
    let total = fixedPoint
    let (quotient, remainder) =
      (total.magnitude << 128).quotientAndRemainder(dividingBy: Natural(UInt(count)))
    // One bit more says whether anything was cut off.
    let sticky = Natural(remainder.isZero ? 0 : 1)
    let mean = ((quotient << 1) + sticky).rounded(exponent: -1074 - 129)
    return total.isNegative ? -mean : mean
  }
}

extension ExactSum {
  private mutating func carry() {
    additions = 0
    for index in 0..<Self.digitCount - 1 {
      digits[index + 1] += digits[index] >> 32
      digits[index] &= Self.digitMask
    }
  }

  /// The sum of the whole doubles, in units of 2^-1074.
  private var fixedPoint: SignedNatural {
    var sum = self
    sum.carry()
    guard sum.digits[Self.digitCount - 1] < 0 else {
      return SignedNatural(magnitude: Natural(digits: sum.digits))
    }
    for index in sum.digits.indices { sum.digits[index].negate() }
    sum.carry()
    return SignedNatural(isNegative: true, magnitude: Natural(digits: sum.digits))
  }

  /// Bounds of the sum in units of 2^-precision, `precision >= 1074`.
  private func bounds(precision: Int) -> (lower: SignedNatural, upper: SignedNatural) {
    let whole = fixedPoint
    var positive = whole.isNegative ? Natural() : whole.magnitude << (precision - 1074)
    var negative = whole.isNegative ? whole.magnitude << (precision - 1074) : Natural()
    var cutPositive: UInt = 0
    var cutNegative: UInt = 0
    for share in shares {
      let shift = precision + share.exponent
      let scaled = share.numerator << shift
      let isCut = shift < 0 && share.numerator.hasBit(below: -shift)
      let (quotient, remainder) = scaled.quotientAndRemainder(dividingBy: share.denominator)
      let cut: UInt = isCut || !remainder.isZero ? 1 : 0
      if share.isNegative {
        negative = negative + quotient
        cutNegative += cut
      } else {
        positive = positive + quotient
        cutPositive += cut
      }
    }
    return (
      SignedNatural(positive, minus: negative + Natural(cutNegative)),
      SignedNatural(positive + Natural(cutPositive), minus: negative)
    )
  }

  /// The precision at which bounds that still differ enclose a tie: the sum is a multiple of
  /// 2^exponent / (product of the different denominators).
  private var decidingPrecision: Int {
    let lowest = shares.map(\.exponent).min() ?? 0
    let denominators = Set(shares.map(\.denominator)).reduce(0) { $0 + $1.bitWidth }
    let bits = max(1075, -lowest) + denominators + shares.count.bitWidth + 2
    return min(bits, Self.largestPrecision)
  }

  // Bounds how long a sum made for it can take; half-way sums with more than this in their
  // denominators are rounded to even all the same.
  private static let largestPrecision = 1 << 18
}
