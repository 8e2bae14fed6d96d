import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples

/// Glucose by the time of day of a sensor; of single readings the means of days, and why no shares of
/// time are given.
struct GlucoseCard {
  private let answers: MeasureAnswers
  private let ask: Ask
  private let answer: GlucoseAnswer
  private let last: CivilDate
  /// The days that are drawn of single readings, and how their means are distributed.
  private let readings: (rows: Range<Int>, spread: ReportReader.Answer)?

  /// Reads the last fourteen days with glucose; `nil` without readings.
  init?(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    guard let found = answers.first(where: { $0.measure.id == "bloodGlucose" }),
      let row = found.values.lastIndex(where: { $0 != nil }),
      let last = CivilDate(text: found.days.starts[row])
    else { return nil }
    let end = last.adding(days: 1)
    let first = CivilDate(
      dayNumber: max(
        reader.period.first.dayNumber, end.dayNumber - GlucoseReadings.neededDays))
    let unit = found.measure.question.unit
    let result = try reader.unlessRefused { () throws(ReportError) in
      try reader.results(
        .glucose(GlucoseParameters()), of: [found.measure.question], command: ["glucose"],
        from: first, to: end, ["unit": unit])
    }
    guard let result, case .glucose(let glucose) = result.results else { return nil }
    (self.answers, self.last) = (found, last)
    (ask, answer) = (result.ask, glucose)
    guard glucose.summary.targets == nil, let rows = found.lastDays(Self.days),
      let days = found.dates(of: rows)
    else {
      readings = nil
      return
    }
    let spread = try reader.ask(
      found.measure, by: .day, from: days.first, to: days.end
    ) { $0.derivation = .spread }
    readings = (rows, spread)
  }

  private var form: PageTable.Form { answers.measure.form }

  /// Whether the readings are as many as shares of time need.
  private var isOfSensor: Bool { answer.summary.targets != nil }

  /// Days of single readings.
  private static let days = 92

  /// Writes the card.
  func write(to markup: inout Markup, _ page: inout Page) {
    if isOfSensor {
      sensor(to: &markup, &page)
    } else {
      readings(to: &markup, &page)
    }
  }

  /// A number of the answer, in the unit of the measure.
  private func number(
    _ value: Double?, _ place: String, unit: String = "", to markup: inout Markup, _ page: Page
  ) {
    guard let value, let shown = form.shown(answer.shown(value)) else { return }
    AskedNumber(ask: ask, place: place, text: page.writer.text(shown, form, unit: unit))
      .write(to: &markup, "span")
  }

  /// A number that is a percentage already.
  private func percentage(
    _ value: Double?, _ place: String, to markup: inout Markup, _ page: Page
  ) {
    guard let value, let shown = ScaledNumber.scaled(value, digits: 1) else { return }
    AskedNumber(ask: ask, place: place, text: page.writer.percent(shown, digits: 1))
      .write(to: &markup, "span")
  }

  private func count(_ count: Int, _ place: String, to markup: inout Markup, _ page: Page) {
    AskedNumber(ask: ask, place: place, text: page.writer.number(count)).write(to: &markup, "span")
  }

  // MARK: - A sensor

  private func sensor(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.glucose
    let statistics = answer.summary.statistics
    let chart = GlucoseChart(measure: answers.measure, answer: answer)
    let table = page.payload.add(chart.table(ask, page))
    let page = page
    markup.card(words.title, family: .food, isWide: true) { aside in
      aside.write(
        words.summary,
        [
          { count(answer.summary.days, "days", to: &$0, page) },
          { count(statistics.count, "count", to: &$0, page) },
          { number(statistics.mean, "mean", unit: answer.unit.name, to: &$0, page) },
          { percentage(statistics.managementIndicator, "gmi", to: &$0, page) },
        ])
      aside.write(page.words.page.separator)
      aside.write(
        words.variation,
        [{ percentage(statistics.variationPercent, "variation", to: &$0, page) }])
      // A sensor that was worn long ago says so.
      if last < page.period.last {
        aside.write(page.words.page.separator + page.dates.day(last))
      }
    } _: { markup in
      markup.element("div", ["class": "split"]) { markup in
        markup.element("div") { markup in
          chart.write(table, to: &markup, page)
          chart.key(to: &markup, words)
        }
        markup.element("div") { shares(to: &$0, page) }
      }
      markup.element("p", ["class": "caption"]) { markup in
        markup.write(
          words.captionOfHours,
          [
            { count(answer.summary.days, "days", to: &$0, page) }, { edge(1, to: &$0, page) },
            { edge(2, to: &$0, page) },
          ])
      }
      markup.table(table, page.words.table.numbers, of: words.title, page)
    }
  }

  /// An edge between ranges.
  private func edge(_ place: Int, to markup: inout Markup, _ page: Page) {
    guard let shown = form.shown(answer.edges[place]) else { return }
    AskedNumber(ask: ask, place: "edges[\(place)]", text: page.writer.text(shown, form))
      .write(to: &markup, "span")
  }

