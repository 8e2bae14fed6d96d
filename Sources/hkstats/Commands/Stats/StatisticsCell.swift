import Foundation
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

  /// A value with the date of its sample.
  var reading: (value: Double, date: Double)? {
    if case .reading(let value, let date) = self { (value, date) } else { nil }
  }
}

extension StatisticsColumns {
  /// A statistic that was asked for; a count is there even when the interval is empty.
  func cells(_ statistic: Statistic) -> [StatisticsCell] {
    if statistic == .count { return zip(hasData, counts).map { .count($0 ? $1 : 0) } }
    let values = values(of: statistic)
    guard let spans = spans(of: statistic) else {
      return values.map { $0.map { .number($0) } ?? .none }
    }
    return zip(values, statistic == .recent ? spans.ends : spans.starts).map { value, date in
      value.map { .reading($0, date: date) } ?? .none
    }
  }

  /// The numbers by which sources are compared: the sums, else the means.
  var mainValues: [Double?] { values(of: self[raw: .sum] == nil ? .mean : .sum) }
}

extension AverageColumns {
  /// The sums by day or hour, and how many these are, with their names for programs.
  var columns: [(key: String, cells: [StatisticsCell])] {
    let keys = unit == .day ? ["perDay", "days"] : ["perHour", "hours"]
    func cells(_ values: [Double?]) -> [StatisticsCell] {
      values.map { $0.map(StatisticsCell.number) ?? .none }
    }
    return [(keys[0], cells(averages)), (keys[1], counts.map { .count($0) })]
      + spread.map { (unit.rawValue + $0.statistic.rawValue.capitalized, cells($0.values)) }
  }
}

extension StatisticsAnswer {
  /// Names of the sources for programs.
  var sourceNames: SourceNames {
    SourceNames(priority + sources.map(\.source) + contributions.map(\.source))
  }

  /// How programs read numbers.
  ///
  /// Values are kept and computed in the canonical unit; the way into another rounds once more, and
  /// prints digits beyond the measured ones. What was computed exactly stays as it is.
  var printing: (Double) -> Double {
    isExact || unit == type.canonicalUnit ? { $0 } : { NumberText.shortest($0) }
  }

  /// The statistic that stands for an interval where there is room for one: the first asked for.
  var mainStatistic: Statistic { statistics.first { $0 != .count } ?? .count }
}
