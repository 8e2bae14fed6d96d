public import HealthSamples

/// Why statistics could not be computed.
public struct StatisticsError: Error, Sendable, Hashable {
  /// What went wrong.
  public enum Reason: Sendable, Hashable {
    /// The statistic does not fit the aggregation style; `nil` for a category type.
    case notAvailable(Statistic, AggregationStyle?)
    /// The statistic cannot be correctly rounded for the aggregation style.
    case notExact(Statistic, AggregationStyle)
    /// The segments have amounts computed by merging, not shares of samples by time that could be
    /// added up exactly.
    case notSharedByTime
    /// Several sources of a cumulative type may have counted the same activity: merge them first.
    case needsMerging(sources: Int)
    /// The hold time is negative or no number.
    case holdOutOfRange
    /// Long samples overlap too many short intervals for a reasonable time.
    case tooManyParts(limit: Int)
    /// Exact sums of long samples need more shares than the limit; compensated sums need less work.
    case tooManyExactParts(limit: Int)
  }

  /// The type of the request.
  public let type: SampleType
  /// What went wrong.
  public let reason: Reason

  /// Makes an error.
  public init(type: SampleType, reason: Reason) {
    self.type = type
    self.reason = reason
  }
}
