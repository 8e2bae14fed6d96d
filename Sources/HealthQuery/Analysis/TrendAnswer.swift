import HealthAnalysis

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
  /// Where the true slope lies with the confidence of the parameters.
  public let slopeInterval: ClosedRange<Double>
  /// The probability of a slope at least as far from 0 if there were none.
  public let pValue: Double
  /// The line at the middle of the first interval.
  public let intercept: Double
  /// The share of the variation that a line by least squares explains; `nil` when there is none, and
  /// for the other models.
  public let rSquared: Double?
  /// Over how many intervals distances from the line go together.
  public let lag: Int

  /// The mean of the middles of the intervals, around which the lines of ``slopeInterval`` turn.
  public let centre: Double

  /// How much the numbers grow a year of 365.2425 days.
  public var slopePerYear: Double { slope * Self.daysPerYear }
  /// Where the true slope a year lies with the confidence of the parameters.
  public var slopeIntervalPerYear: ClosedRange<Double> {
    slopeInterval.lowerBound * Self.daysPerYear...slopeInterval.upperBound * Self.daysPerYear
  }

  /// The line at an instant, in seconds since 2001-01-01 UTC.
  public func value(at instant: Double) -> Double {
    intercept + slope * (instant - span.lowerBound) / 86_400
  }

  /// The lines with the least and the greatest slope of ``slopeInterval`` at an instant: the lower
  /// number first.
  ///
  /// They meet in the line at ``centre``, so that they say how sure the slope is, and not how sure the
  /// level.
  public func fan(at instant: Double) -> (low: Double, high: Double) {
    let days = (instant - centre) / 86_400
    let level = value(at: centre)
    let ends = (level + slopeInterval.lowerBound * days, level + slopeInterval.upperBound * days)
    return days < 0 ? (ends.1, ends.0) : ends
  }

  /// The days of a year on the average.
  package static let daysPerYear = 365.2425
}

extension AnalysedSeries {
  /// A line by one of the models.
  private struct Line {
    let slope, intercept: Double
    let interval: ClosedRange<Double>
    let pValue: Double
    var rSquared: Double?
    var lag = 0
  }

  /// Fits a line.
  ///
  /// - Throws: `AnalysisError` when there are fewer than three numbers, for `huber` five, and for what
  ///   does not fit
  func trend(_ parameters: TrendParameters) throws(AnalysisError) -> TrendAnswer {
    let days = middles
    let column = try column()
    let numbers = column.presentValues
    let rows = column.presentRows
    guard rows.count >= 3 else {
      throw AnalysisError(.tooFewPoints(count: rows.count, needed: 3))
    }
    let line = try Self.line(parameters, x: days, y: numbers)
    let first = series.middle(rows[0])
    return TrendAnswer(
      subject: self, parameters: parameters,
      span: first...series.middle(rows[rows.count - 1]), count: rows.count,
      slope: line.slope, slopeInterval: line.interval, pValue: line.pValue,
      intercept: line.intercept, rSquared: line.rSquared, lag: line.lag,
      centre: first + days.reduce(0, +) / Double(days.count) * 86_400)
  }

  private static func line(
    _ parameters: TrendParameters, x: [Double], y: [Double]
  ) throws(AnalysisError) -> Line {
    let distribution = StudentDistribution(degreesOfFreedom: Double(x.count - 2))
    guard parameters.model == .line || parameters.lag == nil else {
      throw AnalysisError(.parameter(name: "lag", range: "left out for this model"))
    }
    switch parameters.model {
    case .line:
      let line = try LinearTrend(x: x, y: y)
      let lag = parameters.lag ?? LinearTrend.neweyWestLag(count: x.count)
      let error = try LinearTrend.neweyWestErrors(x: x, y: y, lag: lag).slope
      return Line(
        slope: line.slope, intercept: line.intercept,
        interval: try distribution.interval(
          around: line.slope, error: error, confidence: parameters.confidence),
        pValue: distribution.pValue(of: line.slope, error: error), rSquared: line.rSquared,
        lag: lag)
    case .theilSen:
      let y = y.map(\.withoutRounding)
      let line = try TheilSenTrend(x: x, y: y, confidence: parameters.confidence)
      return Line(
        slope: line.slope, intercept: line.intercept, interval: line.slopeInterval,
        pValue: try MannKendall(x: x, y: y).pValue)
    case .huber:
      let line = try HuberTrend(x: x, y: y)
      return Line(
        slope: line.slope, intercept: line.intercept,
        interval: try line.slopeInterval(confidence: parameters.confidence),
        pValue: NormalDistribution.pValue(of: line.slope, error: line.slopeStandardError))
    }
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
