import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthUnits
import _HealthNumerics

extension SourcesCommand {
  /// `hkstats sources compare TYPE`: what merging makes of them, day by day.
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Day by day: merged, the raw sum, and each source alone.",
      discussion: """
        EXAMPLES:
          hkstats sources compare steps --from -14d
          hkstats sources compare steps --by month --prefer "Anna's iPhone"
          hkstats sources compare steps --merge subtractive --format csv
          hkstats sources compare steps --from -7d --format chart
        """)

    @OptionGroup var type: TypeArgument

    @Option(
      help: IntervalArgument.help, completion: .intervals, transform: QuestionWords.interval)
    var by = CalendarInterval(.day)

    @OptionGroup var period: PeriodOptions
    @OptionGroup var clipping: ClipOption
    @OptionGroup var merging: MergeOptions
    @OptionGroup var sources: SourceOptions

    @OptionGroup var unit: UnitOption
    @OptionGroup var query: QueryOptions
    @OptionGroup var form: FormatOptions<ChartFormat>

    func validate() throws { try clipping.check(period) }

    func run() throws {
      try query.ask { opened in
        try StatisticsRequest(
          type: try opened.type(named: type.type), interval: by, period: period, merging: merging,
          sources: sources, isBySource: true, clips: clipping.clip, unit: unit.unit
        ).answer(from: opened)
      } show: { answer, notes in
        let comparison = SourceComparison(answer: answer, interval: by)
        let width = Terminal.columns(STDOUT_FILENO)
        try form.write(comparison.answerView(width: width, notes: notes).asking(period)) {
          comparison.chart(width: width, style: $0)
        }
      }
    }
  }
}

/// An answer with its sources side by side.
struct SourceComparison {
  private let answer: StatisticsAnswer
  private let interval: CalendarInterval?
  private let columns: [Column]

  /// One number an interval; `nil` without data.
  private struct Column {
    /// The name for people.
    let title: String
    /// The name for programs.
    let key: String
    let values: [Double?]
  }

  init(answer: StatisticsAnswer, interval: CalendarInterval?) {
    self.answer = answer
    self.interval = interval
    let rows = 0..<answer.intervals.count
    let names = answer.sourceNames
    func column(_ name: String, _ values: [Double?]) -> Column {
      Column(title: name, key: name, values: values)
    }
    let alone = answer.sources.map {
      Column(
        title: $0.source.shortName, key: names[$0.source], values: $0.intervals.mainValues)
    }
    let merged = column(
      answer.style.isCumulative ? "merged" : "mean", answer.intervals.mainValues)
    // The raw sum adds up as the policy `none` does: by source, in rank order.
    let raw = rows.map { row -> Double? in
      let known = alone.compactMap { $0.values[row] }
      var sum = CompensatedSum()
      for value in known { sum.add(value) }
      return known.isEmpty ? nil : sum.result
    }
    columns =
      [merged] + (answer.style.isCumulative ? [column("raw", raw)] : []) + alone
  }

  /// The comparison as a view whose table is no wider than `width`.
  func answerView(width: Int, notes: AnswerNotes) -> AnswerView {
    let general = columns.count - answer.sources.count
    func numbers(_ columns: ArraySlice<Column>) -> [AnswerColumn] {
      columns.map { column in
        .numbers(
          column.key, unit: answer.unitText, naming: .verbatim,
          .optional(column.values.map { $0.map(answer.printing) }))
      }
    }
    let (starts, ends) = (answer.intervals.starts, answer.intervals.ends)
    var view = AnswerView(
      AnswerTable(
        "comparison", list: "intervals", count: starts.count, zones: answer.timeZone,
        head: answer.head,
        AnswerColumn.interval(.all(starts), .all(ends)) + numbers(columns.prefix(general))
          + [.group("sources", .plain, numbers(columns.dropFirst(general)))]))
    view.title = StatisticsCaptions.title(of: answer)
    view.notes = notes
    view.page = { page(width: width) }
    return view
  }
}

// MARK: - A picture

extension SourceComparison {
  /// More intervals than fit on a screen become curves.
  private static let longestList = 20
  /// A name is not wider in a picture.
  private static let longestName = 20
  /// In fewer columns, the date of an interval is a line above its bars.
  private static let leastWidthOfTwoLabels = 60

  /// Bars for each interval, one a column of the table; curves for many intervals.
  func chart(width: Int, style: TextStyle) -> [String] {
    let title = StatisticsCaptions.title(of: answer)
    let picture =
      answer.intervals.count > Self.longestList
      ? curves(width: width, style: style) : bars(width: width, style: style)
    let notes = StatisticsCaptions.notes(of: answer).flatMap { $0.wrapped(to: width) }
    return [style.strong(title), ""] + picture + (notes.isEmpty ? [] : [""])
      + notes.map(style.faint)
  }

