/// The test of Mann and Kendall for values that go together with those before them.
///
/// The variance of the score is multiplied by a factor from the autocorrelation of the ranks of the
/// detrended values (Hamed and Rao, *Journal of Hydrology* 204, 1998, 182–196). Where neighbours go
/// apart the factor is below 1, and the probability smaller than without it.
public struct AutocorrelatedMannKendall: Sendable, Hashable {
  /// The test as if the values were independent.
  public let independent: MannKendall
  /// Sen's slope, the change from one row to the next: the median over all pairs.
  public let slope: Double
  /// The lags whose autocorrelation counts: it is beyond ±z/√n.
  public let lags: [Int]
  /// 1 + 2/(n(n − 1)(n − 2)) Σ (n − k)(n − k − 1)(n − k − 2) ρₖ over the ``lags`` *k* (Hamed and Rao
  /// 1998, equation 11).
  public let varianceFactor: Double
  /// The variance of the score, with the factor.
  public let variance: Double
  /// (S − 1)/√variance for a positive score, (S + 1)/√variance for a negative one, else 0: the 1 is
  /// the correction for continuity.
  public let statistic: Double
  /// The probability of a score at least as far from 0 without a trend, by the normal distribution.
  public let pValue: Double
}

extension RegularSeries {
  /// The test whether the values rise or fall with their row, when neighbours go together.
  ///
  /// The ranks are those of the values minus Sen's slope times their row. Their autocorrelation ρₖ
  /// sums the products of all pairs that are *k* rows apart and both there; with missing rows there
  /// are fewer products, and *n* counts the values that are there. The variance without the factor
  /// counts the ties of the values. Without missing rows this is
  /// `hamed_rao_modification_test` of pymannkendall.
  ///
  /// - Parameters:
  ///   - lags: how many lags are looked at; *n* − 1 when `nil`. Hamed and Rao suggest 3.
  ///   - confidence: an autocorrelation counts from where it is beyond chance with this confidence
  /// - Returns: the test
  /// - Throws: `AnalysisError` as ``MannKendall`` and ``TheilSenTrend``; for lags outside of
  ///   1 to *n* − 1; and when the factor of the variance is not positive
  /// - Complexity: O(*n*²) time, O(*n*) memory
  public func mannKendallUnderAutocorrelation(
    lags: Int? = nil, confidence: Double = 0.95
  ) throws(AnalysisError) -> AutocorrelatedMannKendall {
    guard confidence > 0, confidence < 1 else { throw AnalysisError(.confidenceOutOfRange) }
    let plain = try mannKendall()
    let last = lags ?? plain.count - 1
    guard (1..<plain.count).contains(last) else {
      throw AnalysisError(.parameter(name: "number of lags", range: "from 1 to below the values"))
    }
    let slope = try theilSenTrend(confidence: confidence).slope
    let centre = Double(plain.count + 1) / 2
    let rows = presentRows
    // The row counts from 1, as in pymannkendall, so that the rounding is the same.
    let rests = zip(rows, presentValues).map { $1 - Double($0 + 1) * slope }
    guard rests.allSatisfy(\.isFinite) else { throw AnalysisError(.overflow) }
    var ranks = [Double](repeating: 0, count: count)
    for (row, rank) in zip(rows, rests.averageRanks) { ranks[row] = rank - centre }
    let spread = ranks.reduce(0) { $0 + $1 * $1 }

    let n = Double(plain.count)
    let bound = NormalDistribution.quantile(upperTail: (1 - confidence) / 2) / n.squareRoot()
    var significant: [Int] = []
    var sum = 0.0
    // All rests equal: no rank differs from another, and none goes with its neighbours.
    for lag in stride(from: 1, through: spread > 0 ? min(last, count - 1) : 0, by: 1) {
      let products = (lag..<count).reduce(0) { $0 + ranks[$1] * ranks[$1 - lag] }
      let correlation = products / spread
      guard correlation.magnitude > bound else { continue }
      significant.append(lag)
      let rest = n - Double(lag)
      sum += rest * (rest - 1) * (rest - 2) * correlation
    }
    let factor = 1 + 2 / (n * (n - 1) * (n - 2)) * sum
    guard factor > 0 else { throw AnalysisError(.negativeVariance) }
    let ties = Ties(ordered: presentValues.sorted())
    let variance = (n * (n - 1) * (2 * n + 5) - ties.weighted) / 18 * factor
    let statistic =
      Double(plain.score - plain.score.signum()) / variance.squareRoot()
    return AutocorrelatedMannKendall(
      independent: plain, slope: slope, lags: significant, varianceFactor: factor,
      variance: variance, statistic: statistic,
      pValue: min(1, 2 * NormalDistribution.upperTail(statistic.magnitude)))
  }
}
