import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics

/// The year: each day of twelve months, any measure by hour, day, week, month and year, and rings.
struct YearSection: PageSection {
  static let section = ReportSection.year

  let answers: [MeasureAnswers]
  /// The tables of the explorer of each measure.
  let explorer: [[(row: PageTable.Row, table: PageTable)]]
  let rings: RingCalendar?

  init?(
    _ answers: [MeasureAnswers], rings: RingCalendar?, _ reader: ReportReader
  ) throws(ReportError) {
    guard !answers.isEmpty else { return nil }
    (self.answers, self.rings) = (answers, rings)
    var explorer: [[(row: PageTable.Row, table: PageTable)]] = []
    for answer in answers { explorer.append(try reader.intervals(of: answer)) }
    self.explorer = explorer
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    for (answer, tables) in zip(answers, explorer) {
      var measure = PayloadMeasure(measure: answer.measure)
      // Days stand in the page for two years, longer intervals for the whole period.
      if answer.values.contains(where: { $0 != nil }) {
        measure.tables = [(.day, page.table(of: answer))]
      }
      for (row, table) in tables { measure.tables.append((row, page.payload.add(table))) }
      measure.typical = answer.band.map { [$0.low, $0.median, $0.high] }
      measure.fifths = answer.fifths
      page.payload.add(measure)
    }
    markup.element("div", ["class": "two"]) { markup in
      calendar(to: &markup, &page)
      explorer(to: &markup, &page)
      rings?.write(to: &markup, &page)
    }
  }

  // MARK: - The calendar

  private func calendar(to markup: inout Markup, _ page: inout Page) {
    guard let answer = answers.first(where: { $0.measure.id == "stepCount" }) ?? answers.first
    else { return }
    let words = page.words.year
    let measure = answer.measure
    let limits = answer.fifths ?? []
    let rows = answer.days.row(from: Self.firstOfMonths(page.period))..<answer.days.count
    let days = rows.compactMap { row -> (date: CivilDate, fifth: Int?)? in
      guard let date = CivilDate(text: answer.days.starts[row]) else { return nil }
      return (date, answer.values[row].map { value in limits.count { value >= $0 } })
    }
    let name = TextPattern.filled(words.calendar, measure.name)
    markup.element(
      "article",
      ["class": "card w2 calendar-card \(measure.family.style)", "data-measure": measure.id]
    ) { markup in
      markup.element("header", ["class": "card-top"]) { markup in
        markup.element("h3", [:], name)
        markup.element("div", ["class": "controls"], "")
        guard answers.count == 1, let (date, number) = answer.greatestDay(in: rows, page) else {
          return
        }
        let day = page.dates.day(date)
        markup.element("p", ["class": "aside"]) { markup in
          markup.write(words.most, [{ number.write(to: &$0, "span") }, { $0.write(day) }])
        }
      }
      let table = page.table(of: answer)
      markup.figure(
        TextPattern.filled(page.words.figure.calendarLabel, measure.name),
        Figure.Rows(table: table, range: rows, measure: page.explained(measure)),
        style: "calendar"
      ) { markup in
        CalendarFigure(
          days: days, firstRow: rows.lowerBound, firstWeekday: page.writer.language.firstWeekday
        ).write(to: &markup, page)
      }
      key(
        limits, measure, hasGaps: days.contains { $0.fifth == nil }, to: &markup, page)
      markup.table(table, page.words.table.days, of: name, page)
    }
  }

  /// The first day of the last twelve months.
  private static func firstOfMonths(_ period: ReportPeriod) -> CivilDate {
    let first = period.last.adding(months: -11)
    return CivilDate(year: first.year, month: first.month, day: 1)
  }

  private func key(
    _ limits: [Int], _ measure: ReportMeasure, hasGaps: Bool, to markup: inout Markup,
    _ page: Page
  ) {
    let words = page.words.year
    var items: [(mark: (inout Plot) -> Void, text: String)] = []
    if limits.count == 4 {
      for (fifth, side) in CalendarFigure.sides.enumerated()
      where CalendarFigure.isClass(fifth, limits, ofSum: measure.isSum) {
        let limit = page.writer.text(limits[max(0, fifth - 1)], measure.form)
        items.append(
          (
            { $0.square("o\(fifth + 1)", side: side) },
            TextPattern.filled(fifth == 0 ? words.under : words.from, limit)
          ))
      }
    }
    if hasGaps { items.append((Plot.gapOfKey, page.words.states.noData)) }
    markup.key(
      items,
      note: TextPattern.filled(
        words.weeksBegin, page.dates.weekday(page.writer.language.firstWeekday)))
  }

