import _HealthNumerics

extension LinearTrend {
  /// Fits the line to points.
  ///
  /// Slope and intercept are Σ(x − x̄)(y − ȳ)/Σ(x − x̄)² and ȳ − β₁x̄. Columns are first centred and
  /// scaled by powers of two, so that neither large offsets (an *x* in seconds since 2001) nor large
  /// or small units cost precision; sums are compensated. Results have the same bits on every
  /// machine.
  ///
  /// - Parameters:
  ///   - x: the x coordinates, in any unit and order; values may repeat
  ///   - y: the y coordinates
  /// - Throws: `AnalysisError` when there are fewer than three points, when a coordinate is not
  ///   finite, when all *x* are equal, or when a result overflows
  /// - Complexity: O(*n*)
  public init(x: [Double], y: [Double]) throws(AnalysisError) {
    let fit = try CentredFit(x: x, y: y)
    let residual = fit.residuals.map { $0 * $0 }.compensatedSum
    let explained = fit.slope * fit.slope * fit.spread
    let deviation = (residual / Double(x.count - 2)).squareRoot()
    // The variance of the line at x = 0 is (1/n + x̄²/Σ(x − x̄)²)·s².
    let reach = (1 / Double(x.count) + fit.x.mean * (fit.x.mean / fit.spread)).squareRoot()

    count = x.count
    slope = fit.slope.scaled(by: fit.y.exponent - fit.x.exponent)
    intercept = (fit.y.mean - fit.slope * fit.x.mean).scaled(by: fit.y.exponent)
    rSquared = fit.y.isZero ? nil : explained / (explained + residual)
    residualStandardDeviation = deviation.scaled(by: fit.y.exponent)
    slopeStandardError = (deviation / fit.spread.squareRoot())
      .scaled(by: fit.y.exponent - fit.x.exponent)
    interceptStandardError = (deviation * reach).scaled(by: fit.y.exponent)
    guard
      [slope, intercept, residualStandardDeviation, slopeStandardError, interceptStandardError]
        .allSatisfy(\.isFinite)
    else { throw AnalysisError(.overflow) }
  }

  /// Over how many points residuals go together, if nothing is known of them: 4(n/100)^(2/9), rounded
  /// down (Newey and West, *Review of Economic Studies* 61, 1994).
  public static func neweyWestLag(count: Int) -> Int { NeweyWest.lag(count: count) }

  /// The standard errors of a line that hold when points near one another go together, by Newey and
  /// West (see ``LinearModel/neweyWestErrors(lag:smallSample:)``).
  ///
  /// - Parameters:
  ///   - x: the x coordinates, in order of time
  ///   - y: the y coordinates
  ///   - lag: over how many points residuals go together; 4(n/100)^(2/9), rounded down, when `nil`
  ///   - smallSample: whether the variances are multiplied by n/(n − 2)
  /// - Returns: the standard errors
  /// - Throws: `AnalysisError` as the line does, and for a negative lag or one that reaches over all
  ///   points
  /// - Complexity: O(*n*·lag)
  public static func neweyWestErrors(
    x: [Double], y: [Double], lag: Int? = nil, smallSample: Bool = true
  ) throws(AnalysisError) -> (intercept: Double, slope: Double) {
    let fit = try CentredFit(x: x, y: y)
    let lag = lag ?? NeweyWest.lag(count: x.count)
    guard (0..<x.count).contains(lag) else {
      throw AnalysisError(.parameter(name: "lag", range: "from 0 to below the number of rows"))
    }
    // The influence of each point on the slope and on the line at x = 0.
    let count = Double(x.count)
    let slopes = zip(fit.x.distances, fit.residuals).map { $0 / fit.spread * $1 }
    let intercepts = zip(slopes, fit.residuals).map { $1 / count - fit.x.mean * $0 }
    let correction = smallSample ? count / (count - 2) : 1
    func error(_ influences: [Double], exponent: Int) throws(AnalysisError) -> Double {
      let scaled = ScaledColumn(influences, isCentred: false)
      let variance = max(0, NeweyWest.longRunSum(scaled.values, scaled.values, lag: lag))
      let error = (variance * correction).squareRoot().scaled(by: scaled.exponent + exponent)
      guard error.isFinite else { throw AnalysisError(.overflow) }
      return error
    }
    return (
      try error(intercepts, exponent: fit.y.exponent),
      try error(slopes, exponent: fit.y.exponent - fit.x.exponent)
    )
  }

  /// The slope, with how sure it is where neighbouring rows go together (``SerialDependence``).
  ///
  /// - Parameters:
  ///   - x: the x coordinates
  ///   - y: the y coordinates
  ///   - rows: the number of each point in time, in ascending order; a gap skips numbers
  /// - Returns: the slope, with its interval and its probability
  /// - Throws: `AnalysisError` as the line does, and for rows that do not ascend
  /// - Complexity: O(*n*), some 100 times
  public static func dependentSlope(
    x: [Double], y: [Double], rows: [Int]
  ) throws(AnalysisError) -> DependentEstimate {
    let line = try LinearTrend(x: x, y: y)
    let influence = LineInfluence(x)
    return try SerialDependence(
      of: try CentredFit(x: x, y: y).residuals, rows: rows, design: influence.design
    ).estimate(
      line.slope, independentError: line.slopeStandardError, influence: influence.distances)
  }
}

/// A line through scaled columns.
private struct CentredFit {
  /// A scaled column about its mean.
  struct Axis {
    let exponent: Int
    /// The mean of the scaled column.
    let mean: Double
    /// The scaled values minus their mean.
    let distances: [Double]
    let isZero: Bool

    init(_ column: [Double]) {
      let scaled = ScaledColumn(column)
      let rest = scaled.values.compensatedSum / Double(column.count)
      exponent = scaled.exponent
      mean = scaled.centre + rest
      distances = scaled.values.map { $0 - rest }
      isZero = scaled.isZero
    }
  }

  let x: Axis
  let y: Axis
  /// Σ(x − x̄)², scaled.
  let spread: Double
  /// The slope, scaled.
  let slope: Double
  /// The residuals, scaled as *y*.
  let residuals: [Double]

  init(x abscissas: [Double], y ordinates: [Double]) throws(AnalysisError) {
    try AnalysisError.checkPoints(abscissas, ordinates, atLeast: 3)
    let x = Axis(abscissas)
    let y = Axis(ordinates)
    guard !x.isZero else { throw AnalysisError(.singular) }
    var squares = CompensatedSum()
    var products = CompensatedSum()
    for (distance, height) in zip(x.distances, y.distances) {
      squares.add(productOf: distance, and: distance)
      products.add(productOf: distance, and: height)
    }
    let slope = products.quotient(by: squares)
    self.x = x
    self.y = y
    self.slope = slope
    spread = squares.result
    residuals = zip(x.distances, y.distances).map { $1 - slope * $0 }
  }
}
