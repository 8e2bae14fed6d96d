import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// Loads of workouts, or days with fitness and fatigue, as a table and as two curves.
struct TrainingView: AnalysisView {
  private let answer: TrainingAnswer
  private let zones: ZoneTimeline
  private let isOfDays: Bool
  let notes: AnswerNotes

  /// The list of days.
  static let days = "days"

  init?(_ answer: AnalysisAnswer, _ list: String?, notes: AnswerNotes) {
    guard case .training(let training) = answer.findings else { return nil }
    (self.answer, zones, self.notes) = (training, answer.numbers.timeZone, notes)
    isOfDays = list == Self.days
  }

  var title: String {
    Vocabulary.current.word(isOfDays ? "Fitness and fatigue" : "Training load")
      + ", \(StatisticsCaptions.zones(zones))"
  }

  var page: Report.Page {
    Report.Page(table: isOfDays ? dayTable : workoutTable, notes: captions)
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
          load.map { load in load.zoneMinutes.map { Self.number($0) }.joined(separator: " ") }
            ?? "–",
        ] + drops)
    }
    return table
  }

  private var dayTable: Table {
    var table = Table(columns: [
      .words("day"), .numbers("workouts"), .numbers("load"), .numbers("fitness"),
      .numbers("fatigue"), .numbers("balance"),
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

  private var captions: [String] {
    [basis, reach].compactMap(\.self) + left
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
    guard isOfDays, !answer.days.isEmpty else { return nil }
    let earlier = AmountText.count(answer.earlierCount, "workout")
    return "Fitness and fatigue: average loads over 42 and 7 days, from 0 on. \(earlier) of the "
      + "\(TrainingAnswer.lookBackDays) days before the period "
      + "\(answer.earlierCount == 1 ? "is" : "are") in them."
  }

  /// What is left out, or uncertain.
  private var left: [String] {
    var lines: [String] = []
    let unknown = answer.unknownCount + (isOfDays ? answer.earlierUnknownCount : 0)
    if unknown > 0 {
      lines.append(
        "\(AmountText.count(unknown, "workout")) without heart rates \(unknown == 1 ? "has" : "have") "
          + "no load\(isOfDays ? ": fitness and fatigue are too small" : "").")
    }
    let sparse = answer.workouts.count(where: \.isSparse)
    if sparse > 0 {
      let counted =
        isOfDays
        ? "the load is too small."
        : "no load and no zones are shown (in days the load counts as far as it is known)."
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
    if !isOfDays, unread > 0 {
      lines.append(
        "\(AmountText.count(unread, "workout")) without a heart rate at the end, or one or two minutes "
          + "after it: no fall is known.")
    }
    return lines
  }

  /// The curves of fitness and fatigue.
  func chart(width: Int, style: TextStyle) -> [String] {
    let days = answer.days
    guard let first = days.first, let last = days.last else { return [] }
    let ends = (
      first: LocalTime(first.start, in: zones).dateText,
      last: LocalTime(last.start, in: zones).dateText
    )
    let curves = [
      ("fitness: the average load of 42 days", days.map(\.fitness)),
      ("fatigue: the average load of 7 days", days.map(\.fatigue)),
    ]
    return curves.flatMap { name, values in
      name.wrapped(to: width).map(style.strong)
        + LineChart(values: values, startsAtZero: true, ends: ends)
        .lines(width: width, height: 7, style: style) + [""]
    } + captions.flatMap { $0.wrapped(to: width) }.map(style.faint)
  }
}
