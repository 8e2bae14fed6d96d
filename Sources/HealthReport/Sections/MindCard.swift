import HealthAnswers
import HealthQuery
import HealthSamples

/// States of mind by day: how pleasant the days were.
struct MindCard {
  private let days: (ask: Ask, answer: ElementColumns)
  private let total: (ask: Ask, answer: ElementColumns)

  /// How many months stand before that of the last day.
  private static let months = 11
  /// The height of the most pleasant day.
  private static let reach = 7.0

  /// Reads the states of mind of twelve months, or of those since the first; `nil` without any.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.plan.types.isEmpty else { return nil }
    func month(_ date: CivilDate) -> CivilDate {
      let first = CivilDate(year: date.year, month: date.month, day: 1)
      return first < reader.period.first ? reader.period.first : first
    }
    func ask(
      _ interval: CalendarInterval?, from first: CivilDate
    ) throws(ReportError) -> (ask: Ask, answer: ElementColumns) {
      try reader.elements(["stats", "stateOfMind"], by: interval, from: first) {
        period throws(QueryError) in
        try reader.store.statesOfMind(StateOfMindPlan(period))
      }
    }
    let year = try ask(
      CalendarInterval(.day), from: month(reader.period.last.adding(months: -Self.months)))
    guard let row = year.answer["valence"]?.firstIndex(where: { $0 != nil }) else { return nil }
    let first = month(reader.date(year.answer.starts[row]))
    days = try ask(CalendarInterval(.day), from: first)
    total = try ask(nil, from: first)
  }

  /// Writes the card.
  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.mind
    let content = table(page)
    let table = page.payload.add(content)
    let page = page
    markup.card(words.title, family: .body, isWide: true) { aside in
      guard let count = PageTable.Form.number(0).shown(total.answer["count"]?.first ?? nil),
        count > 1
      else {
        return
      }
      let number = AskedNumber(
        ask: total.ask, place: "intervals[0].count", text: page.writer.number(count))
      aside.write(words.entries, [{ number.write(to: &$0) }])
    } _: { markup in
      let values = days.answer["valence"] ?? []
      var blocks = CalendarBlocks(
        dates: content.starts.compactMap { CivilDate(text: $0) },
        firstWeekday: page.writer.language.firstWeekday)
      blocks.hasMiddles = true
      blocks.figure(words.title, table: table, columns: [1], to: &markup, page) {
        plot, row, x, y in
        Self.draw(values[row], row: row, x: x, y: y, in: &plot)
      }
      key(to: &markup, words)
      markup.caption(words.caption)
      markup.table(table, page.words.table.days, of: words.title, page)
    }
  }

  /// A bar from the middle up to a pleasant day, or down to an unpleasant one.
  private static func draw(
    _ valence: Double?, row: Int, x: Double, y: Double, in plot: inout Plot
  ) {
    guard let valence else {
      plot.cell("none", row: row, x: x, y: y, width: 11, height: 11)
      return
    }
    let height = min(max(valence, -1), 1) * reach
    plot.cell(
      "m", row: row, x: x, y: y - height / 2, width: 9, height: max(abs(height), 2))
  }

  private func table(_ page: Page) -> PageTable {
    let words = page.words
    var table = days.answer.table(
      days.ask, row: .day, page.reader,
      columns: [("valence", words.table.mean, "", .number(2))])
    let classes = days.answer.texts("classification") ?? []
    table.columns.append(
      PageTable.Column(
        stat: "classification", name: words.mind.title,
        texts: classes.map { words.mind.name(of: $0) ?? words.states.noData }))
    return table
  }

  private func key(to markup: inout Markup, _ words: Words.Mind) {
    let items = [
      (0.0, 7.0, words.veryPleasant), (6, 2, words.neutral), (7, 7, words.veryUnpleasant),
    ]
    markup.key(
      items.map { y, height, text in
        ({ $0.rectangle("m", x: 0.25, width: 0.5, y: y, height: height, radius: 1) }, text)
      })
  }
}

extension Words.Mind {
  /// The words of a class of valences; `nil` without one.
  fileprivate func name(of classification: String) -> String? {
    switch classification {
    case "veryUnpleasant": veryUnpleasant
    case "unpleasant": unpleasant
    case "slightlyUnpleasant": slightlyUnpleasant
    case "neutral": neutral
    case "slightlyPleasant": slightlyPleasant
    case "pleasant": pleasant
    case "veryPleasant": veryPleasant
    default: nil
    }
  }
}
