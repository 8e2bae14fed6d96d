import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// What a watch has notified of in the last year, and falls: how often, and when last.
struct PrintEvents {
  private let events: [Event]
  /// The first day, and the day after the last: a year up to the last event or the report's end.
  private let days: Days

  private typealias Days = (first: CivilDate, end: CivilDate)

  /// One kind of event.
  private struct Event {
    let name: String
    let ask: Ask
    /// The members of the answer that have numbers, of which each is of one value.
    let numbers: [(member: String, count: Int)]
    let last: CivilDate
  }

  /// A type with its name.
  private typealias Kind = (name: any KeyPath<Words.Visit, String> & Sendable, type: SampleType)

  /// The kinds, the gravest first.
  private static let kinds: [Kind] = [
    (\.irregularHeartRhythmEvent, SampleType(.irregularHeartRhythmEvent)),
    (\.highHeartRateEvent, SampleType(.highHeartRateEvent)),
    (\.lowHeartRateEvent, SampleType(.lowHeartRateEvent)),
    (\.hypertensionEvent, SampleType(.hypertensionEvent)),
    (\.sleepApneaEvent, SampleType(.sleepApneaEvent)),
    (\.lowCardioFitnessEvent, SampleType(.lowCardioFitnessEvent)),
    (\.walkingSteadinessEvent, SampleType(.appleWalkingSteadinessEvent)),
  ]

  /// Counts the events of the last year; `nil` without any.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.plan.types.isEmpty else { return nil }
    let stored = try reader.read { () throws(QueryError) in
      try reader.store.stored { () throws(StoreError) in try reader.store.types() }
    }
    let known = Set(stored.map(\.type))
    let falls = SampleType(.numberOfTimesFallen)
    let types = Self.kinds.map(\.type) + [falls]
    let last =
      stored.filter { types.contains($0.type) }.map { reader.date($0.lastStart) }
      .filter { $0 < reader.period.recordsEnd }.map(\.dayNumber).max() ?? .min
    let end = CivilDate(dayNumber: max(reader.period.end.dayNumber, last + 1))
    days = (reader.period.recordsFirst(ofLast: ReportPeriod.year, before: end), end)
    var events: [Event] = []
    for (name, type) in Self.kinds where known.contains(type) {
      let name = reader.words.visit[keyPath: name]
      if let event = try Self.event(name, type, in: days, reader) { events.append(event) }
    }
    if known.contains(falls) {
      let name = Measure.of("numberOfTimesFallen").name(in: reader.plan.language.base).title
      if let event = try Self.event(name, falls, in: days, reader) { events.append(event) }
    }
    guard !events.isEmpty else { return nil }
    self.events = events
  }

  private static func event(
    _ name: String, _ type: SampleType, in days: Days, _ reader: ReportReader
  ) throws(ReportError) -> Event? {
    func ask(_ interval: CalendarInterval.Alignment?) throws(ReportError) -> ReportReader.Answer {
      let question = try reader.read { () throws(QueryError) in
        var question = try Question(
          types: [type.name], by: interval.map(CalendarInterval.init))
        (question.from, question.to) = (days.first.text, days.end.text)
        (question.timeZone, question.zones) = (reader.plan.timeZone, reader.plan.zones)
        question.types[0].statistics = [type.canonicalUnit == nil ? .count : .sum]
        return question
      }
      return try reader.ask(question)
    }
    let (year, byDay) = (try ask(nil), try ask(.day))
    let numbers = Self.numbers(of: year, row: 0)
    guard !numbers.isEmpty,
      let last = byDay.series.starts.indices.last(where: { row in
        !Self.numbers(of: byDay, row: row).isEmpty
      })
    else { return nil }
    return Event(
      name: name, ask: year.ask, numbers: numbers, last: reader.date(byDay.series.starts[last]))
  }

  /// The counts of a row that are not 0.
  private static func numbers(
    of answer: ReportReader.Answer, row: Int
  ) -> [(member: String, count: Int)] {
    switch answer.column.answer {
    case .quantity(let columns):
      let sum = columns.intervals.values(of: .sum)[row].flatMap(PageTable.Form.number(0).shown)
      return sum.flatMap { $0 > 0 ? [("sum", $0)] : nil } ?? []
    case .category(let answer):
      return answer.values.filter { $0.counts[row] > 0 }.map { column in
        ("values.\(answer.name(of: column)).count", column.counts[row])
      }
    case .nights: return []
    }
  }

  /// The height of the card.
  var height: Double { 34 + Double(events.count) * (SheetSpace.line + SheetSpace.padding) }

  func write(to markup: inout Markup, _ page: Page) {
    let words = page.words.visit
    markup.card(words.events, family: .heart) { aside in
      let days = page.period.days(from: days.first, to: days.end)
      aside.write(
        TextPattern.counted(page.words.figure.lastDays, days, page.writer.number(days)))
    } _: { markup in
      markup.element("table", ["class": "data"]) { markup in
        markup.element("tbody") { markup in
          for event in events { write(event, to: &markup, page) }
        }
      }
    }
  }

  private func write(_ event: Event, to markup: inout Markup, _ page: Page) {
    markup.element("tr") { markup in
      markup.element("th", ["scope": "row"], event.name)
      markup.element("td", ["class": "n"]) { markup in
        for (place, number) in event.numbers.enumerated() {
          if place > 0 { markup.write(" + ") }
          AskedNumber(
            ask: event.ask, place: "intervals[0].\(number.member)",
            text: page.writer.number(number.count)
          ).write(to: &markup)
        }
      }
      markup.element(
        "td", ["class": "n"],
        TextPattern.filled(page.words.visit.last, page.dates.shortDay(event.last)))
    }
  }
}