  private func bars(width: Int, style: TextStyle) -> [String] {
    let scale = StatisticsCaptions.scale(answer.unit)
    let decimals = NumberText.decimals(
      for: columns.lazy.flatMap { $0.values.lazy.compactMap { $0.map { $0 * scale } } })
    let labels = answer.labels(of: interval).texts
    let labelWidth = labels.map(\.displayWidth).max() ?? 0
    // Beside the dates, a narrow terminal has no room for names that can be told apart.
    let hasHeadings = width < Self.leastWidthOfTwoLabels
    let bars = labels.enumerated().flatMap { row, label in
      columns.enumerated().map { place, column in
        let name = column.title.truncated(to: Self.longestName)
        let date = (place == 0 ? label : "").padded(to: labelWidth)
        return BarChart.Bar(
          label: hasHeadings ? name : date + "  " + name,
          value: column.values[row].map { $0 * scale },
          text: column.values[row].map { NumberText.rounded($0 * scale, decimals: decimals) }
            ?? "–", isFaint: place > 0)
      }
    }
    let lines = BarChart(bars: bars).lines(width: width, style: style)
    // A blank line between intervals keeps them apart.
    let groups = labels.enumerated().map { row, label in
      let group = lines[row * columns.count..<(row + 1) * columns.count]
      return hasHeadings ? [label] + group : Array(group)
    }
    return Array(groups.joined(separator: [""]))
  }

  private func curves(width: Int, style: TextStyle) -> [String] {
    let scale = StatisticsCaptions.scale(answer.unit)
    return columns.flatMap { column in
      let chart = LineChart(
        values: column.values.map { $0.map { $0 * scale } },
        startsAtZero: answer.style.isCumulative, ends: answer.dates)
      return [column.title.truncated(to: width)]
        + chart.lines(width: width, height: 5, style: style)
    }
  }
}

// MARK: - A table

extension SourceComparison {
  /// A name is not cut to fewer columns than this.
  private static let shortestName = 9

  /// The table, no line of it wider than `width` as far as numbers allow: names are cut, and
  /// sources of low rank for which there is no room stand together as the last column.
  private func page(width: Int) -> AnswerView.Page {
    let labels = answer.labels(of: interval)
    let names = [labels.title] + labels.texts
    let fitted = fitted(to: width - (names.map(\.displayWidth).max() ?? 0))
    var table = Table(columns: [.words(labels.title)] + fitted.map { .numbers($0.title) })
    for (row, label) in labels.texts.enumerated() {
      table.add([label] + fitted.map { $0.cells[row] })
    }
    return AnswerView.Page(
      table: table, notes: StatisticsCaptions.notes(of: answer).flatMap { $0.wrapped(to: width) })
  }

  private struct FittedColumn {
    let title: String
    let cells: [String]
    let numberWidth: Int

    init(title: String, cells: [String]) {
      self.title = title
      self.cells = cells
      numberWidth = cells.map(\.displayWidth).max() ?? 0
    }
  }

  /// - Complexity: O(cells), times the few columns that fit into `width`
  private func fitted(to width: Int) -> [FittedColumn] {
    let scale = StatisticsCaptions.scale(answer.unit)
    let decimals = NumberText.decimals(
      for: columns.lazy.flatMap { $0.values.lazy.compactMap { $0.map { $0 * scale } } })
    func column(_ title: String, _ values: [Double?]) -> FittedColumn {
      FittedColumn(
        title: title,
        cells: values.map {
          $0.map { NumberText.rounded($0 * scale, decimals: decimals) } ?? "–"
        })
    }
    let general = columns.prefix(columns.count - answer.sources.count)
      .map { column($0.title, $0.values) }
    var alone = columns.suffix(answer.sources.count).map { column($0.title, $0.values) }
    let room =
      width - general.reduce(0) { $0 + 2 + max($1.numberWidth, $1.title.displayWidth) }
    func needed(_ columns: [FittedColumn], name: Int) -> Int {
      columns.reduce(0) { $0 + 2 + max($1.numberWidth, min(name, $1.title.displayWidth)) }
    }
    var kept = alone.count
    if kept > 2, needed(alone, name: Self.shortestName) > room {
      // A column takes three characters or more, so this is still too many.
      kept = max(2, min(kept, room / 3 + 1))
      alone = Array(alone.prefix(kept))
    }
    while kept > 1, needed(alone, name: Self.shortestName) > room {
      kept -= 1
      let others = columns.suffix(answer.sources.count).dropFirst(kept)
      let together = (0..<answer.intervals.count).map { row -> Double? in
        let known = others.compactMap { $0.values[row] }
        return known.isEmpty ? nil : known.reduce(0, +)
      }
      // Means of several sources do not add up to anything.
      alone =
        alone.prefix(kept)
        + (answer.style.isCumulative ? [column("\(others.count) more", together)] : [])
    }
    var name = alone.map(\.title.displayWidth).max() ?? 0
    while name > Self.shortestName, needed(alone, name: name) > room { name -= 1 }
    return general
      + alone.map {
        FittedColumn(
          title: $0.title.truncated(to: max(name, $0.numberWidth)), cells: $0.cells)
      }
  }
}
