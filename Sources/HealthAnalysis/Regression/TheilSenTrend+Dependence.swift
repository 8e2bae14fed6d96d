#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension TheilSenTrend {
  /// How sure a slope is where neighbouring rows go together.
  public struct DependentSlope: Sendable, Hashable {
    /// Where the true slope lies with a confidence: two of the slopes of pairs.
    public let interval: ClosedRange<Double>
    /// The probability of a score at least as far from 0 if there were no slope.
    public let pValue: Double
    /// How much the errors of neighbouring rows go together; `nil` where the ranks of the residuals are
    /// all equal.
    public let autocorrelation: Double?
  }

  /// How sure the slope is where neighbouring rows go together (``SerialDependence``), by the ranks of
  /// the residuals.
  ///
  /// With *N* slopes of pairs, Kendall's score *S* and its standard deviation σ without dependence,
  /// *t* = (2*N*/π) tan(π*S*/2*N*)/σ, which is *S*/σ near 0 and grows without limit as *S* reaches *N*: by
  /// Greiner's relation sin(π*S*/2*N*) is the correlation that normal values with this score have
  /// (Kendall, *Rank Correlation Methods*, 1970, 9.13). *t* has Student's distribution with *n* − 2
  /// degrees of freedom, its scale multiplied as that of a line by least squares through the ranks of the
  /// residuals. With *C* the score that the confidence cuts off, the interval ends at the ranks
  /// ⌈(N − C)/2⌉ from either side, so that it leaves 0 out exactly where ``DependentSlope/pValue`` is
  /// below what the confidence leaves; slopes of 0 count against the others.
  ///
  /// For some 16 points and more: of fewer the score has too few values for this.
  ///
  /// - Parameters:
  ///   - x: the x coordinates of the line
  ///   - y: its y coordinates
  ///   - rows: the number of each point in time, in ascending order; a gap skips numbers
  ///   - confidence: of the interval, between 0 and 1
  /// - Returns: the interval, and the probability
  /// - Throws: `AnalysisError` as the line does, for fewer than three points, and for rows that do not
  ///   ascend
  /// - Complexity: O(*n*²) time, O(*n*) memory
  public func dependence(
    x: [Double], y: [Double], rows: [Int], confidence: Double = 0.95
  ) throws(AnalysisError) -> DependentSlope {
    guard confidence > 0, confidence < 1 else { throw AnalysisError(.confidenceOutOfRange) }
    let pairs = try PairSlopes(x: x, y: y)
    let rests = zip(x, y).map { $1 - slope * $0 }
    guard rests.allSatisfy(\.isFinite) else { throw AnalysisError(.overflow) }
    let influence = LineInfluence(x)
    // Residuals that differ by rounding alone are equal, so that a unit changes no rank.
    let noise = 0x1p-32 * y.reduce(0) { max($0, $1.magnitude) }
    let ranks = LineInfluence(rests.joined(within: noise).averageRanks).distances
    let dependence = try SerialDependence(
      of: influence.residuals(of: ranks), rows: rows, design: influence.design)
    let mixture = dependence.mixture(of: influence.distances)

    let (total, deviation) = (Double(pairs.count), pairs.scoreDeviation)
    let unit = 2 * total / .pi
    let limit =
      unit * atan(mixture.quantile(upperTail: (1 - confidence) / 2) * deviation / unit)
    let low = max(0, Int(((total - limit) / 2).rounded(.up)) - 1)
    let ends = pairs.elements(
      at: [low, pairs.count - 1 - low], capacity: max(1 << 17, 16 * x.count)
    ).map { $0.scaled(by: pairs.exponent) + 0 }
    guard ends.allSatisfy(\.isFinite) else { throw AnalysisError(.overflow) }
    let score = Double(pairs.leastScore)
    // Without a deviation all y are equal.
    let statistic =
      deviation == 0 ? 0 : score < total ? unit * tan(score / unit) / deviation : .infinity
    return DependentSlope(
      interval: ends[0]...ends[1], pValue: min(1, 2 * mixture.upperTail(statistic)),
      autocorrelation: dependence.autocorrelation)
  }
}
