/// The straight line by Huber's M-estimate: points far from it weigh less.
///
/// A residual up to *k* times the scale counts as in least squares; a larger one pulls only as much
/// as one of that size (Huber, *Annals of Mathematical Statistics* 35, 1964, 73–101). With *k* 1.345
/// the estimate is 95 % as efficient as least squares where errors are normal. A point far off in
/// *x* can still pull the line; ``TheilSenTrend`` withstands that.
///
/// ```swift
/// let trend = try HuberTrend(x: [0, 1, 2, 3, 4, 5], y: [0.1, 0.9, 2.1, 2.9, 4.1, 50])
/// trend.weights.last  // 0.045…
/// ```
///
/// The residuals' scale is their median magnitude divided by Φ⁻¹(3/4). Results have the same bits on
/// every machine.
public struct HuberTrend: Sendable, Hashable {
  /// The most steps of weighted least squares.
  public static let stepLimit = 1000
  /// The usual *k*.
  public static let usualTuning = 1.345

  /// How much *y* grows for each unit of *x*.
  public let slope: Double
  /// The line at *x* = 0.
  public let intercept: Double
  /// The typical distance of points from the line; 0 when more than half of them lie on it.
  public let scale: Double
  /// How much each point counts, from 0 to 1.
  public let weights: [Double]
  /// The standard error of the slope: κ√(Σψ²/(n − 2))·scale/m · √(XᵀX)⁻¹, where ψ limits the
  /// residuals divided by the scale to ±*k*, *m* is the share within, and
  /// κ = 1 + 2(1 − m)/(n·m) (Huber 1973; covariance H1 of statsmodels).
  public let slopeStandardError: Double
  /// The standard error of the intercept, by the same formula.
  public let interceptStandardError: Double
  /// The number of points.
  public let count: Int
  /// The number of steps.
  public let steps: Int

  /// The line at `x`.
  public func value(at x: Double) -> Double { intercept + slope * x }

  /// The confidence interval of the slope, by the normal distribution, for many points that are
  /// independent of one another.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
  public func slopeInterval(
    confidence: Double = 0.95
  ) throws(AnalysisError) -> ClosedRange<Double> {
    try NormalDistribution.interval(
      around: slope, error: slopeStandardError, confidence: confidence)
  }

  /// Fits the line to points, in closed form in each step.
  ///
  /// Where more than half of the points lie on one line and the steps lead there, the result is
  /// that line, with scale and errors 0, and the weights of the other points are 0.
  ///
  /// - Parameters:
  ///   - abscissas: the x coordinates, in any unit and order; values may repeat
  ///   - ordinates: the y coordinates
  ///   - tuning: *k*, above 0
  /// - Throws: `AnalysisError` when there are fewer than five points, when a coordinate is not
  ///   finite, when all *x* that count are equal, when the steps do not settle, or when a result
  ///   overflows
  /// - Complexity: O(*n* log *n*) for each step
  public init(
    x abscissas: [Double], y ordinates: [Double], tuning: Double = Self.usualTuning
  ) throws(AnalysisError) {
    try AnalysisError.checkPoints(abscissas, ordinates, atLeast: 5)
    let x = ScaledColumn(abscissas)
    let y = ScaledColumn(ordinates)
    let plain = try WeightedLine(x: x.values, y: y.values, weights: nil)
    let fit = try HuberSteps<WeightedLine>(
      columnCount: 2, tuning: tuning, noise: 4 * Double.ulpOfOne,
      fit: { weights throws(AnalysisError) in
        try WeightedLine(x: x.values, y: y.values, weights: weights)
      }, rest: { $0.residuals(x: x.values, y: y.values) })
    let line = fit.solution

    count = abscissas.count
    weights = fit.weights
    steps = fit.steps
    scale = fit.scale.scaled(by: y.exponent)
    slope = line.slope.scaled(by: y.exponent - x.exponent)
    // At x = 0, in scaled units: ȳ + centre − slope · (x̄ + centre).
    let reach = line.meanX + x.centre
    intercept = (y.centre + line.meanY - line.slope * reach).scaled(by: y.exponent)
    let plainReach = plain.meanX + x.centre
    slopeStandardError = (fit.errorFactor / plain.spread.squareRoot())
      .scaled(by: y.exponent - x.exponent)
    let distance = 1 / Double(count) + plainReach * (plainReach / plain.spread)
    interceptStandardError = (fit.errorFactor * distance.squareRoot()).scaled(by: y.exponent)
    guard
      [slope, intercept, scale, slopeStandardError, interceptStandardError]
        .allSatisfy(\.isFinite)
    else { throw AnalysisError(.overflow) }
  }
}

extension HuberTrend {
  /// The slope, with how sure it is where neighbouring rows go together (``SerialDependence``).
  ///
  /// The residuals are those that the estimate heeds: ψ of each, times the scale. With independent rows
  /// the standard error is ``slopeStandardError``.
  ///
  /// - Parameters:
  ///   - x: the x coordinates
  ///   - y: the y coordinates
  ///   - rows: the number of each point in time, in ascending order; a gap skips numbers
  /// - Returns: the slope, with its interval and its probability
  /// - Throws: `AnalysisError` as the line does, and for rows that do not ascend
  /// - Complexity: O(*n*), some 100 times, and that of the line
  public static func dependentSlope(
    x: [Double], y: [Double], rows: [Int]
  ) throws(AnalysisError) -> DependentEstimate {
    let line = try HuberTrend(x: x, y: y)
    let rests = x.indices.map { (y[$0] - line.value(at: x[$0])) * line.weights[$0] }
    let influence = LineInfluence(x)
    return try SerialDependence(of: rests, rows: rows, design: influence.design).estimate(
      line.slope, independentError: line.slopeStandardError, influence: influence.distances)
  }
}

extension RegularSeries {
  /// The line by Huber's M-estimate, by row; missing rows are left out.
  ///
  /// - Throws: `AnalysisError` as ``HuberTrend``
  /// - Complexity: O(*n* log *n*) for each step
  public func huberTrend(
    tuning: Double = HuberTrend.usualTuning
  ) throws(AnalysisError) -> HuberTrend {
    try HuberTrend(x: presentRows.map(Double.init), y: presentValues, tuning: tuning)
  }
}
