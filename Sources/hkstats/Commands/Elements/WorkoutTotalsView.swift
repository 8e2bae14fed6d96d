import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// The totals of workouts by interval as a view, and as bars or a curve.
struct WorkoutTotalsView {
  let answer: WorkoutAnswer
  let units: ActivityUnits
  let interval: CalendarInterval?
  /// The activity that was asked for.
  var activity: String?

  /// More intervals than fit on a screen become a curve.
  private static let longestList = 40

  func answerView(notes: AnswerNotes = AnswerNotes()) -> AnswerView {
    var view = AnswerView(answer.table(in: units, activity: activity))
    view.title = title
    view.notes = notes
    if answer.total.count == 0, notes.absence == nil, answer.rows.isEmpty {
      view.emptySentence = "No workouts."
      view.title = nil
    }
    view.page = { AnswerView.Page(table: table) }
    return view
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
