import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics

/// How regular nights are: the index, the shift at weekends, and nights of seven hours or more.
struct RegularityCard {
  /// The nights, or why nothing is said of them.
  let rhythm: (ask: Ask, sleep: SleepRhythm)?
  /// Nights of seven hours or more.
  let long: (ask: Ask, count: Int)?
  /// How long the nights are.
  let lengths: (ask: Ask, spread: IntervalSpread)?

  /// How many nights it needs.
  private static let leastNights = 7
  /// How long a night is that counts.
  private static let length = "7h"

  /// Reads the nights that end on some days; `nil` for too few.
  init?(
    _ measure: ReportMeasure, from: CivilDate, to: CivilDate, _ reader: ReportReader
  ) throws(ReportError) {
    let spread = try reader.ask(measure, by: .day, from: from, to: to) {
      $0.derivation = .spread
    }
    guard case .spread(let lengths)? = spread.column.derived, lengths.count >= Self.leastNights
    else { return nil }
    self.lengths = (spread.ask, lengths)
    let long = try reader.ask(measure, by: .day, from: from, to: to) {
      $0.derivation = .bounded(Question.Bounds(lower: Self.length))
    }
    if case .rows(let rows)? = long.column.derived {
      self.long = (long.ask, rows.count)
    } else {
      self.long = nil
    }
    let (ask, results) = try reader.results(.rhythm(RhythmParameters()), from: from, to: to)
    if case .restAndSleep(let answer) = results, case .success(let sleep) = answer.sleep {
      rhythm = (ask, sleep)
    } else {
      rhythm = nil
    }
  }

  func write(to markup: inout Markup, _ page: Page) {
    markup.card(page.words.sleep.howRegular, family: .sleep, isWide: true) { markup in
      markup.element("div", ["class": "facts"]) { markup in
        index(to: &markup, page)
        shift(to: &markup, page)
        longNights(to: &markup, page)
      }
    }
  }

  private func fact(
    _ name: String, to markup: inout Markup, number: (inout Markup) -> Void,
    caption: (inout Markup) -> Void
  ) {
    markup.element("div", ["class": "fact"]) { markup in
      markup.element("p", ["class": "fact-name"], name)
      markup.element("p", ["class": "fact-number"], number)
      markup.element("p", ["class": "caption"], caption)
    }
  }

  private func index(to markup: inout Markup, _ page: Page) {
    guard let rhythm, case .success(let index) = rhythm.sleep.regularity,
      let shown = PageTable.Form.number(0).shown(index.value)
    else { return }
    let words = page.words.sleep
    let nights = AskedNumber(
      ask: rhythm.ask, place: "sleep.nights", text: page.writer.number(rhythm.sleep.nightCount))
    fact(words.index, to: &markup) { markup in
      AskedNumber(ask: rhythm.ask, place: "sleep.regularityIndex", text: page.writer.number(shown))
        .write(to: &markup)
    } caption: { markup in
      markup.write(words.indexCaption, [{ nights.write(to: &$0, "span") }])
    }
  }

  private func shift(to markup: inout Markup, _ page: Page) {
    guard let rhythm, let hours = rhythm.sleep.timing.freeDayShift,
      let shown = PageTable.Form.duration.shown((hours * 3600).rounded())
    else { return }
    let words = page.words.sleep
    fact(words.weekendShift, to: &markup) { markup in
      AskedNumber(
        ask: rhythm.ask, place: "sleep.freeDayShift",
        text: page.writer.durationDifference(minutes: shown)
      ).write(to: &markup)
    } caption: { markup in
      markup.write(words.weekendCaption)
    }
  }

  private func longNights(to markup: inout Markup, _ page: Page) {
    guard let (ask, count) = long, let (spreadAsk, spread) = lengths,
      let least = PageTable.Form.duration.shown(spread[.min]),
      let most = PageTable.Form.duration.shown(spread[.max])
    else { return }
    let words = page.words.sleep
    let counts = [
      AskedNumber(ask: ask, place: "intervals#", text: page.writer.number(count)),
      AskedNumber(ask: spreadAsk, place: "spread.count", text: page.writer.number(spread.count)),
    ]
    let ends = [("min", least), ("max", most)].map { member, minutes in
      AskedNumber(
        ask: spreadAsk, place: "spread.\(member)", text: page.writer.duration(minutes: minutes))
    }
    func write(_ numbers: [AskedNumber]) -> [(inout Markup) -> Void] {
      numbers.map { number in { number.write(to: &$0, "span") } }
    }
    fact(words.sevenHours, to: &markup) { markup in
      markup.element("b", ["dir": "ltr"]) { $0.write(words.countOfNights, write(counts)) }
    } caption: { markup in
      markup.write(words.sevenHoursCaption, write(ends))
    }
  }
}
