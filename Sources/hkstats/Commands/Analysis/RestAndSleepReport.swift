import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthUnits

/// The rhythm of rest, activity and sleep as a report, and as the bars of the mean day.
struct RestAndSleepReport {
  private let head: [HeadMember]
  private let rhythm: RestAndSleepAnswer
  private let zones: ZoneTimeline
  private let notes: AnswerNotes
  private let activity: ActivityRhythm?
  private let sleep: SleepRhythm?
  private let activityRefusal: String?
  private let sleepRefusal: String?
  /// Whether a note says why there is no activity.
  private let saysAbsence: Bool

  /// - Throws: `Failure` where there is neither activity nor sleep
  init(_ rhythm: RestAndSleepAnswer, of answer: AnalysisAnswer, notes: AnswerNotes) throws {
    (self.rhythm, zones) = (rhythm, answer.numbers.timeZone)
    head = HeadMember.head(of: answer)
    (activity, activityRefusal) = Self.parts(of: rhythm.activity)
    let (sleep, refusal) = Self.parts(of: rhythm.sleep)
    (self.sleep, sleepRefusal) = (sleep, Self.exclusion(of: rhythm.sleep) ?? refusal)
    var notes = notes
    if activity == nil, sleep == nil {
      if let absence = notes.absence {
        let exclusion = Self.exclusion(of: rhythm.sleep).map { " \($0)" } ?? ""
        throw Failure("No rhythm, and no nights: \(absence)\(exclusion)", .failed)
      }
      _ = try rhythm.activity.get()
    }
    // Without steps there are still nights.
    saysAbsence = notes.absence != nil
    if let absence = notes.absence {
      notes.beside.append("activity: \(absence)")
      notes.absence = nil
    }
    self.notes = notes
  }

  private static func parts<Part>(
    of result: Result<Part, AnalysisError>
  ) -> (Part?, String?) {
    switch result {
    case .success(let part): (part, nil)
    case .failure(let error): (nil, error.description)
    }
  }

  /// That there are samples of sleep, and none that counts.
  private static func exclusion(of sleep: Result<SleepRhythm, AnalysisError>) -> String? {
    guard case .failure(let error) = sleep, case .allLeftOut(let count) = error.reason else {
      return nil
    }
    return "\(AmountText.count(count, "sample")) of sleep \(count == 1 ? "is" : "are") left out: "
      + "\(count == 1 ? "it lasts" : "they last") no time."
  }

  var report: Report {
    var report = Report(
      head: head, list: nil, count: 1, zones: zones,
      columns: [
        .group("activity", activityColumns) { _ in activity != nil },
        .group("sleep", sleepColumns) { _ in sleep != nil },
        .machine("activityRefusal") { _ in activityRefusal.map { .text($0) } ?? .absent },
        .machine("sleepRefusal") { _ in sleepRefusal.map { .text($0) } ?? .absent },
      ])
    report.title = title
    report.notes = notes
    report.page = { Report.Page(table: table, notes: captions) }
    return report
  }

  private var title: String { "Rest, activity and sleep, \(StatisticsCaptions.zones(zones))" }

  // MARK: - For programs

  private static func number(_ value: Double?) -> Report.Cell {
    value.map { .number($0) } ?? .none
  }

  private static func clock(_ hours: Double?) -> Report.Cell {
    hours.map { .text(SleepCaptions.clock($0 * 3600)) } ?? .none
  }

