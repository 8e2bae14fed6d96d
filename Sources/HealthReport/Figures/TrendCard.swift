import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics

/// Two years of a measure by week, the typical range, and the straight line through the weeks of the last
/// year.
struct TrendCard {
  let answers: MeasureAnswers
  /// The weeks.
  let weeks: PageTable
  /// The middle of each week.
  let middles: [Double]
  /// The line of the last year; `nil` with too few weeks.
  let trend: YearTrend?

  /// How many weeks a card needs.
  private static let leastWeeks = 3

  /// The weeks of a measure; `nil` for too few.
  init?(_ answers: MeasureAnswers, _ reader: ReportReader) throws(ReportError) {
    let (measure, period) = (answers.measure, reader.period)
    let end = period.endOfWholeDays
    // What began within these years has no weeks before.
    guard
      let begin = answers.values.firstIndex(where: { $0 != nil })
        .flatMap({ CivilDate(text: answers.days.starts[$0]) })
    else { return nil }
    let years = period.first(ofLast: ReportPeriod.days)
    let first = years < begin ? begin : years
    guard first < end else { return nil }
    let answer = try reader.ask(measure, by: .week, from: first, to: end) { question in
      question.average = measure.isSum ? .day : nil
      if measure.isOfNights {
        // Without a part all numbers of nights are answered.
        question.types[0].part = NightPart.asleep.rawValue
      } else {
        question.types[0].statistics = [measure.isSum ? .sum : .mean]
      }
    }
    let series = answer.series
    let form = Self.form(of: measure)
    let values = series.values.map(form.shown)
    guard values.count(where: { $0 != nil }) >= Self.leastWeeks else { return nil }
    self.answers = answers
    let stat = measure.isSum ? "perDay" : measure.isOfNights ? "value" : Statistic.mean.rawValue
    weeks = PageTable(
      ask: answer.ask, row: .week, head: reader.words.table.name(of: .week),
      starts: series.starts.map { reader.date($0).text },
      columns: [
        PageTable.Column(
          stat: stat, name: reader.words.table.name(of: stat), unit: measure.unit, form: form,
          values: values)
      ])
    middles = series.starts.indices.map { series.middle($0) }
    trend = try YearTrend(measure, reader)
  }

  /// Means of weeks have a digit more than the days of a level.
  private static func form(of measure: ReportMeasure) -> PageTable.Form {
    guard !measure.isSum else { return measure.form }
    return switch measure.form {
    case .number(let digits): .number(digits + 1)
    case .percent(let digits): .percent(digits + 1)
    case .duration, .clock: measure.form
    }
  }

  // MARK: - Writing

  func write(to markup: inout Markup, _ page: inout Page) {
    let (measure, words) = (answers.measure, page.words)
    let id = page.payload.add(weeks)
    let shown = page
    markup.card(measure.name, family: measure.family) { aside in
      slope(to: &aside, shown)
    } _: { markup in
      let figure = figure(id, page)
      figure.write(to: &markup, page)
      markup.key(
        [
          (
            { plot in
              plot.line("tl", from: (0, 7), to: (1, 7))
              plot.circle("m", x: 0.5, y: 7, radius: 2.4)
            }, words.heart.keyWeek
          ),
          ({ $0.rectangle("band", x: 0, width: 1, y: 2, height: 10) }, words.heart.keyTypical),
          (
            { plot in
              plot.rectangle("fan", x: 0, width: 1, y: 4, height: 6)
              plot.line("inkl", from: (0, 7), to: (1, 7))
            }, TextPattern.filled(words.heart.keyTrend, page.reader.ofLastYear)
          ),
          (Plot.gapOfKey, words.figure.noData),
        ], of: figure.plot)
      markup.table(id, words.table.weeks, of: measure.name, page)
    }
  }

