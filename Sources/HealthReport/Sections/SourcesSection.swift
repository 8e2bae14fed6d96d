import HealthAnswers
import HealthSamples

/// Where the numbers come from: who measured, whose measurement counts, what is missing.
struct SourcesSection: PageSection {
  static let section = ReportSection.sources

  private let measuring: MeasuringCard
  private let counted: CountedCard?
  private let ranking: RankingCard?
  private let gaps: GapsCard?
  private let origins: OriginsCard

  /// Asks who measured, with the reasons behind the days of sums; `nil` without measures.
  init?(
    _ answers: [MeasureAnswers], reasons: [(measure: String, reasons: DayReasons)],
    _ reader: ReportReader
  ) throws(ReportError) {
    guard !answers.isEmpty else { return nil }
    measuring = try MeasuringCard(answers, reader)
    counted = try CountedCard(answers, reasons, reader)
    // The sources of one measure stand in the order of their ranks already.
    ranking =
      measuring.sources.isRanked
      ? nil : try RankingCard(counted?.answers.measure ?? answers[0].measure, reader)
    gaps = try GapsCard(answers, reader)
    origins = try OriginsCard(reader)
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    markup.element("div", ["class": "two"]) { markup in
      measuring.write(to: &markup, &page)
      counted?.write(to: &markup, &page)
      // Two cards stand side by side; the third has the whole width.
      if ranking == nil { gaps?.write(to: &markup, page) }
      ranking?.write(to: &markup, page)
      origins.write(to: &markup, page)
      if ranking != nil { gaps?.write(to: &markup, page, isWide: true) }
    }
  }
}

extension Words.Sources {
  /// The word for what recorded the samples of a source.
  func kind(of row: SourcesAnswer.Row) -> String {
    guard !row.source.isUserEntered else { return byHand }
    return switch row.deviceKind {
    case .watch: watch
    case .wearable: wearable
    case .phone: phone
    case .other: other
    }
  }
}

extension Markup {
  /// Writes an item of a list: what it is, then what is said of it, then a further line.
  mutating func item(
    _ name: (inout Markup) -> Void, _ content: ((inout Markup) -> Void)? = nil,
    line: ((inout Markup) -> Void)? = nil
  ) {
    element("li") { markup in
      markup.element("span", [:], name)
      if let content { markup.element("span", [:], content) }
      if let line { markup.element("span", ["class": "line"], line) }
    }
  }

  /// Writes in a list how many are not in it, and the command that lists all.
  mutating func more(_ count: Int, _ ask: Ask, _ page: Page) {
    guard count > 0 else { return }
    item { $0.rest(count, ask, page) }
  }

  /// Writes how many more there are, and the command that lists all.
  mutating func rest(_ count: Int, _ ask: Ask, _ page: Page) {
    element("span", ["class": "rest"]) { markup in
      let text = TextPattern.filled(page.words.sources.more, page.writer.number(count))
      markup.write(
        page.words.patterns.labelled,
        [
          { $0.write(text) },
          { $0.element("code", ["dir": "ltr"], "hkstats \(ask.text)") },
        ])
    }
  }
}
