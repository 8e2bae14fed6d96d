import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery
import HealthReport
import HealthSamples
import HealthStatistics
import HealthUnits

/// The answer of `stats` for several types, or what a question makes of intervals, as views.
struct SeriesView {
  let answer: QuestionAnswer
  let interval: CalendarInterval?
  /// What is made of the intervals.
  var derivation: Question.Derivation?
  /// Whether csv and ndjson have a column for each type instead of a row.
  let isWide: Bool
  let notes: AnswerNotes
  /// The edges of the period as they were asked for.
  var asked: (from: String?, to: String?) = (nil, nil)

  private var columns: [QuestionAnswer.Column] { answer.columns }

  /// The number of rows of all types.
  var count: Int { columns.reduce(0) { $0 + $1.rowCount } }

  /// Writes the answer in a format.
  func write(as format: ChartFormat, style: TextStyle, width: Int, to output: TextOutput) throws {
    switch format {
    case .table, .csv, .tsv, .ndjson:
      guard let format = format.listed else { return }
      var view = AnswerView(isWide ? answer.wideTable ?? answer.table : answer.table)
      view.title = title(of: columns)
      view.notes = notes
      view.notes.emptiness = columns.first?.emptiness
      view.page = { page(of: columns) }
      try view.write(as: format, style: style, to: output)
    case .json: try writeDocuments(style: style, to: output)
    case .chart:
      for line in lines(width: width, style: style) { try output.line(line) }
    }
  }

  /// One document, or an array of one for each type.
  private func writeDocuments(style: TextStyle, to output: TextOutput) throws {
    if columns.count > 1 { try output.write("[") }
    for (place, column) in columns.enumerated() {
      if place > 0 { try output.write(",") }
      var view = AnswerView(column.document())
      if let derivation {
        view.answer.head += [
          .fact("interval", .optional(interval?.text)),
          .fact("derivation", .object(try derivation.members(of: column.series))),
        ]
      }
      if place == 0 { view.notes = notes }
      try view.asking(from: asked.from, to: asked.to)
        .write(as: .json, style: style, to: output)
    }
    if columns.count > 1 { try output.write("]\n") }
  }

  // MARK: - For people

  private func title(of columns: [QuestionAnswer.Column]) -> String {
    let names = columns.map { column in
      column.series.heading(in: column.series.isTime ? "" : column.series.shownUnit)
    }
    return
      (names
      + [
        columns.first?.derivedTitle.map(Vocabulary.current.word),
        StatisticsCaptions.zones(answer.timeZone),
      ]
      .compactMap(\.self)).joined(separator: ", ")
  }

  private func labels(of series: IntervalSeries) -> IntervalLabels {
    IntervalLabels(
      of: interval, starts: series.starts, ends: series.ends, zone: answer.timeZone)
  }

  private func page(of columns: [QuestionAnswer.Column]) -> AnswerView.Page {
    guard columns.allSatisfy({ $0.derived == nil }), let first = columns.first else {
      return derivedPage(of: columns)
    }
    let labels = labels(of: first.series)
    var table = Table(
      columns: [.words(labels.title)] + columns.map { .numbers($0.series.shownName) })
    let cells = columns.map { $0.series.texts($0.series.values) }
    for (row, label) in labels.texts.enumerated() { table.add([label] + cells.map { $0[row] }) }
    return AnswerView.Page(table: table, notes: pageNotes(of: columns))
  }

  /// What is made of the intervals of each type, one type after the other.
  private func derivedPage(of columns: [QuestionAnswer.Column]) -> AnswerView.Page {
    let spreads = columns.compactMap(\.spread)
    if spreads.count == columns.count { return spreadPage(of: columns, spreads) }
    let isSingle = columns.count == 1
    let tables = columns.map { $0.peopleTable(labels: labels(of: $0.series)) }
    let titles = tables.first?.columns ?? []
    var table = Table(
      columns: (isSingle ? [] : [Table.Column.words("type")]) + titles)
    for (column, part) in zip(columns, tables) {
      for row in part.rows {
        table.add((isSingle ? [] : [column.series.shownName]) + row)
      }
    }
    return AnswerView.Page(table: table, notes: pageNotes(of: columns))
  }

  /// A line for each statistic, and a column for each type.
  private func spreadPage(
    of columns: [QuestionAnswer.Column], _ spreads: [IntervalSpread]
  ) -> AnswerView.Page {
    var table = Table(
      columns: [.words("statistic")] + columns.map { .numbers($0.series.shownName) })
    let word = Vocabulary.current.word
    table.add([word("count")] + spreads.map { NumberText.grouped($0.count) })
    table.add([word("empty")] + spreads.map { NumberText.grouped($0.emptyCount) })
    let statistics = IntervalSpread.statistics
    let cells = zip(columns, spreads).map { column, spread in
      column.series.texts(statistics.map { spread[$0] })
    }
    for (row, statistic) in statistics.enumerated() {
      table.add([word(statistic.rawValue)] + cells.map { $0[row] })
    }
    return AnswerView.Page(table: table, notes: pageNotes(of: columns))
  }

