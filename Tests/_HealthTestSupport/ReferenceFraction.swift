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

  /// The exact value of a double that is a multiple of 2^-60 and not large.
  public init(exactly value: Double) {
    self.init(Int128(value * 0x1p60), over: 1 << 60)
  }

  public static func + (left: Self, right: Self) -> Self {
    Self(
      left.numerator * right.denominator + right.numerator * left.denominator,
      over: left.denominator * right.denominator)
  }
  public static func - (left: Self, right: Self) -> Self { left + right * Self(-1) }
  public static func * (left: Self, right: Self) -> Self {
    Self(left.numerator * right.numerator, over: left.denominator * right.denominator)
  }
  public static func / (left: Self, right: Self) -> Self {
    left * Self(right.denominator, over: right.numerator)
  }
  public static func < (left: Self, right: Self) -> Bool {
    left.numerator * right.denominator < right.numerator * left.denominator
  }

  public var magnitude: Self { Self(numerator < 0 ? -numerator : numerator, over: denominator) }

  /// The double nearest to the fraction, ties to even, found among the neighbours of a guess.
  public var nearestDouble: Double {
    var best = Double(numerator) / Double(denominator)
    for candidate in [best.nextDown, best.nextUp] {
      let mine = (self - Self(exactly: best)).magnitude
      let other = (self - Self(exactly: candidate)).magnitude
      if other < mine || other == mine && candidate.significandBitPattern & 1 == 0 {
        best = candidate
      }
    }
    return best
  }

  /// Whether a double is within `tolerance` times `scale` of the fraction.
  public func isNear(_ value: Double, tolerance: Double, scale: Double) -> Bool {
    abs(
      Double((self - Self(exactly: value)).numerator)
        / Double((self - Self(exactly: value)).denominator)) <= tolerance * scale
  }
}
