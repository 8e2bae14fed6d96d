import HealthAnswers
import HealthQuery
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
    func cells(_ values: [Double?]) -> [StatisticsCell] {
      values.map { $0.map(StatisticsCell.number) ?? .none }
    }
    return [(names.average, cells(averages)), (names.count, counts.map { .count($0) })]
      + spread.map { (name(of: $0), cells($0.values)) }
  }
}

extension StatisticsAnswer {
  /// The statistic that stands for an interval where there is room for one: the first asked for.
  var mainStatistic: Statistic { statistics.first { $0 != .count } ?? .count }
}