  /// The slope a year with its interval, or that there is no clear trend.
  private func slope(to markup: inout Markup, _ page: Page) {
    guard let slope = trend?.slope(page, hasUnit: true) else { return }
    let words = page.words.heart
    let numbers = slope.isClear ? [slope.value, slope.low, slope.high] : [slope.low, slope.high]
    let form = trend?.isOfPercentages == true ? "percent" : nil
    markup.element("span", ["data-form": form]) { markup in
      markup.write(
        slope.isClear ? words.trend : words.noTrendInterval,
        numbers.map { number in { number.write(to: &$0, "span") } })
    }
  }

  // MARK: - Drawing

  private func figure(_ id: String, _ page: Page) -> Figure {
    let measure = answers.measure
    let (form, values) = (weeks.columns[0].form, weeks.columns[0].values)
    let known = values.compactMap { $0 }
    let range = band(form)
    var ends = known.map(Double.init) + (range.map { [$0.low, $0.high] } ?? [])
    if let line = trend?.line {
      for middle in middles where line.span.contains(middle) {
        guard let (low, high) = line.fan(at: middle) else { continue }
        ends += [form.scaled(low), form.scaled(high)].filter(\.isFinite)
      }
    }
    let axis = Axis((ends.min() ?? 0)...(ends.max() ?? 1), includesZero: false, endsAtTicks: false)
    var plot = Plot(height: page.height(210), top: Plot.unitRoom, range: axis.range)
    for tick in axis.ticks { plot.level("grid", tick) }
    if let range { plot.band(range.low, range.high) }
    draw(values, in: &plot)
    draw(form, in: &plot)
    plot.months(weeks.starts.compactMap { CivilDate(text: $0) }, page.dates)
    func text(_ value: Int) -> String { page.writer.text(value, form, unit: measure.unit) }
    let (least, greatest) = (text(known.min() ?? 0), text(known.max() ?? 0))
    let median = form.shown(answers.typical?.range.median)
    var figure = Figure(
      name: page.name(measure.name, page.words.figure.lastWeeks, weeks.count),
      description: median.map {
        TextPattern.filled(
          page.words.figure.description, least, greatest, text($0), text(known.last ?? 0))
      } ?? TextPattern.filled(page.words.figure.from, least, greatest),
      plot: plot)
    figure.label(axis, form, unit: measure.unit, page)
    figure.rows = Figure.Rows(table: id, range: 0..<weeks.count)
    return figure
  }

  /// The typical range, in the digits that are shown.
  private func band(_ form: PageTable.Form) -> (low: Double, high: Double)? {
    guard let range = answers.typical?.range, let low = form.shown(range.low),
      let high = form.shown(range.high)
    else { return nil }
    return (Double(low), Double(high))
  }

  /// The weeks as dots, joined by a thin line that ends at gaps.
  private func draw(_ values: [Int?], in plot: inout Plot) {
    plot.path(
      "tl", values.indices.map { row in values[row].map { (x(row), plot.y(Double($0))) } })
    for row in values.indices {
      if let value = values[row] {
        plot.dot("m", x: x(row), Double(value), radius: 1.7)
      } else {
        plot.gap(x: x(row))
      }
    }
  }

  /// The line of the last year within its fan, as far as the plot reaches.
  private func draw(_ form: PageTable.Form, in plot: inout Plot) {
    guard let line = trend?.line else { return }
    let rows = middles.indices.filter { line.span.contains(middles[$0]) }
    guard rows.count > 1 else { return }
    let area = plot.range
    func inside(_ value: Double) -> Double {
      let number = form.scaled(value)
      return number.isNaN
        ? area.lowerBound : min(max(number, area.lowerBound), area.upperBound)
    }
    plot.ribbon(
      "fan",
      rows.compactMap { row in
        line.fan(at: middles[row]).map { (x(row), inside($0.low), inside($0.high)) }
      })
    plot.path("inkl", rows.map { (x($0), plot.y(inside(line.value(at: middles[$0])))) })
  }

  private func x(_ row: Int) -> Double { (Double(row) + 0.5) / Double(weeks.count) }
}
