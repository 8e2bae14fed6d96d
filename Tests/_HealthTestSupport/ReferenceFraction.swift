/// An exact fraction for oracles; small inputs only, since it traps beyond 128 bits.
public struct ReferenceFraction: Hashable, Sendable, Comparable {
  public let numerator: Int128
  public let denominator: Int128

  public init(_ numerator: Int128, over denominator: Int128 = 1) {
    var (a, b) = (numerator.magnitude, denominator.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int128(max(a, 1)) * (denominator < 0 ? -1 : 1)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  /// The exact value of a double that is neither large nor smaller than 2^-70.
  public init(exactly value: Double) {
    guard value != 0 else {
      self.init(0)
      return
    }
    var exponent = Int(value.exponent) - 52
    var significand = Int128(value.significand * 0x1p52) * (value < 0 ? -1 : 1)
    exponent += significand.trailingZeroBitCount
    significand >>= Int128(significand.trailingZeroBitCount)
    self.init(
      exponent < 0 ? significand : significand << exponent,
      over: exponent < 0 ? 1 << -exponent : 1)
  }

  public static func + (left: Self, right: Self) -> Self {
    // Over the smallest common denominator, which keeps sums of doubles within 128 bits.
    let shared = Self(left.denominator, over: right.denominator)
    return Self(
      left.numerator * shared.denominator + right.numerator * shared.numerator,
      over: left.denominator * shared.denominator)
  }
  public static func - (left: Self, right: Self) -> Self { left + right * Self(-1) }
  public static func * (left: Self, right: Self) -> Self {
    // Crosswise reduced first, so that nothing grows beyond the product itself.
    let (first, second) = (
      Self(left.numerator, over: right.denominator), Self(right.numerator, over: left.denominator)
    )
    return Self(
      first.numerator * second.numerator, over: first.denominator * second.denominator)
  }
  public static func / (left: Self, right: Self) -> Self {
    left * Self(right.denominator, over: right.numerator)
  }
  public static func < (left: Self, right: Self) -> Bool {
    (left - right).numerator < 0
  }

  public var magnitude: Self { Self(numerator < 0 ? -numerator : numerator, over: denominator) }

  /// The double nearest to the fraction, ties to even, sought from a guess.
  public var nearestDouble: Double {
    var best = Double(numerator) / Double(denominator)
    while isBeyond(best, best.nextUp) { best = best.nextUp }
    while (self * Self(-1)).isBeyond(-best, -best.nextDown) { best = best.nextDown }
    return best
  }

  /// Whether the fraction lies past the middle of two neighbours, or on it when the first is odd.
  private func isBeyond(_ value: Double, _ next: Double) -> Bool {
    let middle = (Self(exactly: value) + Self(exactly: next)) * Self(1, over: 2)
    return middle < self || middle == self && value.significandBitPattern & 1 == 1
  }

  /// Whether a double is within `tolerance` times `scale` of the fraction.
  public func isNear(_ value: Double, tolerance: Double, scale: Double) -> Bool {
    abs(
      Double((self - Self(exactly: value)).numerator)
        / Double((self - Self(exactly: value)).denominator)) <= tolerance * scale
  }
}
