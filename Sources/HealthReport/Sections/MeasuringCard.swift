import HealthAnswers
import HealthQuery
import HealthSamples

/// Who measured: a row for each source, with the time of its data over the period.
struct MeasuringCard {
  let sources: SourcesAnswer
  let ask: Ask
  /// The first day and the last day of each source's data.
  private let days: [(first: CivilDate, last: CivilDate)]

  private static let mostRows = 12
  private static let mostTableRows = 500

  init(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    var types: [SampleType] = []
    var labels: [String] = []
    // Of all types where the page is of all.
    for answer in reader.plan.types.isEmpty ? [] : answers
    where !types.contains(answer.measure.type) {
      types.append(answer.measure.type)
      labels.append(answer.measure.id)
    }
    ask = Ask(["sources"] + (labels.isEmpty ? [] : [labels.joined(separator: ",")]))
    sources = try reader.read { [types] () throws(QueryError) in
      try reader.store.sourcesAnswer(of: types)
    }
    days = sources.rows.map { row in
      (reader.date(row.firstStart), reader.date(max(row.firstStart, row.lastEnd.nextDown)))
    }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.sources
    let shown = sources.rows.indices.prefix(Self.mostRows)
    let rest = sources.rows.count - shown.count
    markup.card(words.who, family: .walk, isWide: true) { markup in
      markup.element(
        "div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": words.who]
      ) { markup in
        markup.element("table", ["class": "data stack"]) { markup in
          head(to: &markup, words)
          markup.element("tbody") { markup in
            for place in shown { row(place, to: &markup, page) }
          }
        }
      }
      if rest > 0 {
        markup.element("p", ["class": "caption"]) { $0.rest(rest, ask, page) }
      }
      if sources.isRanked, sources.rows.count > 1 { markup.caption(sources.rule(words)) }
      let isCut = shown.contains { ShownName(sources.rows[$0].source.description).isCut }
      if rest > 0 || isCut {
        markup.table(page.payload.add(table(page)), words.table, of: words.who, page)
      }
    }
  }

  private func head(to markup: inout Markup, _ words: Words.Sources) {
    markup.element("thead") { markup in
      markup.element("tr") { markup in
        markup.element("th", ["scope": "col"], words.source)
        markup.element("th", ["scope": "col"], words.kind)
        if !sources.isRanked {
          markup.element("th", ["scope": "col", "class": "n"], words.measures)
        }
        markup.element("th", ["scope": "col", "class": "n"], words.samples)
        markup.element("th", ["scope": "col", "class": "bar"], words.fromTo)
      }
    }
  }

  private func row(_ place: Int, to markup: inout Markup, _ page: Page) {
    let (row, words) = (sources.rows[place], page.words.sources)
    func number(_ member: String, _ count: Int) -> (inout Markup) -> Void {
      {
        AskedNumber(ask: ask, place: "sources[\(place)].\(member)", text: page.writer.number(count))
          .write(to: &$0, "span")
      }
    }
    markup.element("tr") { markup in
      markup.element("th", ["scope": "row"]) { markup in
        markup.element("bdi", [:], ShownName(row.source.description).short)
      }
      markup.element("td", [:], words.kind(of: row))
      if !sources.isRanked {
        markup.element(
          "td", ["class": "n", "data-head": words.measures], number("types", row.typeCount))
      }
      markup.element(
        "td", ["class": "n", "data-head": words.samples], number("count", row.count))
      markup.element("td", ["class": "bar"]) { span(place, to: &$0, page) }
    }
  }

  /// From the first to the last day of data, as far as they are in the period.
  private func span(_ place: Int, to markup: inout Markup, _ page: Page) {
    let (first, last) = days[place]
    let period = page.period.first.dayNumber..<page.period.end.dayNumber
    func x(_ day: Int) -> Double {
      Double(min(max(day, period.lowerBound), period.upperBound) - period.lowerBound)
        / Double(max(1, period.count))
    }
    let (start, end) = (x(first.dayNumber), x(last.dayNumber + 1))
    var plot = Plot(height: 8, top: 0, bottom: 0, range: 0...1)
    plot.line("hair", from: (0, 4), to: (1, 4))
    if end > start {
      plot.rectangle(
        "m", x: min(start, 0.99), width: max(end - start, 0.01), y: 0, height: 8, radius: 1.5)
    }
    markup.element(
      "svg",
      [
        "role": "img", "width": "100%", "height": "8", "aria-label": page.dates.range(first, last),
      ]
    ) { $0.append(plot.drawing) }
  }

  /// All sources for the script, which shows the last row first.
  private func table(_ page: Page) -> PageTable {
    let words = page.words.sources
    let places = Array(sources.rows.indices.prefix(Self.mostTableRows).reversed())
    let rows = places.map { sources.rows[$0] }
    return PageTable(
      ask: ask, row: .row, head: words.source,
      starts: rows.map { ShownName($0.source.description).whole },
      columns: [
        PageTable.Column(stat: "", name: words.kind, texts: rows.map(words.kind(of:))),
        PageTable.Column(stat: "", name: words.measures, values: rows.map(\.typeCount)),
        PageTable.Column(stat: "", name: words.samples, values: rows.map(\.count)),
        PageTable.Column(
          stat: "", name: words.fromTo,
          texts: places.map { page.dates.range(days[$0].first, days[$0].last) }),
      ])
  }
}

/// Whose measurement counts: the sources of a measure in the order of their ranks.
struct RankingCard {
  private let measure: ReportMeasure
  private let sources: SourcesAnswer
  private let ask: Ask

  private static let mostRows = 6

  /// `nil` for fewer than two sources.
  init?(_ measure: ReportMeasure, _ reader: ReportReader) throws(ReportError) {
    self.measure = measure
    ask = Ask(["sources", measure.id])
    sources = try reader.read { () throws(QueryError) in
      try reader.store.sourcesAnswer(of: [measure.type])
    }
    guard sources.rows.count > 1 else { return nil }
  }

  func write(to markup: inout Markup, _ page: Page) {
    let words = page.words.sources
    let shown = sources.rows.prefix(Self.mostRows)
    markup.card(words.ranking, family: .walk) {
      $0.write(measure.name)
    } _: { markup in
      markup.element("ul", ["class": "list"]) { markup in
        for (place, row) in shown.enumerated() {
          markup.item { markup in
            AskedNumber(
              ask: ask, place: "sources[\(place)].rank", text: page.writer.number(place + 1)
            ).write(to: &markup)
            markup.write(" ")
            markup.element("bdi", [:], ShownName(row.source.description).short)
          } _: {
            $0.write(words.kind(of: row))
          }
        }
        markup.more(sources.rows.count - shown.count, ask, page)
      }
      markup.caption(sources.rule(words))
    }
  }
}

extension SourcesAnswer {
  /// By which rule the ranks are: that of devices, or an order that is set.
  fileprivate func rule(_ words: Words.Sources) -> String {
    rows.contains { $0.preference != nil } ? words.preferred : words.ranks
  }
}

extension ShownName {
  /// Whether the short name is not the whole one.
  fileprivate var isCut: Bool { short != whole }
}
