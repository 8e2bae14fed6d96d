import Foundation
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics

/// The answer of `stats` for a category type, in every format.
struct CategoryReport {
  let answer: CategoryAnswer
  let besides: AnswerNotes
  /// What was asked for: duration, count.
  let statistics: [Statistic]
  let interval: CalendarInterval?
  let isBySource: Bool
  /// The names of the values, in order.
  let names: [String]

  init(
    answer: CategoryAnswer, notes: AnswerNotes, statistics: [Statistic],
    interval: CalendarInterval?, isBySource: Bool
  ) {
    self.answer = answer
    besides = notes
    self.statistics = statistics.isEmpty ? [.duration, .count] : statistics
    self.interval = interval
    self.isBySource = isBySource
    names = answer.values.map { Self.name(of: $0, in: answer.type) }
  }

  func write(as format: StatsCommand.Format, style: TextStyle, to output: TextOutput) throws {
    if format == .csv || format == .ndjson { besides.writeToStandardError() }
    switch format {
    case .table, .chart:
      guard besides.absence == nil else {
        for line in besides.lines(under: title) { try output.line(line) }
        return
      }
    default: break
    }
    switch format {
    case .table:
      let lines = answer.contributions.isEmpty ? table(style: style) : explanation(style: style)
      for line in lines { try output.line(line) }
    case .chart:
      for line in chart(width: Terminal.columns(STDOUT_FILENO), style: style) {
        try output.line(line)
      }
    case .csv: for line in csv { try output.record(line) }
    case .json:
      try output.write(
        header + besides.members, list: "intervals", of: (0..<answer.starts.count).lazy.map(object))
    case .ndjson: for row in 0..<answer.starts.count { try output.line(line(row).text) }
    }
  }

  /// The name of a value, without the words that every constant of the type begins with.
  private static func name(
    of column: CategoryAnswer.ValueColumns, in type: SampleType
  ) -> String {
    guard let constant = column.constant else { return NumberText.exact(column.value) }
    let enumerations = Catalogue.categoryTypes
      .filter { $0.identifier.rawValue == type.identifier }.map(\.enumeration)
    for enumeration in enumerations where constant.hasPrefix(enumeration) {
      return Catalogue.swiftName(of: constant.dropFirst(enumeration.count))
    }
    return constant
  }

  // MARK: - For programs

  private var header: [JSON.Member] {
    [.init("type", .string(answer.type.identifier)), .init("unit", .string("s"))]
      + StatisticsWords.zoneMembers(answer.timeZone)
      + [
        .init("merge", .string(answer.policy.rawValue)), .init("style", .string("category")),
        .init("rule", .string(answer.rule.rawValue)),
        .init("priority", .array(answer.priority.map { .string(names(of: $0)) })),
      ]
  }

  /// The name of a source for programs.
  private func names(of source: Source) -> String {
    SourceNames(
      answer.priority + answer.sources.map(\.source) + answer.contributions.map(\.source)
    )[source]
  }

  /// The same with what the header says.
  private func line(_ row: Int) -> JSON { .object(members(row) + facts) }

  private func object(_ row: Int) -> JSON { .object(members(row)) }

  /// What is said in each row where no header can say it.
  private var facts: [JSON.Member] {
    [
      .init("type", .string(answer.type.identifier)), .init("unit", .string("s")),
      .init("timezone", .string(answer.timeZone.identifier)),
    ]
  }

  private func members(_ row: Int) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("start", .string(iso(answer.starts[row]))),
      .init("end", .string(iso(answer.ends[row]))), .init("values", values(answer.values, row)),
    ]
    if isBySource {
      members.append(
        .init(
          "sources",
          .object(
            answer.sources.map { .init(names(of: $0.source), values($0.values, row)) })))
    }
    if !answer.contributions.isEmpty {
      members.append(.init("contributions", .array(contributions(row))))
    }
    return members
  }

  private func values(_ columns: [CategoryAnswer.ValueColumns], _ row: Int) -> JSON {
    .object(
      zip(names, columns).map { name, column in
        .init(name, .object(statistics.map { .init($0.rawValue, json($0, column, row)) }))
      })
  }

  private func json(
    _ statistic: Statistic, _ column: CategoryAnswer.ValueColumns, _ row: Int
  ) -> JSON {
    guard statistic == .duration else { return .integer(column.counts[row]) }
    return answer.hasData[row] ? .number(column.durations[row]) : .null
  }

  /// What each source counted of each value, and what of it was masked.
  private func contributions(_ row: Int) -> [JSON] {
    zip(answer.contributions, answer.sources).compactMap { counted, alone in
      let parts = names.indices.filter { alone.values[$0].counts[row] > 0 }.map { place in
        let seconds = counted.values[place].durations[row]
        return JSON.Member(
          names[place],
          .object([
            .init("duration", .number(seconds)),
            .init("masked", .number(max(0, alone.values[place].durations[row] - seconds))),
          ]))
      }
      return parts.isEmpty
        ? nil
        : .object([
          .init("source", .string(names(of: counted.source))), .init("values", .object(parts)),
        ])
    }
  }

  /// A record an interval, or one an interval and source; the merged one stands under no source.
  private var csv: [[String]] {
    let rules = [answer.type.identifier, "s", answer.timeZone.identifier]
    let titles = names.flatMap { name in statistics.map { "\(name)_\($0.rawValue)" } }
    return [["start", "end"] + (isBySource ? ["source"] : []) + titles + facts.map(\.key)]
      + (0..<answer.starts.count).flatMap { row in
        let dates = [answer.starts[row], answer.ends[row]].map(iso)
        let merged = dates + (isBySource ? [""] : []) + fields(answer.values, row) + rules
        guard isBySource else { return [merged] }
        return [merged]
          + answer.sources.map { dates + [names(of: $0.source)] + fields($0.values, row) + rules }
      }
  }

  private func fields(_ columns: [CategoryAnswer.ValueColumns], _ row: Int) -> [String] {
    columns.flatMap { column in
      statistics.map { statistic in
        guard statistic == .duration else { return String(column.counts[row]) }
        return answer.hasData[row] ? NumberText.exact(column.durations[row]) : ""
      }
    }
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: answer.timeZone).isoText }
}