  private func pageNotes(of columns: [QuestionAnswer.Column]) -> [String] {
    var notes: [String] = []
    for column in columns {
      let method: String
      switch column.answer {
      case .quantity(let answer):
        method =
          "\(column.series.statistic)"
          + (answer.style.isCumulative && answer.policy != .unmerged ? ", merged" : "")
      case .category: method = column.series.statistic
      case .nights: method = "mean of the nights that recorded it"
      }
      if columns.count > 1 { notes.append("\(column.series.shownName): \(method).") }
    }
    // Columns with equal notes share one.
    return notes
      + columns.flatMap { $0.derivedNotes(isNamed: columns.count > 1) }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func lines(width: Int, style: TextStyle) -> [String] {
    if let absence = notes.absence {
      return [title(of: columns), "No data: \(absence)"]
    }
    if count == 0, let emptiness = columns.first?.emptiness {
      return [title(of: columns), emptiness].flatMap { $0.wrapped(to: width) }
    }
    var lines: [String] = []
    for column in columns {
      if !lines.isEmpty { lines.append("") }
      lines += title(of: [column]).wrapped(to: width).map(style.strong) + [""]
      if let spread = column.spread {
        lines += column.ranges(of: spread).lines(width: width, style: style)
        continue
      }
      let (labels, values) = column.bars(labels: labels(of: column.series))
      let texts =
        column.countsIntervals
        ? values.map { NumberText.exact($0 ?? 0) } : column.series.texts(values)
      lines += BarChart(
        bars: zip(labels, values).enumerated().map { row, bar in
          BarChart.Bar(label: bar.0, value: bar.1, text: texts[row])
        }
      ).lines(width: width, style: style)
    }
    return lines
      + pageNotes(of: columns).flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
      + notes.lines(style: style.within(width))
  }
}

extension Question.Derivation {
  /// What was made of the intervals of a series, under the names that questions have for it, with
  /// bounds in a unit.
  fileprivate func members(of series: IntervalSeries) throws(QueryError) -> [JSON.Member] {
    switch self {
    case .group(let group): return [.init("group", .string(group.rawValue))]
    case .rolling(let width): return [.init("rolling", .integer(width))]
    case .top(let count, let least):
      return [.init("top", .integer(count)), .init("least", .bool(least))]
    case .bounded(let bounds):
      var members: [JSON.Member] = []
      for (key, text) in [("above", bounds.lower), ("below", bounds.upper)] {
        guard let text else { continue }
        members.append(.init(key, .number(series.printing(try series.number(of: text)))))
      }
      return members + [
        .init("unit", .string(series.unitText)), .init("streaks", .bool(bounds.findsStreaks)),
      ]
    case .gaps: return [.init("gaps", .bool(true))]
    case .spread: return [.init("spread", .bool(true))]
    case .compared(let comparison): return [.init("compare", .string(comparison.rawValue))]
    }
  }
}

// MARK: - One type

extension QuestionAnswer.Column {
  /// What is made of the intervals, for people.
  fileprivate func peopleTable(
    labels: IntervalLabels
  ) -> (columns: [Table.Column], rows: [[String]]) {
    let series = series
    let statistic = series.statistic
    switch derived {
    case nil, .spread: return ([], [])
    case .groups(let groups):
      let numbers = series.texts(groups.flatMap { [$0.mean, $0.min, $0.max] })
      return (
        [
          .words("group"), .numbers("mean"), .numbers("min"), .numbers("max"),
          .numbers("intervals"),
        ],
        groups.enumerated().map { place, group in
          [Vocabulary.current.word(group.label)] + numbers[3 * place..<3 * place + 3] + [
            NumberText.grouped(group.count)
          ]
        }
      )
    case .rolling(let means):
      let (values, rolled) = (series.texts(series.values), series.texts(means.map(\.value)))
      return (
        [.words(labels.title), .numbers(statistic), .numbers("rolling"), .numbers("of")],
        series.values.indices.map { row in
          let count = means[row].value == nil ? "–" : NumberText.grouped(means[row].count)
          return [labels.texts[row], values[row], rolled[row], count]
        }
      )
    case .rows(let rows):
      let values = series.texts(series.values)
      return (
        [.words(labels.title), .numbers(statistic)],
        rows.map { [labels.texts[$0], values[$0]] }
      )
    case .streaks(let runs), .gaps(let runs):
      return (
        [.words("from"), .words("to"), .numbers("intervals")],
        runs.map { run in
          [
            labels.texts[run.lowerBound], labels.texts[run.upperBound - 1],
            NumberText.grouped(run.count),
          ]
        }
      )
    case .compared(let others):
      let all = series.texts(series.values + others.map { $0?.value })
      let changes = series.texts(series.values.indices.map(change))
      return (
        [
          .words(labels.title), .numbers(statistic), .numbers("before"), .numbers("change"),
          .numbers("%"),
        ],
        series.values.indices.map { row in
          let isPartial = others[row]?.isPartial ?? false
          return [
            labels.texts[row], all[row],
            all[series.count + row] + (isPartial ? " " + Vocabulary.current.word("so far") : ""),
            (change(row) ?? 0 > 0 ? "+" : "") + changes[row],
            changeShare(row).map { ($0 > 0 ? "+" : "") + NumberText.rounded($0 * 100, decimals: 1) }
              ?? "–",
          ]
        }
      )
    }
  }

