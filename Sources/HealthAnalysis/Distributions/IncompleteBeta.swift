#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The regularised incomplete beta function *I*ₓ(*a*, *b*) (DLMF 8.17).
enum IncompleteBeta {
  /// *I*ₓ(*a*, *b*) for 0 ≤ *x* ≤ 1, to about 1e-13·√(*a* + *b*) of itself.
  ///
  /// - Parameters:
  ///   - x: from 0 to 1
  ///   - complement: 1 − *x*, which keeps its digits where *x* is near 1
  ///   - a: above 0
  ///   - b: above 0
  /// - Returns: from 0 to 1
  /// - Complexity: O(√max(*a*, *b*))
  static func value(_ x: Double, complement: Double, a: Double, b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard complement > 0 else { return 1 }
    let front = exp(a * log(x) + b * log(complement) - logBeta(a, b))
    if x < (a + 1) / (a + b + 2) { return front / a * fraction(x, a: a, b: b) }
    return 1 - front / b * fraction(complement, a: b, b: a)
  }

  /// ln B(*a*, *b*).
  ///
  /// Where one argument is much larger, the difference of two large logarithms would lose digits:
  /// Stirling's series takes it apart (DLMF 5.11.1).
  static func logBeta(_ a: Double, _ b: Double) -> Double {
    let (small, large) = (min(a, b), max(a, b))
    guard large > 20 else {
      return logGamma(small) + logGamma(large) - logGamma(small + large)
    }
    let sum = small + large
    let remainders = stirlingRemainder(large) - stirlingRemainder(sum)
    return logGamma(small) + small - small * log(sum) + (large - 0.5) * -log1p(small / large)
      + remainders
  }

  /// ln Γ(*x*) − ((*x* − ½) ln *x* − *x* + ½ ln 2π) for *x* of 20 or more.
  private static func stirlingRemainder(_ x: Double) -> Double {
    let r = 1 / (x * x)
    return (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r * (1.0 / 1680 - r / 1188)))) / x
  }

  /// ln Γ(*x*) for *x* > 0.
  ///
  /// The C function also writes the sign to a global, which `_r` does not.
  static func logGamma(_ x: Double) -> Double {
    var sign: CInt = 0
    return lgamma_r(x, &sign)
  }

  /// *I*ₓ(*a*, *b*) · *a* B(*a*, *b*) / (*x*ᵃ(1 − *x*)ᵇ), a continued fraction (DLMF 8.17.22).
  ///
  /// It is 1/(1 + d₁/(1 + d₂/(1 + …))), and it converges fast for *x* < (*a* + 1)/(*a* + *b* + 2),
  /// in about √max(*a*, *b*) terms, evaluated from the left (Thompson and Barnett, *Journal of
  /// Computational Physics* 64 (1986), 490–509).
  static func fraction(_ x: Double, a: Double, b: Double) -> Double {
    var denominator = 1.0
    var numerator = 1.0
    var last = 0.0
    for n in 1...(1000 + 20 * Int(max(a, b).squareRoot())) {
      let term = term(n, x: x, a: a, b: b)
      last = 1 / (1 + term * last)
      numerator = 1 + term / numerator
      let change = numerator * last
      denominator *= change
      if (change - 1).magnitude < 1e-16 { break }
    }
    return 1 / denominator
  }

  /// dₙ of the continued fraction (DLMF 8.17.23).
  private static func term(_ n: Int, x: Double, a: Double, b: Double) -> Double {
    let m = Double(n / 2)
    return n.isMultiple(of: 2)
      ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
  }
}
