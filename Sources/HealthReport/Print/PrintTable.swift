import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics

/// The measures of the first sheet: the last 28 days, the same a year ago, and the year.
struct PrintTable {
  private let rows: [Row]

  /// A measure with its numbers.
  private struct Row {
    let answers: MeasureAnswers
    /// The days of the last 28.
    let now: ReportReader.Answer
    /// The same days a year before; `nil` where there are none, or too few to be compared.
    let before: ReportReader.Answer?
    let trend: YearTrend?
  }

  /// How many measures there are at most.
  private static let most = 16
  /// With fewer days percentiles say little.
  private static let fewDays = 10

  /// The measures that a doctor looks for first.
  private static let order = [
    "bloodPressureSystolic", "bloodPressureDiastolic", "restingHeartRate",
    "heartRateVariabilitySDNN", "oxygenSaturation", "respiratoryRate",
    "appleSleepingWristTemperature", "bodyTemperature", "bodyMass", "bodyFatPercentage",
    "bloodGlucose", "sleep", "stepCount", "appleExerciseTime", "vo2Max", "walkingSpeed",
    "dietaryEnergyConsumed",
  ]

  /// The measures with data in the last 28 days; `nil` for none.
  init?(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    let period = reader.period
    let (first, end) = period.month
    guard first < end else { return nil }
    var rows: [Row] = []
    for answer in Self.ranked(answers, from: first, to: end).prefix(Self.most) {
      func ask(
        _ days: (first: CivilDate, end: CivilDate)
      ) throws(ReportError) -> ReportReader.Answer {
        try reader.ask(answer.measure, by: .day, from: days.first, to: days.end) { question in
          question.derivation = .spread
        }
      }
      var before: ReportReader.Answer?
      let now = try ask((first, end))
      // All its days may be left out.
      guard let spread = now.spread, spread.count > 0 else { continue }
      if let days = period.monthBefore {
        let asked = try ask(days)
        let countBefore = asked.spread?.count ?? 0
        if MeasureAnswers.isComparable(spread.count, countBefore) { before = asked }
      }
      rows.append(
        Row(
          answers: answer, now: now, before: before,
          trend: try YearTrend(answer.measure, reader)))
    }
    guard !rows.isEmpty else { return nil }
    self.rows = rows
  }

  /// The measures that have data in some days: those that are looked for first, then those with most.
  private static func ranked(
    _ answers: [MeasureAnswers], from first: CivilDate, to end: CivilDate
  ) -> [MeasureAnswers] {
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    let counted = answers.map { answer in
      let count = zip(answer.days.starts, answer.values).count { start, value in
        guard value != nil, let date = CivilDate(text: start) else { return false }
        return !(date < first) && date < end
      }
      return (answer: answer, count: count, place: places[answer.measure.id] ?? .max)
    }
    return counted.enumerated().filter { $0.element.count > 0 }
      .sorted { left, right in
        let (one, other) = (left.element, right.element)
        guard one.place == other.place else { return one.place < other.place }
        guard one.count == other.count else { return one.count > other.count }
        return left.offset < right.offset
      }.map(\.element.answer)
  }

  // MARK: - Writing

  /// How many rows fit a height, and how high they are with what stands around them.
  func rows(in height: Double, _ page: Page) -> (count: Int, height: Double) {
    let lines = SheetSpace.lines(caption(page), in: SheetSpace.width, size: 10)
    let around = 62 + Double(lines) * SheetSpace.line
    let heights = rows.map { row in
      SheetSpace.row(("\(row.answers.measure.name) \(unit(row, page))", Self.nameWidth))
    }
    let count = SheetSpace.count(of: heights, in: height - around)
    return (count, around + heights.prefix(count).reduce(0, +))
  }

  /// The width of a name, as the style has it.
  private static let nameWidth = 150.0

  private func caption(_ page: Page) -> String {
    let begins = rows.contains { row in row.now.column.leftOut.contains { $0.lack == .dataBegin } }
    return [
      page.words.print.caption, begins ? page.words.overview.captionFirstDay : nil, page.leftOut,
    ].compactMap(\.self)
      .joined(separator: page.words.phrases.space)
  }

  func write(rows count: Int, to markup: inout Markup, _ page: Page) {
    let words = page.words.print
    markup.element("h2", [:], words.table)
    markup.element("table", ["class": "measures"]) { markup in
      markup.element("thead") { markup in
        markup.element("tr") { head(to: &$0, words) }
      }
      markup.element("tbody") { markup in
        for row in rows.prefix(count) { write(row, to: &markup, page) }
      }
    }
    markup.caption(caption(page))
  }

