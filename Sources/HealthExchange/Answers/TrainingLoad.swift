import HealthAnalysis
import HealthAnswers
import HealthSamples

extension AnalysisAnswer {
  /// Workouts with their loads, days with fitness and fatigue, or weeks with monotony and strain.
  func table(of found: TrainingAnswer, _ list: String) -> AnswerTable {
    switch list {
    case "days": days(of: found, list)
    case "weeks": weeks(of: found, list)
    default: workouts(of: found, list)
    }
  }

  private func weeks(of found: TrainingAnswer, _ list: String) -> AnswerTable {
    let rows = AnswerRows(found.weeks)
    return table(
      list, rows.count, facts: HeadMember.facts(members(of: found)),
      rows.interval(\.start, \.end) + [
        rows.truth(
          "whole",
          about:
            "whether it is over, and neither the data nor the period begin or end inside of it",
          \.isWhole),
        rows.count("workouts", about: "how many", \.workoutCount),
        rows.count("withoutLoad", about: "how many of them have no load", \.unknownCount),
        rows.count(
          "sparse", about: "how many of them have heart rates for less than half of their time",
          \.sparseCount),
        rows.number("load", about: "the training impulses of the week", \.load),
        Self.zones(rows, \.zoneMinutes),
        rows.number(
          "monotony", unit: "1",
          about:
            "the mean load of a day by its standard deviation (Foster), of whole weeks in which "
            + "all workouts have a load and none is sparse", \.monotony),
        rows.number("strain", about: "the load times the monotony", \.strain),
      ])
  }

  /// The minutes in Edwards' zones.
  private static func zones<Row>(
    _ rows: AnswerRows<Row>, _ minutes: @escaping AnswerRows<Row>.Read<[Double]>
  ) -> AnswerColumn {
    .group(
      "zoneMinutes", .array,
      (0..<5).map { zone in
        rows.number("zone\(zone + 1)", unit: "min", naming: .withUnit) { minutes($0)?[zone] }
      }, isKnown: { minutes(rows.rows[$0]) != nil })
  }

  private func days(of found: TrainingAnswer, _ list: String) -> AnswerTable {
    let rows = AnswerRows(found.days)
    return table(
      list, rows.count, facts: HeadMember.facts(members(of: found)),
      rows.interval(\.start, \.end) + [
        rows.count("workouts", about: "how many", \.workoutCount),
        rows.count("withoutLoad", about: "how many of them have no load", \.unknownCount),
        rows.number("load", about: "the training impulses of the day", \.load),
        rows.number(
          "fitness", about: "the average load of 42 days: chronic training load (CTL)", \.fitness),
        rows.number(
          "fatigue", about: "the average load of 7 days: acute training load (ATL)", \.fatigue),
        rows.number(
          "balance", about: "fitness less fatigue of the day before: training stress balance (TSB)",
          \.balance),
      ])
  }

  private func workouts(of found: TrainingAnswer, _ list: String) -> AnswerTable {
    let rows = AnswerRows(found.workouts.map { (workout: $0, load: try? $0.load.get()) })
    let rate = "count/min"
    var columns = rows.interval(\.workout.start, \.workout.end)
    columns += [
      rows.word("activity", about: "the identifier of the activity", \.workout.activity),
      rows.duration("duration", naming: .withUnit, \.workout.duration),
      rows.number("heartRateMean", unit: rate, naming: .withUnit, \.workout.meanRate),
      rows.number("heartRateMax", unit: rate, naming: .withUnit, \.workout.greatestRate),
      rows.count("heartRates", about: "how many", \.workout.rateCount),
      rows.duration(
        "measured", naming: .withUnit, about: "time with heart rates", \.workout.measuredSeconds),
      rows.number(
        "resting", unit: rate, naming: .withUnit, about: "the heart rate at rest",
        \.workout.resting),
      rows.number("load", about: "Banister's training impulse", \.load?.impulse),
      Self.zones(rows, \.load?.zoneMinutes),
      rows.number("edwards", about: "minutes weighted by their zone", \.load?.edwards),
    ]
    for place in TrainingAnswer.recoverySeconds.indices {
      columns.append(
        Self.recovery("recovery\(place + 1)", found.workouts.map { $0.recoveries[place] }))
    }
    return table(
      list, rows.count, facts: HeadMember.facts(members(of: found)),
      columns + [
        rows.word("source", \.workout.source.name), rows.refusal(\.workout.load.refusal),
      ])
  }

  /// The heart rate recovery at one of `TrainingAnswer.recoverySeconds` after the end.
  private static func recovery(
    _ key: String, _ found: [Result<HeartRateRecovery, AnalysisError>]
  ) -> AnswerColumn {
    let rows = AnswerRows(found.map { (result: $0, recovery: try? $0.get()) })
    let rate = "count/min"
    return .group(
      key, .prefixed,
      [
        rows.number("drop", unit: rate, naming: .withUnit, about: "how far the heart rate falls") {
          $0.recovery.map { NumberText.shortest($0.drop) }
        },
        rows.number("rateAtEnd", unit: rate, naming: .withUnit) {
          $0.recovery.map { NumberText.shortest($0.rateAtEnd) }
        },
        rows.word("basisAtEnd", about: "how that was found") { $0.recovery?.basisAtEnd.rawValue },
        rows.word("basisAfter") { $0.recovery?.basisAfter.rawValue },
        rows.refusal(about: "why there is none", \.result.refusal),
      ])
  }

  private func members(of answer: TrainingAnswer) -> [JSON.Member] {
    let (basis, age): (JSON, Int?) =
      switch answer.maximumBasis {
      case nil: (.null, nil)
      case .given: (.string("given"), nil)
      case .age(let age): (.string("age"), age)
      case .measured: (.string("measured"), nil)
      }
    return JSON.Member.made(
      model: "banister",
      method: "impulses of the heart rate reserve, averaged over days by 1/N"
    ) + [
      .init("weighting", .optional(answer.weighting?.rawValue)),
      .init(
        "weightingBasis",
        answer.weighting == nil
          ? .null : .string(answer.parameters.weighting == nil ? "profile" : "given")),
      .init("maximum", .optional(answer.maximum)), .init("maximumBasis", basis),
      .init("age", age.map { .integer($0) } ?? .null),
      .init(
        "restingBasis",
        .string(
          answer.parameters.resting == nil
            ? "mean of the \(TrainingAnswer.restingDays) days before the day of each workout"
            : "given")),
      .init("assumedResting", .integer(answer.assumedRestingCount)),
      .init("fitnessDays", .integer(42)), .init("fatigueDays", .integer(7)),
      .init("form", .string(TrainingBalance.Form.reciprocal.rawValue)),
      .init("lookBackDays", .integer(TrainingAnswer.lookBackDays)),
      .init("workoutCount", .integer(answer.workouts.count)),
      .init("withoutLoad", .integer(answer.unknownCount)),
      .init("earlier", .integer(answer.earlierCount)),
      .init("earlierWithoutLoad", .integer(answer.earlierUnknownCount)),
    ]
  }
}
