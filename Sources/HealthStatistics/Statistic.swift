public import HealthSamples

/// A number computed from the samples of an interval.
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
  /// A percentile by time of a temporally weighted type: the least height that the curve of the mean
  /// does not exceed for that share of the time where it is defined (see
  /// ``MeanMethod/temporallyWeighted``). Where it is defined nowhere each sample counts once.
  ///
  /// Many samples within a workout make a percentile over samples that of the workout; one by time
  /// is that of the day.
  case timePercentile(Percentile)
  /// The standard deviation of a sample: the root of Σ(x − mean)² / (*n* − 1), with the plain mean,
  /// whatever the style. One value alone has none.
  case standardDeviation
  /// The union of covered time, in seconds.
  case duration
  /// The share of the interval that has data, from 0 to 1: covered time, or, for a temporally
  /// weighted type, time where the curve is defined.
  case coverage
  /// The value with the latest end; ties go to the latest start, then to the source's rank.
  case recent
  /// The value with the earliest start; ties go to the earliest end, then to the source's rank.
  case first

  /// Every statistic except the other percentiles, in output order.
  public static let named: [Statistic] = [
    .sum, .mean, .min, .max, .count, .median, .standardDeviation, .duration, .coverage, .recent,
    .first,
  ]

  /// The default statistics of a style.
  public static func defaults(for style: AggregationStyle) -> [Statistic] {
    style.isCumulative ? [.sum, .count] : [.mean, .min, .max, .count]
  }
}

extension Statistic {
  /// How a column changes with the unit of its type.
  public enum Scaling: Sendable, Hashable {
    /// Its numbers are values: they take the factor and the offset of a conversion.
    case value
    /// Its numbers are amounts: they take the factor alone.
    case amount
    /// Its numbers are distances between values: they take the size of the factor.
    case distance
    /// Its numbers are not in the unit of the type and stay unchanged.
    case none
  }

  /// The properties of a statistic, except its computation.
  private struct Facts {
    /// The types that have it.
    enum Types {
      case cumulative, discrete, weighted, all
    }

    let name: String
    let types: Types
    var scaling: Scaling
    /// Whether it can be correctly rounded.
    var isExact = false
    /// Whether it is about whole samples, before merging.
    var isOfWholeSamples = false
  }

  private var facts: Facts {
    switch self {
    case .sum: Facts(name: "sum", types: .cumulative, scaling: .amount, isExact: true)
    case .mean: Facts(name: "mean", types: .discrete, scaling: .value, isExact: true)
    case .min: Facts(name: "min", types: .discrete, scaling: .value, isExact: true)
    case .max: Facts(name: "max", types: .discrete, scaling: .value, isExact: true)
    case .count: Facts(name: "count", types: .all, scaling: .none, isExact: true)
    case .median: Facts(name: "median", types: .discrete, scaling: .value)
    case .percentile(let part): Facts(name: "p\(part)", types: .discrete, scaling: .value)
    case .timePercentile(let part):
      Facts(
        name: "time" + (part == .median ? "Median" : "P\(part)"), types: .weighted,
        scaling: .value)
    case .standardDeviation: Facts(name: "stddev", types: .discrete, scaling: .distance)
    case .duration: Facts(name: "duration", types: .all, scaling: .none, isOfWholeSamples: true)
    case .coverage: Facts(name: "coverage", types: .all, scaling: .none, isOfWholeSamples: true)
    case .recent:
      Facts(name: "recent", types: .all, scaling: .value, isExact: true, isOfWholeSamples: true)
    case .first:
      Facts(name: "first", types: .discrete, scaling: .value, isExact: true, isOfWholeSamples: true)
    }
  }

  /// How the column of the statistic changes with the unit of its type.
  public var scaling: Scaling { facts.scaling }

  /// Whether the statistic is about whole samples, before merging.
  package var isOfWholeSamples: Bool { facts.isOfWholeSamples }

  /// Whether the value is that of a single sample, which has a span.
  var hasSpan: Bool { self == .recent || self == .first }

  /// The least number of samples of an interval for a value.
  package var leastCount: Int { self == .standardDeviation ? 2 : 0 }

  /// Whether types of a style have the statistic.
  public func isAvailable(for style: AggregationStyle) -> Bool {
    switch facts.types {
    case .cumulative: style.isCumulative
    case .discrete: !style.isCumulative
    case .weighted: style.meanMethod == .temporallyWeighted
    case .all: true
    }
  }

  /// Whether types of a style have the statistic with exact rounding: correctly rounded, or an
  /// unchanged sample value.
  ///
  /// A level is a logarithm of a sum of powers, for which correct rounding cannot be guaranteed.
  public func isExactlyAvailable(for style: AggregationStyle) -> Bool {
    facts.isExact && isAvailable(for: style)
      && !(self == .mean && style == .discreteEquivalentContinuousLevel)
  }

  /// The percentile over samples; `nil` for other statistics.
  public var percentile: Percentile? {
    switch self {
    case .median: .median
    case .percentile(let percentile): percentile
    default: nil
    }
  }

  /// The percentile by time; `nil` for other statistics.
  public var timePercentile: Percentile? {
    if case .timePercentile(let percentile) = self { percentile } else { nil }
  }

  /// The key of the column: the median for the 50th percentile.
  var columnKey: Statistic { self == .percentile(.median) ? .median : self }
}

extension Statistic: RawRepresentable {
  /// Parses the output name: `sum`, `median`, `stddev`, `p90`, `p99.9`, `timeMedian`, `timeP90` and
  /// so on; `timeP50` is `timeMedian`.
  public init?(rawValue: String) {
    if let statistic = Self.named.first(where: { $0.rawValue == rawValue }) {
      self = statistic
    } else if rawValue == Self.timeMedian.rawValue {
      self = .timeMedian
    } else if rawValue.hasPrefix("timeP"), let percentile = Percentile(rawValue.dropFirst(5)) {
      self = .timePercentile(percentile)
    } else if rawValue.hasPrefix("p"), let percentile = Percentile(rawValue.dropFirst()) {
      self = .percentile(percentile)
    } else {
      return nil
    }
  }

  /// The height that the curve is below for half of the time.
  public static let timeMedian = timePercentile(.median)

  /// The output name; for a percentile `p` and the percent, for one by time `timeP` and the percent.
  public var rawValue: String { facts.name }
}

extension Statistic: Codable {}
