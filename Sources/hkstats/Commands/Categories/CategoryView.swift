import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery
import HealthReport
import HealthSamples
import HealthStatistics

/// The answer of `stats` for a category type, in every format.
struct CategoryView {
  let answer: CategoryAnswer
  /// What was asked for: duration, count.
  let statistics: [Statistic]
  let interval: CalendarInterval?
  let isBySource: Bool
  /// The names of the values, in order.
  private let names: [String]

  init(
    answer: CategoryAnswer, statistics: [Statistic], interval: CalendarInterval?, isBySource: Bool
  ) {
    self.answer = answer
    self.statistics = statistics.isEmpty ? [.duration, .count] : statistics
    self.interval = interval
    self.isBySource = isBySource
    names = answer.values.map(answer.name(of:))
  }

  func answerView(notes: AnswerNotes) -> AnswerView {
    var view = AnswerView(answer.table(statistics: statistics, bySource: isBySource))
    if !answer.contributions.isEmpty { view.records = answer.explanation }
    view.title = title
    view.notes = notes
    view.page = { answer.contributions.isEmpty ? page : explanation }
    return view
  }
}

// MARK: - For people

extension CategoryView {
  private var title: String {
    let merged = answer.policy == .unmerged ? "all samples of all sources" : "merged"
    return [
      TypeName.title(answer.type.identifier), StatisticsCaptions.zones(answer.timeZone),
      Vocabulary.current.word(merged),
    ].joined(separator: ", ")
  }

  private var notes: [String] {
    var notes: [String] = []
    if answer.policy != .unmerged, answer.priority.count > 1 {
      notes.append(StatisticsCaptions.order(of: answer.priority))
    }
    if answer.rule == .single { notes.append(StatisticsCaptions.singleRule) }
    return notes
  }

  /// The names of the values, in order.
  private var titles: [String] { names.map { Marks.drawn(Vocabulary.current.value($0)) } }

  /// Whether the type has no values to tell apart: its one constant says nothing.
  private var isPlain: Bool { answer.values.map(\.constant) == ["HKCategoryValueNotApplicable"] }

  private var labels: IntervalLabels {
    IntervalLabels(
      of: interval, starts: answer.starts, ends: answer.ends, zone: answer.timeZone)
  }

  private var page: AnswerView.Page {
    struct Column {
      let title: String
      let cells: [String]
    }
    func columns(_ values: [CategoryAnswer.ValueColumns], under source: String) -> [Column] {
      zip(titles, values).flatMap { name, column in
        statistics.map { statistic in
          let title =
            isPlain
            ? statistic.rawValue
            : statistic == .duration ? name : Vocabulary.current.caption("{0} count", name)
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
    let labels = labels
    var table = Table(columns: [.words(labels.title)] + all.map { .numbers($0.title) })
    for (row, label) in labels.texts.enumerated() { table.add([label] + all.map { $0.cells[row] }) }
    return AnswerView.Page(table: table, notes: notes)
  }

  /// A line an interval and value, in which what the sources counted adds up to the duration.
  private var explanation: AnswerView.Page {
    let sources = answer.contributions.map(\.source.shortName)
    let labels = labels
    var table = Table(
      columns: [.words(labels.title), .words("value")] + sources.map(Table.Column.numbers)
        + [.numbers("duration"), .numbers("masked")])
    for (row, label) in labels.texts.enumerated() {
      for place in names.indices
      where answer.sources.contains(where: { $0.values[place].counts[row] > 0 }) {
        let total = answer.values[place].durations[row]
        let alone = answer.sources.reduce(0) { $0 + $1.values[place].durations[row] }
        table.add(
          [label, titles[place]]
            + zip(answer.contributions, answer.sources).map { counted, alone in
              alone.values[place].counts[row] == 0
                ? "–" : AmountText.duration(counted.values[place].durations[row])
            } + [
              AmountText.duration(total),
              alone > total ? AmountText.duration(alone - total) : "–",
            ])
      }
    }
    return AnswerView.Page(table: table, notes: notes)
  }

  /// Bars of durations, or of counts where nothing lasts or counts alone were asked for.
  func chart(width: Int, style: TextStyle) -> [String] {
    let lasts = answer.values.contains { $0.durations.contains { $0 > 0 } }
    let isDuration = lasts && statistics.contains(.duration)
    // Values that go beside each other do not stack: of sleep, the time in bed is left out.
    let list = Catalogue.exclusiveValues(of: answer.type).max { $0.count < $1.count }
    let shown = names.indices.filter { list?.contains(answer.values[$0].value) ?? true }
    let marks = shown.enumerated().map { place, value in
      let name =
        isDuration
        ? titles[value] : Vocabulary.current.caption("{0} count", titles[value])
      let stage =
        answer.type.identifier == SleepPlan.type.identifier
        ? Int(exactly: answer.values[value].value).flatMap(SleepStage.init(rawValue:)) : nil
      let mark = stage.map(ChartMark.stage) ?? .numbered(place, name: name)
      return ChartMark(glyph: mark.glyph, color: mark.color, name: name)
    }
    let bars = labels.texts.enumerated().map { row, label in
      let parts = shown.map { answer.values[$0] }.map {
        isDuration ? $0.durations[row] : Double($0.counts[row])
      }
      let total = parts.reduce(0, +)
      let text = isDuration ? AmountText.duration(total) : NumberText.grouped(Int(total))
      return StackedChart.Bar(
        label: label, text: answer.hasData[row] ? text : "–", parts: parts)
    }
    let chart = StackedChart(marks: marks, bars: bars).lines(width: width, style: style)
    return title.wrapped(to: width).map(style.strong) + [""] + chart
      + notes.flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
  }
}
