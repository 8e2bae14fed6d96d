public import HealthAnalysis
public import HealthQuery
import HealthSamples
package import HealthStore

/// How a line is fitted.
public struct TrendParameters: AnalysisParameters {
  /// What makes a line fit.
  public enum Model: String, Sendable, Hashable, CaseIterable {
    /// The least sum of squared distances (`LinearTrend`).
    case line
    /// The median of the slopes between all pairs (`TheilSenTrend`), with Kendall's test.
    case theilSen
    /// Squared distances near the line, absolute ones far off (`HuberTrend`).
    case huber
    /// The median of the slopes within seasons, with the test of Hirsch and Slack
    /// (`SeasonalMannKendall`): each month is compared with itself in other years, each weekday with
    /// itself four weeks on and more.
    case seasonal

    /// How many intervals an interval of the slope needs, and so a verdict; `seasonal` has no such
    /// interval, and needs as many months, or 140 days.
    ///
    /// With fewer of them it would not hold its confidence where neighbours go together, or would hold
    /// nearly every slope.
    public var leastCount: Int { leastCount(ofDays: false) }

    /// The same for intervals that are days, or others.
    package func leastCount(ofDays isOfDays: Bool) -> Int {
      switch self {
      case .line: 12
      case .theilSen, .huber: 16
      case .seasonal: 5 * SeasonalTrend.period(ofDays: isOfDays)
      }
    }
  }

  /// What makes a line fit.
  public var model = Model.line
  /// How often the interval of the slope holds the true slope; neighbours may go together
  /// (`SerialDependence`).
  public var confidence = 0.95

  /// The default parameters.
  public init() {}

  /// `trend`.
  public static let name = "trend"

  /// What the method answers.
  public static let about = "Is it rising or falling, how fast, how surely?"

  /// The method.
  public var method: AnalysisMethod { .trend(self) }

  /// `model`, `confidence`.
  public static var members: [Parameter<Self>] {
    [
      .word(
        "model", \.model, .model,
        about:
          "What makes the line fit: line (least squares), theilSen (the median of all pairs' slopes), huber (far values weigh less), seasonal (months or weekdays by themselves)."
      ),
      .number(
        "confidence", \.confidence, .between(0, 1),
        about: "How often the range holds the true slope."),
    ]
  }

  /// A week; a month for `seasonal`.
  public var defaultInterval: CalendarInterval? {
    CalendarInterval(model == .seasonal ? .month : .week)
  }
}

extension TrendParameters {
  /// How often a trend is said to be there that is not.
  ///
  /// Measured on series without a trend, whose neighbours are independent or keep up to
  /// ``mostDependence`` of one another, with and without outliers: see the documentation.
  package enum FalseAlarms {
    /// In how many of 100 such series at most a verdict of a confidence of 0.95 is rising or falling.
    package static let percent = 7
    /// The same of `seasonal`, of up to 20 years of months or two of days.
    package static let seasonalPercent = 8
    /// How much of the one before an interval keeps at most.
    package static let mostDependence = 0.7
  }
}

/// A line through the numbers of a type.
public struct TrendAnswer: Sendable, Hashable {
  /// The numbers.
  public let subject: AnalysedSeries
  /// How the line was fitted.
  public let parameters: TrendParameters
  /// The middles of the first and the last interval with a number.
  public let span: ClosedRange<Double>
  /// How many intervals the line goes through.
  public let count: Int
  /// How much the numbers grow a day of 86,400 s.
  public let slope: Double
  /// Where the true slope lies with the confidence of the parameters; `nil` for too few intervals.
  public let slopeInterval: ClosedRange<Double>?
  /// The probability of a slope at least as far from 0 if there were none; `nil` for too few intervals.
  public let pValue: Double?
  /// The line at the middle of the first interval.
  public let intercept: Double
  /// The share of the variation that a line by least squares explains; `nil` when there is none, and
  /// for the other models.
  public let rSquared: Double?
  /// How much the distances of neighbouring intervals from the line go together, from 0 to 1; `nil` for
  /// too few intervals, and where all lie on the line.
  public let autocorrelation: Double?

