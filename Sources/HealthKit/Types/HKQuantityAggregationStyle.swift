internal import HealthSamples

/// How samples of a quantity type are combined over an interval.
public enum HKQuantityAggregationStyle: Int, Sendable {
  /// Values add up.
  case cumulative = 0
  /// The plain mean over samples.
  case discreteArithmetic
  /// The mean of a curve over time.
  case discreteTemporallyWeighted
  /// The energy mean of sound levels.
  case discreteEquivalentContinuousLevel

  /// The plain mean over samples.
  ///
  /// Deprecated: use ``discreteArithmetic``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public static var discrete: HKQuantityAggregationStyle { .discreteArithmetic }

  init(_ style: AggregationStyle) {
    self =
      switch style {
      case .cumulative: .cumulative
      case .discreteArithmetic: .discreteArithmetic
      case .discreteTemporallyWeighted: .discreteTemporallyWeighted
      case .discreteEquivalentContinuousLevel: .discreteEquivalentContinuousLevel
      }
  }
}
