/// A linear model by Huber's M-estimate: rows far from it weigh less.
///
/// The rules are those of ``HuberTrend``, for any columns.
///
/// ```swift
/// let model = try HuberModel(design, response: sleep)
/// model.coefficients  // one for each name of the design
/// ```
public struct HuberModel: Sendable, Hashable {
  /// The names of the columns.
  public let names: [String]
  /// β, one for each column.
  public let coefficients: [Double]
  /// The standard errors of the coefficients: κ√(Σψ²/(n − p))·scale/m · √diag (XᵀX)⁻¹, where ψ
  /// limits the residuals divided by the scale to ±*k*, *m* is the share within, and
  /// κ = 1 + p(1 − m)/(n·m) (Huber 1973; covariance H1 of statsmodels).
  public let standardErrors: [Double]
  /// *y* − *Xβ*, one for each row.
  public let residuals: [Double]
  /// The typical distance of rows from the model; 0 when more than half of them lie on it.
  public let scale: Double
  /// How much each row counts, from 0 to 1.
  public let weights: [Double]
  /// The number of steps.
  public let steps: Int

  /// The confidence interval of a coefficient, by the normal distribution.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
  public func interval(
    of column: Int, confidence: Double = 0.95
  ) throws(AnalysisError) -> ClosedRange<Double> {
    try NormalDistribution.interval(
      around: coefficients[column], error: standardErrors[column], confidence: confidence)
  }

  /// Fits the model by a ``LinearModel`` with weights in each step.
  ///
  /// Where more than half of the rows lie on one model and the steps lead there, the result is that
  /// model, with scale and errors 0, and the weights of the other rows are 0.
  ///
  /// - Parameters:
  ///   - design: the columns
  ///   - response: *y*, one for each row
  ///   - tuning: *k*, above 0
  /// - Throws: `AnalysisError` when there are no more than twice as many rows as columns, when the
  ///   steps do not settle, and as for a `LinearModel`
  /// - Complexity: O(*n*·*p*²) for each step
  public init(
    _ design: Design, response: [Double], tuning: Double = HuberTrend.usualTuning
  ) throws(AnalysisError) {
    // Checks the response, too.
    let plain = try LinearModel(design, response: response)
    let width = design.columnCount
    guard design.rowCount > 2 * width else {
      throw AnalysisError(.tooFewPoints(count: design.rowCount, needed: 2 * width + 1))
    }
    let scaled = ScaledColumn(response, isCentred: design.hasIntercept)
    let fit = try HuberSteps<LinearModel>(
      columnCount: width, tuning: tuning, noise: 64 * Double.ulpOfOne,
      fit: { weights throws(AnalysisError) in
        try LinearModel(design, response: scaled.values, weights: weights)
      }, rest: \.residuals)

    names = design.names
    weights = fit.weights
    steps = fit.steps
    scale = fit.scale.scaled(by: scaled.exponent)
    residuals = fit.residuals.map { $0.scaled(by: scaled.exponent) }
    var found = fit.solution.coefficients
    if design.hasIntercept { found[0] += scaled.centre }
    coefficients = found.map { $0.scaled(by: scaled.exponent) }
    standardErrors = plain.unitErrors.map { ($0 * fit.errorFactor).scaled(by: scaled.exponent) }
    guard (coefficients + standardErrors + residuals + [scale]).allSatisfy(\.isFinite) else {
      throw AnalysisError(.overflow)
    }
  }
}
