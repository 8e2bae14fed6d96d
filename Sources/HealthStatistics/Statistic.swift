public import HealthSamples

/// One number that can be asked about the samples of an interval.
public enum Statistic: String, Sendable, Hashable, CaseIterable {
  /// The sum of a cumulative type.
  case sum
  /// The mean of a discrete type, by the rule of its style.
  case mean
  /// The smallest value of a discrete type.
  case min
  /// The largest value of a discrete type.
  case max
  /// How many samples contribute.
  case count
  /// The union of covered time, in seconds.
  case duration
  /// The value with the latest end; ties go to the latest start, then to the source's rank.
  case recent
  /// The value with the earliest start; ties go to the earliest end, then to the source's rank.
  case first

  /// What is answered when nothing is asked for.
  public static func defaults(for style: AggregationStyle) -> [Statistic] {
    style.isCumulative ? [.sum, .count] : [.mean, .min, .max, .count]
  }

  /// Whether the statistic can be asked of types of a style.
  public func isAvailable(for style: AggregationStyle) -> Bool {
    switch self {
    case .sum: style.isCumulative
    case .mean, .min, .max, .first: !style.isCumulative
    case .count, .duration, .recent: true
    }
  }
}
