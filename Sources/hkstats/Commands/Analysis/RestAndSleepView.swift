import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples

/// The rhythm of rest, activity and sleep as a table, and as the bars of the mean day.
struct RestAndSleepView: AnalysisView {
  private let rhythm: RestAndSleepAnswer
  private let zones: ZoneTimeline
  let notes: AnswerNotes
  private let activity: ActivityRhythm?
  private let sleep: SleepRhythm?
  private let activityRefusal: String?
  /// Whether weeks of sleep are shown.
  private let isOfWeeks: Bool
  /// Whether a note says why there is no activity.
  private let saysAbsence: Bool

  /// - Throws: `Failure` where there is neither activity nor sleep
  init?(_ answer: AnalysisAnswer, _ list: String?, notes: AnswerNotes) throws {
    guard case .restAndSleep(let rhythm) = answer.results else { return nil }
    isOfWeeks = list == "weeks"
    (self.rhythm, zones) = (rhythm, answer.numbers.timeZone)
    (activity, activityRefusal) = Self.parts(of: rhythm.activity)
    sleep = try? rhythm.sleep.get()
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

  var page: AnswerView.Page { AnswerView.Page(table: isOfWeeks ? weeks : table, notes: captions) }

  /// How regular the sleep of each week is.
  private var weeks: Table {
    var table = Table(columns: [.words("week of"), .numbers("nights"), .numbers("regularity")])
    for week in sleep?.weeks ?? [] {
      table.add([
        LocalTime(week.start, in: zones).dateText, "\(week.nightCount)",
        week.regularity.map { NumberText.rounded($0.value, decimals: 0) } ?? "–",
      ])
    }
    return table
  }

  var title: String { "Rest, activity and sleep, \(StatisticsCaptions.zones(zones))" }

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
    if let middle = sleep.timing.correctedFreeMidpoint {
      lines.append([
        "their middle",
        "\(SleepCaptions.clock(middle * 3600)), corrected for sleep that is made up for (MSFsc)",
      ])
    }
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