  private var activityColumns: [Report.Column] {
    guard let activity else { return [] }
    let (series, measures) = (activity.subject.series, activity.measures)
    func spell(_ key: String, _ spell: RestAndActivity.Spell) -> [Report.Column] {
      [
        .machine(key + "Hours") { _ in .count(spell.hours) },
        .machine(key + "Onset") { _ in Self.clock(spell.onset) },
        .machine(key + "Mean") { _ in .number(series.printing(spell.mean)) },
      ]
    }
    return [
      .machine("type") { _ in .text(series.type.identifier) },
      .machine("unit") { _ in .text(series.unitText) },
      .machine("days") { _ in .count(activity.dayCount) },
      .machine("emptyDays") { _ in .count(activity.emptyDayCount) },
      .machine("partialDays") { _ in .count(activity.partialDayCount) },
      .machine("hours") { _ in .count(measures.presentCount) },
      .machine("interdailyStability") { _ in .number(measures.interdailyStability) },
      .machine("intradailyVariability") { _ in .number(measures.intradailyVariability) },
    ] + spell("leastActive", measures.leastActive) + spell("mostActive", measures.mostActive) + [
      .machine("relativeAmplitude") { _ in Self.number(measures.relativeAmplitude) },
      .machine("meanDay", field: nil) { _ in
        .json(.array(measures.meanDay.map { .number(series.printing($0)) }))
      },
    ]
  }

  private var sleepColumns: [Report.Column] {
    guard let sleep else { return [] }
    let (index, refusal) = Self.parts(of: sleep.regularity)
    func summary(_ key: String, _ times: CircularSummary?) -> [Report.Column] {
      [
        .machine(key) { _ in Self.clock(times?.mean) },
        .machine(key + "Deviation", unit: "s") { _ in
          Self.number(times?.standardDeviation.map { ($0 * 3600).rounded() })
        },
      ]
    }
    let timing = sleep.timing
    return [
      .machine("nights") { _ in .count(sleep.nightCount) },
      .machine("emptyNights") { _ in .count(sleep.emptyNightCount) },
      .machine("regularityIndex") { _ in Self.number(index?.value) },
      .machine("comparedDays") { _ in index.map { .count($0.dayPairCount) } ?? .none },
      .machine("regularityRefusal") { _ in refusal.map { .text($0) } ?? .absent },
    ] + summary("bedtime", timing.onset) + summary("midpoint", timing.midpoint)
      + summary("wake", timing.wake)
      + [
        .machine("freeNights") { _ in .count(timing.freeMidpoint?.count ?? 0) },
        .machine("workNights") { _ in .count(timing.workMidpoint?.count ?? 0) },
      ] + summary("freeMidpoint", timing.freeMidpoint)
      + summary("workMidpoint", timing.workMidpoint)
      + [
        .machine("socialJetLag", unit: "s") { _ in
          Self.number(timing.socialJetLag.map { ($0 * 3600).rounded() })
        },
        .machine("freeDayShift", unit: "s") { _ in
          Self.number(timing.freeDayShift.map { ($0 * 3600).rounded() })
        },
      ]
  }

  // MARK: - For people

  /// The first row is the header, since a line with a title alone says nothing.
  private var table: Table {
    let lines = self.lines
    var table = Table(columns: (lines.first ?? ["", ""]).map { .words($0) })
    for line in lines.dropFirst() { table.add(line) }
    return table
  }

  private var lines: [[String]] {
    var lines: [[String]] = []
    if let activity {
      let (series, measures) = (activity.subject.series, activity.measures)
      let name = TypeName.title(series.type.identifier)
      lines.append(["activity", "\(name), \(AmountText.count(activity.dayCount, "day"))"])
      lines.append([
        "interdaily stability",
        "\(NumberText.rounded(measures.interdailyStability, decimals: 2)): 1 where every day is the "
          + "same",
      ])
      lines.append([
        "intradaily variability",
        "\(NumberText.rounded(measures.intradailyVariability, decimals: 2)): near 0 where hours go over "
          + "smoothly, 2 without any order",
      ])
      let texts = [measures.leastActive, measures.mostActive].map { series.texts([$0.mean])[0] }
      for (label, spell, text) in [
        ("quietest", measures.leastActive, texts[0]),
        ("most active", measures.mostActive, texts[1]),
      ] {
        let unit = series.shownUnit
        lines.append([
          "\(label) \(spell.hours) hours",
          "from \(SleepCaptions.clock(spell.onset * 3600)), \(text)\(unit.isEmpty ? "" : " " + unit) "
            + "an hour",
        ])
      }
      if let amplitude = measures.relativeAmplitude {
        lines.append(["relative amplitude", NumberText.rounded(amplitude, decimals: 2)])
      }
    }
    return lines + (sleep.map(Self.lines) ?? [])
  }

