import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics

/// The heart: its rates by day, where measures go, and days that stand out.
struct HeartSection: PageSection {
  static let section = ReportSection.heart

  /// The rates of days; `nil` without any.
  let range: HeartRangeCard?
  /// The trends.
  let trends: [TrendCard]
  /// The days that stand out; `nil` where none could be judged.
  let unusual: UnusualDaysCard?

  /// The measures whose trends are shown.
  private static let trended = [
    "restingHeartRate", "heartRateVariabilitySDNN", "vo2Max", "walkingHeartRateAverage",
  ]

  /// Reads what is known of the heart; `nil` for nothing.
  init?(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    range = try answers.first { $0.measure.id == "heartRate" }
      .flatMap { answers throws(ReportError) in try HeartRangeCard(answers, reader) }
    var trends: [TrendCard] = []
    for id in Self.trended {
      guard let answers = answers.first(where: { $0.measure.id == id }),
        let card = try TrendCard(answers, reader)
      else { continue }
      trends.append(card)
    }
    self.trends = trends
    guard range != nil || !trends.isEmpty else { return nil }
    unusual = try UnusualDaysCard(answers.map(\.measure), reader)
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    markup.element("div", ["class": "two"]) { markup in
      range?.write(to: &markup, &page)
      for trend in trends { trend.write(to: &markup, &page) }
      // No card stands alone in half a row.
      unusual?.write(to: &markup, page, isWide: trends.count.isMultiple(of: 2))
    }
  }
}

/// From the least to the greatest heart rate of each day, with the middle half of its time and its mean.
struct HeartRangeCard {
  let answers: MeasureAnswers
  /// The days in the table of the measure.
  let rows: Range<Int>
  /// The last seven of them.
  let week: ReportReader.Answer

  /// How many days are shown.
  private static let days = 92
  /// From how many on their bars are thinner on a phone.
  private static let manyDays = 45

  /// The last days of a measure; `nil` for one alone, and without any.
  init?(_ answers: MeasureAnswers, _ reader: ReportReader) throws(ReportError) {
    guard let rows = answers.lastDays(Self.days), rows.count > 1,
      let week = answers.dates(of: max(rows.lowerBound, rows.upperBound - 7)..<rows.upperBound)
    else { return nil }
    (self.answers, self.rows) = (answers, rows)
    self.week = try reader.ask(answers.measure, from: week.first, to: week.end) { question in
      question.types[0].statistics = [.min, .mean, .max]
    }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    let (measure, words) = (answers.measure, page.words.heart)
    let id = page.table(of: answers)
    let shown = page
    markup.card(
      TextPattern.filled(words.range, measure.name, page.writer.number(rows.count)),
      family: measure.family, isWide: true
    ) { aside in
      summary(to: &aside, shown)
    } _: { markup in
      let figure = figure(id, page)
      figure.write(to: &markup, page)
      markup.key(
        [
          ({ $0.line("tl", from: (0.5, 0), to: (0.5, 14)) }, words.leastToGreatest),
          (Self.bar, words.middleHalfOfTime),
          (
            { plot in
              Self.bar(&plot)
              plot.circle("hole", x: 0.5, y: 7, radius: 1.7)
            }, words.mean
          ),
          (Plot.gapOfKey, page.words.figure.noData),
        ], of: figure.plot)
      markup.table(id, page.words.table.days, of: measure.name, page)
    }
  }

  private static func bar(_ plot: inout Plot) {
    plot.rectangle("m", x: 0.35, width: 0.3, y: 1, height: 12, radius: 1.5)
  }

  /// The range of the last seven days, and their mean.
  private func summary(to markup: inout Markup, _ page: Page) {
    guard case .quantity(let answer) = week.column.answer else { return }
    let (measure, ask) = (answers.measure, week.ask)
    func number(_ statistic: Statistic) -> AskedNumber? {
      guard answer.intervals.hasData.first == true,
        let value = answer.intervals.values(of: statistic).first,
        let shown = measure.form.shown(value)
      else { return nil }
      return AskedNumber(
        ask: ask, place: "intervals[0].\(statistic.rawValue)",
        text: page.writer.text(shown, measure.form))
    }
    guard let least = number(.min), let greatest = number(.max),
      let mean = answers.mean(page) ?? number(.mean)
    else { return }
    let range = page.words.patterns.numberRange
    markup.write(
      page.words.heart.lastSevenDays,
      [
        {
          $0.write(range, [{ least.write(to: &$0, "span") }, { greatest.write(to: &$0, "span") }])
        },
        { $0.write(measure.unit) }, { mean.write(to: &$0, "span") },
      ])
  }

  /// The drawing, whose table has an id.
  func figure(_ id: String, _ page: Page) -> Figure {
    func column(_ stats: String...) -> [Int?] {
      let found = answers.days.columns.first { stats.contains($0.stat) }
      return rows.map { found?.values[$0] }
    }
    let (least, greatest, mean) = (column("min"), column("max"), column("mean"))
    let (low, high) = (column("timeP25", "p25"), column("timeP75", "p75"))
    let ends = (least + greatest + mean).compactMap { $0.map(Double.init) }
    let axis = Axis((ends.min() ?? 0)...(ends.max() ?? 1), includesZero: false, endsAtTicks: false)
    var plot = Plot(height: page.height(240), top: Plot.unitRoom, range: axis.range)
    for tick in axis.ticks { plot.level("grid", tick) }
    let step = 1 / Double(max(1, rows.count))
    let width = Plot.barWidth(of: rows.count, share: 0.6)
    for row in mean.indices {
      let x = (Double(row) + 0.5) * step
      guard let middle = mean[row] else {
        plot.gap(x: x)
        continue
      }
      if let least = least[row], let greatest = greatest[row] {
        plot.stroke("tl", x: x, from: Double(least), to: Double(greatest))
      }
      var isInBar = false
      if let low = low[row], let high = high[row], low < high {
        plot.bar(
          "m", x: x - width / 2, width: width, from: Double(low), to: Double(high), radius: 1.5)
        let (top, y, bottom) = (
          plot.y(Double(high)), plot.y(Double(middle)), plot.y(Double(low))
        )
        isInBar = top + 2 <= y && y + 2 <= bottom
      }
      // A hole can be seen in a bar alone.
      plot.dot(isInBar ? "hole" : "m", x: x, Double(middle), radius: isInBar ? 1.7 : 2.6)
    }
    plot.months(rows.compactMap { CivilDate(text: answers.days.starts[$0]) }, page.dates)
    var figure = Figure(
      name: page.name(answers.measure.name, page.words.figure.lastDays, rows.count),
      description: answers.description(of: mean, page), plot: plot,
      style: rows.count > Self.manyDays ? "dense" : nil)
    figure.label(axis, answers.measure.form, unit: answers.measure.unit, page)
    figure.rows = Figure.Rows(
      table: id, range: rows, columns: Array(answers.days.columns.indices))
    return figure
  }
}
