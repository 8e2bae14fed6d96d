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
  public let degreesOfFreedom: Double

  /// Makes a distribution.
  ///
  /// - Precondition: `degreesOfFreedom` is at least 1.
  public init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom >= 1, "Student's distribution has at least one degree of freedom")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// *P(T > t)*, to about 1e-13 of itself.
  ///
  /// - Complexity: O(√*ν*)
  public func upperTail(_ t: Double) -> Double {
    guard !t.isNaN else { return t }
    guard t >= 0 else { return 1 - upperTail(-t) }
    return tailAndCentre(t).tail
  }

  /// *P(0 < T < t)* for *t* ≥ 0, which keeps the digits of a small *t*.
  func centre(_ t: Double) -> Double { tailAndCentre(t).centre }

  /// *P(T > t)* and *P(0 < T < t)* for *t* ≥ 0; the smaller one keeps its digits.
  private func tailAndCentre(_ t: Double) -> (tail: Double, centre: Double) {
    guard t > 0 else { return (0.5, 0) }
    let freedom = degreesOfFreedom
    let a = freedom / 2
    // q = t²/ν without overflow of t²; x = 1/(1 + q) and 1 − x = q/(1 + q).
    let root = t / freedom.squareRoot()
    guard root < 1e150 else {
      let tail = 0.5 * farTail(root, a: a)
      return (tail, 0.5 - tail)
    }
    let q = root * root
    let power = exp(-a * log1p(q)) * gammaRatio(a) / Double.pi.squareRoot()
    let rootOfComplement = root / (1 + q).squareRoot()
    if 1 / (1 + q) < (a + 1) / (a + 2.5) {
      let tail = 0.5 * power / (a * rootOfComplement) * tailFraction(1 / q, a: a)
      return (tail, 0.5 - tail)
    }
    let centre = power * rootOfComplement * IncompleteBeta.fraction(q / (1 + q), a: 0.5, b: a)
    return (0.5 - centre, centre)
  }

  /// *F*(1, ½; *a* + 1; −*z*), the hypergeometric function in
  /// *I*ₓ(*a*, ½) = *x*ᵃ(1 − *x*)^(−½)/(*a* B(*a*, ½)) · *F*(1, ½; *a* + 1; −*x*/(1 − *x*)), by Gauss's
  /// continued fraction (DLMF 15.7.5 and 8.17.8 with 15.8.1).
  ///
  /// All its terms are positive, so that no digit is lost where *x* is near 1: with many degrees of
  /// freedom.
  private func tailFraction(_ z: Double, a: Double) -> Double {
    let c = a + 1
    var denominator = 1.0
    var numerator = 1.0
    var last = 0.0
    for n in 1...2000 {
      let m = Double(n / 2)
      let factor =
        n.isMultiple(of: 2)
        ? m * (c + m - 1.5) / ((c + 2 * m - 2) * (c + 2 * m - 1))
        : (m + 0.5) * (c + m - 1) / ((c + 2 * m - 1) * (c + 2 * m))
      last = 1 / (1 + factor * z * last)
      numerator = 1 + factor * z / numerator
      let change = numerator * last
      denominator *= change
      if (change - 1).magnitude < 1e-16 { break }
    }
    return 1 / denominator
  }

  /// The *t* with *P(T > t)* = `tail`.
  ///
  /// - Precondition: `tail` lies between 0 and 1.
  /// - Returns: *t*, to about 1e-13 of itself; infinity when it is too large for a `Double`.
  /// - Complexity: O(√*ν*)
  public func quantile(upperTail tail: Double) -> Double {
    precondition(tail > 0 && tail < 1, "a tail of a distribution lies between 0 and 1")
    return UpperTail.quantile(
      tail, of: upperTail, central: centre, density: density)
  }

  /// The probability of an estimate at least as far from 0, on either side, if its true value were 0.
  ///
  /// Without an error it is 0, or 1 for an estimate of 0.
  public func pValue(of estimate: Double, error: Double) -> Double {
    guard error > 0 else { return estimate == 0 ? 1 : 0 }
    return 2 * upperTail((estimate / error).magnitude)
  }

  /// The interval that holds an estimate's true value with a confidence.
  ///
  /// It is the estimate ± *t* standard errors, where *t* cuts off (1 − `confidence`)/2.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
  public func interval(
    around estimate: Double, error: Double, confidence: Double
  ) throws(AnalysisError) -> ClosedRange<Double> {
    try UpperTail.interval(
      around: estimate, error: error, confidence: confidence, quantile: quantile(upperTail:))
  }

  /// The density at `t`: (1 + *t*²/*ν*)^(−(*ν*+1)/2) / (√*ν* B(*ν*/2, ½)).
  func density(_ t: Double) -> Double {
    let freedom = degreesOfFreedom
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
}
