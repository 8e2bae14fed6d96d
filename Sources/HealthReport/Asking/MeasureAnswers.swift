import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics

/// What the page knows of one measure: its days, how they are distributed, and its last week among
/// the weeks of a year.
struct MeasureAnswers {
  let measure: ReportMeasure
  /// The days of two years.
  let days: PageTable
  /// How the days of the last year are distributed.
  let spread: ReportReader.Answer
  /// The last seven days among those of a year; `nil` with too few weeks, and where too few of the days
  /// have a number.
  let typical: TypicalAnswer?
  /// How the last seven days are distributed, where ``typical`` is not known.
  let week: ReportReader.Answer?
  /// Where ``typical`` stands in the answer of all measures.
  let typicalAsk: Ask
  /// This year up to the last day that counts, and the last one up to the same day.
  let year: ReportReader.Answer
  /// The period of the report.
  let period: ReportPeriod

  /// What a plan asks for a day: the sum, or the mean and what it is between.
  static func statistics(of measure: ReportMeasure) -> [Statistic]? {
    guard !measure.isOfNights else { return nil }
    guard !measure.isSum else { return [.sum] }
    let quartiles = ["25", "75"].compactMap { Percentile($0) }
    let isWeighted = measure.type.style?.meanMethod == .temporallyWeighted
    let parts = quartiles.map {
      isWeighted ? Statistic.timePercentile($0) : Statistic.percentile($0)
    }
    return [.mean, .min] + parts + [.max]
  }

  /// The numbers of a column of days, as shown.
  var values: [Int?] { days.columns.first?.values ?? [] }
}

extension ReportReader {
  /// Reads all measures, each with the decimals that its days need.
  ///
  /// A measure is left out where no number of its days can be shown, as for 1e308 steps a day.
  func answers() throws(ReportError) -> [MeasureAnswers] {
    guard !measures.isEmpty else { return [] }
    let week = period.week
    let (ask, results) = try results(
      .typical(TypicalParameters()), of: measures.map(\.question), to: week.end)
    guard case .typical(let typical) = results else { return [] }
    var answers: [MeasureAnswers] = []
    for (measure, result) in zip(measures, typical) {
      let statistics = MeasureAnswers.statistics(of: measure)
      let days = try self.ask(
        measure, by: .day, from: period.first(ofLast: ReportPeriod.days)
      ) { $0.types[0].statistics = statistics }
      let values = days.series.values
      let measure = measure.showing(values)
      let shown = table(of: days, measure, row: .day)
      guard shown.hasNumbers || values.allSatisfy({ $0 == nil }) else { continue }
      let spread = try self.ask(
        measure, by: .day, from: period.first(ofLast: ReportPeriod.year)
      ) { $0.derivation = .spread }
      let january = CivilDate(year: period.lastWhole.year, month: 1, day: 1)
      let year = try self.ask(measure, by: .year, from: january, to: week.end) { question in
        question.derivation = .compared(.year)
        question.average = measure.isSum ? .day : nil
        question.clips = true
      }
      // What ended earlier says nothing of the week that is shown.
      let typical = (try? result.get()).flatMap { typical in
        let last = date(typical.subject.series.starts[typical.rows.upperBound - 1])
        return last == period.lastWhole && typical.isShown(measure.form) ? typical : nil
      }
      var spreadOfWeek: Answer?
      if typical == nil {
        spreadOfWeek = try self.ask(
          measure, by: .day, from: week.first, to: week.end
        ) { $0.derivation = .spread }
      }
      answers.append(
        MeasureAnswers(
          measure: measure, days: shown, spread: spread, typical: typical,
          week: spreadOfWeek, typicalAsk: ask, year: year, period: period))
    }
    return answers
  }

  /// The table of an answer whose rows are intervals.
  func table(of answer: Answer, _ measure: ReportMeasure, row: PageTable.Row) -> PageTable {
    let series = answer.series
    var columns: [PageTable.Column] = []
    func add(_ stat: String, _ values: [Double?]) {
      columns.append(
        PageTable.Column(
          stat: stat, name: words.table.name(of: stat), unit: measure.unit,
          form: measure.form, values: values.map(measure.form.shown)))
    }
    switch answer.column.answer {
    case .quantity(let quantity):
      if let averages = quantity.averages {
        add("perDay", averages.averages)
        for spread in averages.spread {
          add(averages.name(of: spread), spread.values)
        }
      } else {
        for statistic in quantity.statistics where statistic != .count {
          add(statistic.rawValue, quantity.intervals.values(of: statistic))
        }
      }
    case .category, .nights: add("value", series.values)
    }
    var table = PageTable(
      ask: answer.ask, row: row, head: words.table.name(of: row),
      starts: series.starts.map { start in
        row == .hour ? LocalTime(start, in: zones).isoText : date(start).text
      }, columns: columns)
    if row == .hour { table.offsets = offsets(of: series.starts) }
    if row == .day { table.notes = notes(of: series) }
    return table
  }

  private func offsets(of starts: [Double]) -> [(row: Int, seconds: Int)] {
    var offsets: [(row: Int, seconds: Int)] = []
    for (row, start) in starts.enumerated() {
      let offset = LocalTime(start, in: zones).offset
      if offsets.last?.seconds != offset { offsets.append((row, offset)) }
    }
    return offsets
  }

  /// Days that are longer or shorter than others, and days in another zone than the one before.
  private func notes(of series: IntervalSeries) -> [Int: String] {
    var notes: [Int: String] = [:]
    var zone = series.starts.first.map(zones.zone(at:))
    for row in 0..<series.count {
      var parts: [String] = []
      let hours = (series.ends[row] - series.starts[row]) / 3600
      if hours != 24, let shown = ScaledNumber.scaled(hours, digits: 0) {
        parts.append(TextPattern.filled(words.figure.hours, writer.number(shown)))
      }
      let here = zones.zone(at: series.ends[row].nextDown)
      if here != zone {
        parts.append(TextPattern.filled(words.figure.zone, here.name))
        zone = here
      }
      if !parts.isEmpty { notes[row] = parts.joined(separator: words.phrases.comma) }
    }
    return notes
  }
}

extension TypicalAnswer {
  /// Whether its numbers can be shown: a word beside no number says nothing.
  fileprivate func isShown(_ form: PageTable.Form) -> Bool {
    [mean, range.low, range.median, range.high].allSatisfy { form.shown($0) != nil }
  }
}

extension PageTable {
  /// Whether there is a number in the first column.
  fileprivate var hasNumbers: Bool { columns.first?.values.contains { $0 != nil } ?? false }
}
