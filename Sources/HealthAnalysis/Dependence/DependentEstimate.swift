/// An estimate, and how sure it is where neighbouring rows go together.
///
/// The interval and the probability are of one distribution: the interval of a confidence leaves 0 out
/// exactly where ``pValue`` is below what that confidence leaves.
public struct DependentEstimate: Sendable, Hashable {
  /// The estimate.
  public let value: Double
  /// Its standard error if the rows were independent.
  public let independentError: Double
  /// How much the errors of neighbouring rows go together; `nil` where the residuals are all 0.
  public let autocorrelation: Double?
  let mixture: ScaleMixture

  /// The interval that holds the true value with a confidence.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
  public func interval(
    confidence: Double = 0.95
  ) throws(AnalysisError) -> ClosedRange<Double> {
    try UpperTail.interval(
      around: value, error: independentError, confidence: confidence,
      quantile: mixture.quantile(upperTail:))
  }

  /// The probability of an estimate at least as far from 0, on either side, if the true value were 0.
  ///
  /// Without an error it is 0, or 1 for an estimate of 0.
  public var pValue: Double {
    guard independentError > 0 else { return value == 0 ? 1 : 0 }
    return min(1, 2 * mixture.upperTail((value / independentError).magnitude))
  }
}
