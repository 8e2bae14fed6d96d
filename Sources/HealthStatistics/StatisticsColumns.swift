/// What happened in each interval: a table with one row an interval and one column a statistic.
///
/// A column is `nil` unless it was asked for. A row without data (see ``hasData``) is empty, which
/// is not zero: its entries hold 0 and mean nothing. Values stand in the type's canonical unit,
/// times in seconds since 2001-01-01 UTC, durations in seconds.
public struct StatisticsColumns: Sendable, Hashable {
  /// Where each interval starts; of the single interval that was asked without edges, the
  /// earliest start of its samples.
  public let starts: [Double]
  /// Where each interval ends; of the single interval, the latest end of its samples.
  public let ends: [Double]
  /// Whether any sample lies in the interval, be it masked.
  public internal(set) var hasData: [Bool]
  /// How many samples contribute; a sample counts once in each interval it reaches.
  public internal(set) var counts: [Int]
  /// Sums of a cumulative type.
  public internal(set) var sums: [Double]?
  /// Means of a discrete type, by the rule of its style.
  public internal(set) var means: [Double]?
  /// Smallest values.
  public internal(set) var minimums: [Double]?
  /// Largest values.
  public internal(set) var maximums: [Double]?
  /// The values of percentiles of a discrete type.
  public internal(set) var percentiles: [Percentile: [Double]] = [:]
  /// Standard deviations of a discrete type; where ``counts`` is below 2 there is none, and the
  /// entry holds 0 and means nothing.
  public internal(set) var standardDeviations: [Double]?
  /// The union of covered time within each interval, in seconds.
  public internal(set) var durations: [Double]?
  /// The share of each interval that has data, from 0 to 1.
  public internal(set) var coverages: [Double]?
  /// The latest samples.
  public internal(set) var recents: SampleReferences?
  /// The earliest samples.
  public internal(set) var firsts: SampleReferences?

  /// One whole sample for each interval, as columns.
  public struct SampleReferences: Sendable, Hashable {
    /// Its value, whole even where the sample reaches out of the interval.
    public internal(set) var values: [Double]
    /// Its start.
    public internal(set) var starts: [Double]
    /// Its end.
    public internal(set) var ends: [Double]
  }

  /// Makes rows without other columns.
  init(starts: [Double], ends: [Double], hasData: [Bool], counts: [Int]) {
    self.starts = starts
    self.ends = ends
    self.hasData = hasData
    self.counts = counts
  }

  /// The number of intervals. - Complexity: O(1)
  public var count: Int { starts.count }
}
