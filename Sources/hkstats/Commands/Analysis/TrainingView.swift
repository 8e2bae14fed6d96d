import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport

/// Loads of workouts, days with fitness and fatigue, or weeks with monotony and strain, as a table and as
/// two curves.
struct TrainingView: AnalysisView {
  private let answer: TrainingAnswer
  private let zones: ZoneTimeline
  private let list: List
  let notes: AnswerNotes

  /// The lists of the answer.
  enum List: String {
    case workouts, days, weeks
  }

  init?(_ answer: AnalysisAnswer, _ list: String?, notes: AnswerNotes) {
    guard case .training(let training) = answer.results else { return nil }
    (self.answer, zones, self.notes) = (training, answer.numbers.timeZone, notes)
    self.list = list.flatMap(List.init) ?? .workouts
  }

  var title: String {
    let name = Vocabulary.current.word(list == .days ? "Fitness and fatigue" : "Training load")
    return StatisticsCaptions.by(list == .weeks ? CalendarInterval(.week) : nil, name)
      + ", \(StatisticsCaptions.zones(zones))"
  }

  var page: AnswerView.Page {
    let table =
      switch list {
      case .workouts: workoutTable
      case .days: dayTable
      case .weeks: weekTable
      }
    return AnswerView.Page(table: table, notes: captions)
  }

  private static func number(_ value: Double?, decimals: Int = 0) -> String {
    value.map { NumberText.rounded($0, decimals: decimals) } ?? "–"
  }

  private var workoutTable: Table {
    var table = Table(columns: [
      .words("start"), .words("activity"), .numbers("duration"), .numbers(Marks.drawn("♥ mean")),
      .numbers(Marks.drawn("♥ max")), .numbers("load"), .numbers("Edwards"),
      .numbers(Marks.drawn("min in zones 1–5")), .numbers("fall in 1 min"), .numbers("2 min"),
    ])
    for workout in answer.workouts {
      let load = workout.isSparse ? nil : try? workout.load.get()
      let drops = workout.recoveries.map { Self.number((try? $0.get())?.drop) }
      table.add(
        [
          LocalTime(workout.start, in: zones).momentText, ActivityTitle.of(workout.activity),
          AmountText.duration(workout.duration), Self.number(workout.meanRate),
          Self.number(workout.greatestRate), Self.number(load?.impulse),
          Self.number(load?.edwards),
          Self.zones(load?.zoneMinutes),
        ] + drops)
    }
    return table
  }

  private static func zones(_ minutes: [Double]?) -> String {
    minutes.map { $0.map { number($0) }.joined(separator: " ") } ?? "–"
  }

  private var dayTable: Table {
    var table = Table(columns: [
      .words("day"), .numbers("workouts"), .numbers("load"), .numbers("fitness (CTL)"),
      .numbers("fatigue (ATL)"), .numbers("balance (TSB)"),
    ])
    for day in answer.days {
      let time = LocalTime(day.start, in: zones)
      let isUnknown = day.unknownCount > 0 && day.unknownCount == day.workoutCount
      table.add([
        time.dayText,
        day.workoutCount == 0 ? "" : NumberText.grouped(day.workoutCount),
        day.workoutCount == 0 ? "" : isUnknown ? "–" : Self.number(day.load),
        Self.number(day.fitness, decimals: 1), Self.number(day.fatigue, decimals: 1),
        Self.number(day.balance, decimals: 1),
      ])
    }
    return table
  }

  private var weekTable: Table {
    let labels = weekLabels
    var table = Table(columns: [
      .words(labels.title), .numbers("workouts"), .numbers("load"),
      .numbers(Marks.drawn("min in zones 1–5")), .numbers("monotony"), .numbers("strain"),
      .words(""),
    ])
    for (label, week) in zip(labels.texts, answer.weeks) {
      table.add([
        label, week.workoutCount == 0 ? "" : NumberText.grouped(week.workoutCount),
        Self.number(week.load), Self.zones(week.zoneMinutes),
        Self.number(week.monotony, decimals: 2), Self.number(week.strain),
        week.isWhole ? "" : Vocabulary.current.word("not whole"),
      ])
    }
    return table
  }

  private var weekLabels: IntervalLabels {
    IntervalLabels(
      of: CalendarInterval(.week), starts: answer.weeks.map(\.start),
      ends: answer.weeks.map(\.end), zone: zones)
  }

  private var captions: [String] {
    [basis, reach, foster].compactMap(\.self) + left
  }

