/// Huber's M-estimate by repeated weighted least squares.
///
/// The scale is the median of |residual|, divided by Φ⁻¹(3/4), and is taken anew after each step; the
/// weight of a residual *r* is min(1, *k* · scale/|*r*|) (Huber and Ronchetti, *Robust Statistics*,
/// 2nd ed., 2009, section 7.8). The first step has no weights. These are the steps of `RLM` in
/// statsmodels.
struct HuberSteps<Solution> {
  /// Where the steps ended.
  let solution: Solution
  let residuals: [Double]
  let weights: [Double]
  /// 0 when more than half of the rows lie on the fit.
  let scale: Double
  let steps: Int
  /// √(the covariance of the coefficients divided by (XᵀX)⁻¹) (Huber 1973, *Annals of Statistics* 1,
  /// 799–821, equation 8.14 with its correction; H1 of statsmodels).
  let errorFactor: Double

  /// Takes steps until neither the scale nor a residual changes by more than 1e-12 of the scale.
  ///
  /// - Parameters:
  ///   - columnCount: the number of coefficients
  ///   - tuning: *k*
  ///   - noise: residuals below this are rounding errors
  ///   - fit: solves with weights, or without
  ///   - rest: the residuals of a solution
  /// - Throws: `AnalysisError` when the scale does not settle within ``HuberTrend/stepLimit``, and
  ///   what `fit` throws
  init(
    columnCount: Int, tuning: Double, noise: Double,
    fit: ([Double]?) throws(AnalysisError) -> Solution, rest: (Solution) -> [Double]
  ) throws(AnalysisError) {
    guard tuning > 0, tuning.isFinite else {
      throw AnalysisError(.parameter(name: "tuning constant", range: "above 0"))
    }
    var solution = try fit(nil)
    var residuals = rest(solution)
    var scale = Self.scale(of: residuals)
    var weights = [Double](repeating: 1, count: residuals.count)
    var step = 0
    while true {
      guard scale > noise else {
        // The limit: rows on the fit count, and the others do not.
        weights = residuals.map { $0.magnitude <= 8 * noise ? 1 : 0 }
        solution = try fit(weights)
        residuals = rest(solution)
        scale = 0
        break
      }
      guard step < HuberTrend.stepLimit else {
        throw AnalysisError(.notConverged(steps: HuberTrend.stepLimit))
      }
      step += 1
      let bound = tuning * scale
      weights = residuals.map { $0.magnitude <= bound ? 1 : bound / $0.magnitude }
      solution = try fit(weights)
      let next = rest(solution)
      let nextScale = Self.scale(of: next)
      let change = zip(residuals, next).reduce(0) { max($0, ($1.0 - $1.1).magnitude) }
      let isSettled =
        max(change, (nextScale - scale).magnitude) <= 1e-12 * nextScale + noise / 2
      (residuals, scale) = (next, nextScale)
      if isSettled, scale > noise { break }
    }
    self.solution = solution
    self.residuals = residuals
    self.weights = weights
    self.scale = scale
    steps = step
    errorFactor = Self.errorFactor(
      residuals: residuals, scale: scale, tuning: tuning, columnCount: columnCount)
  }

  /// median |r| / Φ⁻¹(3/4), so that it is the standard deviation of normal residuals.
  private static func scale(of residuals: [Double]) -> Double {
    let deviation = medianAbsoluteDeviation(residuals, around: 0) ?? 0
    return deviation / NormalDistribution.quantile(upperTail: 0.25)
  }

  /// κ · √(Σψ²/(n − p)) · scale / m, with the share *m* of residuals within ±k and
  /// κ = 1 + p(1 − m)/(n·m).
  private static func errorFactor(
    residuals: [Double], scale: Double, tuning: Double, columnCount: Int
  ) -> Double {
    guard scale > 0 else { return 0 }
    let count = Double(residuals.count)
    let ratios = residuals.map { ($0 / scale).magnitude }
    let share = Double(ratios.count { $0 <= tuning }) / count
    let squares = ratios.map { min($0, tuning) * min($0, tuning) }.compensatedSum
    // The variance of ψ′, which is 0 or 1, is m(1 − m).
    let correction = 1 + Double(columnCount) / count * (1 - share) / share
    return correction * (squares / (count - Double(columnCount))).squareRoot() * scale / share
  }
}
