import HealthAnalysis
import HealthAnswers

/// What goes together: the surest relations between measures, among all pairs that were tried.
struct RelationsSection: PageSection {
  static let section = ReportSection.relations

  private let ask: Ask
  private let found: CorrelateAnswer
  /// The measure of each subject.
  private let measures: [ReportMeasure]

  /// Below these there is nothing to compare.
  private static let leastMeasures = 3
  /// The most measures whose pairs are tried, since a page waits for them.
  private static let mostMeasures = 40
  private static let mostRows = 8
  private static let mostTableRows = 400

  /// Asks what goes together in the last year; `nil` where nothing can be tried.
  init?(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    let parameters = CorrelateParameters()
    let chosen = Self.chosen(of: answers, atLeast: parameters.atLeast)
    guard chosen.count >= Self.leastMeasures else { return nil }
    // Too few days for two measures to be compared is no failure of a page.
    let asked = try reader.unlessRefused { () throws(ReportError) in
      try reader.results(
        .correlate(parameters), of: chosen.map(\.question),
        from: reader.period.first(ofLast: ReportPeriod.year))
    }
    guard let asked, case .correlate(let found) = asked.results, found.pairCount > 0 else {
      return nil
    }
    let byLabel = Dictionary(chosen.map { ($0.question.label, $0) }, uniquingKeysWith: { $1 })
    let measures = found.subjects.compactMap { byLabel[$0.series.name] }
    guard measures.count == found.subjects.count else { return nil }
    (ask, self.found, self.measures) = (asked.ask, found, measures)
  }

  /// The measures with the most days of the last year, in the order of the page.
  private static func chosen(of answers: [MeasureAnswers], atLeast: Int) -> [ReportMeasure] {
    let counts = answers.map { $0.yearSpread?.count ?? 0 }
    return answers.indices.filter { counts[$0] >= atLeast }
      .sorted { (counts[$1], $0) < (counts[$0], $1) }
      .prefix(mostMeasures).sorted().map { answers[$0].measure }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.relations
    let shown = found.distinct.prefix(Self.mostRows).compactMap { relation in
      found.relations.held.firstIndex(of: relation)
    }
    markup.element("article", ["class": "card w2"]) { markup in
      markup.element("header", ["class": "card-top"]) { markup in
        markup.element("h3") { markup in
          markup.write(
            shown.isEmpty ? words.none : words.held,
            (shown.isEmpty ? ["pairs"] : ["held", "pairs"]).map { count($0, page) })
        }
        markup.element("p", ["class": "aside"], words.notCause)
      }
      if !shown.isEmpty { table(of: shown, to: &markup, page) }
      var lines = shown.isEmpty ? [] : [words.caption]
      if found.relations.held.count > shown.count, !shown.isEmpty {
        lines.append(TextPattern.filled(words.choice, page.writer.number(Self.mostRows)))
      }
      if found.excludedCount > 0 { lines.append(words.shared) }
      if shown.contains(where: isOfNights) { lines.append(words.night) }
      if !lines.isEmpty { markup.caption(lines.joined(separator: page.words.phrases.space)) }
      if found.relations.held.count > shown.count {
        markup.table(
          page.payload.add(payloadTable(page)), words.table,
          of: page.words.section(Self.section).head, page)
      }
    }
  }

  private func count(_ place: String, _ page: Page) -> (inout Markup) -> Void {
    let count = place == "held" ? found.relations.held.count : found.pairCount
    return {
      AskedNumber(ask: ask, place: place, text: page.writer.number(count)).write(to: &$0, "span")
    }
  }

  // MARK: - Rows

  /// A relation in words: the two measures in order of time, and how many days lie between.
  private func words(
    of relation: Relation, _ page: Page
  ) -> (first: String, second: String, when: String) {
    let isForward = relation.lag >= 0
    let (first, second) =
      isForward
      ? (relation.first, relation.second) : (relation.second, relation.first)
    let language = page.writer.language.base
    let words = page.words.relations
    let days = Int(clamping: relation.lag.magnitude)
    return (
      measures[first].measure.compared(isAbove: true, in: language),
      measures[second].measure.compared(
        isAbove: relation.correlation.coefficient > 0, in: language),
      days == 0
        ? words.sameDay
        : days == 1
          ? words.nextDay : TextPattern.filled(words.laterDays, page.writer.number(days))
    )
  }

  private func isOfNights(_ place: Int) -> Bool {
    let relation = found.relations.held[place]
    return measures[relation.first].isOfNights || measures[relation.second].isOfNights
  }

  private func table(of places: [Int], to markup: inout Markup, _ page: Page) {
    let words = page.words.relations
    markup.element("table", ["class": "data pairs"]) { markup in
      markup.element("thead") { markup in
        markup.element("tr") { markup in
          for (style, text) in [
            (nil, words.first), (nil, words.second), (nil, words.when), ("rho", words.strength),
            ("n", Self.coefficient), ("n", words.days), ("n", words.chance),
          ] {
            markup.element("th", ["scope": "col", "class": style], text)
          }
        }
      }
      markup.element("tbody") { markup in
        for place in places { row(place, to: &markup, page) }
      }
    }
  }

