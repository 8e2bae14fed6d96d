#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The normal distribution with mean 0 and variance 1.
public enum NormalDistribution {
  /// *P(Z > z)* = ½ erfc(*z*/√2) (Abramowitz and Stegun 26.2.29).
  public static func upperTail(_ z: Double) -> Double { erfc(z / 2.0.squareRoot()) / 2 }

  /// The *z* with *P(Z > z)* = `tail`, to about 1e-14 of itself.
  ///
  /// - Precondition: `tail` lies between 0 and 1.
  public static func quantile(upperTail tail: Double) -> Double {
    precondition(tail > 0 && tail < 1, "a tail of a distribution lies between 0 and 1")
    return UpperTail.quantile(
      tail, of: upperTail, central: { erf($0 / 2.0.squareRoot()) / 2 },
      density: { exp(-$0 * $0 / 2) / (2 * Double.pi).squareRoot() })
  }
}

extension NormalDistribution {
  /// The probability of an estimate at least as far from 0, on either side, if its true value were 0,
  /// for many points.
  ///
  /// Without an error it is 0, or 1 for an estimate of 0.
  package static func pValue(of estimate: Double, error: Double) -> Double {
    guard error > 0 else { return estimate == 0 ? 1 : 0 }
    return 2 * upperTail((estimate / error).magnitude)
  }

  /// The interval that holds an estimate's true value with a confidence, for many points.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
  static func interval(
    around estimate: Double, error: Double, confidence: Double
  ) throws(AnalysisError) -> ClosedRange<Double> {
    try UpperTail.interval(
      around: estimate, error: error, confidence: confidence, quantile: quantile(upperTail:))
  }
}

/// The inverse of the upper tail of a distribution that is symmetric about 0.
enum UpperTail {
  /// The estimate ± the quantile that cuts off (1 − `confidence`)/2, times the error.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
  static func interval(
    around estimate: Double, error: Double, confidence: Double, quantile: (Double) -> Double
  ) throws(AnalysisError) -> ClosedRange<Double> {
    guard confidence > 0, confidence < 1 else { throw AnalysisError(.confidenceOutOfRange) }
    let margin = error == 0 ? 0 : quantile((1 - confidence) / 2) * error
    guard (estimate - margin).isFinite, (estimate + margin).isFinite else {
      throw AnalysisError(.overflow)
    }
    return (estimate - margin)...(estimate + margin)
  }

  /// The *t* with P(T > t) = `tail`, by Newton steps inside of a bracket, else bisection; infinity
  /// when it is too large for a `Double`.
  ///
  /// - Parameters:
  ///   - tail: between 0 and 1
  ///   - upperTail: P(T > t)
  ///   - central: P(0 < T < t), which keeps the digits of a small *t*
  ///   - density: the density at *t*
  /// - Returns: *t*
  static func quantile(
    _ tail: Double, of upperTail: (Double) -> Double, central: (Double) -> Double,
    density: (Double) -> Double
  ) -> Double {
    if tail == 0.5 { return 0 }
    if tail > 0.5 {
      return -quantile(1 - tail, of: upperTail, central: central, density: density)
    }
    // Exact: the tail is at least a quarter.
    let share = 0.5 - tail
    var low = 0.0
    var high = 1.0
    while high.isFinite, upperTail(high) > tail { (low, high) = (high, high * 4) }
    guard high.isFinite else { return .infinity }
    var t = low + (high - low) / 2
    for _ in 0..<200 {
      let reached = upperTail(t)
      let error = tail > 0.25 ? share - central(t) : reached - tail
      if error > 0 { low = t } else { high = t }
      // A step for the logarithm of a thin tail: one for the tail itself would be 1/t at most.
      let rise = tail > 0.25 ? error : log1p(error / tail) * reached
      let step = t + rise / density(t)
      let next = step > low && step < high ? step : low + (high - low) / 2
      if next == t || (next - t).magnitude <= t.ulp { return next }
      t = next
    }
    return t
  }
}