  // MARK: - The explorer

  /// The place of the explorer; without a script it holds the months as a table.
  private func explorer(to markup: inout Markup, _ page: inout Page) {
    guard
      let place = answers.indices.first(where: { answers[$0].measure.id == "stepCount" })
        ?? answers.indices.first
    else { return }
    let answer = answers[place]
    guard let months = explorer[place].first(where: { $0.row == .month })?.table else { return }
    let words = page.words.explorer
    let median = TextPattern.filled(words.medianOfYear, page.reader.ofLastYear)
    markup.element(
      "article",
      [
        "class": "card w2 explorer \(answer.measure.family.style)",
        "data-measure": answer.measure.id, "data-by": PageTable.Row.week.rawValue,
      ]
    ) { markup in
      markup.element("div", ["class": "controls"], "")
      markup.element("header", ["class": "card-top"]) { markup in
        markup.element("h3", [:], TextPattern.filled(words.byMonth, answer.measure.name))
        markup.element("p", ["class": "aside"], "")
      }
      markup.element("div", ["class": "place"]) { months.write(rows: 24, to: &$0, page) }
      markup.element("div", ["class": answer.measure.isSum ? "keys" : "keys long"]) { markup in
        let always: [(mark: (inout Plot) -> Void, text: String)] = [
          (Self.partial, page.words.figure.partial), (Plot.gapOfKey, page.words.figure.noData),
        ]
        markup.key(
          [({ $0.line("inkd", from: (0, 7), to: (1, 7)) }, median)] + always, form: "bars")
        markup.key(
          [
            (Self.mean, words.meanOfDay),
            (Self.half, words.middleHalfOfDays), (Self.range, words.leastToGreatestDay),
          ] + always, form: "sums")
        markup.key([(Self.mean, words.meanOfNight)] + always, form: "nights")
        markup.key(
          [
            (Self.range, words.leastToGreatest), (Self.half, words.middleHalf),
            (
              { plot in
                plot.rectangle("m", x: 0.3, width: 0.4, y: 0, height: 14, radius: 1.5)
                plot.circle("hole", x: 0.5, y: 7, radius: 1.7)
              }, words.mean
            ),
          ] + always, form: "ranges")
        markup.key([(Self.range, words.leastToGreatest)] + always, form: "dots")
      }
      markup.table(
        page.payload.add(months), page.words.table.numbers,
        of: TextPattern.filled(words.byMonth, answer.measure.name), page)
    }
  }

  private static func mean(_ plot: inout Plot) {
    plot.rectangle("pale", x: 0.07, width: 0.86, y: 3, height: 11)
    plot.line("inkl", from: (0.07, 3), to: (0.93, 3))
  }

  private static func half(_ plot: inout Plot) {
    plot.rectangle("m", x: 0.32, width: 0.36, y: 1, height: 12, radius: 1)
  }

  private static func partial(_ plot: inout Plot) {
    plot.rectangle("masked", x: 0.2, width: 0.6, y: 1, height: 12, radius: 1)
  }

  private static func range(_ plot: inout Plot) {
    plot.line("tl", from: (0.5, 0), to: (0.5, 14))
  }
}

extension ReportReader {
  /// The intervals of the explorer, other than days.
  fileprivate func intervals(
    of answer: MeasureAnswers
  ) throws(ReportError) -> [(row: PageTable.Row, table: PageTable)] {
    let measure = answer.measure
    var tables: [(row: PageTable.Row, table: PageTable)] = []
    if !measure.isOfNights && (measure.isSum || measure.isContinuous) {
      let statistics = MeasureAnswers.statistics(of: measure)
      let hours = try ask(
        measure, by: .hour, from: period.first(ofLast: ReportPeriod.hours)
      ) { $0.types[0].statistics = statistics }
      if hours.series.values.contains(where: { $0 != nil }) {
        tables.append((.hour, table(of: hours, measure, row: .hour)))
      }
    }
    for (interval, row) in [
      (CalendarInterval.Alignment.week, PageTable.Row.week), (.month, .month), (.year, .year),
    ] {
      let answer = try ask(measure, by: interval, from: period.first) { question in
        guard !measure.isOfNights else { return }
        question.average = measure.isSum ? .day : nil
        question.types[0].statistics =
          measure.isSum
          ? [.sum, .min] + ["25", "75"].compactMap { Percentile($0).map(Statistic.percentile) } + [
            .max
          ]
          : MeasureAnswers.statistics(of: measure)
      }
      tables.append((row, table(of: answer, measure, row: row)))
    }
    return tables
  }
}
