import HealthAnswers
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics

/// What sources counted and what was masked, day by day: the sums without what was measured twice.
struct CountedCard {
  let answers: MeasureAnswers
  private let reasons: DayReasons
  /// The rows of the days in ``reasons``.
  private let rows: Range<Int>
  /// All days in one row.
  private let total: ReportReader.Answer
  /// What was masked in all days.
  private let masked: Double

  private static let dayCount = 28
  /// Up to how many rows have no beginnings of weeks below them.
  private static let fewRows = 14
  private static let height = 210.0
  /// The marks of sources, the highest rank at the bottom; the last one is that of all others.
  private static let marks = ["m", "q", "o4", "pale"]

  /// `nil` without a sum of the last days.
  init?(
    _ answers: [MeasureAnswers], _ reasons: [(measure: String, reasons: DayReasons)],
    _ reader: ReportReader
  ) throws(ReportError) {
    let known = reasons.compactMap { reason in
      answers.first { $0.measure.id == reason.measure }.map { ($0, reason.reasons) }
    }.filter { $1.total.suffix(Self.dayCount).contains { $0 != nil } }
    guard let (chosen, reasons) = Self.chosen(of: known) else { return nil }
    (self.answers, self.reasons) = (chosen, reasons)
    rows = max(0, reasons.total.count - Self.dayCount)..<reasons.total.count
    let first = rows.first.flatMap { CivilDate(text: reasons.starts[$0]) }
    let explained = try reader.explain(chosen.measure, from: first ?? reader.period.first)
    guard let total = explained else { return nil }
    self.total = total
    guard case .quantity(let answer) = total.column.answer, answer.intervals.count > 0 else {
      return nil
    }
    masked = answer.masked(0) ?? 0
  }

  /// Steps if there are some, else the measure with the most days on which something was masked.
  private static func chosen(
    of known: [(answers: MeasureAnswers, reasons: DayReasons)]
  ) -> (MeasureAnswers, DayReasons)? {
    if let steps = known.first(where: { $0.answers.measure.id == "stepCount" }) { return steps }
    let counts = known.map { _, reasons in
      (max(0, reasons.total.count - dayCount)..<reasons.total.count).count { row in
        reasons.masked.contains { ($0[row] ?? 0) > 0 }
      }
    }
    guard let most = counts.max() else { return nil }
    return counts.firstIndex(of: most).map { known[$0] }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.sources
    let measure = answers.measure
    let name = TextPattern.filled(words.counted, measure.name)
    markup.card(name, family: measure.family, isWide: true) { [page] aside in
      summary(to: &aside, page)
    } _: { markup in
      let marks = figure(named: name, to: &markup, &page)
      key(of: marks, to: &markup, page)
      guard page.explained(measure) != nil else { return }
      press(to: &markup, page)
      let id = page.payload.add(reasons.table(of: measure, page.words))
      markup.table(id, page.words.table.reasons, of: name, page)
    }
  }

  private func summary(to markup: inout Markup, _ page: Page) {
    let form = answers.measure.form
    func number(_ member: String, _ value: Double?) -> (inout Markup) -> Void {
      { markup in
        guard let shown = form.shown(value) else { return }
        AskedNumber(
          ask: total.ask, place: "intervals[0].\(member)", text: page.writer.text(shown, form)
        ).write(to: &markup, "span")
      }
    }
    markup.write(
      page.words.sources.countedSummary,
      [
        { $0.write(page.writer.number(rows.count)) },
        number("sum", total.series.values.first ?? nil),
        number("masked", masked),
      ])
  }

  // MARK: - The figure

  /// The places of sources that counted something on these days.
  private var counting: [Int] {
    reasons.counted.indices.filter { source in
      rows.contains { (reasons.counted[source][$0] ?? 0) > 0 }
    }
  }

  /// The greatest height of a day, with what was masked.
  private var greatest: Double {
    rows.map { row in
      (reasons.counted + reasons.masked).reduce(0) { $0 + Double(max(0, $1[row] ?? 0)) }
    }.max() ?? 0
  }

  /// Draws the days; gives the kinds of marks that it drew.
  private func figure(
    named name: String, to markup: inout Markup, _ page: inout Page
  ) -> Set<String> {
    let axis = Axis(0...max(greatest, 1), includesZero: true)
    var plot = Plot(height: Self.height, top: Plot.unitRoom, range: axis.range)
    for tick in axis.ticks { plot.level(tick == 0 ? "zero" : "grid", tick) }
    let step = 1 / Double(max(1, rows.count))
    let width = Plot.barWidth(of: rows.count, share: 0.62)
    for (place, row) in rows.enumerated() {
      bar(of: row, x: (Double(place) + 0.5) * step, width: width, in: &plot)
    }
    labels(in: &plot, page)
    var figure = Figure(
      name: name, description: answers.description(of: Array(reasons.total[rows]), page),
      plot: plot)
    figure.label(axis, answers.measure.form, unit: answers.measure.unit, page)
    let days = answers.days.count
    figure.rows = Figure.Rows(
      table: page.table(of: answers), range: max(0, days - rows.count)..<days,
      measure: page.explained(answers.measure))
    figure.write(to: &markup, page)
    return plot.marks
  }

