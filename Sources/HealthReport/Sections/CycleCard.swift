import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples

/// Cycles, a row for each from its first day, the newest on top.
struct CycleCard {
  private let cycles: (ask: Ask, answer: ElementColumns)
  /// How long cycles are; `nil` with too few that are over.
  private let statistics: (ask: Ask, answer: CycleStatistics)?
  /// What flow there is on days, and of which cycle.
  private let flow: (ask: Ask, days: [FlowOfDay])
  /// The days of the cycle that is not over; `nil` where entries seem to be missing.
  private let daysSoFar: (ask: Ask, count: Int)?
  private let longest: Int

  private static let most = 14
  private static let rowHeight = 24.0

  /// Reads the cycles of two years; `nil` without any.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.isAbout(.menstrualFlow) else { return nil }
    let first = reader.period.first(ofLast: ReportPeriod.days)
    let parameters = CyclesParameters()
    longest = parameters.longest
    cycles = try reader.elements(["stats", "cycles"], from: first) { period throws(QueryError) in
      try reader.store.cycles(CyclePlan(period))
    }
    guard cycles.answer.count > 0 else { return nil }
    let found = try reader.unlessRefused { () throws(ReportError) in
      try reader.results(.cycles(parameters), from: first)
    }
    if let found, case .cycles(let answer) = found.results {
      statistics = (found.ask, answer.statistics)
    } else {
      statistics = nil
    }
    flow = try reader.flow(from: first)
    daysSoFar = try reader.daysSoFar(of: cycles.answer, longest: longest)
  }

  // MARK: - Writing

  /// Writes the card.
  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.cycle
    let tables = [page.payload.add(table(page)), page.payload.add(flowTable(page))]
    let page = page
    markup.card(words.title, family: .body, isWide: true) { aside in
      guard let statistics else { return }
      let length = statistics.answer.length
      aside.write(
        words.summary,
        [
          { number(length.median, "length.median", to: &$0, page) },
          { number(Double(length.least), "length.min", to: &$0, page) },
          { number(Double(length.greatest), "length.max", to: &$0, page) },
        ])
    } _: { markup in
      markup.element("table", ["class": "data cycles"]) { markup in
        head(to: &markup, page)
        markup.element("tbody") { markup in
          for row in rows { self.row(row, to: &markup, page) }
        }
      }
      key(to: &markup, page)
      markup.caption(words.caption)
      markup.table(tables[0], page.words.table.numbers, of: words.title, page)
      markup.table(tables[1], page.words.table.days, of: words.flow, page)
    }
  }

  /// The cycles that are shown, the newest first.
  private var rows: [Int] { cycles.answer.starts.indices.suffix(Self.most).reversed() }

  private func length(_ row: Int) -> Int? {
    PageTable.Form.number(0).shown(cycles.answer["length"]?[row])
  }

  /// How many days a row is wide.
  private var width: Double {
    let lengths = rows.compactMap(length).filter { $0 <= longest }
    return Double(
      max(30, min(longest, lengths.max() ?? 0), statistics?.answer.length.greatest ?? 0) + 1)
  }

  /// A number of the statistics; a median of two lengths may be half a day.
  private func number(
    _ value: Double, _ place: String, to markup: inout Markup, _ page: Page
  ) {
    guard let statistics else { return }
    let digits = value == value.rounded() ? 0 : 1
    guard let shown = PageTable.Form.number(digits).shown(value) else { return }
    AskedNumber(ask: statistics.ask, place: place, text: page.writer.number(shown, digits: digits))
      .write(to: &markup, "span")
  }

  private func head(to markup: inout Markup, _ page: Page) {
    let words = page.words.cycle
    markup.element("thead") { markup in
      markup.element("tr") { markup in
        markup.element("th", ["scope": "col"], words.began)
        markup.element("th", ["scope": "col", "class": "days"]) { markup in
          markup.element("span", ["class": "hidden"], words.flow)
          var plot = Plot(height: 16, top: 0, bottom: 0, range: 0...1)
          for day in stride(from: 1, through: Int(width) - 1, by: 14) {
            plot.label("t mid", x: (Double(day) - 0.5) / width, y: 12, page.writer.number(day))
          }
          markup.element(
            "svg", ["width": "100%", "height": "16", "aria-hidden": "true"]
          ) { $0.append(plot.drawing) }
        }
        markup.element("th", ["scope": "col", "class": "n"], words.length)
      }
    }
  }

  private func row(_ row: Int, to markup: inout Markup, _ page: Page) {
    let date = page.reader.date(cycles.answer.starts[row])
    markup.element("tr") { markup in
      markup.element("th", ["scope": "row"], page.dates.shortDay(date))
      markup.element("td", ["class": "days"]) { days(row, from: date, to: &$0, page) }
      markup.element("td", ["class": "n"]) { markup in
        let soFar = page.words.states.soFar
        if let length = length(row) {
          self.days(length, cycles.ask, "cycles[start=\(date.text)].length", to: &markup, page)
        } else if let daysSoFar {
          self.days(daysSoFar.count, daysSoFar.ask, "intervals#", to: &markup, page)
          markup.write(page.words.phrases.comma + soFar)
        } else {
          markup.write(soFar)
        }
      }
    }
  }

  /// Writes a number of days with its unit.
  private func days(
    _ count: Int, _ ask: Ask, _ place: String, to markup: inout Markup, _ page: Page
  ) {
    let language = page.writer.language.base
    let number = AskedNumber(ask: ask, place: place, text: page.writer.number(count))
    markup.element("span", ["dir": "ltr"]) { markup in
      markup.write(
        page.words.patterns.numberAndUnit,
        [
          { number.write(to: &$0) },
          { $0.write(Self.unit(language).text(count, digits: 0, in: language)) },
        ])
    }
  }

  private static func unit(_ language: ReportLanguage.Base) -> UnitName {
    UnitNames.name(of: Measure.of("menstrualFlow"), in: "d", language)
  }

  /// The days of a cycle: those with flow, the end, and how long cycles are.
  private func days(
    _ row: Int, from date: CivilDate, to markup: inout Markup, _ page: Page
  ) {
    let words = page.words.cycle
    let width = width
    var plot = Plot(height: Self.rowHeight, top: 0, bottom: 0, range: 0...1)
    let middle = Self.rowHeight / 2
    if let length = statistics?.answer.length {
      let (least, greatest) = (Double(length.least), Double(length.greatest))
      plot.rectangle(
        "band", x: least / width, width: max(greatest - least, 0.2) / width, y: 0,
        height: Self.rowHeight)
      for edge in [least / width, max(greatest, least + 0.2) / width] {
        plot.line("edge-d", from: (edge, 0), to: (edge, Self.rowHeight))
      }
      let median = length.median / width
      plot.line("med", from: (median, 0), to: (median, Self.rowHeight))
    }
    let days = length(row) ?? daysSoFar?.count ?? 0
    let end = min(Double(days) / width, 1)
    plot.line("hair", from: (0, middle), to: (end, middle))
    if length(row) != nil, end < 1 {
      plot.line("ml", from: (end, middle - 6), to: (end, middle + 6))
    }
    let endDay = page.reader.date(cycles.answer.ends[row])
    var texts: [String] = []
    for flow in flow.days where !(flow.day < date) && flow.day < endDay {
      let day = flow.day.dayNumber - date.dayNumber + 1
      guard Double(day) <= width else { break }
      let x = (Double(day) - 0.5) / width
      Self.mark(flow.heaviest, x: x, width: 0.62 / width, y: middle, in: &plot)
      let name = TextPattern.filled(words.day, page.writer.number(day))
      texts.append("\(name) \(words.name(of: flow.heaviest))")
    }
    markup.element(
      "svg",
      [
        "role": "img", "width": "100%", "height": Plot.pixel(Self.rowHeight),
        "aria-label": texts.isEmpty
          ? page.words.states.noData : texts.joined(separator: page.words.phrases.comma),
      ]
    ) { $0.append(plot.drawing) }
  }

  /// A bar around a point, which is as high as the flow is heavy; without a word for it an outline.
  private static func mark(
    _ flow: MenstrualFlow, x: Double, width: Double, y: Double, in plot: inout Plot
  ) {
    let height = flow == .light ? 6.0 : flow == .heavy ? 17 : 11
    plot.rectangle(
      flow == .unspecified ? "masked" : "m", x: x - width / 2, width: width, y: y - height / 2,
      height: height, radius: 1.5)
  }

  private func key(to markup: inout Markup, _ page: Page) {
    let words = page.words
    var items: [(mark: (inout Plot) -> Void, text: String)] = []
    let values = Set(flow.days.map(\.heaviest))
    for value in [MenstrualFlow.light, .medium, .heavy, .unspecified] where values.contains(value) {
      items.append(
        ({ Self.mark(value, x: 0.5, width: 0.5, y: 7, in: &$0) }, words.cycle.name(of: value)))
    }
    if rows.contains(where: { length($0) != nil }) {
      items.append(
        (
          { plot in
            plot.line("hair", from: (0, 7), to: (0.9, 7))
            plot.line("ml", from: (0.9, 1), to: (0.9, 13))
          }, words.cycle.length
        ))
    }
    if let length = statistics?.answer.length,
      let median = PageTable.Form.number(1).shown(length.median)
    {
      let digits = median % 10 == 0 ? 0 : 1
      items.append(
        (
          { $0.line("med", from: (0.5, 1), to: (0.5, 13)) },
          TextPattern.filled(
            words.figure.median,
            page.writer.number(digits == 0 ? median / 10 : median, digits: digits))
        ))
      items.append(
        (
          { $0.rectangle("band", x: 0, width: 1, y: 1, height: 12, radius: 2) },
          TextPattern.filled(
            words.cycle.days,
            page.writer.range(
              page.writer.number(length.least), page.writer.number(length.greatest)))
        ))
    }
    markup.key(items)
  }

  // MARK: - Tables

  /// The cycles as a table.
  private func table(_ page: Page) -> PageTable {
    let words = page.words.cycle
    let days = Self.unit(page.writer.language.base)
    return cycles.answer.table(
      cycles.ask, row: .row, page.reader,
      columns: [
        ("length", words.length, days.other, .number(0)),
        ("flowDays", words.flow, days.other, .number(0)),
      ])
  }

  /// The days with flow as a table.
  private func flowTable(_ page: Page) -> PageTable {
    let words = page.words
    let known = MenstrualFlow.allCases.filter { value in
      flow.days.contains { $0.counts[value] != nil }
    }
    return PageTable(
      ask: flow.ask, row: .row, head: words.table.day, starts: flow.days.map(\.day.text),
      columns: known.map { value in
        PageTable.Column(
          stat: "values.\(value).count", name: words.cycle.name(of: value),
          values: flow.days.map { $0.counts[value] ?? 0 })
      })
  }
}
