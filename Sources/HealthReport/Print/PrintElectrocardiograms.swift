import HealthAnswers
import HealthQuery
import HealthSamples

/// Electrocardiograms: how many of each finding, and the days of those that show no sinus rhythm.
struct PrintElectrocardiograms {
  private let total: (ask: Ask, answer: ElementColumns)
  private let days: (ask: Ask, answer: ElementColumns)
  /// The findings, the most frequent first.
  private let findings: [Finding]
  /// What shows no sinus rhythm: atrial fibrillation first, and the newest of each.
  private let others: [Other]

  /// A finding with the words that exports have for it, in each language of the phone and limit of rate.
  private struct Finding {
    let meaning: Electrocardiograms.Finding?
    var words: [String]

    func name(_ page: Page) -> String {
      let visit = page.words.visit
      if words == ["not classified"] { return visit.notClassified }
      return meaning.map(visit.name(of:)) ?? ShownName(words[0]).short
    }

    /// The words that a row of an answer has numbers for, with these numbers.
    func counts(_ row: Int, of answer: ElementColumns) -> Counts {
      words.compactMap { words in
        guard let shown = PageTable.Form.number(0).shown(answer[words]?[row] ?? nil), shown > 0
        else { return nil }
        return (words, shown)
      }
    }
  }

  /// How many there are with each of some words.
  private typealias Counts = [(words: String, count: Int)]

  private static func sum(_ counts: Counts) -> Int { counts.reduce(0) { $0 + $1.count } }

  /// The electrocardiograms of one day and finding.
  private struct Other {
    let row: Int
    let finding: Finding
    let counts: Counts

    var count: Int { sum(counts) }
  }

  /// How many days are named.
  private static let most = 5

  /// Reads the electrocardiograms of the report; `nil` without any.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.plan.types.isEmpty else { return nil }
    func ask(_ interval: CalendarInterval?) throws(ReportError) -> (
      ask: Ask, answer: ElementColumns
    ) {
      try reader.elements(
        ["stats", "electrocardiograms"], by: interval, from: nil, to: reader.period.recordsEnd
      ) { period throws(QueryError) in
        try reader.store.electrocardiograms(ElectrocardiogramPlan(period))
      }
    }
    total = try ask(nil)
    guard let count = total.answer["count"]?.first ?? nil, count > 0 else { return nil }
    days = try ask(CalendarInterval(.day))
    findings = Self.findings(of: total.answer)
    var others: [Other] = []
    for finding in findings where finding.meaning != .sinusRhythm {
      for row in days.answer.starts.indices {
        let counts = finding.counts(row, of: days.answer)
        if !counts.isEmpty { others.append(Other(row: row, finding: finding, counts: counts)) }
      }
    }
    func rank(_ other: Other) -> (Int, Int, String) {
      (other.finding.meaning == .atrialFibrillation ? 0 : 1, -other.row, other.finding.words[0])
    }
    self.others = others.sorted { rank($0) < rank($1) }
  }

  /// The findings of all electrocardiograms, the most frequent first.
  private static func findings(of total: ElementColumns) -> [Finding] {
    var findings: [Finding] = []
    // The first column is of all.
    for words in total.columns.dropFirst().map(\.name) {
      let meaning = Electrocardiograms.Finding(words: words)
      if let meaning, let place = findings.firstIndex(where: { $0.meaning == meaning }) {
        findings[place].words.append(words)
      } else {
        findings.append(Finding(meaning: meaning, words: [words]))
      }
    }
    func count(_ finding: Finding) -> Int { sum(finding.counts(0, of: total)) }
    return findings.enumerated()
      .sorted { (-count($0.element), $0.offset) < (-count($1.element), $1.offset) }
      .map(\.element)
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
    findings.map { $0.name(page) + " 000" }.joined(separator: page.words.page.separator)
  }

  func write(to markup: inout Markup, _ page: Page) {
    let words = page.words.visit
    markup.card(words.electrocardiograms, family: .heart) { aside in
      guard let start = total.answer.starts.first else { return }
      let day = page.dates.dayMonthAndYear(page.reader.date(start))
      aside.write(words.countSince, [{ all(to: &$0, page) }, { $0.write(day) }])
    } _: { markup in
      markup.element("p", ["class": "findings"]) { markup in
        for (place, finding) in findings.enumerated() {
          if place > 0 { markup.write(page.words.page.separator) }
          markup.element("span", [:]) { markup in
            markup.write("\(finding.name(page)) ")
            write(
              finding.counts(0, of: total.answer), of: total.ask, in: "intervals[0]", to: &markup,
              page)
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
            markup.element("th", ["scope": "row"], other.finding.name(page))
            markup.element("td", ["class": "n"]) { markup in
              let day = page.reader.date(days.answer.starts[other.row])
              markup.write(page.dates.dayMonthAndYear(day))
              guard other.count > 1 else { return }
              markup.write(" · ")
              write(
                other.counts, of: days.ask, in: "intervals[start=\(day.text)]", to: &markup, page)
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

  private func all(to markup: inout Markup, _ page: Page) {
    guard let shown = PageTable.Form.number(0).shown(total.answer["count"]?.first ?? nil) else {
      return
    }
    write([("count", shown)], of: total.ask, in: "intervals[0]", to: &markup, page)
  }

  /// Writes how many there are; of several words for one finding their sum, which no answer has.
  private func write(
    _ counts: Counts, of ask: Ask, in row: String, to markup: inout Markup, _ page: Page
  ) {
    let text = page.writer.number(Self.sum(counts))
    guard counts.count == 1 else { return markup.write(text) }
    AskedNumber(ask: ask, place: "\(row).\(ShownName(counts[0].words).whole)", text: text)
      .write(to: &markup, "span")
  }
}
