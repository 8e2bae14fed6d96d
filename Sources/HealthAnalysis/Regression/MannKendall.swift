/// The test whether *y* rises or falls with *x*, whatever the shape of the curve: Kendall's tau-b.
///
/// Every pair of points counts 1 when both coordinates order it alike, and −1 when they order it in
/// opposite ways (Mann, *Econometrica* 13, 1945, 245–259; Kendall, *Rank Correlation Methods*, 1970).
///
/// ```swift
/// let test = try MannKendall(x: [1, 2, 3, 4, 5], y: [2, 1, 4, 3, 5])
/// test.score   // 6
/// test.tau     // 0.6
/// test.pValue  // 0.233…
/// ```
///
/// Successive values in time are rarely independent; then the probability is too small. See
/// ``RegularSeries/mannKendallUnderAutocorrelation(lags:confidence:)``.
public struct MannKendall: Sendable, Hashable {
  /// *S*: concordant pairs minus discordant ones.
  public let score: Int
  /// Tau-b, from −1 to 1: *S*/√((N − X)(N − Y)) with all *N* pairs, *X* of them with equal *x* and
  /// *Y* with equal *y* (Kendall 1970, equation 3.3).
  public let tau: Double
  /// The variance of *S* without a trend, with the terms of equal values in both columns (Kendall
  /// 1970, equation 4.4).
  public let variance: Double
  /// The probability of a score at least as far from 0 without a trend.
  ///
  /// It is exact (``isExact``) when no values are equal and there are 33 points or fewer, or at most
  /// one pair is out of order; else that of the normal distribution at *S*/√variance, without a
  /// correction for continuity. These are the rules of SciPy.
  public let pValue: Double
  /// Whether the probability is that of all orders of the points.
  public let isExact: Bool
  /// The number of points.
  public let count: Int

  /// Tests points.
  ///
  /// - Parameters:
  ///   - x: the x coordinates, in any unit and order; values may repeat
  ///   - y: the y coordinates
  /// - Throws: `AnalysisError` when there are fewer than three points, when a coordinate is not
  ///   finite, and when all *x* or all *y* are equal
  /// - Complexity: O(*n* log *n*) (Knight 1966)
  public init(x: [Double], y: [Double]) throws(AnalysisError) {
    let found = try KendallScore(x: x, y: y, needed: 3)
    guard found.xTies.pairs < found.pairs else { throw AnalysisError(.singular) }
    guard found.yTies.pairs < found.pairs else { throw AnalysisError(.constant) }
    count = found.count
    score = found.score
    let (xPairs, yPairs) = (found.pairs - found.xTies.pairs, found.pairs - found.yTies.pairs)
    // √a·√a is not always a.
    let size =
      xPairs == yPairs
      ? Double(xPairs) : Double(xPairs).squareRoot() * Double(yPairs).squareRoot()
    tau = min(1, max(-1, Double(found.score) / size))
    variance = found.variance(ofTies: .both)
    let inversions = min(found.discordant, found.pairs - found.discordant)
    isExact = !found.hasTies && (found.count <= 33 || inversions <= 1)
    pValue =
      isExact
      ? Self.exactProbability(count: found.count, inversions: inversions)
      : min(1, 2 * NormalDistribution.upperTail(Double(score.magnitude) / variance.squareRoot()))
  }

  /// The probability that an order of `count` points has at most `inversions` pairs in the wrong
  /// order, or as many in the right one.
  ///
  /// The share of orders of *j* points with *c* inversions is the mean of those of *j* − 1 points
  /// with *c* − *j* + 1 to *c* (Kendall 1970, section 5.2).
  ///
  /// - Complexity: O(count · inversions²)
  static func exactProbability(count: Int, inversions: Int) -> Double {
    guard 4 * inversions < count * (count - 1) else { return 1 }
    var shares = [1.0] + [Double](repeating: 0, count: inversions)
    for size in stride(from: 2, through: count, by: 1) {
      shares = shares.indices.map { place in
        shares[max(0, place - size + 1)...place].reduce(0, +) / Double(size)
      }
    }
    return min(1, 2 * shares.reduce(0, +))
  }
}

extension RegularSeries {
  /// The test whether the values rise or fall with their row; missing rows are left out.
  ///
  /// - Throws: `AnalysisError` as ``MannKendall``
  /// - Complexity: O(*n* log *n*)
  public func mannKendall() throws(AnalysisError) -> MannKendall {
    try MannKendall(x: presentRows.map(Double.init), y: presentValues)
  }
}