  /// What loads are weighed by.
  private var basis: String? {
    guard let maximum = answer.maximum, let basis = answer.maximumBasis,
      let weighting = answer.weighting
    else { return nil }
    let curve =
      "the weights of \(weighting.rawValue)\(answer.parameters.weighting == nil ? ", by your profile" : "")"
    let greatest =
      switch basis {
      case .given: "as given"
      case .age(let age):
        Marks.drawn("208 − 0.7 × age")
          + " at \(age) (Tanaka 2001), often ten beats off: give your own with --maximum"
      case .measured: "the greatest there is, since your profile has no date of birth"
      }
    let resting =
      answer.parameters.resting.map { "heart rate at rest \(NumberText.rounded($0)), as given" }
      ?? "heart rate at rest: the mean of the \(TrainingAnswer.restingDays) days before the day of each "
      + "workout"
    return "Load: Banister's training impulse, \(curve); \(resting); maximum "
      + "\(NumberText.rounded(maximum)), \(greatest)."
  }

  private var reach: String? {
    guard list == .days, !answer.days.isEmpty else { return nil }
    let earlier = AmountText.count(answer.earlierCount, "workout")
    return
      "Fitness and fatigue (chronic and acute training load, CTL and ATL): average loads over 42 "
      + "and 7 days, from 0 on; balance (TSB): fitness less fatigue of the day before. \(earlier) of "
      + "the \(TrainingAnswer.lookBackDays) days before the period "
      + "\(answer.earlierCount == 1 ? "is" : "are") in them."
  }

  /// What monotony and strain are.
  private var foster: String? {
    guard list == .weeks, !answer.weeks.isEmpty else { return nil }
    return
      "Monotony: the mean load of a day by the standard deviation of the days; strain: the load "
      + "of the week times its monotony (Foster 1998). Only of whole weeks whose workouts all have heart "
      + "rates for at least half of the time."
  }

  /// What is left out, or uncertain.
  private var left: [String] {
    var lines: [String] = []
    let isOfWorkouts = list == .workouts
    let unknown =
      switch list {
      case .workouts: answer.unknownCount
      case .days: answer.unknownCount + answer.earlierUnknownCount
      case .weeks: answer.weeks.reduce(0) { $0 + $1.unknownCount }
      }
    if unknown > 0 {
      let what =
        switch list {
        case .workouts: ""
        case .days: ": fitness and fatigue are too small"
        case .weeks: ": the load of \(unknown == 1 ? "its week" : "their weeks") is too small"
        }
      lines.append(
        "\(AmountText.count(unknown, "workout")) without heart rates \(unknown == 1 ? "has" : "have") "
          + "no load\(what).")
    }
    let sparse =
      list == .weeks
      ? answer.weeks.reduce(0) { $0 + $1.sparseCount } : answer.workouts.count(where: \.isSparse)
    if sparse > 0 {
      let counted =
        isOfWorkouts
        ? "no load and no zones are shown (in days the load counts as far as it is known)."
        : "the load is too small."
      lines.append(
        "\(AmountText.count(sparse, "workout")) with heart rates for less than half of the time: "
          + counted)
    }
    if answer.assumedRestingCount > 0 {
      lines.append(
        "\(AmountText.count(answer.assumedRestingCount, "workout")) without a heart rate at rest in "
          + "the days before: the mean of all others counts.")
    }
    let unread = answer.workouts.count { workout in
      workout.rateCount > 0 && workout.recoveries.contains { (try? $0.get()) == nil }
    }
    if isOfWorkouts, unread > 0 {
      lines.append(
        "\(AmountText.count(unread, "workout")) without a heart rate at the end, or one or two minutes "
          + "after it: no fall is known.")
    }
    return lines
  }

  /// The curves of fitness and fatigue, or of load and strain.
  func chart(width: Int, style: TextStyle) -> [String] {
    let curves = list == .weeks ? weekCurves : dayCurves
    return curves.isEmpty
      ? []
      : curves.flatMap { name, values, ends in
        name.wrapped(to: width).map(style.strong)
          + LineChart(values: values, startsAtZero: true, ends: ends)
          .lines(width: width, height: 7, style: style) + [""]
      } + captions.flatMap { $0.wrapped(to: width) }.map(style.faint)
  }

  private typealias Curve = (name: String, values: [Double?], ends: (first: String, last: String))

  private var weekCurves: [Curve] {
    let labels = weekLabels.texts
    guard let first = labels.first, let last = labels.last else { return [] }
    return [
      (Vocabulary.current.word("load"), answer.weeks.map(\.load), (first, last)),
      (Vocabulary.current.word("strain"), answer.weeks.map(\.strain), (first, last)),
    ].filter { curve in curve.1.contains { $0 != nil } }
  }

  private var dayCurves: [Curve] {
    let days = answer.days
    guard let first = days.first, let last = days.last else { return [] }
    let ends = (
      first: LocalTime(first.start, in: zones).dateText,
      last: LocalTime(last.start, in: zones).dateText
    )
    return [
      ("fitness: the average load of 42 days", days.map(\.fitness), ends),
      ("fatigue: the average load of 7 days", days.map(\.fatigue), ends),
    ]
  }
}
