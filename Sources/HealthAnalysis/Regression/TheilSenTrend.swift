/// The line whose slope is the median of the slopes between all pairs of points.
///
/// It holds as long as fewer than 29 % of the points are far off, whatever their values (Theil,
/// *Indagationes Mathematicae* 12, 1950, 85–91; Sen, *Journal of the American Statistical
/// Association* 63, 1968, 1379–1389).
///
/// ```swift
/// let trend = try TheilSenTrend(x: [0, 1, 2, 3, 4], y: [1, 3, 5, 7, 100])
/// trend.slope      // 2
/// trend.intercept  // 1: median(y) − 2 · median(x)
/// ```
public struct TheilSenTrend: Sendable, Hashable {
  /// The most points that are taken: 2^16, that is 2·10⁹ pairs.
  public static let pointLimit = 65_536

  /// The median of (yⱼ − yᵢ)/(xⱼ − xᵢ) over all pairs of points with different *x*.
  public let slope: Double
  /// Sen's interval of the slope.
  ///
  /// Its ends are two of the slopes of pairs: with *N* slopes and the variance σ² of Kendall's
  /// score, those at the ranks (N − zσ)/2 and (N + zσ)/2 + 1, counted from 1, the first part of each
  /// rounded to the nearest whole number, half to even (Sen 1968, equation 2.6). Here
  /// 18σ² = n(n − 1)(2n + 5) − Σt(t − 1)(2t + 5) over the groups of *t* equal *x*, and over those of
  /// equal *y*. Where so many are equal that this is not positive, σ² is
  /// ``MannKendall/variance``. These are the rules of SciPy, but for confidences below one half:
  /// SciPy takes 1 − confidence instead.
  public let slopeInterval: ClosedRange<Double>
  /// median(*y*) − slope · median(*x*) (Conover, *Practical Nonparametric Statistics*, 1980).
  public let intercept: Double
  /// median(*y* − slope · *x*): half of the points lie above this line.
  public let jointIntercept: Double
  /// The confidence of the interval.
  public let confidence: Double
  /// The number of points.
  public let count: Int
  /// *N*, the number of pairs with different *x*.
  public let pairCount: Int

  /// The line at `x`, with the ``intercept`` of the medians.
  public func value(at x: Double) -> Double { intercept + slope * x }

  /// Fits the line to points.
  ///
  /// The slopes of the pairs are not kept: a few passes over them narrow brackets around the ranks
  /// that are needed. The result is that of sorting them all.
  ///
  /// - Parameters:
  ///   - x: the x coordinates, in any unit and order; values may repeat
  ///   - y: the y coordinates
  ///   - confidence: of the interval of the slope, between 0 and 1
  /// - Throws: `AnalysisError` when there are fewer than two points or more than ``pointLimit``, when
  ///   a coordinate is not finite, when all *x* are equal, or when a result overflows
  /// - Complexity: O(*n*²) time, usually two passes; O(*n*) memory
  public init(
    x: [Double], y: [Double], confidence: Double = 0.95
  ) throws(AnalysisError) {
    try self.init(x: x, y: y, confidence: confidence, capacity: max(1 << 17, 16 * x.count))
  }

  /// The same with a given number of slopes that are kept for each rank.
  init(
    x abscissas: [Double], y ordinates: [Double], confidence: Double, capacity: Int
  ) throws(AnalysisError) {
    guard confidence > 0, confidence < 1 else { throw AnalysisError(.confidenceOutOfRange) }
    let pairs = try PairSlopes(x: abscissas, y: ordinates)
    count = abscissas.count
    pairCount = pairs.count
    self.confidence = confidence

    let ranks = pairs.intervalRanks(confidence: confidence)
    let last = pairs.count - 1
    let chosen = pairs.elements(
      at: [ranks.low, last / 2, (last + 1) / 2, ranks.high], capacity: capacity)
    let slopes = chosen.map { $0.scaled(by: pairs.exponent) + 0 }
    guard slopes.allSatisfy(\.isFinite) else { throw AnalysisError(.overflow) }
    let sum = slopes[1] + slopes[2]
    let slope = sum.isFinite ? sum / 2 : slopes[1] / 2 + slopes[2] / 2
    self.slope = slope
    slopeInterval = slopes[0]...slopes[3]
    guard let middle = abscissas.median, let height = ordinates.median,
      let joint = zip(abscissas, ordinates).map({ $1 - slope * $0 }).median
    else { throw AnalysisError(.tooFewPoints(count: 0, needed: 2)) }
    intercept = height - slope * middle
    jointIntercept = joint
    guard intercept.isFinite, jointIntercept.isFinite else { throw AnalysisError(.overflow) }
  }
}

extension RegularSeries {
  /// The line whose slope is the median of those between all pairs of values, by row.
  ///
  /// The x of a value is its row, from 0; missing rows are left out.
  ///
  /// - Throws: `AnalysisError` as ``TheilSenTrend``
  /// - Complexity: O(*n*²) time, O(*n*) memory
  public func theilSenTrend(confidence: Double = 0.95) throws(AnalysisError) -> TheilSenTrend {
    try TheilSenTrend(x: presentRows.map(Double.init), y: presentValues, confidence: confidence)
  }
}