  /// What `seasonal` compared; `nil` for the other models.
  public let seasonal: SeasonalTrend?

  /// The mean of the middles of the intervals, around which the lines of ``slopeInterval`` turn.
  public let centre: Double

  /// How much the numbers grow a year of 365.2425 days.
  public var slopePerYear: Double { slope * Self.daysPerYear }
  /// Where the true slope a year lies with the confidence of the parameters.
  public var slopeIntervalPerYear: ClosedRange<Double>? {
    slopeInterval.map { $0.lowerBound * Self.daysPerYear...$0.upperBound * Self.daysPerYear }
  }

  /// What is said of a slope.
  public enum Verdict: String, Sendable, Hashable {
    /// The interval of the slope lies above 0.
    case rising
    /// The interval of the slope lies below 0.
    case falling
    /// The interval of the slope holds 0.
    case unclear
    /// There are too few intervals for an interval of the slope (``leastCount``).
    case tooFew
  }

  /// How many intervals a verdict needs.
  public var leastCount: Int { parameters.model.leastCount(ofDays: subject.isOfDays) }

  /// What is said of the slope: that of ``slopeInterval`` and nothing else; of ``seasonal`` that of
  /// ``pValue`` and the score.
  public var verdict: Verdict {
    if let seasonal {
      guard let pValue else { return .tooFew }
      guard pValue < 1 - parameters.confidence else { return .unclear }
      return seasonal.test.score > 0 ? .rising : .falling
    }
    guard let slopeInterval else { return .tooFew }
    return slopeInterval.contains(0) ? .unclear : slopeInterval.lowerBound > 0 ? .rising : .falling
  }

  /// The line at an instant, in seconds since 2001-01-01 UTC.
  public func value(at instant: Double) -> Double {
    intercept + slope * (instant - span.lowerBound) / .secondsPerDay
  }

  /// The lines with the least and the greatest slope of ``slopeInterval`` at an instant: the lower
  /// number first; `nil` for too few intervals.
  ///
  /// They meet in the line at ``centre``, so that they say how sure the slope is, and not how sure the
  /// level.
  public func fan(at instant: Double) -> (low: Double, high: Double)? {
    guard let slopeInterval else { return nil }
    let days = (instant - centre) / .secondsPerDay
    let level = value(at: centre)
    let ends = (level + slopeInterval.lowerBound * days, level + slopeInterval.upperBound * days)
    return days < 0 ? (ends.1, ends.0) : ends
  }

  /// The days of a year on the average.
  package static let daysPerYear = 365.2425
}

/// What a trend compares within seasons.
public struct SeasonalTrend: Sendable, Hashable {
  /// The test.
  public let test: SeasonalMannKendall
  /// How many intervals make a cycle: 12 months, or 28 days.
  ///
  /// Days go together from one week to the next, which the test does not heed, and hardly from four
  /// weeks to the next four: with a week as cycle 11 of 100 series that keep 0.7 are called rising or
  /// falling.
  public let period: Int

  static func period(ofDays isOfDays: Bool) -> Int { isOfDays ? 28 : 12 }

  /// The days of a cycle on the average.
  var days: Double { period == 12 ? TrendAnswer.daysPerYear : Double(period) }
}

extension AnalysedSeries {
  /// A line by one of the models.
  private struct Line {
    let slope, intercept: Double
    var rSquared: Double?
    var interval: ClosedRange<Double>?
    var pValue, autocorrelation: Double?
    var seasonal: SeasonalTrend?
  }

  /// Fits a line.
  ///
  /// - Throws: `AnalysisError` when there are fewer than three numbers, for `huber` five, for `seasonal`
  ///   two cycles and one
  func trend(_ parameters: TrendParameters) throws(AnalysisError) -> TrendAnswer {
    let days = middles
    let column = try column()
    let rows = column.presentRows
    guard rows.count >= 3 else {
      throw AnalysisError(.tooFewPoints(count: rows.count, needed: 3))
    }
    let line = try line(parameters, x: days, column)
    let first = series.middle(rows[0])
    return TrendAnswer(
      subject: self, parameters: parameters,
      span: first...series.middle(rows[rows.count - 1]), count: rows.count,
      slope: line.slope, slopeInterval: line.interval, pValue: line.pValue,
      intercept: line.intercept, rSquared: line.rSquared, autocorrelation: line.autocorrelation,
      seasonal: line.seasonal,
      centre: first + days.reduce(0, +) / Double(days.count) * .secondsPerDay)
  }