  private func row(_ place: Int, to markup: inout Markup, _ page: Page) {
    let relation = found.relations.held[place]
    let (text, heads) = (words(of: relation, page), page.words.relations)
    func number(_ member: String, _ shown: String) -> AskedNumber {
      AskedNumber(ask: ask, place: "relations[\(place)].\(member)", text: shown)
    }
    markup.element("tr") { markup in
      markup.element("th", ["scope": "row", "class": "wide", "data-head": heads.first], text.first)
      markup.element("td", ["class": "wide", "data-head": heads.second], text.second)
      markup.element("td", ["data-head": heads.when], text.when)
      markup.element("td", ["class": "rho"]) { dot(of: relation, to: &$0, page) }
      markup.element("td", ["class": "n", "data-head": Self.coefficient]) { markup in
        guard let shown = Self.form.shown(relation.correlation.coefficient) else { return }
        number("coefficient", page.writer.text(shown, Self.form)).write(to: &markup, "span")
      }
      markup.element("td", ["class": "n", "data-head": heads.days]) { markup in
        number("count", page.writer.number(relation.correlation.count)).write(to: &markup, "span")
      }
      markup.element("td", ["class": "n", "data-head": heads.chance]) { markup in
        let chance = Self.chance(relation.adjustedPValue, page)
        if relation.adjustedPValue < Self.leastChance {
          markup.element("span", ["dir": "ltr"], chance)
        } else {
          number("qValue", chance).write(to: &markup, "span")
        }
      }
    }
  }

  /// The coefficient as a dot with its interval, on a scale from −1 to 1.
  private func dot(of relation: Relation, to markup: inout Markup, _ page: Page) {
    func x(_ value: Double) -> Double { (min(max(value, -1), 1) + 1) / 2 }
    func text(_ value: Double) -> String {
      Self.form.shown(value).map { page.writer.text($0, Self.form) } ?? ""
    }
    var plot = Plot(height: 20, top: 0, bottom: 0, range: 0...1)
    plot.line("grid", from: (0, 10), to: (1, 10))
    plot.line("zero", from: (0.5, 3), to: (0.5, 17))
    var words = TextPattern.filled(
      page.words.patterns.labelled, page.words.relations.strength,
      text(relation.correlation.coefficient))
    if let interval = Self.interval(relation) {
      plot.line("inkl", from: (x(interval.lowerBound), 10), to: (x(interval.upperBound), 10))
      let range = page.writer.range(text(interval.lowerBound), text(interval.upperBound))
      words += " (\(range))"
    }
    plot.circle("ink", x: x(relation.correlation.coefficient), y: 10, radius: 4)
    markup.element(
      "svg", ["role": "img", "width": "100%", "height": "20", "aria-label": words]
    ) { $0.append(plot.drawing) }
  }

  // MARK: - Numbers

  /// The sign of the rank correlation in every language.
  private static let coefficient = "ρ"
  private static let form = PageTable.Form.number(2)
  private static let chanceForm = PageTable.Form.number(3)
  /// What is smaller has no digit to show.
  private static let leastChance = 0.001

  private static func chance(_ value: Double, _ page: Page) -> String {
    let shown = max(value, leastChance)
    let text = chanceForm.shown(shown).map { page.writer.text($0, chanceForm) } ?? ""
    return value < leastChance ? "<" + text : text
  }

  /// The 95 % interval, as the answer has it.
  private static func interval(_ relation: Relation) -> ClosedRange<Double>? {
    try? relation.correlation.interval(confidence: 0.95)
  }

  /// All relations that hold, for the script, which shows the last row first.
  private func payloadTable(_ page: Page) -> PageTable {
    let words = page.words.relations
    let rows = Array(found.relations.held.prefix(Self.mostTableRows).reversed())
    let texts = rows.map { self.words(of: $0, page) }
    func numbers(
      _ name: String, _ form: PageTable.Form, _ read: (Relation) -> Double?
    ) -> PageTable.Column {
      PageTable.Column(stat: "", name: name, form: form, values: rows.map { form.shown(read($0)) })
    }
    return PageTable(
      ask: ask, row: .row, head: words.first, starts: texts.map(\.first),
      columns: [
        PageTable.Column(stat: "", name: words.second, texts: texts.map(\.second)),
        PageTable.Column(stat: "", name: words.when, texts: texts.map(\.when)),
        numbers(Self.coefficient, Self.form) { $0.correlation.coefficient },
        numbers(words.days, .number(0)) { Double($0.correlation.count) },
        PageTable.Column(
          stat: "", name: words.chance, texts: rows.map { Self.chance($0.adjustedPValue, page) }),
      ])
  }
}

extension MeasureAnswers {
  /// How the days of the last year are distributed.
  var yearSpread: IntervalSpread? {
    guard case .spread(let spread)? = spread.column.derived else { return nil }
    return spread
  }
}
