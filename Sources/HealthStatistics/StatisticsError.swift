public import HealthSamples

/// Why statistics could not be computed.
public struct StatisticsError: Error, Sendable, Hashable {
  /// What went wrong.
  public enum Reason: Sendable, Hashable {
    /// The statistic does not fit the aggregation style; `nil` for a category type.
    case notAvailable(Statistic, AggregationStyle?)
    /// The statistic cannot be correctly rounded for the aggregation style.
    case notExact(Statistic, AggregationStyle)
    /// The segments carry amounts that merging has made, and no shares of samples by time that could
    /// be added up exactly.
    case notSharedByTime
    /// Several sources of a cumulative type may have counted the same things: they must be merged.
    case needsMerging(sources: Int)
    /// Long samples meet so many short intervals that the work has no bound worth waiting for.
    case tooManyParts(limit: Int)
    /// Exact sums of the shares of long samples would take more parts than the limit; default sums
    /// take less work.
    case tooManyExactParts(limit: Int)
  }

  /// The type that was asked about.
  public let type: SampleType
  /// What went wrong.
  public let reason: Reason

  /// Makes an error.
  public init(type: SampleType, reason: Reason) {
    self.type = type
    self.reason = reason
  }
}
