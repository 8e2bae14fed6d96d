import HealthQuery
import HealthSamples

/// Electrocardiograms: how many of each finding, and the days of those that show no sinus rhythm.
struct PrintElectrocardiograms {
  private let total: (ask: Ask, answer: ElementColumns)
  private let days: (ask: Ask, answer: ElementColumns)
  /// The findings as written, the most frequent first.
  private let findings: [String]
  /// What shows no sinus rhythm: atrial fibrillation first, and the newest of each.
  private let others: [Other]

  /// The electrocardiograms of one day and finding.
  private struct Other {
    let row: Int
    let words: String
    let count: Int
  }

  /// How many days are named.
  private static let most = 5

  /// Reads the electrocardiograms of the report; `nil` without any.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.plan.types.isEmpty else { return nil }
    func ask(_ interval: CalendarInterval?) throws(ReportError) -> (
      ask: Ask, answer: ElementColumns
    ) {
      try reader.elements(["stats", "electrocardiograms"], by: interval, from: nil) {
        period throws(QueryError) in
        try reader.store.electrocardiograms(ElectrocardiogramPlan(period))
      }
    }
    total = try ask(nil)
    guard let count = total.answer["count"]?.first ?? nil, count > 0 else { return nil }
    days = try ask(CalendarInterval(.day))
    // The first column is of all.
    findings = total.answer.columns.dropFirst().map(\.name)
    var others: [Other] = []
    for words in findings where Self.finding(words) != .sinusRhythm {
      for (row, count) in (days.answer[words] ?? []).enumerated().reversed() {
        if let count, count > 0 {
          others.append(Other(row: row, words: words, count: Int(count)))
        }
      }
    }
    func rank(_ other: Other) -> (Int, Int, String) {
      (Self.finding(other.words) == .atrialFibrillation ? 0 : 1, -other.row, other.words)
    }
    self.others = others.sorted { rank($0) < rank($1) }
  }

  private static func finding(_ words: String) -> Electrocardiograms.Finding? {
    Electrocardiograms.Finding(words: words)
  }

  private static func name(_ words: String, _ page: Page) -> String {
    let visit = page.words.visit
    if words == "not classified" { return visit.notClassified }
    return finding(words).map(visit.name(of:)) ?? ShownName(words).short
  }

  /// The height of the card.
  func height(_ page: Page) -> Double {
    let rows = Double(min(others.count, Self.most))
    let lines = SheetSpace.lines(text(page), in: SheetSpace.width / 2 - 16)
    return 34 + Double(lines) * SheetSpace.line
      + rows * (SheetSpace.line + SheetSpace.padding) + (others.count > Self.most ? 20 : 0)
  }

  /// The findings in one line, as long as it is written.
  private func text(_ page: Page) -> String {
    findings.map { Self.name($0, page) + " 000" }.joined(separator: page.words.page.separator)
  }

  func write(to markup: inout Markup, _ page: Page) {
    let words = page.words.visit
    markup.card(words.electrocardiograms, family: .heart) { aside in
      guard let start = total.answer.starts.first else { return }
      let day = page.dates.dayMonthAndYear(page.reader.date(start))
      aside.write(words.countSince, [{ count("count", to: &$0, page) }, { $0.write(day) }])
    } _: { markup in
      markup.element("p", ["class": "findings"]) { markup in
        for (place, finding) in findings.enumerated() {
          if place > 0 { markup.write(page.words.page.separator) }
          markup.element("span", [:]) { markup in
            markup.write("\(Self.name(finding, page)) ")
            count(finding, to: &markup, page)
          }
        }
      }
      list(to: &markup, page)
    }
  }

  private func list(to markup: inout Markup, _ page: Page) {
    guard !others.isEmpty else { return }
    markup.element("table", ["class": "data"]) { markup in
      markup.element("tbody") { markup in
        for other in others.prefix(Self.most) {
          markup.element("tr") { markup in
            markup.element("th", ["scope": "row"], Self.name(other.words, page))
            markup.element("td", ["class": "n"]) { markup in
              let day = page.reader.date(days.answer.starts[other.row])
              markup.write(page.dates.dayMonthAndYear(day))
              guard other.count > 1 else { return }
              markup.write(" · ")
              AskedNumber(
                ask: days.ask,
                place: "intervals[start=\(day.text)].\(ShownName(other.words).whole)",
                text: page.writer.number(other.count)
              ).write(to: &markup, "span")
            }
          }
        }
      }
    }
    let rest = others.dropFirst(Self.most).reduce(0) { $0 + $1.count }
    guard rest > 0 else { return }
    markup.element("p", ["class": "caption"]) {
      $0.rest(rest, Ask(["samples", "electrocardiogram"]), page)
    }
  }

  private func count(_ member: String, to markup: inout Markup, _ page: Page) {
    guard let shown = PageTable.Form.number(0).shown(total.answer[member]?.first ?? nil) else {
      return
    }
    AskedNumber(
      ask: total.ask, place: "intervals[0].\(ShownName(member).whole)",
      text: page.writer.number(shown)
    ).write(to: &markup)
  }
}
