import _HealthNumerics

/// A sum of doubles and of shares of doubles that is rounded once, at the end.
///
/// All operations commute: order, chunking and layout do not change a bit of the result. Whole
/// doubles are added in a fixed-point number that spans the range of `Double`; shares `value * part
/// / whole` are stored as exact fractions, one for each denominator.
public struct ExactSum: Sendable {
  /// Digits of 32 bits, lowest first, of a multiple of 2^-1074.
  ///
  /// Each digit may exceed its 32 bits, with either sign, until carries are propagated.
  private var digits = Array(repeating: 0, count: ExactSum.digitCount)
  private var additions = 0
  /// The numerators of fractions by their odd denominators.
  private(set) var fractions: [Natural: Dyadic] = [:]

  // 2098 bits from the smallest double to the largest, 64 more for the number of terms, and the
  // sign.
  private static let digitCount = 69
  private static let digitMask = 1 << 32 - 1
  // An addition changes a digit by less than 2^33, and it has 63 bits.
  private static let additionsBeforeCarry = 1 << 29
  private static let lowestExponent = -1074

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

  /// Adds a product if it and its rounding error are doubles; returns whether they are.
  mutating func add(productOf factor: Double, and other: Double) -> Bool {
    let product = factor * other
    // Below this the rounding error may be smaller than any double.
    guard product.magnitude >= 0x1p-960, product.isFinite else { return factor == 0 || other == 0 }
    add(product)
    add((-product).addingProduct(factor, other))
    return true
  }

  /// Adds the exact share of `value` for a part of its span.
  ///
  /// - Precondition: `start <= partStart < partEnd <= end`, all finite.
  public mutating func add(
    _ value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) {
    add(
      Dyadic(value) * (Dyadic(partEnd) - Dyadic(partStart)), over: Dyadic(end) - Dyadic(start))
  }

  /// Adds an exact fraction with a positive denominator.
  mutating func add(_ numerator: Dyadic, over denominator: Dyadic) {
    guard !numerator.magnitude.isZero else { return }
    let denominator = denominator.reduced
    let term = Dyadic(
      isNegative: numerator.isNegative, magnitude: numerator.magnitude,
      exponent: numerator.exponent - denominator.exponent)
    merge(term.reduced, over: denominator.magnitude)
  }

  /// Adds the terms of another sum.
  public mutating func merge(_ other: Self) {
    var other = other
    carry()
    other.carry()
    for index in digits.indices { digits[index] += other.digits[index] }
    additions = 2
    for (denominator, numerator) in other.fractions { merge(numerator, over: denominator) }
  }

  private mutating func merge(_ numerator: Dyadic, over denominator: Natural) {
    let sum = fractions[denominator].map { $0 + numerator } ?? numerator
    fractions[denominator] = sum.magnitude.isZero ? nil : sum
  }

  private mutating func carry() {
    additions = 0
    for index in 0..<Self.digitCount - 1 {
      digits[index + 1] += digits[index] >> 32
      digits[index] &= Self.digitMask
    }
  }

  /// The sum, if all denominators are powers of two.
  var whole: Dyadic {
    assert(fractions.keys.allSatisfy { $0 == Natural(1) })
    return (fractions[Natural(1)] ?? Dyadic(0)) + wholePart
  }

  /// The sum of the whole doubles, without the fractions.
  var wholePart: Dyadic {
    var sum = self
    sum.carry()
    let isNegative = sum.digits[Self.digitCount - 1] < 0
    if isNegative {
      for index in sum.digits.indices { sum.digits[index].negate() }
      sum.carry()
    }
    let words = stride(from: 0, to: Self.digitCount, by: 2).map { index in
      let high = index + 1 < Self.digitCount ? UInt(sum.digits[index + 1]) : 0
      return UInt(sum.digits[index]) | high << 32
    }
    return Dyadic(
      isNegative: isNegative, magnitude: Natural(trimming: words), exponent: Self.lowestExponent)
  }
}
