import HealthAnalysis
import HealthAnswers
import HealthSamples

/// Days that are unusual for a person: those of heart, sleep and body first, and the newest of each.
struct UnusualDaysCard {
  /// The measures that were looked at.
  let measures: [ReportMeasure]
  let ask: Ask
  let parameters = AnomaliesParameters()
  let answers: [Result<AnomaliesAnswer, AnalysisError>]

  /// Over how many days is looked.
  private static let days = 120
  /// How many of them are named.
  private static let most = 5
  private static let mostOnPaper = 3
  /// What a reader looks for first.
  private static let order: [Measure.Family] = [.heart, .sleep, .body, .food, .activity, .walk]

  /// Looks for unusual days; `nil` where none could be judged.
  init?(_ measures: [ReportMeasure], _ reader: ReportReader) throws(ReportError) {
    let (first, end) = (
      reader.period.first(ofLast: Self.days), reader.period.endOfWholeDays
    )
    guard !measures.isEmpty, first < end else { return nil }
    let (ask, results) = try reader.results(
      .anomalies(parameters), of: measures.map(\.question), from: first, to: end)
    guard case .anomalies(let answers) = results, AnomaliesAnswer.counts(answers).judged > 0 else {
      return nil
    }
    (self.measures, self.ask, self.answers) = (measures, ask, answers)
  }

  func write(to markup: inout Markup, _ page: Page, isWide: Bool) {
    let title = TextPattern.filled(page.words.heart.unusual, page.writer.number(Self.days))
    markup.card(title, family: .heart, isWide: isWide) { markup in
      markup.element("div", ["data-ask": ask.text]) { markup in
        list(to: &markup, page)
        rule(to: &markup, page)
      }
    }
  }

  private func list(to markup: inout Markup, _ page: Page) {
    let found = AnomaliesAnswer.newestFirst(answers).enumerated()
      .filter { measures.indices.contains($0.element.place) }
      .map { (place: $0.offset, measure: measures[$0.element.place], unusual: $0.element) }
    guard !found.isEmpty else {
      markup.element("p", [:], page.words.heart.noUnusual)
      return
    }
    markup.element("ul", ["class": "list"]) { markup in
      let ranked = Self.order.flatMap { family in found.filter { $0.measure.family == family } }
      for (place, measure, unusual) in ranked.prefix(page.isOnPaper ? Self.mostOnPaper : Self.most)
      {
        item(
          "anomalies[\(place)]", measure, unusual.subject, unusual.finding, to: &markup, page)
      }
    }
  }

  private func item(
    _ place: String, _ measure: ReportMeasure, _ series: IntervalSeries,
    _ finding: AnomaliesAnswer.Finding, to markup: inout Markup, _ page: Page
  ) {
    let (words, visit) = (page.words.heart, page.words.visit)
    let (higher, lower) =
      page.isOnPaper ? (visit.higher, visit.lower) : (words.higher, words.lower)
    let form = Self.form(telling: finding, measure)
    func number(_ member: String, _ value: Double, unit: String = "") -> AskedNumber? {
      form.shown(value).map {
        AskedNumber(
          ask: ask, place: "\(place).\(member)", text: page.writer.text($0, form, unit: unit))
      }
    }
    let value = number("value", finding.value, unit: measure.unit)
    let median = number("median", finding.median)
    let count = count("\(place).baseline", finding.baselineCount, page)
    markup.element("li") { markup in
      markup.element("span") { markup in
        markup.element("b") { markup in
          markup.write(
            words.unusualValue,
            [{ $0.write(measure.name) }, { value?.write(to: &$0, isInside: true) }])
        }
      }
      markup.element("span", [:], page.dates.day(page.reader.date(series.starts[finding.row])))
      markup.element("span", ["class": "line"]) { markup in
        markup.write(
          finding.score < 0 ? lower : higher,
          [
            { median?.write(to: &$0, "span", isInside: true) },
            { count.write(to: &$0, "span", isInside: true) },
          ])
      }
    }
  }

  /// The digits that tell a number from the median, up to two more than usual.
  private static func form(
    telling finding: AnomaliesAnswer.Finding, _ measure: ReportMeasure
  ) -> PageTable.Form {
    func tells(_ form: PageTable.Form) -> Bool {
      form.shown(finding.value) != form.shown(finding.median)
    }
    let forms: [PageTable.Form] =
      switch measure.form {
      case .number(let digits): (0...2).map { .number(digits + $0) }
      case .percent(let digits): (0...2).map { .percent(digits + $0) }
      case .duration, .clock: []
      }
    return forms.first(where: tells) ?? measure.form
  }

  private func count(_ place: String, _ count: Int, _ page: Page) -> AskedNumber {
    AskedNumber(ask: ask, place: place, text: page.writer.number(count))
  }

  /// The rule, and how many numbers were looked at.
  private func rule(to markup: inout Markup, _ page: Page) {
    let counts = AnomaliesAnswer.counts(answers)
    let threshold = ScaledNumber.scaled(parameters.threshold, digits: 1).map {
      AskedNumber(ask: ask, place: "threshold", text: page.writer.number($0, digits: 1))
    }
    let numbers = [
      threshold, count("baselineDays", parameters.baseline, page),
      count("tested", counts.judged, page), count("measures", counts.measures, page),
    ]
    markup.element("p", ["class": "caption"]) { markup in
      markup.write(
        page.words.heart.unusualCaption,
        numbers.map { number in { number?.write(to: &$0, "span", isInside: true) } })
    }
  }
}
