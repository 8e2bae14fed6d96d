/// Fisher's *F* distribution, of the ratio of two estimates of one variance.
///
/// Its upper tail is *P(F > f)* = *I*ₓ(*ν*₂/2, *ν*₁/2) with *x* = *ν*₂/(*ν*₂ + *ν*₁*f*)
/// (Abramowitz and Stegun 26.6.2).
public struct FDistribution: Sendable, Hashable {
  /// *ν*₁ and *ν*₂: the degrees of freedom of the numerator and of the denominator.
  public let numerator, denominator: Double

  /// Makes a distribution.
  ///
  /// - Precondition: both are above 0.
  public init(_ numerator: Double, _ denominator: Double) {
    precondition(
      numerator > 0 && denominator > 0, "degrees of freedom of the F distribution are positive")
    self.numerator = numerator
    self.denominator = denominator
  }

  /// *P(F > f)*. - Complexity: O(√*ν*)
  public func upperTail(_ f: Double) -> Double {
    guard f > 0 else { return f.isNaN ? f : 1 }
    let ratio = numerator / denominator * f
    guard ratio.isFinite else { return 0 }
    return IncompleteBeta.value(
      1 / (1 + ratio), complement: ratio / (1 + ratio), a: denominator / 2, b: numerator / 2)
  }
}
