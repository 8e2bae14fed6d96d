import HealthAnalysis
import HealthQuery
import HealthSamples

/// Glucose by the time of day of a sensor; of single readings the means of days, and why no shares of
/// time are given.
struct GlucoseCard {
  private let answers: MeasureAnswers
  private let ask: Ask
  private let answer: GlucoseAnswer
  private let last: CivilDate

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
      try reader.analyse(
        .glucose(GlucoseParameters()), of: [found.measure.question], from: first, to: end,
        command: ["glucose"], ["unit": unit])
    }
    guard let result, case .glucose(let glucose) = result.answer.findings else { return nil }
    (self.answers, self.last) = (found, last)
    (ask, answer) = (result.ask, glucose)
  }

  private var form: PageTable.Form { answers.measure.form }

  /// Whether the readings are as many as shares of time need.
  private var isOfSensor: Bool { answer.report.targets != nil }

  private static let height = 230.0
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
    let statistics = answer.report.statistics
    let table = page.payload.add(profile(page))
    markup.card(words.title, family: .food, isWide: true) { aside in
      aside.write(
        words.summary,
        [
          { count(answer.report.days, "days", to: &$0, page) },
          { count(statistics.count, "count", to: &$0, page) },
          { number(statistics.mean, "mean", unit: answers.measure.unit, to: &$0, page) },
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
          chart(table, to: &markup, page)
          key(to: &markup, words)
        }
        markup.element("div") { shares(to: &$0, page) }
      }
      markup.element("p", ["class": "caption"]) { markup in
        markup.write(
          words.captionOfHours,
          [
            { count(answer.report.days, "days", to: &$0, page) }, { edge(1, to: &$0, page) },
            { edge(2, to: &$0, page) },
          ])
      }
      markup.table(table, page.words.table.numbers)
    }
  }

  /// An edge between ranges.
  private func edge(_ place: Int, to markup: inout Markup, _ page: Page) {
    number(GlucoseRanges.edges[place], "edges[\(place)]", to: &markup, page)
  }

  private static let percentiles:
    [(stat: String, value: @Sendable (GlucoseProfile.Hour) -> Double)] = [
      ("p5", { $0.fifthPercentile }), ("p25", { $0.lowerQuartile }), ("median", { $0.median }),
      ("p75", { $0.upperQuartile }), ("p95", { $0.ninetyFifthPercentile }),
    ]

  /// The hours as a table.
  private func profile(_ page: Page) -> PageTable {
    let hours = answer.profile.hours
    var ask = ask
    ask.add(flag: "profile")
    let names = page.words.table
    let heads = [
      page.writer.percent(5), names.lowerQuarter, names.median, names.upperQuarter,
      page.writer.percent(95),
    ]
    var table = PageTable(
      ask: ask, row: .row, head: names.hour,
      starts: hours.map { page.dates.clock(minutes: $0.hour * 60) },
      columns: zip(Self.percentiles, heads).map { percentile, head in
        PageTable.Column(
          stat: percentile.stat, name: head, unit: answers.measure.unit, form: form,
          values: hours.map { form.shown(answer.shown(percentile.value($0))) })
      })
    table.places = hours.map { ($0.hour * 1000 + 500) / 24 }
    return table
  }

  private func chart(_ table: String, to markup: inout Markup, _ page: Page) {
    let words = page.words
    let hours = answer.profile.hours
    let courses = Self.percentiles.map { percentile in
      hours.map { form.shown(answer.shown(percentile.value($0))).map(Double.init) ?? 0 }
    }
    let edges = [1, 2].map { place in
      form.shown(answer.shown(GlucoseRanges.edges[place])).map(Double.init) ?? 0
    }
    let all = courses.flatMap { $0 } + edges
    let axis = Axis(
      (all.min() ?? 0)...(all.max() ?? 1), includesZero: false, endsAtTicks: false)
    var plot = Plot(height: Self.height, range: axis.range)
    plot.bar("rangetint", x: 0, width: 1, from: edges[0], to: edges[1])
    for tick in axis.ticks { plot.level("grid", tick) }
    for run in runs {
      func course(_ place: Int) -> [(x: Double, value: Double)] {
        Self.course(courses[place], of: run, hours: hours.map(\.hour))
      }
      for (name, low, high) in [("band", 0, 4), ("pale", 1, 3)] {
        plot.ribbon(name, zip(course(low), course(high)).map { ($0.x, $0.value, $1.value) })
      }
      plot.path("ml", course(2).map { ($0.x, plot.y($0.value)) })
    }
    for edge in edges { plot.level("guide", edge) }
    for hour in [0, 6, 12, 18, 24] {
      let style = hour == 0 ? "t" : hour == 24 ? "t end" : hour == 12 ? "t mid" : "t mid t2"
      plot.label(
        style, x: Double(hour) / 24, y: Self.height - 6, page.dates.clock(minutes: hour * 60))
    }
    func text(_ shown: Double, unit: String = "") -> String {
      Int(exactly: shown).map { page.writer.text($0, form, unit: unit) } ?? ""
    }
    let medians = courses[2]
    var figure = Figure(
      name: words.glucose.title,
      description: TextPattern.filled(
        words.figure.median,
        TextPattern.filled(
          words.figure.from, text(medians.min() ?? 0),
          text(medians.max() ?? 0, unit: answers.measure.unit))), plot: plot)
    let marks = edges.map { (y: plot.y($0), text: text($0), isMarked: true) }
    figure.axis =
      marks
      + axis.ticks.map {
        (y: plot.y($0), text: page.writer.label($0, axis, form), isMarked: false)
      }.filter { tick in !marks.contains { abs($0.y - tick.y) < 13 } }
    figure.rows = Figure.Rows(table: table, range: 0..<hours.count, columns: [2, 1, 3, 0, 4])
    figure.write(to: &markup, page)
  }

  /// The places of hours that follow one another.
  private var runs: [Range<Int>] {
    let hours = answer.profile.hours.map(\.hour)
    var runs: [Range<Int>] = []
    for place in hours.indices {
      if let last = runs.last, place > 0, hours[place] == hours[place - 1] + 1 {
        runs[runs.count - 1] = last.lowerBound..<place + 1
      } else {
        runs.append(place..<place + 1)
      }
    }
    return runs
  }

  /// The points of a run: in the middle of each hour, and level to the ends of the first and the last.
  private static func course(
    _ values: [Double], of run: Range<Int>, hours: [Int]
  ) -> [(x: Double, value: Double)] {
    let middles = run.map { (x: (Double(hours[$0]) + 0.5) / 24, value: values[$0]) }
    guard let first = middles.first, let last = middles.last else { return [] }
    return [(first.x - 0.5 / 24, first.value)] + middles + [(last.x + 0.5 / 24, last.value)]
  }

  private func key(to markup: inout Markup, _ words: Words.Glucose) {
    markup.key([
      ({ $0.rectangle("band", x: 0, width: 1, y: 2, height: 10, radius: 2) }, words.keyNineOfTen),
      ({ $0.rectangle("pale", x: 0, width: 1, y: 2, height: 10, radius: 2) }, words.keyMiddleHalf),
      ({ $0.line("ml", from: (0, 7), to: (1, 7)) }, words.keyMedian),
    ])
  }

  /// The five shares of time, the highest range on top.
  private func shares(to markup: inout Markup, _ page: Page) {
    let words = page.words.glucose
    let ranges = answer.report.rangesByTime
    let rows: [(place: String, share: Double, edges: [Int])] = [
      ("veryHigh", ranges.veryHigh, [3]), ("high", ranges.high, [2, 3]),
      ("inRange", ranges.inRange, [1, 2]), ("low", ranges.low, [0, 1]),
      ("veryLow", ranges.veryLow, [0]),
    ]
    markup.element("p", ["class": "small-head"], TextPattern.filled(words.shares, Self.consensus))
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

  /// Whose edges they are.
  private static let consensus = "ADA, Battelino 2019"

  // MARK: - Single readings

  /// The means of days, and why there are no shares of time.
  private func readings(to markup: inout Markup, _ page: inout Page) {
    let measure = answers.measure
    let table = page.table(of: answers)
    let count = min(Self.days, answers.days.count)
    let rows = answers.days.count - count..<answers.days.count
    let values = Array(answers.values[rows])
    markup.card(measure.name, family: .food, isWide: true) { markup in
      if values.contains(where: { $0 != nil }) {
        figure(values, rows, table, to: &markup, page)
      }
      markup.element("p", ["class": "caption"]) { markup in
        markup.write(
          page.words.glucose.tooFew,
          [
            { share(answer.report.coverage, "coverage", to: &$0, page) },
            { self.count(answer.report.days, "days", to: &$0, page) },
            { $0.write(percent(GlucoseReadings.neededCoverage, digits: 0, page)) },
            { $0.write(page.writer.number(GlucoseReadings.neededDays)) },
          ])
      }
      markup.table(table, page.words.table.days)
    }
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
    var plot = Plot(height: 190, range: axis.range)
    for tick in axis.ticks { plot.level("grid", tick) }
    let step = 1 / Double(max(1, values.count))
    for (row, value) in values.enumerated() {
      let x = (Double(row) + 0.5) * step
      if let value { plot.dot("m", x: x, Double(value), radius: 2.6) } else { plot.gap(x: x) }
    }
    plot.months(
      from: page.period.end.adding(days: -values.count), dayCount: values.count, page)
    var figure = Figure(
      name: "\(measure.name), "
        + TextPattern.filled(page.words.figure.lastDays, page.writer.number(values.count)),
      description: answers.description(of: values, page), plot: plot)
    figure.axis = axis.ticks.map {
      (y: plot.y($0), text: page.writer.label($0, axis, measure.form), isMarked: false)
    }
    figure.rows = Figure.Rows(table: table, range: rows)
    figure.write(to: &markup, page)
  }
}
