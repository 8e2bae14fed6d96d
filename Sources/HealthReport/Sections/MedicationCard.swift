import HealthAnswers
import HealthQuery
import HealthSamples

/// Doses by day: taken, skipped, or not logged.
struct MedicationCard {
  private let days: (ask: Ask, answer: ElementColumns)
  private let total: MedicationTotals
  /// The medications that are shown.
  private let names: [String]
  /// How many there are besides.
  private let otherCount: Int

  /// How many months stand before that of the last day.
  private static let months = 3
  private static let most = 6

  /// Reads the doses of the last months; `nil` without doses.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.plan.types.isEmpty else { return nil }
    let end = try MedicationTotals.end(reader)
    let last = end.adding(days: -1).adding(months: -Self.months)
    let month = CivilDate(year: last.year, month: last.month, day: 1)
    let asked = reader.period.askedFirst ?? month
    let first = month < asked ? asked : month
    guard let total = try MedicationTotals(from: first, to: end, reader) else { return nil }
    self.total = total
    names = Array(total.names.prefix(Self.most))
    otherCount = total.names.count - names.count
    let days = try MedicationTotals.ask(CalendarInterval(.day), from: first, to: end, reader)
    let row = MedicationTotals.doseRows(of: days.answer).first
    let day = row.map { reader.date(days.answer.starts[$0]) } ?? first
    // Months before the first dose are empty.
    let started = CivilDate(year: day.year, month: day.month, day: 1)
    self.days =
      first < started
      ? try MedicationTotals.ask(CalendarInterval(.day), from: started, to: end, reader) : days
  }

  /// Writes the card.
  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.medications
    var tables: [String] = []
    for name in names { tables.append(page.payload.add(table(of: name, page))) }
    let page = page
    markup.card(words.title, family: .body, isWide: true) { aside in
      if otherCount > 0 {
        aside.rest(otherCount, total.ask, page)
      }
    } _: { markup in
      markup.element("div", ["class": names.count > 1 ? "split even" : nil]) { markup in
        for (name, table) in zip(names, tables) {
          markup.element("div") { medication(name, table, to: &$0, page) }
        }
      }
      markup.caption(words.caption)
    }
  }

  /// The days of a medication.
  private func table(of name: String, _ page: Page) -> PageTable {
    let words = page.words.medications
    var table = days.answer.table(
      days.ask, row: .day, page.reader,
      columns: [
        ("\(name) taken", words.taken, "", .number(0)),
        ("\(name) skipped", words.skipped, "", .number(0)),
      ])
    for (column, member) in zip(table.columns.indices, ["taken", "skipped"]) {
      table.columns[column].stat = MedicationTotals.member(name, member)
    }
    for row in 0..<table.count
    where table.columns.allSatisfy({ ($0.values[row] ?? 0) == 0 }) {
      table.notes[row] = words.notLogged
    }
    return table
  }

  private func medication(
    _ name: String, _ id: String, to markup: inout Markup, _ page: Page
  ) {
    let shown = ShownName(name).short
    guard let table = page.payload[id] else { return }
    markup.element("h4") { $0.element("bdi", [:], shown) }
    CalendarBlocks(
      dates: table.starts.compactMap { CivilDate(text: $0) },
      firstWeekday: page.writer.language.firstWeekday
    ).figure(shown, table: id, columns: [0, 1], to: &markup, page) { plot, row, x, y in
      let (taken, skipped) = (
        table.columns[0].values[row] ?? 0, table.columns[1].values[row] ?? 0
      )
      let style = taken > 0 ? "m" : skipped > 0 ? "masked" : "none"
      plot.cell(style, row: row, x: x, y: y, width: 11, height: 11)
    }
    key(name, to: &markup, page)
    markup.table(id, page.words.table.days, of: shown, page)
  }

  /// What the marks mean, and how many doses there are of each.
  private func key(_ name: String, to markup: inout Markup, _ page: Page) {
    let words = page.words.medications
    markup.element("p", ["class": "key"]) { markup in
      for (member, text, style) in [
        ("taken", words.taken, "m"), ("skipped", words.skipped, "masked"),
      ] {
        guard let number = total.number(name, member, page) else { continue }
        markup.element("span", ["class": "key-item"]) { markup in
          markup.element(
            "svg", ["class": "swatch", "width": "14", "height": "14", "aria-hidden": "true"]
          ) { markup in
            markup.empty(
              "rect",
              [
                "class": style, "x": "1.5", "y": "1.5", "width": "11", "height": "11",
                "rx": "1.5",
              ])
          }
          markup.element("span", [:]) { markup in
            markup.write("\(text) ")
            number.write(to: &markup)
          }
        }
      }
    }
  }
}

