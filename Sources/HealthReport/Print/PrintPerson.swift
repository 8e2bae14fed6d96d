import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// Who the sheets are about, without a name: age, sex, height, weight, body mass index, blood type.
struct PrintPerson {
  private let person: Person
  private let ask = Ask(["profile"])
  /// The last height and the last weight.
  private let lengths: [Last]

  /// The last sample of a measure.
  private struct Last {
    let measure: ReportMeasure
    let ask: Ask
    let shown: Int
    let day: CivilDate
  }

  /// After how many days a number has its date.
  private static let recent = 28

  /// Reads what is known; `nil` for nothing, and where the report is about some types alone.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.plan.types.isEmpty else { return nil }
    var person = try reader.read { () throws(QueryError) in
      try reader.store.person(on: reader.period.today)
    }
    // The index is of now.
    if !reader.period.isToEndOfData { person.forgetIndex() }
    var lengths: [Last] = []
    for type in [SampleType(.height), SampleType(.bodyMass)] {
      if let last = try Self.last(type, reader) { lengths.append(last) }
    }
    guard !person.isUnknown || !lengths.isEmpty else { return nil }
    (self.person, self.lengths) = (person, lengths)
  }

  private static func last(
    _ type: SampleType, _ reader: ReportReader
  ) throws(ReportError) -> Last? {
    let (measure, question) = try reader.read { () throws(QueryError) in
      let preferred = try reader.store.stored { () throws(StoreError) in
        try reader.store.outputUnit(of: type)
      }
      var asked = try TypeQuestion(type.name)
      asked.unit = try reader.store.units(of: reader.plan)[type.identifier]
      let measure = ReportMeasure(
        asked, type, unit: asked.unit ?? preferred, reader.plan.language.base)
      asked.statistics = [Statistic.recent]
      var question = try Question(types: [])
      (question.types, question.to) = ([asked], reader.period.end.text)
      (question.timeZone, question.zones) = (reader.plan.timeZone, reader.plan.zones)
      return (measure, question)
    }
    let answer = try reader.ask(question)
    guard let measure, case .quantity(let columns) = answer.column.answer,
      columns.intervals.hasData.first == true,
      let value = columns.intervals.values(of: .recent).first ?? nil,
      let start = columns.intervals.spans(of: .recent)?.starts.first
    else { return nil }
    let shownMeasure = measure.showing([value])
    guard let shown = shownMeasure.form.shown(value) else { return nil }
    return Last(measure: shownMeasure, ask: answer.ask, shown: shown, day: reader.date(start))
  }

  /// Writes what is known, in one line.
  func write(to markup: inout Markup, _ page: Page) {
    let words = page.words.visit
    var facts: [(inout Markup) -> Void] = []
    if let age = person.age {
      let number = AskedNumber(ask: ask, place: "age", text: page.writer.number(age))
      facts.append {
        $0.write(TextPattern.form(words.age, of: age), [{ number.write(to: &$0, "span") }])
      }
    }
    if let sex = person.sex.flatMap(words.name(ofSex:)) { facts.append { $0.write(sex) } }
    for last in lengths { facts.append { write(last, to: &$0, page) } }
    if let index = person.bodyMassIndex,
      let shown = ScaledNumber.scaled(index.value, digits: 1)
    {
      let number = AskedNumber(
        ask: ask, place: "bodyMassIndex.value", text: page.writer.number(shown, digits: 1))
      let day = page.reader.date(index.start)
      facts.append { markup in
        dated(day, to: &markup, page) { $0.write(words.index, [{ number.write(to: &$0, "span") }]) }
      }
    }
    if let type = person.bloodType.flatMap(Self.text(ofBloodType:)) {
      facts.append { $0.write(TextPattern.filled(words.bloodType, type)) }
    }
    guard !facts.isEmpty else { return }
    markup.element("p", ["class": "who"]) { markup in
      for (place, fact) in facts.enumerated() {
        if place > 0 { markup.write(page.words.page.separator) }
        markup.element("span", [:]) { fact(&$0) }
      }
    }
  }

  private func write(_ last: Last, to markup: inout Markup, _ page: Page) {
    let number = AskedNumber(
      ask: last.ask, place: "intervals[0].recent.value",
      text: page.writer.text(last.shown, last.measure.form, unit: last.measure.unit))
    dated(last.day, to: &markup, page) { number.write(to: &$0, "span") }
  }

  /// Writes a fact, with its date where that is long ago.
  private func dated(
    _ day: CivilDate, to markup: inout Markup, _ page: Page,
    _ fact: @escaping (inout Markup) -> Void
  ) {
    guard page.period.end.dayNumber - day.dayNumber > Self.recent else { return fact(&markup) }
    markup.write(
      page.words.visit.ofDay, [fact, { $0.write(page.dates.dayMonthAndYear(day)) }])
  }

  /// `AB−` of `HKBloodTypeABNegative`; `nil` for any other word.
  private static func text(ofBloodType constant: String) -> String? {
    guard let match = constant.wholeMatch(of: /HKBloodType(A|B|AB|O)(Positive|Negative)/) else {
      return nil
    }
    return match.1 + (match.2 == "Positive" ? "+" : NumberWriter.minus)
  }
}
