import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// The rhythm of rest, activity and sleep, the hours of the mean day, or the weeks of sleep.
  func table(
    of found: RestAndSleepAnswer, _ list: String
  ) throws(AnalysisError) -> AnswerTable {
    let (activity, sleep) = (try? found.activity.get(), try? found.sleep.get())
    if activity == nil, sleep == nil { _ = try found.activity.get() }
    if list == "weeks" {
      let rows = AnswerRows(sleep?.weeks ?? [])
      return table(
        list, rows.count, facts: HeadMember.facts(members(of: found)),
        rows.interval(\.start, \.end) + [
          rows.count("nights", about: "nights that end in the week", \.nightCount),
          rows.number(
            "regularityIndex", unit: "1",
            about:
              "100 where all days are the same, 0 by chance; none of fewer than \(SleepWeek.leastPairs) pairs of days",
            \.regularity?.value),
          rows.count(
            "comparedDays", about: "pairs of days, Monday with the day before", \.comparedDayCount),
        ])
    }
    guard list == "numbers" else {
      let hours = activity.map { activity in
        activity.measures.meanDay.map(activity.subject.series.printing)
      }
      let rows = AnswerRows(Array((hours ?? []).enumerated()))
      return table(
        list, rows.count, facts: HeadMember.facts(members(of: found)),
        [rows.count("hour", about: "of the clock", \.offset), rows.number("mean", \.element)])
    }
    let row = AnswerRows([found])
    return table(
      list, 1, isInHead: true, facts: HeadMember.facts(members(of: found)),
      [
        .group("activity", .plain, Self.columns(of: activity), isKnown: { _ in activity != nil }),
        .group("sleep", .plain, Self.columns(of: sleep), isKnown: { _ in sleep != nil }),
        row.refusal(
          named: "activityRefusal", about: "why there is no activity", \.activity.refusal),
        row.refusal(named: "sleepRefusal", about: "why there is no sleep", \.sleep.refusal),
      ])
  }

  private static func columns(of activity: ActivityRhythm?) -> [AnswerColumn] {
    let row = AnswerRows([activity?.measures])
    let series = activity?.subject.series
    func spell(
      _ key: String, _ about: String, _ read: @escaping (RestAndActivity) -> RestAndActivity.Spell
    ) -> [AnswerColumn] {
      [
        row.count(key + "Hours", about: "how many \(about) hours on end") { $0.map(read)?.hours },
        row.clock(key + "Onset", about: "when they begin") { $0.map(read).map { $0.onset * 3600 } },
        row.number(key + "Mean", about: "of an hour") { measures in
          measures.map(read).flatMap { series?.printing($0.mean) }
        },
      ]
    }
    return [
      row.word("type") { _ in series?.type.identifier },
      row.word("unit") { _ in series?.unitText },
      row.count("days", about: "with data") { _ in activity?.dayCount },
      row.count("emptyDays") { _ in activity?.emptyDayCount },
      row.count("partialDays") { _ in activity?.partialDayCount },
      row.count("hours", about: "how many count", \.?.presentCount),
      row.number(
        "interdailyStability", unit: "1", about: "1 where every day is the same",
        \.?.interdailyStability),
      row.number(
        "intradailyVariability", unit: "1",
        about: "near 0 where hours go over smoothly, 2 without any order",
        \.?.intradailyVariability),
    ] + spell("leastActive", "of least activity", \.leastActive)
      + spell("mostActive", "of most activity", \.mostActive) + [
        row.number(
          "relativeAmplitude", unit: "1", about: "their difference as a share of their sum",
          \.?.relativeAmplitude),
        .list(
          "meanDay", .values, about: "the hours of the mean day",
          [activity?.measures.meanDay ?? []]
        ) { [$0.number("mean") { series?.printing($0) }] },
      ]
  }

  private static func columns(of sleep: SleepRhythm?) -> [AnswerColumn] {
    let row = AnswerRows([sleep?.timing])
    let index = sleep.flatMap { try? $0.regularity.get() }
    func seconds(_ hours: Double?) -> Double? { hours.map { ($0 * 3600).rounded() } }
    func summary(
      _ key: String, _ read: @escaping (SleepTiming) -> CircularSummary?
    ) -> [AnswerColumn] {
      [
        row.clock(key) { $0.flatMap(read)?.mean.map { $0 * 3600 } },
        row.duration(key + "Deviation", naming: .withUnit, about: "the standard deviation") {
          seconds($0.flatMap(read)?.standardDeviation)
        },
      ]
    }
    return [
      row.count("nights") { _ in sleep?.nightCount },
      row.count("emptyNights", about: "days without a night") { _ in sleep?.emptyNightCount },
      row.number(
        "regularityIndex", unit: "1", about: "100 where all days are the same, 0 by chance"
      ) { _ in index?.value },
      row.count("comparedDays", about: "pairs of days") { _ in index?.dayPairCount },
      row.refusal(named: "regularityRefusal") { _ in sleep?.regularity.refusal },
    ] + summary("bedtime", \.onset) + summary("midpoint", \.midpoint) + summary("wake", \.wake)
      + [
        row.count("freeNights", about: "nights that end on free days") {
          $0.map { $0.freeMidpoint?.count ?? 0 }
        },
        row.count("workNights") { $0.map { $0.workMidpoint?.count ?? 0 } },
      ] + summary("freeMidpoint", \.freeMidpoint) + summary("workMidpoint", \.workMidpoint) + [
        row.duration("socialJetLag", naming: .withUnit, about: "how far midpoints differ") {
          seconds($0?.socialJetLag)
        },
        row.duration("freeDayShift", naming: .withUnit, about: "later on free days") {
          seconds($0?.freeDayShift)
        },
        row.clock(
          "freeMidpointCorrected",
          about:
            "MSFsc, corrected for sleep that is made up for on free days; a chronotype where these need no alarm; none without free nights and work nights"
        ) { $0?.correctedFreeMidpoint.map { $0 * 3600 } },
        row.duration(
          "freeDuration", naming: .withUnit, about: "from onset to wake-up on free days, the mean"
        ) { seconds($0?.freeDuration) },
        row.duration("workDuration", naming: .withUnit, about: "the same on work days") {
          seconds($0?.workDuration)
        },
        row.duration(
          "weekDuration", naming: .withUnit,
          about: "the mean of a week of free days and work days; none without either"
        ) { seconds($0?.weekDuration) },
      ]
  }

  private func members(of found: RestAndSleepAnswer) -> [JSON.Member] {
    JSON.Member.made(
      model: "interdaily stability and intradaily variability, sleep regularity index",
      method: "nonparametric, of amounts by the hour and of sleep by the half minute") + [
        .interval(CalendarInterval(.hour)),
        .init("freeDays", .array(found.parameters.freeDays.map { .string($0.rawValue) })),
      ]
  }
}
