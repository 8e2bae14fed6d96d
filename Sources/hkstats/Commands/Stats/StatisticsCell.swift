import HealthExchange
import HealthQuery
import HealthSamples
import HealthStatistics

/// One statistic of one interval.
enum StatisticsCell {
  case none
  case number(Double)
  case count(Int)
  case reading(Double, date: Double)
}

extension StatisticsColumns {
  /// A statistic that was asked for; a count is there even when the interval is empty.
  func cell(_ statistic: Statistic, _ row: Int) -> StatisticsCell {
    guard hasData[row] else { return statistic == .count ? .count(0) : .none }
    func number(_ column: [Double]?) -> StatisticsCell { column.map { .number($0[row]) } ?? .none }
    func reading(_ column: SampleReferences?) -> StatisticsCell {
      column.map { .reading($0.values[row], date: $0.ends[row]) } ?? .none
    }
    switch statistic {
    case .sum: return number(sums)
    case .mean: return number(means)
    case .min: return number(minimums)
    case .max: return number(maximums)
    case .count: return .count(counts[row])
    case .median, .percentile: return number(statistic.percentile.flatMap { percentiles[$0] })
    case .standardDeviation: return counts[row] < 2 ? .none : number(standardDeviations)
    case .duration: return number(durations)
    case .coverage: return number(coverages)
    case .recent: return reading(recents)
    case .first: return firsts.map { .reading($0.values[row], date: $0.starts[row]) } ?? .none
    }
  }

  /// The number by which sources are compared: the sum, else the mean.
  func mainValue(_ row: Int) -> Double? {
    guard hasData[row] else { return nil }
    return sums?[row] ?? means?[row]
  }
}

extension AverageColumns {
  /// The names for programs of the average and of what it is divided by.
  static func keys(_ unit: Unit) -> [String] {
    switch unit {
    case .day: ["perDay", "days"]
    case .hour: ["perHour", "hours"]
    }
  }

  /// The sum by day or hour, and how many these are.
  func cells(_ row: Int) -> [(key: String, cell: StatisticsCell)] {
    let average = counts[row] == 0 ? StatisticsCell.none : .number(averages[row])
    return Array(zip(Self.keys(unit), [average, .count(counts[row])])).map { ($0, $1) }
  }
}

extension StatisticsAnswer {
  /// Names of the sources for programs.
  var sourceNames: SourceNames {
    SourceNames(priority + sources.map(\.source) + contributions.map(\.source))
  }

  /// A number as programs read it.
  ///
  /// Values are kept and computed in the canonical unit; the way into another rounds once more, and
  /// prints digits that nobody measured. What was computed exactly stays as it is.
  func printed(_ value: Double) -> Double {
    isExact || unit == type.canonicalUnit ? value : NumberText.shortest(value)
  }

  /// The statistic that stands for an interval where there is room for one: the first asked for.
  var mainStatistic: Statistic { statistics.first { $0 != .count } ?? .count }
}
