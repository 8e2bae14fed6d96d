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
    if statistic == .count { return .count(hasData[row] ? counts[row] : 0) }
    guard let value = value(statistic, row: row) else { return .none }
    guard let spans = spans(of: statistic) else { return .number(value) }
    return .reading(value, date: (statistic == .recent ? spans.ends : spans.starts)[row])
  }

  /// The number by which sources are compared: the sum, else the mean.
  func mainValue(_ row: Int) -> Double? {
    value(.sum, row: row) ?? value(.mean, row: row)
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
