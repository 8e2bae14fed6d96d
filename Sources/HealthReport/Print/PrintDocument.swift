import HealthAnswers
import HealthSamples

/// The document for a visit: two sheets of paper, without a script and its numbers.
///
/// What a doctor looks for first has its place before the rest; of what is more than fits stand the
/// first rows, how many there are besides, and the command that has them.
struct PrintDocument {
  private let reader: ReportReader
  private let sentence: [TextPattern.Run]
  private let person: PrintPerson?
  private let table: PrintTable?
  private let pressure: PressureCard?
  private let glucose: GlucoseCard?
  private let electrocardiograms: PrintElectrocardiograms?
  private let events: PrintEvents?
  private let labs: PrintLabs?
  private let medications: PrintMedications?
  private let courses: PrintCourses
  /// Who measured; `nil` without measures.
  private let measuring: MeasuringCard?

  /// Asks all that is printed.
  init(_ reader: ReportReader) throws(ReportError) {
    self.reader = reader
    let answers = try reader.answers()
    sentence = ReportSentence(answers, reader, isOnPaper: true).runs
    person = try PrintPerson(reader)
    table = try PrintTable(answers, reader)
    pressure = try PressureCard(reader)
    glucose = try GlucoseCard(answers, reader)
    electrocardiograms = try PrintElectrocardiograms(reader)
    events = try PrintEvents(reader)
    labs = try PrintLabs(reader)
    medications = try PrintMedications(reader)
    courses = try PrintCourses(answers, reader)
    measuring = answers.isEmpty ? nil : try MeasuringCard(answers, reader)
  }

  private var isEmpty: Bool {
    measuring == nil && electrocardiograms == nil && events == nil && labs == nil
      && medications == nil
  }

  /// Whether the first sheet has more than its head; else the findings stand on it.
  private var hasNumbers: Bool {
    !sentence.isEmpty || table != nil || pressure != nil || glucose != nil
  }

  /// The document.
  var text: String {
    var page = Page(reader, isOnPaper: true)
    var body = Markup(isOnPaper: true)
    body.element("main", ["id": "main"]) { markup in
      markup.element("section", ["class": "sheet"]) { numbers(to: &$0, &page) }
      if !isEmpty, hasNumbers {
        markup.element("section", ["class": "sheet"]) { findings(to: &$0, &page) }
      }
    }
    return PageDocument(
      title: reader.title, language: reader.plan.language, body: body, payload: nil,
      oldBrowser: reader.words.page.needsNewerBrowser, paper: reader.plan.paper
    ).text
  }

  // MARK: - The first sheet

  /// Heights of parts that have no rows, as the style has them in the longest language.
  private enum Height {
    static let head = 64.0
    static let pressure = 236.0
    static let glucose = 196.0
    /// The least field for notes, of the first and of the second sheet.
    static let notes = (first: 44.0, second: 84.0)
  }

  private func numbers(to markup: inout Markup, _ page: inout Page) {
    head(to: &markup, page)
    guard !isEmpty else {
      markup.element("p", ["class": "empty"], reader.nothing)
      return markup.whatToDo(reader)
    }
    guard hasNumbers else { return findings(to: &markup, &page) }
    var space = SheetSpace()
    space.take(headHeight + Height.notes.first)
    if !sentence.isEmpty {
      markup.element("p", ["class": "sentence"]) { $0.write(sentence) }
      let text = sentence.map(\.text).joined()
      space.take(Double(SheetSpace.lines(text, in: SheetSpace.width, size: 14)) * 19 + 18)
    }
    if pressure != nil { space.take(Height.pressure) }
    if glucose != nil { space.take(Height.glucose) }
    if let table {
      let rows = table.rows(in: space.left, page)
      table.write(rows: rows.count, to: &markup, page)
      space.take(rows.height)
    }
    pressure?.write(to: &markup, &page)
    glucose?.write(to: &markup, &page)
    notes(to: &markup)
  }

  // MARK: - The second sheet

  private func findings(to markup: inout Markup, _ page: inout Page) {
    var space = SheetSpace()
    space.take(Height.notes.second + courses.height + (hasNumbers ? 0 : headHeight))
    if measuring != nil { space.take(methodHeight) }
    let first = max(electrocardiograms?.height(page) ?? 0, events?.height ?? 0)
    space.take(first)
    let labRows = labs?.rows(in: min(space.left, Self.mostOfRecords), page)
    let medicationRows = medications?.rows(in: min(space.left, Self.mostOfRecords))
    space.take(max(labRows?.height ?? 0, medicationRows?.height ?? 0))
    let shown = page
    if first > 0 {
      markup.element("div", ["class": "two"]) { markup in
        electrocardiograms?.write(to: &markup, shown)
        events?.write(to: &markup, shown)
      }
    }
    if labs != nil || medications != nil {
      markup.element("div", ["class": "two records"]) { markup in
        labs?.write(rows: labRows?.count ?? 0, to: &markup, shown)
        medications?.write(rows: medicationRows?.count ?? 0, to: &markup, shown)
      }
    }
    courses.write(to: &markup, &page)
    if space.takes(courses.heightOfDays) { courses.writeDays(to: &markup, &page) }
    if measuring != nil { method(to: &markup, page) }
    notes(to: &markup)
  }

  /// The greatest height of laboratory results and medications.
  private static let mostOfRecords = 300.0

  /// The field for what is written by hand: all the place that is left.
  private func notes(to markup: inout Markup) {
    markup.element("div", ["class": "notes"]) { markup in
      markup.element("h3", [:], reader.words.visit.notes)
    }
  }

  // MARK: - The head

  /// The period, and the day on which the sheets were made.
  private var summary: String {
    let period = reader.period
    let shown = reader.dates.range(period.first(ofLast: ReportPeriod.year), period.last)
    // No date is broken at the end of a line.
    let today = reader.dates.dayMonthAndYear(period.today).replacing(" ", with: "\u{A0}")
    return TextPattern.filled(reader.words.print.summary, shown, today)
  }

  /// The height of the head, whose period may need two lines.
  private var headHeight: Double {
    Height.head
      + Double(SheetSpace.lines(summary, in: SheetSpace.width - 214) - 1) * SheetSpace.line
  }

  /// Writes the title, the period and what is known of the person, beside empty lines for who it is.
  ///
  /// The file stays without a name.
  private func head(to markup: inout Markup, _ page: Page) {
    let words = reader.words.print
    markup.element("header", ["class": "head"]) { markup in
      markup.element("div") { markup in
        markup.element("h1", ["class": "title"]) { $0.element("bdi", [:], reader.title) }
        markup.element("p", ["class": "period"], isEmpty ? reader.askedPeriod ?? "" : summary)
        person?.write(to: &markup, page)
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
  private static let mostSources = 4

  private var methodHeight: Double {
    let words = reader.words.print
    let rows = measuring?.sources.rows.prefix(Self.mostSources) ?? []
    let sources = rows.map { row in
      TextPattern.filled(
        words.source, ShownName(row.source.description).short,
        reader.words.sources.kind(of: row), reader.writer.number(row.count))
    }
    let text = (sources + [words.measuredBy, words.oneCounts, words.method, reader.zonesText])
      .joined(separator: ", ")
    return 58 + 13 * Double(SheetSpace.lines(text, in: SheetSpace.width, size: 10))
  }

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