/// How many doses of each medication were taken and skipped.
struct MedicationTotals {
  /// The names, those with most doses first.
  let names: [String]
  /// The question that counts the doses.
  let ask: Ask
  private let answer: ElementColumns

  /// What a column of doses that were taken has after the name.
  private static let takenSuffix = " taken"

  /// Reads the doses from a day to another; `nil` without doses.
  init?(from first: CivilDate, to end: CivilDate, _ reader: ReportReader) throws(ReportError) {
    let (ask, answer) = try Self.ask(nil, from: first, to: end, reader)
    var counts: [(name: String, doses: Double)] = []
    // The first two columns are of all medications.
    for column in answer.columns.dropFirst(2) where column.name.hasSuffix(Self.takenSuffix) {
      let name = String(column.name.dropLast(Self.takenSuffix.count))
      let doses = ["taken", "skipped"].compactMap { answer["\(name) \($0)"]?.first ?? nil }
        .reduce(0, +)
      if doses > 0 { counts.append((name, doses)) }
    }
    guard !counts.isEmpty else { return nil }
    (self.ask, self.answer) = (ask, answer)
    names = counts.sorted { ($1.doses, $0.name) < ($0.doses, $1.name) }.map(\.name)
  }

  /// The day after the last dose; the end of the report where that is later.
  static func end(_ reader: ReportReader) throws(ReportError) -> CivilDate {
    let (end, recordsEnd) = (reader.period.end, reader.period.recordsEnd)
    guard end < recordsEnd else { return end }
    let later = try ask(CalendarInterval(.day), from: end, to: recordsEnd, reader).answer
    return doseRows(of: later).last.map { reader.date(later.starts[$0]).adding(days: 1) } ?? end
  }

  /// The rows with a dose that was taken or skipped.
  static func doseRows(of days: ElementColumns) -> [Int] {
    // The first two columns are of all medications.
    let doses = days.columns.prefix(2).compactMap { days[$0.name] }
    return days.starts.indices.filter { row in doses.contains { ($0[row] ?? 0) > 0 } }
  }

  /// Asks for the doses from a day to another.
  static func ask(
    _ interval: CalendarInterval?, from first: CivilDate, to end: CivilDate,
    _ reader: ReportReader
  ) throws(ReportError) -> (ask: Ask, answer: ElementColumns) {
    try reader.elements(["stats", "medications"], by: interval, from: first, to: end) {
      period throws(QueryError) in
      try reader.store.medications(MedicationPlan(period))
    }
  }

  /// How many doses of a medication were `taken` or `skipped`; `nil` for none.
  func number(_ name: String, _ state: String, _ page: Page) -> AskedNumber? {
    let count = answer["\(name) \(state)"]?.first ?? nil
    guard let shown = PageTable.Form.number(0).shown(count), shown > 0 else { return nil }
    return AskedNumber(
      ask: ask, place: "intervals[0].\(Self.member(name, state))", text: page.writer.number(shown))
  }

  /// The member of an answer; of a name beyond what a page shows only the beginning.
  static func member(_ name: String, _ state: String) -> String {
    "\(ShownName(name).whole) \(state)"
  }
}
