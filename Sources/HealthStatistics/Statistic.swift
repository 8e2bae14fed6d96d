public import HealthSamples

/// One number that can be asked about the samples of an interval.
public enum Statistic: Sendable, Hashable {
  /// The sum of a cumulative type.
  case sum
  /// The mean of a discrete type, by the rule of its style (see ``MeanMethod``).
  case mean
  /// The smallest value of a discrete type.
  case min
  /// The largest value of a discrete type.
  case max
  /// How many samples contribute.
  case count
  /// The 50th percentile of the values of a discrete type, each sample counting once.
  case median
  /// Any percentile of the values of a discrete type (see ``Percentile``).
  case percentile(Percentile)
  /// The standard deviation of a sample: the root of Σ(x − mean)² / (*n* − 1), with the plain mean,
  /// whatever the style. One value alone has none.
  case standardDeviation
  /// The union of covered time, in seconds.
  case duration
  /// The share of the interval that has data, from 0 to 1: of covered time, or, for a temporally
  /// weighted type, of time where the curve is defined.
  case coverage
  /// The value with the latest end; ties go to the latest start, then to the source's rank.
  case recent
  /// The value with the earliest start; ties go to the earliest end, then to the source's rank.
  case first

  /// Every statistic but the percentiles, in the order in which answers give them.
  public static let named: [Statistic] = [
    .sum, .mean, .min, .max, .count, .median, .standardDeviation, .duration, .coverage, .recent,
    .first,
  ]

  /// What is answered when nothing is asked for.
  public static func defaults(for style: AggregationStyle) -> [Statistic] {
    style.isCumulative ? [.sum, .count] : [.mean, .min, .max, .count]
  }

  /// Whether the statistic can be asked of types of a style.
  public func isAvailable(for style: AggregationStyle) -> Bool {
    switch self {
    case .sum: style.isCumulative
    case .mean, .min, .max, .first, .median, .percentile, .standardDeviation: !style.isCumulative
    case .count, .duration, .coverage, .recent: true
    }
  }

  /// Whether an exact answer can be had for types of a style: correctly rounded, or a value as it
  /// was measured.
  ///
  /// A level is a logarithm of a sum of powers, which no finite computation rounds for certain.
  public func isExactlyAvailable(for style: AggregationStyle) -> Bool {
    switch self {
    case .sum, .min, .max, .count, .recent, .first: isAvailable(for: style)
    case .mean: isAvailable(for: style) && style != .discreteEquivalentContinuousLevel
    case .median, .percentile, .standardDeviation, .duration, .coverage: false
    }
  }

  /// The percentile that the statistic is; `nil` for what is none.
  public var percentile: Percentile? {
    switch self {
    case .median: .median
    case .percentile(let percentile): percentile
    default: nil
    }
  }
}

extension Statistic: RawRepresentable {
  /// Reads the name that answers use: `sum`, `median`, `stddev`, `p90`, `p99.9` and so on.
  public init?(rawValue: String) {
    if let statistic = Self.named.first(where: { $0.rawValue == rawValue }) {
      self = statistic
    } else if rawValue.hasPrefix("p"), let percentile = Percentile(rawValue.dropFirst()) {
      self = .percentile(percentile)
    } else {
      return nil
    }
  }

  /// The name that answers use; of a percentile `p` and the percent.
  public var rawValue: String {
    switch self {
    case .sum: "sum"
    case .mean: "mean"
    case .min: "min"
    case .max: "max"
    case .count: "count"
    case .median: "median"
    case .percentile(let percentile): "p\(percentile)"
    case .standardDeviation: "stddev"
    case .duration: "duration"
    case .coverage: "coverage"
    case .recent: "recent"
    case .first: "first"
    }
  }
}
