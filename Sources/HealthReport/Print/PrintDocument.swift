import HealthQuery
import HealthSamples

/// The document for a visit: two sheets of paper, without a script and its numbers.
struct PrintDocument {
  private let reader: ReportReader
  private let sentence: [TextPattern.Run]
  private let table: PrintTable?
  private let pressure: PressureCard?
  private let courses: PrintCourses
  /// Who measured; `nil` without measures.
  private let measuring: MeasuringCard?

  /// Asks all that is printed.
  init(_ reader: ReportReader) throws(ReportError) {
    self.reader = reader
    let answers = try reader.answers()
    sentence = ReportSentence(answers, reader).runs
    table = try PrintTable(answers, reader)
    pressure = try PressureCard(reader)
    courses = try PrintCourses(answers, reader)
    measuring = answers.isEmpty ? nil : try MeasuringCard(answers, reader)
  }

  /// The document.
  var text: String {
    var page = Page(reader, isOnPaper: true)
    var body = Markup(isOnPaper: true)
    body.element("main", ["id": "main"]) { markup in
      markup.element("section", ["class": "sheet"]) { numbers(to: &$0, &page) }
      if measuring != nil {
        markup.element("section", ["class": "sheet"]) { markup in
          courses.write(to: &markup, &page)
          method(to: &markup, page)
        }
      }
    }
    return PageDocument(
      title: reader.title, language: reader.plan.language, body: body, payload: nil,
      oldBrowser: reader.words.page.needsNewerBrowser
    ).text
  }

  // MARK: - The first sheet

  private func numbers(to markup: inout Markup, _ page: inout Page) {
    head(to: &markup)
    guard measuring != nil else {
      markup.element("p", ["class": "empty"], reader.nothing)
      return markup.whatToDo(reader)
    }
    if !sentence.isEmpty { markup.element("p", ["class": "sentence"]) { $0.write(sentence) } }
    table?.write(to: &markup, page)
    pressure?.write(to: &markup, &page)
  }

  /// The title and the period, with empty lines for who it is: the file stays without a name.
  private func head(to markup: inout Markup) {
    let (words, period) = (reader.words.print, reader.period)
    markup.element("header", ["class": "head"]) { markup in
      markup.element("div") { markup in
        markup.element("h1", ["class": "title"]) { $0.element("bdi", [:], reader.title) }
        let shown = reader.dates.range(period.first(ofLast: ReportPeriod.year), period.last)
        // No date is broken at the end of a line.
        let today = reader.dates.dayMonthAndYear(period.today).replacing(" ", with: "\u{A0}")
        markup.element(
          "p", ["class": "period"],
          measuring == nil
            ? reader.askedPeriod ?? "" : TextPattern.filled(words.summary, shown, today))
      }
      markup.element("dl", ["class": "person"]) { markup in
        for name in [words.name, words.born] {
          markup.element("div") { markup in
            markup.element("dt", [:], name)
            markup.element("dd", [:], "")
          }
        }
      }
    }
  }

  // MARK: - How it was made

  /// How many sources are named.
  private static let mostSources = 5

  private func method(to markup: inout Markup, _ page: Page) {
    let words = page.words.print
    markup.element("h2", [:], words.howMade)
    markup.element("p", ["class": "caption"]) { markup in
      markup.write(words.measuredBy, [{ sources(to: &$0, page) }])
      let method = TextPattern.filled(words.method, reader.zonesText)
      let space = page.words.phrases.space
      markup.write(space + words.oneCounts + space + method)
    }
    markup.element("p", ["class": "caption"]) { markup in
      markup.write(
        words.sameNumbers,
        [{ markup in markup.element("code", ["dir": "ltr"], "hkstats \(command.text)") }])
    }
  }

  private func sources(to markup: inout Markup, _ page: Page) {
    guard let measuring else { return }
    let rows = measuring.sources.rows
    for (place, row) in rows.prefix(Self.mostSources).enumerated() {
      if place > 0 { markup.write(page.words.phrases.comma) }
      let count = AskedNumber(
        ask: measuring.ask, place: "sources[\(place)].count", text: page.writer.number(row.count))
      markup.write(
        page.words.print.source,
        [
          { $0.element("bdi", [:], ShownName(row.source.description).short) },
          { $0.write(page.words.sources.kind(of: row)) }, { count.write(to: &$0, "span") },
        ])
    }
    let rest = rows.count - Self.mostSources
    guard rest > 0 else { return }
    markup.write(
      page.words.phrases.comma
        + TextPattern.filled(page.words.sources.more, page.writer.number(rest)))
  }

  /// The question that gives the numbers of the table for a type.
  private var command: Ask {
    let (first, end) = reader.period.month
    var ask = Ask(["stats", "TYPE"], ["by": "day", "from": first.text, "to": end.text])
    ask.add(flag: "spread")
    ask.add(["timezone": reader.plan.timeZone])
    return ask
  }
}

extension ReportPeriod {
  /// The last 28 days that are over.
  var month: (first: CivilDate, end: CivilDate) {
    (CivilDate(dayNumber: max(first.dayNumber, endOfWholeDays.dayNumber - 28)), endOfWholeDays)
  }

  /// The same days a year before; `nil` before the year 1.
  var monthBefore: (first: CivilDate, end: CivilDate)? {
    let end = endOfWholeDays.adding(months: -12)
    let first = end.adding(days: month.first.dayNumber - endOfWholeDays.dayNumber)
    return first.year > 0 ? (first, end) : nil
  }
}