  /// What was counted, by source from the bottom up, and what was masked above as an outline.
  private func bar(of row: Int, x: Double, width: Double, in plot: inout Plot) {
    guard reasons.total[row] != nil else {
      plot.gap(x: x)
      return
    }
    var parts: [(mark: String, amount: Double)] = []
    for (place, source) in counting.enumerated() {
      let amount = Double(max(0, reasons.counted[source][row] ?? 0))
      if place < Self.marks.count {
        parts.append((Self.marks[place], amount))
      } else {
        parts[Self.marks.count - 1].amount += amount
      }
    }
    let masked = reasons.masked.reduce(0) { $0 + Double(max(0, $1[row] ?? 0)) }
    parts.append(("masked", masked))
    var base = 0.0
    for (mark, amount) in parts where amount > 0 {
      let (top, bottom) = (plot.y(base + amount), plot.y(base) - (base > 0 ? 1 : 0))
      plot.rectangle(
        mark, x: x - width / 2, width: width, y: top, height: max(bottom - top, 0.5))
      base += amount
    }
  }

  /// The beginnings of weeks, and the last day; of few days some.
  private func labels(in plot: inout Plot, _ page: Page) {
    let last = page.period.last
    guard rows.count > Self.fewRows else {
      return plot.weeks(
        (1...max(1, rows.count)).map { last.adding(days: $0 - rows.count) }, page.dates)
    }
    let base = plot.height - 8
    for place in 0..<rows.count {
      let date = last.adding(days: place + 1 - rows.count)
      // Those near the ends would leave the plot, or meet the last one.
      guard date.weekday == page.writer.language.firstWeekday, place > 0, place + 4 < rows.count
      else { continue }
      let x = (Double(place) + 0.5) / Double(rows.count)
      // On a phone a week before the end has no room.
      plot.label(
        place + 8 > rows.count ? "t mid t2" : "t mid", x: x, y: base, page.dates.dayAndMonth(date))
    }
    plot.label("t end", x: 1, y: base, page.dates.dayAndMonth(last))
  }

  // MARK: - Words

  private func key(of marks: Set<String>, to markup: inout Markup, _ page: Page) {
    let words = page.words.sources
    let sources = counting
    func item(
      _ mark: String, to markup: inout Markup, _ text: (inout Markup) -> Void
    ) {
      markup.element("span", ["class": "key-item"]) { markup in
        markup.element(
          "svg", ["class": "swatch", "width": "14", "height": "14", "aria-hidden": "true"]
        ) {
          $0.empty(
            "rect",
            ["class": mark, "x": "1", "y": "1", "width": "12", "height": "12", "rx": "1.5"])
        }
        text(&markup)
      }
    }
    markup.element("p", ["class": "key"]) { markup in
      for (mark, source) in zip(Self.marks, sources) {
        item(mark, to: &markup) { markup in
          markup.element("bdi", [:], reasons.sources[source])
          guard mark == Self.marks.last, sources.count > Self.marks.count else { return }
          markup.write(" ")
          markup.rest(
            sources.count - Self.marks.count, Ask(["sources", answers.measure.id]), page)
        }
      }
      if marks.contains("masked") { item("masked", to: &markup) { $0.write(words.masked) } }
      if marks.contains("gap") {
        markup.element("span", ["class": "key-item"]) { markup in
          var swatch = Plot(height: 14, top: 0, bottom: 0, range: 0...1)
          Plot.gapOfKey(&swatch)
          markup.element(
            "svg", ["class": "swatch", "width": "14", "height": "14", "aria-hidden": "true"]
          ) { $0.append(swatch.drawing) }
          markup.write(page.words.figure.noData)
        }
      }
    }
  }

  /// How a reader gets the reason of a day, with that of the last day as a button.
  private func press(to markup: inout Markup, _ page: Page) {
    guard let row = rows.last(where: { reasons.total[$0] != nil }), let total = reasons.total[row]
    else { return }
    guard let date = CivilDate(text: reasons.starts[row]) else { return }
    let arguments: [(inout Markup) -> Void] = [
      { $0.write(page.dates.shortDay(date)) },
      {
        AskedNumber(
          ask: reasons.ask, place: "intervals[start=\(date.text)].sum",
          text: page.writer.text(total, answers.measure.form)
        ).write(to: &$0, "span")
      },
    ]
    let pieces = page.words.sources.press.split(separator: "*", omittingEmptySubsequences: false)
    markup.element("p", ["class": "caption why-line"]) { markup in
      for (place, piece) in pieces.enumerated() {
        guard place % 2 == 1 else {
          markup.write(String(piece), arguments)
          continue
        }
        markup.element(
          "button",
          [
            "type": "button", "class": "why-link", "data-measure": answers.measure.id,
            "data-row": "\(row)",
          ]
        ) { $0.write(String(piece), arguments) }
      }
    }
  }
}
