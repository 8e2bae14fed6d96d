import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStatistics

/// The answer of `stats --format csv`: a line an interval, or one an interval and source, each with
/// the rules by which its numbers were found.
struct StatisticsCSV {
  let answer: StatisticsAnswer

  func write(to output: TextOutput) throws {
    let titles =
      answer.statistics.flatMap { statistic in
        switch statistic {
        case .recent, .first: ["\(statistic.rawValue)_value", "\(statistic.rawValue)_date"]
        default: [statistic.rawValue]
        }
      } + (answer.averages.map { AverageColumns.keys($0.unit) } ?? [])
    let isBySource = !answer.sources.isEmpty
    let methods = StatisticsMethods(answer: answer).fields
    let names = answer.sourceNames
    let rules = methods.map(\.text)
    try output.record(
      ["start", "end"] + (isBySource ? ["source"] : []) + titles + methods.map(\.key))
    for row in 0..<answer.intervals.count {
      let dates = [answer.intervals.starts[row], answer.intervals.ends[row]].map(iso)
      // The merged answer stands under no source.
      let merged = isBySource ? [""] : []
      try output.record(dates + merged + fields(answer.intervals, answer.averages, row) + rules)
      for source in answer.sources {
        let name = [names[source.source]]
        try output.record(dates + name + fields(source.intervals, source.averages, row) + rules)
      }
    }
  }

  private func fields(
    _ columns: StatisticsColumns, _ averages: AverageColumns?, _ row: Int
  ) -> [String] {
    let cells =
      answer.statistics.map { (Optional($0), columns.cell($0, row)) }
      + (averages?.cells(row).map { (nil, $0.cell) } ?? [])
    return cells.flatMap { statistic, cell -> [String] in
      switch cell {
      case .none: statistic == .recent || statistic == .first ? ["", ""] : [""]
      case .number(let value): [NumberText.exact(answer.printed(value))]
      case .count(let count): [String(count)]
      case .reading(let value, let date): [NumberText.exact(answer.printed(value)), iso(date)]
      }
    }
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: answer.timeZone).isoText }
}
