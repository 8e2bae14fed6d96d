/// The rule by which samples of a quantity type are combined over an interval.
///
/// The style of a type is versioned data (see ``Catalogue``), not code.
public enum AggregationStyle: String, Sendable, Hashable, Codable, CaseIterable {
  /// Values add up; overlapping sources are merged first.
  case cumulative
  /// The plain mean over samples; durations do not matter.
  case discreteArithmetic
  /// The mean of a curve over time.
  case discreteTemporallyWeighted
  /// The energy mean of sound levels (IEC 61672-1).
  case discreteEquivalentContinuousLevel

  /// Whether values of the type add up.
  public var isCumulative: Bool { self == .cumulative }
}
