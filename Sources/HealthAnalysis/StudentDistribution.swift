#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Student's *t* distribution.
///
/// Its upper tail is *P(T > t)* = ½·*I*ₓ(*ν*/2, ½) with *x* = *ν*/(*ν* + *t*²) for *t* ≥ 0, where
/// *I* is the regularised incomplete beta function (DLMF 8.17, Abramowitz and Stegun 26.7.1).
public struct StudentDistribution: Sendable, Hashable {
  /// *ν*, at least 1.
  public let degreesOfFreedom: Int

  /// Makes a distribution.
  ///
  /// - Precondition: `degreesOfFreedom` is at least 1.
  public init(degreesOfFreedom: Int) {
    precondition(degreesOfFreedom >= 1, "Student's distribution has at least one degree of freedom")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// *P(T > t)*, to about 1e-13 of itself.
  ///
  /// - Complexity: O(√*ν*)
  public func upperTail(_ t: Double) -> Double {
    guard !t.isNaN else { return t }
    guard t >= 0 else { return 1 - upperTail(-t) }
    guard t > 0 else { return 0.5 }
    let freedom = Double(degreesOfFreedom)
    let a = freedom / 2
    // q = t²/ν without overflow of t²; x = 1/(1 + q) and 1 − x = q/(1 + q).
    let root = t / freedom.squareRoot()
    guard root < 1e150 else { return 0.5 * farTail(root, a: a) }
    let q = root * root
    let logX = -log1p(q)
    let front =
      exp(a * logX) * (root / (1 + q).squareRoot()) * gammaRatio(a) / Double.pi.squareRoot()
    if 1 / (1 + q) < (a + 1) / (a + 2.5) {
      return 0.5 * front / a * betaFraction(1 / (1 + q), a: a, b: 0.5)
    }
    return 0.5 - front * betaFraction(q / (1 + q), a: 0.5, b: a)
  }

  /// The *t* with *P(T > t)* = `tail`.
  ///
  /// - Precondition: `tail` lies between 0 and 1.
  /// - Returns: *t*, to about 1e-13 of itself; infinity when it is too large for a `Double`.
  /// - Complexity: O(√*ν*)
  public func quantile(upperTail tail: Double) -> Double {
    precondition(tail > 0 && tail < 1, "a tail of a distribution lies between 0 and 1")
    if tail == 0.5 { return 0 }
    if tail > 0.5 { return -quantile(upperTail: 1 - tail) }
    var low = 0.0
    var high = 1.0
    while high.isFinite, upperTail(high) > tail { (low, high) = (high, high * 4) }
    guard high.isFinite else { return .infinity }
    // A Newton step if it stays inside the bracket, else bisection.
    var t = low + (high - low) / 2
    for _ in 0..<200 {
      let error = upperTail(t) - tail
      if error > 0 { low = t } else { high = t }
      let step = t + error / density(t)
      let next = step > low && step < high ? step : low + (high - low) / 2
      if next == t || (next - t).magnitude <= t.ulp { return next }
      t = next
    }
    return t
  }

  /// The density at `t`: (1 + *t*²/*ν*)^(−(*ν*+1)/2) / (√*ν* B(*ν*/2, ½)).
  func density(_ t: Double) -> Double {
    let freedom = Double(degreesOfFreedom)
    let root = t / freedom.squareRoot()
    return exp(-(freedom + 1) / 2 * log1p(root * root)) * gammaRatio(freedom / 2)
      / (Double.pi * freedom).squareRoot()
  }

  /// *I*ₓ(*a*, ½) for *x* = 1/`root`² so small that only its first power matters.
  private func farTail(_ root: Double, a: Double) -> Double {
    exp(-2 * a * log(root)) * gammaRatio(a) / (a * Double.pi.squareRoot())
  }

  /// Γ(*a* + ½)/Γ(*a*), by the series for large *a* (Tricomi and Erdélyi 1951; DLMF 5.11.13) after
  /// as many steps of Γ(*z* + 1) = *z*·Γ(*z*) as needed.
  private func gammaRatio(_ a: Double) -> Double {
    var a = a
    var factor = 1.0
    while a < 64 {
      factor *= a / (a + 0.5)
      a += 1
    }
    let r = 1 / a
    let series =
      1 + r
      * (-1.0 / 8 + r
        * (1.0 / 128 + r
          * (5.0 / 1024 + r
            * (-21.0 / 32768
              + r * (-399.0 / 262_144 + r * 869.0 / 4_194_304)))))
    return factor * a.squareRoot() * series
  }

  /// *I*ₓ(*a*, *b*) · *a* B(*a*, *b*) / (*x*ᵃ(1 − *x*)ᵇ), a continued fraction (DLMF 8.17.22).
  ///
  /// It is 1/(1 + d₁/(1 + d₂/(1 + …))), and it converges fast for *x* < (*a* + 1)/(*a* + *b* + 2),
  /// in about √max(*a*, *b*) terms, evaluated from the left (Thompson and Barnett, *Journal of
  /// Computational Physics* 64 (1986), 490–509).
  private func betaFraction(_ x: Double, a: Double, b: Double) -> Double {
    var denominator = 1.0
    var numerator = 1.0
    var last = 0.0
    for n in 1...(1000 + 20 * Int(max(a, b).squareRoot())) {
      let term = betaTerm(n, x: x, a: a, b: b)
      last = 1 / (1 + term * last)
      numerator = 1 + term / numerator
      let change = numerator * last
      denominator *= change
      if (change - 1).magnitude < 1e-16 { break }
    }
    return 1 / denominator
  }

  /// dₙ of the continued fraction (DLMF 8.17.23).
  private func betaTerm(_ n: Int, x: Double, a: Double, b: Double) -> Double {
    let m = Double(n / 2)
    return n.isMultiple(of: 2)
      ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
  }
}