  /// Sen's seasonal slope, through the medians of the middles and of the numbers.
  private func seasonalLine(
    x: [Double], _ column: RegularSeries
  ) throws(AnalysisError) -> Line {
    let y = column.presentValues.map(\.withoutRounding)
    let period = SeasonalTrend.period(ofDays: isOfDays)
    guard x.count > 2 * period else {
      throw AnalysisError(.tooFewPoints(count: x.count, needed: 2 * period + 1))
    }
    let test = try RegularSeries(series.values.map { $0?.withoutRounding })
      .seasonalMannKendall(period: period)
    let seasonal = SeasonalTrend(test: test, period: period)
    let slope = test.slope / seasonal.days
    let level = (y.median ?? 0) - slope * (x.median ?? 0)
    guard level.isFinite else { throw AnalysisError(.overflow) }
    return Line(
      slope: slope, intercept: level,
      pValue: x.count >= TrendParameters.Model.seasonal.leastCount(ofDays: isOfDays)
        ? test.dependent.pValue : nil,
      seasonal: seasonal)
  }

  private func line(
    _ parameters: TrendParameters, x: [Double], _ column: RegularSeries
  ) throws(AnalysisError) -> Line {
    let (y, rows) = (column.presentValues, column.presentRows)
    let (confidence, isEnough) = (parameters.confidence, x.count >= parameters.model.leastCount)
    var line: Line
    let sure: DependentEstimate?
    switch parameters.model {
    case .line:
      let fit = try LinearTrend(x: x, y: y)
      line = Line(slope: fit.slope, intercept: fit.intercept, rSquared: fit.rSquared)
      sure = isEnough ? try LinearTrend.dependentSlope(x: x, y: y, rows: rows) : nil
    case .theilSen:
      let y = y.map(\.withoutRounding)
      let fit = try TheilSenTrend(x: x, y: y)
      line = Line(slope: fit.slope, intercept: fit.intercept)
      guard isEnough else { return line }
      let sure = try fit.dependence(x: x, y: y, rows: rows, confidence: confidence)
      (line.interval, line.pValue) = (sure.interval, sure.pValue)
      line.autocorrelation = sure.autocorrelation
      return line
    case .huber:
      let fit = try HuberTrend(x: x, y: y)
      line = Line(slope: fit.slope, intercept: fit.intercept)
      sure = isEnough ? try HuberTrend.dependentSlope(x: x, y: y, rows: rows) : nil
    case .seasonal: return try seasonalLine(x: x, column)
    }
    guard let sure else { return line }
    (line.interval, line.pValue) = (try sure.interval(confidence: confidence), sure.pValue)
    line.autocorrelation = sure.autocorrelation
    return line
  }
}

extension Double {
  /// The number with 40 of its 53 bits, so that means that are equal but for rounding are tied, in
  /// every unit.
  fileprivate var withoutRounding: Double {
    guard isFinite, magnitude < .greatestFiniteMagnitude / 2 else { return self }
    let dropped: UInt64 = 1 << 12
    return Double(bitPattern: (bitPattern &+ dropped / 2) & ~(dropped - 1))
  }
}

extension TrendParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("Does it rise or fall over months?", "trend TYPE", needs: "12 intervals")]
  }

  package func lists(of _: Question) -> [String] { ["trends"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    if model == .seasonal, let interval = plan.question.interval,
      ![CalendarInterval(.month), CalendarInterval(.day)].contains(interval)
    {
      throw QueryError(
        .unknownWord(.interval, interval.text, suggestions: [], known: ["month", "day"]))
    }
    return try AnalysisReader(plan, store: store, now: now).answer { numbers throws(QueryError) in
      .trends(try numbers.each { subject throws(AnalysisError) in try subject.trend(self) })
    }
  }
}