// MARK: - For people

extension CategoryReport {
  private var title: String {
    let merged = answer.policy == .unmerged ? "all samples of all sources" : "merged"
    return [
      TypeName.short(answer.type.identifier), StatisticsWords.zones(answer.timeZone), merged,
    ].joined(separator: ", ")
  }

  private var notes: [String] {
    var notes: [String] = []
    if answer.policy != .unmerged, answer.priority.count > 1 {
      notes.append(StatisticsWords.order(of: answer.priority))
    }
    if answer.rule == .single { notes.append(StatisticsWords.singleRule) }
    return notes
  }

  /// Whether the type has no values to tell apart: its one constant says nothing.
  private var isPlain: Bool { answer.values.map(\.constant) == ["HKCategoryValueNotApplicable"] }

  private var labels: [String] {
    let label = IntervalLabel(interval: interval, zone: answer.timeZone)
    return answer.starts.indices.map { label.text(from: answer.starts[$0], to: answer.ends[$0]) }
  }

  private var labelTitle: String {
    IntervalLabel(interval: interval, zone: answer.timeZone).title
  }

  private func page(_ lines: [String], style: TextStyle) -> [String] {
    guard !answer.starts.isEmpty else { return [title, "No data."] }
    return [style.strong(title), ""] + lines + (notes.isEmpty ? [] : [""])
      + notes.map(style.faint) + besides.lines(style: style)
  }

  private func table(style: TextStyle) -> [String] {
    struct Column {
      let title: String
      let cells: [String]
    }
    func columns(_ values: [CategoryAnswer.ValueColumns], under source: String) -> [Column] {
      zip(names, values).flatMap { name, column in
        statistics.map { statistic in
          let title =
            isPlain ? statistic.rawValue : statistic == .duration ? name : "\(name) count"
          return Column(
            title: source.isEmpty ? title : "\(source): \(title)",
            cells: answer.hasData.indices.map { row in
              guard answer.hasData[row] else { return "–" }
              return statistic == .count
                ? NumberText.grouped(column.counts[row])
                : AmountText.duration(column.durations[row])
            })
        }
      }
    }
    let sources = isBySource ? answer.sources : []
    let all =
      columns(answer.values, under: "")
      + sources.flatMap { columns($0.values, under: $0.source.shortName) }
    var table = Table(columns: [.words(labelTitle)] + all.map { .numbers($0.title) })
    for (row, label) in labels.enumerated() { table.add([label] + all.map { $0.cells[row] }) }
    return page(table.lines(style: style), style: style)
  }

  /// A line an interval and value, in which what the sources counted adds up to the duration.
  private func explanation(style: TextStyle) -> [String] {
    let sources = answer.contributions.map(\.source.shortName)
    var table = Table(
      columns: [.words(labelTitle), .words("value")] + sources.map(Table.Column.numbers)
        + [.numbers("duration"), .numbers("masked")])
    for (row, label) in labels.enumerated() {
      for place in names.indices
      where answer.sources.contains(where: { $0.values[place].counts[row] > 0 }) {
        let total = answer.values[place].durations[row]
        let alone = answer.sources.reduce(0) { $0 + $1.values[place].durations[row] }
        table.add(
          [label, names[place]]
            + zip(answer.contributions, answer.sources).map { counted, alone in
              alone.values[place].counts[row] == 0
                ? "–" : AmountText.duration(counted.values[place].durations[row])
            } + [
              AmountText.duration(total),
              alone > total ? AmountText.duration(alone - total) : "–",
            ])
      }
    }
    return page(table.lines(style: style), style: style)
  }

  /// Bars of durations, or of counts where nothing lasts or counts alone were asked for.
  private func chart(width: Int, style: TextStyle) -> [String] {
    let lasts = answer.values.contains { $0.durations.contains { $0 > 0 } }
    let isDuration = lasts && statistics.contains(.duration)
    // Values that go beside each other do not stack: of sleep, the time in bed is left out.
    let list = Catalogue.exclusiveValues(of: answer.type).max { $0.count < $1.count }
    let shown = names.indices.filter { list?.contains(answer.values[$0].value) ?? true }
    let marks = shown.enumerated().map { place, value in
      let name = isDuration ? names[value] : "\(names[value]) count"
      let stage =
        answer.type.identifier == SleepPlan.type.identifier
        ? Int(exactly: answer.values[value].value).flatMap(SleepStage.init(rawValue:)) : nil
      let mark = stage.map(ChartMark.stage) ?? .numbered(place, name: name)
      return ChartMark(glyph: mark.glyph, color: mark.color, name: name)
    }
    let bars = labels.enumerated().map { row, label in
      let parts = shown.map { answer.values[$0] }.map {
        isDuration ? $0.durations[row] : Double($0.counts[row])
      }
      let total = parts.reduce(0, +)
      let text = isDuration ? AmountText.duration(total) : NumberText.grouped(Int(total))
      return StackedChart.Bar(
        label: label, text: answer.hasData[row] ? text : "–", parts: parts)
    }
    let chart = StackedChart(marks: marks, bars: bars).lines(width: width, style: style)
    guard !answer.starts.isEmpty else { return [title, "No data."] }
    return title.wrapped(to: width).map(style.strong) + [""] + chart
      + notes.flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
  }
}
