import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStatistics

/// The answer of `stats` as a table for people: rounded, with commas between thousands.
struct StatisticsTable {
  let answer: StatisticsAnswer
  let interval: CalendarInterval?

  func lines(style: TextStyle) -> [String] {
    let label = IntervalLabel(interval: interval, zone: answer.timeZone)
    let title = StatisticsWords.title(of: answer)
    guard answer.intervals.count > 0 else { return [title, "No data."] }
    let columns = columns
    var table = Table(columns: [.words(label.title)] + columns.map { .numbers($0.title) })
    let cells = columns.map(text(of:))
    for row in 0..<answer.intervals.count {
      let name = label.text(from: answer.intervals.starts[row], to: answer.intervals.ends[row])
      table.add([name] + cells.map { $0[row] })
    }
    let notes = StatisticsWords.notes(of: answer).map(style.faint)
    return [title, ""] + table.lines(style: style) + (notes.isEmpty ? [] : [""] + notes)
  }

  /// One column of the table: a statistic of all sources merged, or of one alone.
  private struct Column {
    let title: String
    let cells: [StatisticsCell]
    var isTime = false
    var isShare = false

    init(title: String, cells: [StatisticsCell]) { (self.title, self.cells) = (title, cells) }

    init(title: String, _ statistic: Statistic, of values: StatisticsColumns) {
      self.init(title: title, cells: (0..<values.count).map { values.cell(statistic, $0) })
      isTime = statistic == .duration
      isShare = statistic == .coverage
    }
  }

  private var columns: [Column] {
    let merged = answer.statistics.map { Column(title: $0.rawValue, $0, of: answer.intervals) }
    // One number a source keeps the table readable; the other formats give them all.
    let main = answer.mainStatistic
    let alone = answer.sources.map { source in
      source.averages.flatMap { averages(of: $0, title: source.source.shortName).first }
        ?? Column(title: source.source.shortName, main, of: source.intervals)
    }
    return merged + (answer.averages.map { averages(of: $0) } ?? []) + alone
  }

  /// The sum by day or hour, and how many these are.
  private func averages(of averages: AverageColumns, title: String? = nil) -> [Column] {
    let titles = [title ?? "per \(averages.unit.rawValue)", "\(averages.unit.rawValue)s"]
    let rows = averages.counts.indices.map { averages.cells($0).map(\.cell) }
    return titles.enumerated().map { place, title in
      Column(title: title, cells: rows.map { $0[place] })
    }
  }

  private func text(of column: Column) -> [String] {
    let cells = column.cells
    let (isTime, isShare) = (column.isTime, column.isShare)
    let scale = isShare ? 100 : isTime ? 1 : StatisticsWords.scale(answer.unit)
    let numbers = cells.compactMap { cell -> Double? in
      switch cell {
      case .number(let value), .reading(let value, _): value * scale
      case .none, .count: nil
      }
    }
    let decimals = NumberText.decimals(for: numbers)
    return cells.map { cell in
      switch cell {
      case .none: "–"
      case .count(let count): NumberText.grouped(count)
      case .number(let value):
        isTime
          ? AmountText.duration(value)
          : NumberText.rounded(value * scale, decimals: decimals) + (isShare ? " %" : "")
      case .reading(let value, let date):
        NumberText.rounded(value * scale, decimals: decimals) + " at " + moment(date)
      }
    }
  }

  private func moment(_ instant: Double) -> String {
    let time = LocalTime(instant, in: answer.timeZone)
    return "\(time.dateText) \(time.clockText)"
  }
}