  /// The five shares of time, the highest range on top.
  private func shares(to markup: inout Markup, _ page: Page) {
    let words = page.words.glucose
    let ranges = answer.summary.rangesByTime
    let rows: [(place: String, share: Double, edges: [Int])] = [
      ("veryHigh", ranges.veryHigh, [3]), ("high", ranges.high, [2, 3]),
      ("inRange", ranges.inRange, [1, 2]), ("low", ranges.low, [0, 1]),
      ("veryLow", ranges.veryLow, [0]),
    ]
    markup.element("p", ["class": "small-head"], TextPattern.filled(words.shares, consensus(page)))
    markup.element("table", ["class": "data"]) { markup in
      markup.element("tbody") { markup in
        for row in rows {
          let pattern =
            row.edges.count == 2
            ? page.words.patterns.numberRange
            : row.place == "veryHigh" ? words.over : words.under
          markup.element("tr") { markup in
            markup.element("th", ["scope": "row"]) { markup in
              markup.write(
                pattern,
                row.edges.map { place -> (inout Markup) -> Void in { edge(place, to: &$0, page) } })
            }
            markup.bar(share: row.share)
            markup.element("td", ["class": "n"]) { markup in
              share(row.share, row.place, to: &markup, page)
            }
          }
        }
      }
    }
  }

  /// Whose edges they are, and which: those of the units in which readings were recorded.
  private func consensus(_ page: Page) -> String {
    let edges = answer.summary.units.map { recorded in
      let digits = recorded.unit.decimals
      let texts = recorded.unit.edges.map { edge in
        ScaledNumber.scaled(edge, digits: digits).map { page.writer.number($0, digits: digits) }
          ?? ""
      }
      return page.writer.withUnit(texts.joined(separator: " · "), recorded.unit.rawValue)
    }
    return "ADA, Battelino 2019: " + edges.joined(separator: "; ")
  }

  // MARK: - Single readings

  /// The means of days, their median, and why there are no shares of time.
  private func readings(to markup: inout Markup, _ page: inout Page) {
    let measure = answers.measure
    let table = page.table(of: answers)
    let page = page
    markup.card(measure.name, family: .food, isWide: true) { aside in
      median(to: &aside, page)
    } _: { markup in
      if let rows = readings?.rows {
        figure(Array(answers.values[rows]), rows, table, to: &markup, page)
      }
      markup.element("p", ["class": "caption"]) { markup in
        markup.write(
          page.words.glucose.tooFew,
          [
            { share(answer.summary.coverage, "coverage", to: &$0, page) },
            { count(answer.summary.days, "days", to: &$0, page) },
            { $0.write(percent(GlucoseReadings.neededCoverage, digits: 0, page)) },
            { $0.write(page.writer.number(GlucoseReadings.neededDays)) },
          ])
      }
      markup.table(table, page.words.table.days, of: measure.name, page)
    }
  }

  /// On how many of the drawn days there are readings, and the median of their means.
  private func median(to markup: inout Markup, _ page: Page) {
    guard let readings, let spread = readings.spread.spread,
      let shown = form.shown(spread[.median])
    else { return }
    let ask = readings.spread.ask
    let count = AskedNumber(
      ask: ask, place: "spread.count", text: page.writer.number(spread.count))
    let median = AskedNumber(
      ask: ask, place: "spread.median",
      text: page.writer.text(shown, form, unit: answers.measure.unit))
    markup.write(
      page.words.glucose.daysAndMedian,
      [
        { count.write(to: &$0, "span") },
        { $0.write(page.writer.number(readings.rows.count)) },
        { median.write(to: &$0, "span") },
      ])
  }

  private func share(
    _ value: Double, _ place: String, to markup: inout Markup, _ page: Page
  ) {
    AskedNumber(ask: ask, place: place, text: percent(value, digits: 1, page))
      .write(to: &markup, "span")
  }

  private func percent(_ share: Double, digits: Int, _ page: Page) -> String {
    ScaledNumber.scaled(share, digits: digits, percent: true)
      .map { page.writer.percent($0, digits: digits) } ?? ""
  }

  private func figure(
    _ values: [Int?], _ rows: Range<Int>, _ table: String, to markup: inout Markup, _ page: Page
  ) {
    let measure = answers.measure
    let known = values.compactMap { $0.map(Double.init) }
    let axis = Axis(
      (known.min() ?? 0)...(known.max() ?? 1), includesZero: false, endsAtTicks: false)
    var plot = Plot(height: page.height(190), top: Plot.unitRoom, range: axis.range)
    for tick in axis.ticks { plot.level("grid", tick) }
    let step = 1 / Double(max(1, values.count))
    for (row, value) in values.enumerated() {
      let x = (Double(row) + 0.5) * step
      if let value { plot.dot("m", x: x, Double(value), radius: 2.6) } else { plot.gap(x: x) }
    }
    if let first = rows.first.flatMap({ CivilDate(text: answers.days.starts[$0]) }) {
      plot.months(from: first, dayCount: values.count, page)
    }
    var figure = Figure(
      name: page.name(measure.name, page.words.figure.lastDays, values.count),
      description: answers.description(of: values, page), plot: plot)
    figure.label(axis, measure.form, unit: measure.unit, page)
    figure.rows = Figure.Rows(table: table, range: rows)
    figure.write(to: &markup, page)
    markup.key(
      [
        ({ $0.circle("m", x: 0.5, y: 7, radius: 2.6) }, page.words.explorer.meanOfDay),
        (Plot.gapOfKey, page.words.figure.noData),
      ], of: figure.plot)
  }
}
