/// An exact number `±magnitude * 2^exponent`, such as a double, and sums and products of doubles.
package struct Dyadic: Sendable {
  package let isNegative: Bool
  package let magnitude: Natural
  package let exponent: Int

  package init(isNegative: Bool = false, magnitude: Natural, exponent: Int = 0) {
    self.isNegative = isNegative
    self.magnitude = magnitude
    self.exponent = exponent
  }

  /// The exact value of a finite double.
  package init(_ value: Double) {
    let biased = Int(value.exponentBitPattern)
    let significand = UInt(value.significandBitPattern) | (biased == 0 ? 0 : 1 << 52)
    self.init(
      isNegative: value < 0, magnitude: Natural(significand), exponent: max(biased, 1) - 1075)
  }

  /// The same number with an odd magnitude, or zero.
  package var reduced: Dyadic {
    let zeros = magnitude.trailingZeroBitCount
    guard zeros > 0 else { return self }
    return Dyadic(
      isNegative: isNegative, magnitude: magnitude << -zeros, exponent: exponent + zeros)
  }

  package static prefix func - (number: Self) -> Self {
    Dyadic(
      isNegative: !number.isNegative, magnitude: number.magnitude, exponent: number.exponent)
  }

  package static func + (left: Self, right: Self) -> Self {
    if left.magnitude.isZero { return right }
    if right.magnitude.isZero { return left }
    let exponent = min(left.exponent, right.exponent)
    let (first, second) = (
      left.magnitude << (left.exponent - exponent), right.magnitude << (right.exponent - exponent)
    )
    if left.isNegative == right.isNegative {
      return Dyadic(isNegative: left.isNegative, magnitude: first + second, exponent: exponent)
    }
    return first < second
      ? Dyadic(isNegative: right.isNegative, magnitude: second - first, exponent: exponent)
      : Dyadic(isNegative: left.isNegative, magnitude: first - second, exponent: exponent)
  }

  package static func - (left: Self, right: Self) -> Self { left + -right }

  package static func * (left: Self, right: Self) -> Self {
    Dyadic(
      isNegative: left.isNegative != right.isNegative, magnitude: left.magnitude * right.magnitude,
      exponent: left.exponent + right.exponent)
  }

  /// The nearest double to the number divided by a positive one, ties to even; infinite out of
  /// range.
  package func rounded(dividedBy divisor: Dyadic) -> Double {
    // Twelve bits more than a double has, and a sticky bit for the remainder.
    let shift = max(0, divisor.magnitude.bitWidth - magnitude.bitWidth + 66)
    let (quotient, remainder) =
      (magnitude << shift).quotientAndRemainder(dividingBy: divisor.magnitude)
    let sticky = Natural(remainder.isZero ? 0 : 1)
    let value = ((quotient << 1) + sticky)
      .rounded(exponent: exponent - divisor.exponent - shift - 1)
    return isNegative ? -value : value
  }
}

extension Dyadic: Comparable {
  package static func == (left: Self, right: Self) -> Bool { (left - right).magnitude.isZero }

  package static func < (left: Self, right: Self) -> Bool {
    let difference = left - right
    return difference.isNegative && !difference.magnitude.isZero
  }
}