  private func head(to markup: inout Markup, _ words: Words.Print) {
    markup.element("th", ["scope": "col"], words.measure)
    for name in [words.median, words.range, words.days, words.yearAgo] {
      markup.element("th", ["class": "n", "scope": "col"], name)
    }
    markup.element("th", ["class": "n trend", "scope": "col"]) { markup in
      markup.write("\(words.trend) ")
      markup.element("small", [:], words.trendInterval)
    }
    markup.element("th", ["class": "spark", "scope": "col"], words.weeks)
  }

  private func write(_ row: Row, to markup: inout Markup, _ page: Page) {
    let measure = row.answers.measure
    var form: String?
    if case .percent = measure.form { form = "percent" }
    let attributes: Markup.Attributes = [
      "class": measure.family.style, "data-measure": measure.id, "data-form": form,
    ]
    markup.element("tr", attributes) { markup in
      markup.element("th", ["scope": "row"]) { markup in
        markup.write("\(SoftHyphens.text(measure.name)) ")
        markup.element("small", [:], unit(row, page))
      }
      markup.element("td", ["class": "n"]) { markup in
        number(.median, row.now, measure, page)?.write(to: &markup)
      }
      markup.element("td", ["class": "n"]) { range(row, to: &$0, page) }
      markup.element("td", ["class": "n"]) { markup in
        guard case .spread(let spread)? = row.now.column.derived else { return }
        AskedNumber(
          ask: row.now.ask, place: "spread.count", text: page.writer.number(spread.count)
        ).write(to: &markup, "span")
      }
      markup.element("td", ["class": "n"]) { markup in
        guard let number = row.before.flatMap({ number(.median, $0, measure, page) }) else {
          return markup.write(Self.none)
        }
        number.write(to: &markup, "span")
      }
      markup.element("td", ["class": "n trend"]) { trend(row, to: &$0, page) }
      markup.element("td", ["class": "spark"]) { markup in
        row.answers.typical?.sparkline.write(height: 15, to: &markup)
      }
    }
  }

  private static let none = "–"

  /// The unit of the median, which the numbers of the row have.
  private func unit(_ row: Row, _ page: Page) -> String {
    let measure = row.answers.measure
    guard case .spread(let spread)? = row.now.column.derived,
      let shown = measure.form.shown(spread[.median])
    else { return measure.unit }
    return page.writer.unitOfMean(shown, of: measure.measure, in: measure.unitName)
  }

  /// The 5th and the 95th percentile of the days, of few days the least and the greatest.
  private func range(_ row: Row, to markup: inout Markup, _ page: Page) {
    guard case .spread(let spread)? = row.now.column.derived else { return }
    let percentiles = [5, 95].compactMap { Percentile($0) }.map(Statistic.percentile)
    let ends = spread.count < Self.fewDays ? [.min, .max] : percentiles
    let numbers = ends.compactMap { number($0, row.now, row.answers.measure, page) }
    guard numbers.count == 2 else { return }
    markup.element("span", ["dir": "ltr"]) { markup in
      markup.write(
        page.words.patterns.numberRange,
        numbers.map { number in { number.write(to: &$0, "span") } })
    }
  }

  /// The slope a year, and its interval in small print.
  private func trend(_ row: Row, to markup: inout Markup, _ page: Page) {
    guard let slope = row.trend?.slope(page, hasUnit: false) else {
      return markup.write(Self.none)
    }
    markup.element("span", ["dir": "ltr"]) { markup in
      markup.write(
        page.words.phrases.item,
        [
          { slope.value.write(to: &$0, "span") },
          { markup in
            markup.element("small") { markup in
              markup.write(
                page.words.figure.from,
                [
                  { slope.low.write(to: &$0, "span") }, { slope.high.write(to: &$0, "span") },
                ])
            }
          },
        ])
    }
  }

  /// A number of days, without the sign of percent, which stands beside the name.
  private func number(
    _ statistic: Statistic, _ answer: ReportReader.Answer, _ measure: ReportMeasure, _ page: Page
  ) -> AskedNumber? {
    guard case .spread(let spread)? = answer.column.derived,
      let shown = measure.form.shown(spread[statistic])
    else { return nil }
    let text =
      if case .percent(let digits) = measure.form {
        page.writer.number(shown, digits: digits)
      } else {
        page.writer.text(shown, measure.form)
      }
    return AskedNumber(ask: answer.ask, place: "spread.\(statistic.rawValue)", text: text)
  }
}
