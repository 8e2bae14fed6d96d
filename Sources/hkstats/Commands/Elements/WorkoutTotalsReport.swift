import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// The totals of workouts by interval as a report, and as bars or a curve.
struct WorkoutTotalsReport {
  let answer: WorkoutAnswer
  let units: ActivityUnits
  let interval: CalendarInterval?
  /// The activity that was asked for.
  var activity: String?

  /// More intervals than fit on a screen become a curve.
  private static let longestList = 40

  func report(notes: AnswerNotes = AnswerNotes()) -> Report {
    let (answer, units) = (answer, units)
    var report = Report(
      head: [.init("type", .string("workouts"))] + activityMember
        + [units.member(of: answer.statistics.map { ($0.rawValue, $0) })]
        + HeadMember.zones(answer.timeZone) + kindMembers,
      list: "intervals", count: answer.rows.count, zones: answer.timeZone,
      columns: Report.Column.interval(from: answer.starts, to: answer.ends)
        + answer.statistics.map { statistic in
          let rows = answer.rows
          guard statistic != .count else {
            return .machine(statistic.rawValue) { .count(rows[$0].count) }
          }
          return .numbers(
            statistic.rawValue, unit: units.name(of: statistic),
            rows.map { units.number($0.value(statistic), of: statistic) })
        } + kindColumns)
    report.title = title
    report.notes = notes
    if answer.total.count == 0, notes.absence == nil, answer.rows.isEmpty {
      report.emptySentence = "No workouts."
      report.title = nil
    }
    report.page = { Report.Page(table: table) }
    return report
  }

  /// The lines of the chart of the first statistic.
  func chart(width: Int, style: TextStyle) -> [String] {
    guard let statistic = answer.statistics.first else { return [] }
    let heading =
      "\(title): \(Vocabulary.current.word(units.title(of: statistic)))".wrapped(to: width).map(
        style.strong) + [""]
    let values = answer.values(statistic).map { $0.map { units.value($0, of: statistic) } }
    guard values.count > Self.longestList else {
      let bars = labels.texts.enumerated().map { row, label in
        BarChart.Bar(
          label: label, value: values[row],
          text: units.text(answer.rows[row].value(statistic), of: statistic))
      }
      return heading + BarChart(bars: bars).lines(width: width, style: style)
    }
    let first = LocalTime(answer.starts.first ?? 0, in: answer.timeZone)
    // The end is not included: the last day is the one before it.
    let last = LocalTime((answer.ends.last ?? 1) - 1, in: answer.timeZone)
    return heading
      + LineChart(
        values: values, startsAtZero: true, ends: (first.dateText, last.dateText)
      ).lines(width: width, style: style)
  }

  private var activityMember: [HeadMember] {
    activity.map { [.init("activity", .string($0))] } ?? []
  }

  // MARK: - Kinds

  /// All kinds over the whole time.
  private var kindMembers: [HeadMember] {
    guard !answer.kinds.isEmpty else { return [] }
    let kinds = answer.kinds.map { json($0, $0.total) }
    return [
      .init("total", json(answer.total, leading: []), .head),
      .init("kinds", .array(kinds), .head),
    ]
  }

  /// The time of each kind in csv, everything of all of them in json.
  private var kindColumns: [Report.Column] {
    let kinds = answer.kinds
    guard !kinds.isEmpty else { return [] }
    let times = kinds.map { kind in
      let rows = kind.rows
      return Report.Column.machine(nil, field: Report.Column.field(name(kind), unit: "s")) {
        rows[$0].value(.duration).map { .number(NumberText.shortest($0)) } ?? .none
      }
    }
    return times + [
      .machine("kinds", field: nil) { row in
        .json(.array(kinds.map { json($0, $0.rows[row]) }))
      }
    ]
  }

  private func name(_ kind: WorkoutKind) -> String {
    kind.activity.map(ActivityName.short) ?? "other"
  }

  private func json(_ kind: WorkoutKind, _ totals: WorkoutTotals) -> JSON {
    json(totals, leading: [.init("activity", .optional(kind.activity))])
  }

  private func json(_ totals: WorkoutTotals, leading: [JSON.Member]) -> JSON {
    .object(
      leading
        + answer.statistics.map { statistic in
          guard statistic != .count else {
            return .init(statistic.rawValue, .integer(totals.count))
          }
          return .init(
            statistic.rawValue, .optional(units.number(totals.value(statistic), of: statistic)))
        })
  }

  private var title: String {
    let vocabulary = Vocabulary.current
    let workouts = vocabulary.word("workouts")
    let name = activity.map { "\(workouts): \(Self.title(of: $0))" } ?? workouts
    return StatisticsCaptions.by(interval, name) + ", "
      + StatisticsCaptions.zones(answer.timeZone)
  }

  /// The name of an activity as it was typed.
  private static func title(of activity: String) -> String {
    let row = Catalogue.workoutActivities.first { $0.swiftName == activity }
    return row.map { ActivityTitle.of($0.constant) } ?? activity
  }

  private var labels: IntervalLabels {
    IntervalLabels(
      of: interval, starts: answer.starts, ends: answer.ends, zone: answer.timeZone)
  }

  private var table: Table {
    let labels = labels
    var table = Table(
      columns: [.words(labels.title)] + answer.statistics.map { .numbers(units.title(of: $0)) }
        + answer.kinds.map { .numbers($0.activity.map(ActivityTitle.of) ?? "other") })
    func cells(_ totals: WorkoutTotals, _ kinds: [WorkoutTotals]) -> [String] {
      answer.statistics.map { units.text(totals.value($0), of: $0) }
        + kinds.map { units.text($0.value(.duration), of: .duration) }
    }
    for (place, label) in labels.texts.enumerated() {
      table.add([label] + cells(answer.rows[place], answer.kinds.map { $0.rows[place] }))
    }
    if answer.rows.count > 1 {
      table.add(
        [Vocabulary.current.word("in all")] + cells(answer.total, answer.kinds.map(\.total)))
    }
    return table
  }
}
