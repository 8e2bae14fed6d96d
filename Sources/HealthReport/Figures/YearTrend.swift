import HealthAnswers
import HealthQuery

/// The straight line through the weeks of the last year of a measure, and how much it grows a year.
struct YearTrend {
  let measure: ReportMeasure
  let ask: Ask
  let line: TrendAnswer
  /// Where the true slope a year lies.
  private let interval: ClosedRange<Double>

  /// How many weeks a line needs.
  private static let leastWeeks = 14

  /// The slope a year as shown, and the ends of its interval.
  struct Slope {
    let value: AskedNumber
    let low: AskedNumber
    let high: AskedNumber
    /// Whether the interval, as shown, holds no 0.
    let isClear: Bool
  }

  /// The line of a measure; `nil` with too few weeks.
  init?(_ measure: ReportMeasure, _ reader: ReportReader) throws(ReportError) {
    let period = reader.period
    let (first, end) = (period.first(ofLast: ReportPeriod.year), period.endOfWholeDays)
    guard first < end else { return nil }
    let (ask, results) = try reader.results(
      .trend(TrendParameters()), of: [measure.question], by: .week,
      per: measure.isSum ? .day : nil, from: first, to: end)
    guard case .trends(let lines) = results, case .success(let line)? = lines.first,
      line.count >= Self.leastWeeks, let interval = line.slopeIntervalPerYear
    else { return nil }
    (self.measure, self.ask, self.line, self.interval) = (measure, ask, line, interval)
  }

  /// Whether the measure is a percentage, whose differences are points.
  var isOfPercentages: Bool {
    if case .percent = measure.form { true } else { false }
  }

  /// The slope a year, with or without its unit; `nil` where it is too large to be shown.
  ///
  /// That of a percentage is always in points: beside `%`, a bare number would be read as a part.
  func slope(_ page: Page, hasUnit: Bool) -> Slope? {
    let form = form(interval)
    guard let shown = form.shown(line.slopePerYear), let low = form.shown(interval.lowerBound),
      let high = form.shown(interval.upperBound)
    else { return nil }
    func text(_ shown: Int) -> String { page.writer.difference(shown, 0, form) }
    var slope = text(shown)
    if isOfPercentages {
      slope = TextPattern.filled(page.words.heart.points, slope)
    } else if hasUnit {
      slope = page.writer.withUnit(slope, measure.unit)
    }
    return Slope(
      value: AskedNumber(ask: ask, place: "slopePerYear", text: slope),
      low: AskedNumber(ask: ask, place: "slopePerYearLow", text: text(low)),
      high: AskedNumber(ask: ask, place: "slopePerYearHigh", text: text(high)),
      // What is shown must bear out the words.
      isClear: !interval.contains(0) && (low > 0 || high < 0))
  }

  /// Whole numbers have a decimal where they change by less than a hundred a year.
  private func form(_ interval: ClosedRange<Double>) -> PageTable.Form {
    let isSmall = max(interval.lowerBound.magnitude, interval.upperBound.magnitude) < 100
    return measure.form == .number(0) && isSmall ? .number(1) : measure.form
  }
}
