/// The straight line with the smallest sum of squared residuals.
///
/// The model is *y = β₀ + β₁·x + ε*, where the *ε* are independent, have mean 0 and one variance
/// (Draper and Smith, *Applied Regression Analysis*, 3rd ed., chapter 1).
///
/// ```swift
/// let trend = try LinearTrend(x: [0, 1, 2, 3], y: [1, 3, 4, 6])
/// trend.slope  // 1.6
/// try trend.slopeInterval(confidence: 0.95)  // 0.99…2.21
/// ```
///
/// Successive values in time are rarely independent; then the interval is too narrow, and that of
/// ``dependentSlope(x:y:rows:)`` holds.
public struct LinearTrend: Sendable, Hashable {
  /// β₁: how much *y* grows for each unit of *x*.
  public let slope: Double
  /// β₀: the line at *x* = 0.
  public let intercept: Double
  /// R² = 1 − Σ(y − ŷ)² / Σ(y − ȳ)², between 0 and 1; `nil` when all *y* are equal.
  public let rSquared: Double?
  /// *s* = √(Σ(y − ŷ)² / (n − 2)): the typical distance of points from the line.
  public let residualStandardDeviation: Double
  /// *s* / √Σ(x − x̄)².
  public let slopeStandardError: Double
  /// *s* · √(1/n + x̄² / Σ(x − x̄)²).
  public let interceptStandardError: Double
  /// The number of points.
  public let count: Int

  /// The number of points minus the two parameters.
  public var degreesOfFreedom: Int { count - 2 }

  /// The line at `x`.
  public func value(at x: Double) -> Double { intercept + slope * x }

  /// The confidence interval of the slope.
  ///
  /// It is β₁ ± *t*·SE(β₁), where *t* cuts off (1 − `confidence`)/2 of Student's distribution with
  /// *n* − 2 degrees of freedom.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows.
  public func slopeInterval(
    confidence: Double = 0.95
  ) throws(AnalysisError) -> ClosedRange<Double> {
    try StudentDistribution(degreesOfFreedom: Double(degreesOfFreedom)).interval(
      around: slope, error: slopeStandardError, confidence: confidence)
  }
}
