import HealthExchange
import HealthQuery
import HealthReport
import HealthStatistics

/// The answer of `stats` as a table for people: rounded, with commas between thousands.
struct StatisticsTable {
  let answer: StatisticsAnswer
  let interval: CalendarInterval?

  var page: AnswerView.Page {
    let labels = answer.labels(of: interval)
    let columns = columns
    var table = Table(columns: [.words(labels.title)] + columns.map { .numbers($0.title) })
    let cells = columns.map(text(of:))
    for (row, name) in labels.texts.enumerated() { table.add([name] + cells.map { $0[row] }) }
    return AnswerView.Page(table: table, notes: StatisticsCaptions.notes(of: answer))
  }

  /// One column of the table: a statistic of all sources merged, or of one alone.
  private struct Column {
    let title: String
    let cells: [StatisticsCell]
    var isTime = false
    var isShare = false

    init(title: String, cells: [StatisticsCell]) { (self.title, self.cells) = (title, cells) }

    init(title: String, _ statistic: Statistic, of values: StatisticsColumns) {
      self.init(title: title, cells: values.cells(statistic))
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
    let unit = averages.unit.rawValue
    let titles =
      [title ?? "per \(unit)", "\(unit)s"]
      + averages.spread.map { "\(unit) \($0.statistic.rawValue)" }
    return zip(titles, averages.columns).map { Column(title: $0, cells: $1.cells) }
  }

  private func text(of column: Column) -> [String] {
    let cells = column.cells
    let (isTime, isShare) = (column.isTime, column.isShare)
    let scale = isShare ? 100 : isTime ? 1 : StatisticsCaptions.scale(answer.unit)
    let numbers = cells.compactMap { cell -> Double? in
      switch cell {
      case .number(let value), .reading(let value, _): value * scale
      case .none, .count: nil
      }
    }
    let decimals = NumberText.decimals(for: numbers)
    var offsets = OffsetCache(answer.timeZone)
    return cells.map { cell in
      switch cell {
      case .none: "–"
      case .count(let count): NumberText.grouped(count)
      case .number(let value):
        isTime
          ? AmountText.duration(value)
          : NumberText.rounded(value * scale, decimals: decimals) + (isShare ? " %" : "")
      case .reading(let value, let date):
        Vocabulary.current.caption(
          "{0} at {1}", NumberText.rounded(value * scale, decimals: decimals),
          LocalTime(date, in: &offsets).momentText)
      }
    }
  }

}
