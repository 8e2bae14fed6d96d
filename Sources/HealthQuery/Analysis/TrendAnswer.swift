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
  /// The share of the variation that the line explains; `nil` when there is none.
  public let rSquared: Double?
  /// Over how many intervals distances from the line go together.
  public let lag: Int

  /// The line at an instant, in seconds since 2001-01-01 UTC.
  public func value(at instant: Double) -> Double {
    intercept + slope * (instant - span.lowerBound) / 86_400
  }
}

extension AnalysedSeries {
  /// Fits a line.
  ///
  /// - Throws: `AnalysisError` when there are fewer than three numbers, and for what does not fit
  func trend(_ parameters: TrendParameters) throws(AnalysisError) -> TrendAnswer {
    let days = middles
    let column = try column()
    let numbers = column.presentValues
    let line = try LinearTrend(x: days, y: numbers)
    let lag = parameters.lag ?? LinearTrend.neweyWestLag(count: numbers.count)
    let error = try LinearTrend.neweyWestErrors(x: days, y: numbers, lag: lag).slope
    let distribution = StudentDistribution(degreesOfFreedom: Double(line.degreesOfFreedom))
    let rows = column.presentRows
    return TrendAnswer(
      subject: self, parameters: parameters,
      span: series.middle(rows[0])...series.middle(rows[rows.count - 1]), count: line.count,
      slope: line.slope,
      slopeInterval: try distribution.interval(
        around: line.slope, error: error, confidence: parameters.confidence),
      pValue: distribution.pValue(of: line.slope, error: error), intercept: line.intercept,
      rSquared: line.rSquared, lag: lag)
  }
}
