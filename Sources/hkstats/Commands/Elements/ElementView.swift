import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// The answer to a question about elements as a view, and as bars or a curve.
struct ElementView {
  private let found: AnsweredElements
  private var answer: ElementColumns { found.columns }
  /// That of the rows: nights are days.
  private var interval: CalendarInterval? {
    found.question == nil ? CalendarInterval(.day) : found.period.interval
  }

  init(_ found: AnsweredElements) { self.found = found }

  /// More rows than fit on a screen become a curve.
  private static let longestList = 40

  var answerView: AnswerView {
    get throws { try view(notes: notes) }
  }

  private func view(notes: AnswerNotes) -> AnswerView {
    var view = AnswerView(answer.table)
    view.notes = notes
    if answer.unreadable > 0 {
      view.notes.beside.append(
        "\(AmountText.count(answer.unreadable, "document")) cannot be read.")
    }
    view.title = title
    view.page = { AnswerView.Page(table: table) }
    return view
  }

  /// How far intervals reach beyond the period, and what is not counted.
  private var notes: AnswerNotes {
    get throws {
      guard let question = found.question, !question.isList else { return AnswerNotes() }
      var notes = AnswerNotes.reach(
        of: found.period, first: answer.starts.first, last: answer.ends.last)
      guard question == .bloodPressure else { return notes }
      let pressures = try found.store.bloodPressures(in: try found.period.range())
      let lone = LonePressures.sentence(
        systolic: pressures.loneSystolic, diastolic: pressures.loneDiastolic)
      if pressures.readings.isEmpty {
        notes.absence = lone
      } else {
        notes.beside += lone.map { ["not counted: \($0)"] } ?? []
      }
      return notes
    }
  }

  /// The lines of the chart of the first column with numbers, else with counts.
  func chart(width: Int, style: TextStyle) -> [String] {
    let numbers = answer.columns.first { if case .numbers = $0.values { true } else { false } }
    let counts = answer.columns.first { if case .counts = $0.values { true } else { false } }
    guard let column = numbers ?? counts, let values = answer[column.name] else { return [] }
    let shown = values.map { $0.map { $0 * column.scale } }
    let name = column.heading
    let heading = "\(title): \(name)".wrapped(to: width).map(style.strong) + [""]
    guard values.count > Self.longestList else {
      let bars = zip(zip(labels, shown), Self.texts(of: column)).map { bar, text in
        BarChart.Bar(label: bar.0, value: bar.1, text: text)
      }
      return heading + BarChart(bars: bars).lines(width: width, style: style)
    }
    return heading
      + LineChart(
        values: shown, startsAtZero: numbers == nil, ends: (labels.first ?? "", labels.last ?? "")
      ).lines(width: width, style: style)
  }

  private var title: String {
    let name = Vocabulary.current.value(answer.question)
    let by = answer.rows == .intervals ? interval : nil
    return "\(StatisticsCaptions.by(by, name)), \(StatisticsCaptions.zones(answer.timeZone))"
  }

  // MARK: - For people

  private var labels: [String] {
    guard answer.rows == .elements else {
      return IntervalLabels(
        of: interval, starts: answer.starts, ends: answer.ends, zone: answer.timeZone
      ).texts
    }
    return answer.starts.map { start in
      let time = LocalTime(start, in: answer.timeZone)
      return time.isMidnight ? time.dateText : time.momentText
    }
  }

  /// Columns that no row fills are left out.
  private var table: Table {
    let columns = answer.columns.filter { column in
      switch column.values {
      case .counts: true
      case .numbers(let numbers): numbers.contains { $0 != nil }
      case .texts(let texts): texts.contains { !$0.isEmpty }
      }
    }
    let title =
      answer.rows == .intervals ? interval?.alignment?.rawValue ?? "interval" : "date"
    var table = Table(
      columns: [.words(title)]
        + columns.map { column in
          if case .texts = column.values { return .words(column.heading) }
          return .numbers(column.heading)
        })
    let cells = columns.map(Self.texts)
    for (row, label) in labels.enumerated() { table.add([label] + cells.map { $0[row] }) }
    return table
  }

  /// The cells of a column, numbers with as many decimals as all of them need.
  private static func texts(of column: ElementColumns.Column) -> [String] {
    switch column.values {
    case .counts(let counts): return counts.map(NumberText.grouped)
    case .texts(let texts): return texts.map { $0.truncated(to: 60) }
    case .numbers(let numbers):
      let shown = numbers.map { $0.map { $0 * column.scale } }
      let decimals = NumberText.decimals(for: shown.compactMap(\.self))
      return shown.map { $0.map { NumberText.rounded($0, decimals: decimals) } ?? "–" }
    }
  }
}

extension ElementColumns.Column {
  /// The factor on numbers as they are shown.
  fileprivate var scale: Double { unit.flatMap { DisplayUnit(label: $0) }?.scale ?? 1 }

  /// The name with the unit.
  fileprivate var heading: String {
    let vocabulary = Vocabulary.current
    let unit = unit.map { vocabulary.unit(DisplayUnit(label: $0)?.name ?? $0, of: nil) } ?? ""
    let title = isKey ? vocabulary.value(name) : name
    return unit.isEmpty ? title : "\(title) (\(unit))"
  }
}