  private static func lines(of sleep: SleepRhythm) -> [[String]] {
    var lines = [["sleep", AmountText.count(sleep.nightCount, "night")]]
    if let index = try? sleep.regularity.get() {
      lines.append([
        "regularity index",
        "\(NumberText.rounded(index.value, decimals: 0)): 100 where all days are the same, 0 by chance "
          + "(\(AmountText.count(index.dayPairCount, "pair")) of days)",
      ])
    }
    for (label, times) in [
      ("bedtime", sleep.timing.onset), ("middle", sleep.timing.midpoint),
      ("wake-up", sleep.timing.wake),
    ] {
      guard let mean = times.mean else { continue }
      let spread = times.standardDeviation.map {
        ", standard deviation \(SleepCaptions.span($0 * 3600))"
      }
      lines.append([label, SleepCaptions.clock(mean * 3600) + (spread ?? "")])
    }
    if let text = shift(sleep.timing) { lines.append(["free days", text]) }
    return lines
  }

  /// How far the middle of sleep shifts on free days.
  private static func shift(_ timing: SleepTiming) -> String? {
    guard let shift = timing.freeDayShift, let free = timing.freeMidpoint,
      let work = timing.workMidpoint
    else { return nil }
    let direction = shift < 0 ? "earlier" : "later"
    return "middle of sleep \(SleepCaptions.span(abs(shift) * 3600)) \(direction) than on "
      + "work days (\(AmountText.count(free.count, "night")) and \(work.count))"
  }

  private var captions: [String] {
    var lines: [String] = []
    if let activity {
      var parts: [String] = []
      if activity.emptyDayCount > 0 {
        parts.append("\(AmountText.count(activity.emptyDayCount, "day")) without data")
      }
      if activity.partialDayCount > 0 {
        parts.append(
          "\(AmountText.count(activity.partialDayCount, "day")) not whole")
      }
      let left = parts.isEmpty ? "" : " Left out: \(parts.joined(separator: ", "))."
      lines.append("An hour without samples counts as 0 on a day with data.\(left)")
    } else if !saysAbsence, let activityRefusal {
      lines.append("No rest and activity: \(activityRefusal)")
    }
    if let sleep {
      if sleep.emptyNightCount > 0 {
        lines.append("\(AmountText.count(sleep.emptyNightCount, "day")) without a night.")
      }
      if case .failure(let error) = sleep.regularity {
        lines.append("No regularity index: \(error.description)")
      }
      let days = rhythm.parameters.freeDays.map(\.rawValue)
        .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: ", ")
      lines.append("Free days: nights that end on \(days) (--free-days).")
    } else {
      let exclusion = Self.exclusion(of: rhythm.sleep)
      lines.append("No sleep: \(exclusion ?? "there are no nights in this period.")")
    }
    return lines
  }

  /// The bars of the mean day, those of the quietest hours faint.
  func chart(width: Int, style: TextStyle) -> [String] {
    guard let activity else {
      return title.wrapped(to: width).map(style.strong)
        + captions.flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
    }
    let (series, measures) = (activity.subject.series, activity.measures)
    let texts = series.texts(measures.meanDay)
    let quiet = measures.leastActive
    let bars = measures.meanDay.enumerated().map { hour, value in
      let since = (Double(hour) - quiet.onset + 24).truncatingRemainder(dividingBy: 24)
      return BarChart.Bar(
        label: SleepCaptions.clock(Double(hour) * 3600), value: value, text: texts[hour],
        isFaint: since < Double(quiet.hours))
    }
    let name = TypeName.title(series.type.identifier)
    let heading = "\(name) of the mean day, \(StatisticsCaptions.zones(zones))"
    let below = lines.map { "\($0[0]): \($0[1])" } + captions
    return heading.wrapped(to: width).map(style.strong) + [""]
      + BarChart(bars: bars).lines(width: width, style: style)
      + below.flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
  }
}
