import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples

/// Sleep: when, how long in which stages, one night in full, how regular.
struct SleepSection: PageSection {
  static let section = ReportSection.sleep

  let nights: ShownNights
  let hypnogram: HypnogramCard?
  let regularity: RegularityCard?

  /// How many nights are shown, and over how many it is said how regular they are.
  private static let nights = 42
  private static let regularNights = 28

  /// Reads the last nights; `nil` for one alone, and without any.
  init?(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    guard let sleep = answers.first(where: { $0.measure.isOfNights }),
      let rows = sleep.lastDays(Self.nights), rows.count > 1,
      let (first, end) = sleep.dates(of: rows)
    else { return nil }
    nights = ShownNights(try reader.nights(from: first, to: end), reader)
    guard nights.isSlept else { return nil }
    let lastRows = max(rows.lowerBound, rows.upperBound - Self.regularNights)..<rows.upperBound
    regularity = try sleep.dates(of: lastRows).flatMap { dates throws(ReportError) in
      try RegularityCard(sleep.measure, from: dates.first, to: dates.end, reader)
    }
    hypnogram = reader.plan.includesSamples ? HypnogramCard(nights, reader) : nil
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    let id = page.payload.add(nights.table)
    markup.element("div", ["class": "two"]) { markup in
      NightsCard(nights: nights, table: id).write(to: &markup, page)
      StagesCard(nights: nights, table: id)?.write(to: &markup, page)
      hypnogram?.write(to: &markup, &page)
      regularity?.write(to: &markup, page)
    }
  }
}

/// Nights as they are shown: one row for each day on which a night ends.
struct ShownNights {
  let ask: Ask
  let answer: SleepAnswer
  let averages: SleepAverages
  /// The days.
  let days: [CivilDate]
  /// Minutes after the midnight that begins the day, on the clock of where the person was: of falling
  /// asleep and of waking up.
  let from: [Int?]
  let to: [Int?]
  /// The same of the naps of each day.
  let naps: [[(from: Int, to: Int)]]
  /// The nights as a table.
  let table: PageTable

  /// The columns of the stages in ``table``, from the deepest.
  static let stages: [SleepStage] = [.deep, .core, .rem, .awake]

  init(_ asked: (ask: Ask, answer: SleepAnswer), _ reader: ReportReader) {
    (ask, answer) = asked
    averages = answer.averages()
    let (nights, words) = (answer.nights, reader.words.sleep)
    let days = nights.days.map(reader.date)
    func minutes(_ instant: Double?, _ row: Int) -> Int? {
      instant.flatMap { PageTable.Form.clock.shown(reader.clock($0, of: days[row])) }
    }
    let rows = days.indices
    let from = rows.map { minutes(nights.sleepSpans[$0]?.lowerBound, $0) }
    let to = rows.map { minutes(nights.sleepSpans[$0]?.upperBound, $0) }
    naps = rows.map { row in
      nights.naps[row].prefix(Self.mostNaps).compactMap { nap in
        guard let from = minutes(nap.span.lowerBound, row),
          let to = minutes(nap.span.upperBound, row)
        else { return nil }
        return (from, to)
      }
    }
    func column(
      _ stat: String, _ name: String, _ form: PageTable.Form, _ values: [Int?]
    ) -> PageTable.Column {
      PageTable.Column(stat: stat, name: name, form: form, values: values)
    }
    // A journey may skip a date.
    let isDaily = zip(days, days.dropFirst()).allSatisfy { $1.dayNumber - $0.dayNumber == 1 }
    var table = PageTable(
      ask: ask, row: isDaily ? .night : .row, head: reader.words.table.name(of: .night),
      starts: days.map(\.text),
      columns: [
        column("asleepFrom", words.fellAsleep, .clock, from),
        column("asleepTo", words.wokeUp, .clock, to),
        column("asleep", words.asleep, .duration, nights.asleep.map(PageTable.Form.duration.shown)),
      ]
        + Self.stages.map { stage in
          column(
            stage.key, words.name(of: stage), .duration,
            nights.stages.map { PageTable.Form.duration.shown($0[stage]) })
        })
    if naps.contains(where: { !$0.isEmpty }) {
      table.columns.append(
        PageTable.Column(
          stat: "naps", name: words.nap,
          texts: naps.map { naps in
            naps.map { nap in
              reader.writer.range(
                reader.dates.clock(minutes: nap.from), reader.dates.clock(minutes: nap.to))
            }.joined(separator: reader.words.phrases.comma)
          }))
    }
    (self.days, self.from, self.to, self.table) = (days, from, to, table)
  }

  /// Whether there is a night.
  var isSlept: Bool { from.contains { $0 != nil } }

  /// A number of the means over all nights.
  func mean(_ member: String, _ text: String) -> AskedNumber {
    AskedNumber(ask: ask, place: "means.\(member)", text: text)
  }

  /// Of one day no more naps are drawn.
  private static let mostNaps = 6
}

extension ReportReader {
  /// The nights that end on some days.
  func nights(
    from: CivilDate, to: CivilDate
  ) throws(ReportError) -> (ask: Ask, answer: SleepAnswer) {
    let answer = try read { () throws(QueryError) in
      var plan = SleepPlan(timeZone: zones)
      let instant = now.timeIntervalSinceReferenceDate
      plan.from = try QueryDate(from.text, in: zones, now: instant, boundsPeriod: true)
      plan.to = try QueryDate(to.text, in: zones, now: instant, boundsPeriod: true)
      return try store.sleep(plan)
    }
    return (Ask(["sleep"], ["from": from.text, "to": to.text]), answer)
  }

  /// What the clock shows at an instant, in seconds after the midnight that begins a day.
  func clock(_ instant: Double, of day: CivilDate) -> Double {
    let time = LocalTime(instant, in: zones)
    let days = Double(time.date.dayNumber - day.dayNumber)
    return days * .secondsPerDay + Double(time.hour * 3600 + time.minute * 60 + time.second)
  }
}

extension Words.Sleep {
  /// The name of a stage.
  func name(of stage: SleepStage) -> String {
    switch stage {
    case .deep: deep
    case .core: core
    case .rem: rem
    case .awake: awake
    case .unspecified: asleep
    case .inBed: inBed
    }
  }
}
