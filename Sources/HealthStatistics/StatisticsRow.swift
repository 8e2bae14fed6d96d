extension StatisticsColumns {
  /// A table without rows, whose columns are those that were asked for.
  init(withoutRowsOf wanted: Set<Statistic>) {
    self.init(starts: [], ends: [], hasData: [], counts: [])
    let none = SampleReferences(values: [], starts: [], ends: [])
    for statistic in wanted {
      switch statistic {
      case .sum: sums = []
      case .mean: means = []
      case .min: minimums = []
      case .max: maximums = []
      case .count: break
      case .median: percentiles[.median] = []
      case .percentile(let percentile): percentiles[percentile] = []
      case .standardDeviation: standardDeviations = []
      case .duration: durations = []
      case .coverage: coverages = []
      case .recent: recents = none
      case .first: firsts = none
      }
    }
  }

  /// The table row by row, for reading and encoding few of them.
  ///
  /// - Complexity: O(rows)
  public var rows: [StatisticsRow] { (0..<count).map { StatisticsRow(of: self, at: $0) } }
}

/// One interval of a table: what was asked for and what there is.
///
/// A statistic that was not asked for is `nil`, and so is one of an interval without data.
public struct StatisticsRow: Sendable, Hashable, Codable {
  /// Where the interval starts, in seconds since 2001-01-01 UTC.
  public let start: Double
  /// Where it ends.
  public let end: Double
  /// How many samples contribute.
  public let count: Int
  /// The sum of a cumulative type.
  public let sum: Double?
  /// The mean of a discrete type.
  public let mean: Double?
  /// The smallest value.
  public let minimum: Double?
  /// The largest value.
  public let maximum: Double?
  /// The standard deviation; `nil` also for a single sample.
  public let standardDeviation: Double?
  /// The covered time, in seconds.
  public let duration: Double?
  /// The share of the interval that has data.
  public let coverage: Double?
  /// The value of the latest sample.
  public let recent: Double?
  /// The value of the earliest sample.
  public let first: Double?

  init(of table: StatisticsColumns, at row: Int) {
    func value(_ column: [Double]?) -> Double? { table.hasData[row] ? column?[row] : nil }
    start = table.starts[row]
    end = table.ends[row]
    count = table.counts[row]
    sum = value(table.sums)
    mean = value(table.means)
    minimum = value(table.minimums)
    maximum = value(table.maximums)
    standardDeviation = table.counts[row] < 2 ? nil : value(table.standardDeviations)
    duration = value(table.durations)
    coverage = value(table.coverages)
    recent = value(table.recents?.values)
    first = value(table.firsts?.values)
  }
}