  /// How the numbers are distributed, where that is asked.
  fileprivate var spread: IntervalSpread? {
    if case .spread(let spread) = derived { spread } else { nil }
  }

  /// Ranges around the median, the widest first.
  fileprivate func ranges(of spread: IntervalSpread) -> RangeChart {
    let series = series
    let scale = series.axis.scale
    let ranks = IntervalSpread.statistics.filter {
      $0 == .min || $0 == .max || $0.percentile != nil
    }
    let texts = series.texts(ranks.map { spread[$0] })
    func scaled(_ statistic: Statistic) -> Double? { spread[statistic].map { $0 * scale } }
    let lines = (0..<ranks.count / 2).map { low in
      let high = ranks.count - 1 - low
      return RangeChart.Line(
        label: "\(ranks[low].rawValue) to \(ranks[high].rawValue)", minimum: scaled(ranks[low]),
        mean: scaled(.median), maximum: scaled(ranks[high]),
        text: spread.count == 0 ? texts[low] : "\(texts[low]) to \(texts[high])")
    }
    return RangeChart(
      lines: lines, statistic: "median", strokes: "from the one number to the other")
  }

  /// Whether bars show how many intervals there are in a run.
  fileprivate var countsIntervals: Bool {
    switch derived {
    case .streaks, .gaps: true
    default: false
    }
  }

  /// What there is none of, in place of a table.
  fileprivate var emptiness: String? {
    switch derived {
    case .rows where !series.values.contains { $0 != nil }: "No interval has this number."
    case .gaps: "No gaps: all \(AmountText.count(series.count, "interval")) have data."
    case .streaks, .rows: "No interval is within these bounds."
    default: nil
    }
  }

  /// What bars show.
  fileprivate func bars(labels: IntervalLabels) -> (labels: [String], values: [Double?]) {
    switch derived {
    case nil, .compared, .spread: (labels.texts, series.values)
    case .groups(let groups): (groups.map(\.label), groups.map(\.mean))
    case .rolling(let means): (labels.texts, means.map(\.value))
    case .rows(let rows): (rows.map { labels.texts[$0] }, rows.map { series.values[$0] })
    case .streaks(let runs), .gaps(let runs):
      (
        runs.map { "\(labels.texts[$0.lowerBound]) – \(labels.texts[$0.upperBound - 1])" },
        runs.map { Double($0.count) }
      )
    }
  }

  fileprivate var derivedTitle: String? {
    switch derived {
    case nil: nil
    case .groups: "by group"
    case .rolling: "rolling mean"
    case .rows(let rows):
      "\(NumberText.grouped(rows.count)) of "
        + AmountText.count(series.values.count { $0 != nil }, "interval")
    case .streaks(let streaks): AmountText.count(streaks.count, "streak")
    case .gaps(let gaps): AmountText.count(gaps.count, "gap")
    case .spread: "spread of intervals"
    case .compared: "compared"
    }
  }

  fileprivate func derivedNotes(isNamed: Bool) -> [String] {
    switch derived {
    case nil, .rows: []
    case .gaps:
      [
        (isNamed ? "\(series.shownName): " : "") + NumberText.grouped(emptyCount) + " of "
          + AmountText.count(series.count, "interval") + " without data."
      ]
    case .spread(let spread): spreadNotes(spread, isNamed: isNamed)
    case .streaks: ["An interval without data ends a streak."]
    case .groups: ["Intervals without data are in no mean."]
    case .rolling: ["of: how many of the intervals have data; the others are left out."]
    case .compared(let others):
      others.contains { $0?.isPartial ?? false }
        ? [
          "so far: both up to the same day, since the interval is not over, the data end inside of "
            + "it, or --to cuts it."
        ] : []
    }
  }

  private func spreadNotes(_ spread: IntervalSpread, isNamed: Bool) -> [String] {
    guard let first = series.starts.first, let last = series.ends.last else { return [] }
    let dates = [first, last.nextDown].map { LocalTime($0, in: series.timeZone).dateText }
    return [
      (isNamed ? "\(series.shownName): " : "")
        + "\(NumberText.grouped(spread.count)) of \(AmountText.count(series.count, "interval")) "
        + "from \(dates[0]) to \(dates[1]) count.",
      "Percentiles: linear between neighbours (Hyndman-Fan type 7); stddev: of a sample (n - 1).",
    ]
  }
}
