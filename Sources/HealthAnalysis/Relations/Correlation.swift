#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How much two columns go together, from −1 to 1.
///
/// ```swift
/// let relation = try Correlation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
/// relation.coefficient  // 0.8
/// relation.pValue       // 0.104…
/// ```
///
/// Going together is not cause. Successive values in time are rarely independent: for columns of
/// days see ``RegularSeries/correlation(with:lag:method:leastPairs:)``, whose
/// ``effectiveCount`` takes that into account.
public struct Correlation: Sendable, Hashable {
  /// What is compared.
  public enum Method: Sendable, Hashable, CaseIterable {
    /// Spearman's ρ: Pearson's coefficient of the ranks, where equal values have their average rank
    /// (Spearman, *American Journal of Psychology* 15, 1904, 72–101). Any rise counts.
    case spearman
    /// Pearson's *r* = Σ(x − x̄)(y − ȳ)/√(Σ(x − x̄)²Σ(y − ȳ)²) of the values. A straight rise counts.
    case pearson
  }

  /// What was compared.
  public let method: Method
  /// ρ or *r*, from −1 to 1.
  public let coefficient: Double
  /// The number of pairs.
  public let count: Int
  /// How many independent pairs would tell as much; ``count`` where pairs are independent.
  public let effectiveCount: Double

  /// The correlation of two columns, whose rows are independent of one another.
  ///
  /// - Parameters:
  ///   - x: a column
  ///   - y: another, with as many rows
  ///   - method: what is compared
  /// - Throws: `AnalysisError` for columns of different lengths, fewer than 3 rows, more than 2^20,
  ///   a value that is not finite, or a column whose values are all equal
  /// - Complexity: O(*n* log *n*)
  public init(_ x: [Double], _ y: [Double], method: Method = .spearman) throws(AnalysisError) {
    guard x.count == y.count else {
      throw AnalysisError(.lengthsDiffer(x: x.count, y: y.count))
    }
    let left = try PairedColumn(RegularSeries(x), method: method)
    let right = try PairedColumn(RegularSeries(y), method: method)
    var scratch: [UInt32] = []
    switch left.pairs(with: right, lag: 0, leastPairs: 3, scratch: &scratch) {
    case .success(let pairs):
      self.init(
        method: method, coefficient: pairs.coefficient, count: pairs.count,
        effectiveCount: Double(pairs.count))
    case .failure(let error): throw error
    }
  }

  /// Keeps what was computed.
  init(method: Method, coefficient: Double, count: Int, effectiveCount: Double) {
    self.method = method
    self.coefficient = coefficient
    self.count = count
    self.effectiveCount = effectiveCount
  }

  /// The same where other columns were taken out of both, which as many pairs pay for.
  func losing(_ givenCount: Int) -> Correlation {
    Correlation(
      method: method, coefficient: coefficient, count: count,
      effectiveCount: effectiveCount - Double(givenCount))
  }

  /// The probability of a coefficient at least as far from 0 if the columns had nothing to do with
  /// one another.
  ///
  /// Both tails of Student's distribution at *t* = ρ√(ν/((1 − ρ)(1 + ρ))) with ν = *n* − 2 degrees of
  /// freedom, where *n* is ``effectiveCount`` (Kendall and Stuart, *The Advanced Theory of
  /// Statistics* 2, 31.19). For ranks this is an approximation, which is good from about 10 pairs on.
  ///
  /// - Complexity: O(√*n*)
  public var pValue: Double {
    let freedom = max(1, effectiveCount - 2)
    let rest = (1 - coefficient) * (1 + coefficient)
    guard rest > 0 else { return 0 }
    let t = coefficient.magnitude * (freedom / rest).squareRoot()
    return min(1, 2 * StudentDistribution(degreesOfFreedom: freedom).upperTail(t))
  }

  /// The confidence interval of the coefficient.
  ///
  /// tanh(artanh ρ ± *z*·√(*f*/(*n* − 3))), where *z* cuts off (1 − `confidence`)/2 of the normal
  /// distribution, *n* is ``effectiveCount``, and *f* is 1 for Pearson (Fisher, *Metron* 1, 1921,
  /// 3–32) and 1 + ρ²/2 for Spearman (Bonett and Wright, *Psychometrika* 65, 2000, 23–28). The
  /// interval of ±1 is that number alone.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or with fewer than 4 pairs
  public func interval(
    confidence: Double = 0.95
  ) throws(AnalysisError) -> ClosedRange<Double> {
    guard confidence > 0, confidence < 1 else { throw AnalysisError(.confidenceOutOfRange) }
    guard effectiveCount > 3 else {
      throw AnalysisError(.tooFewPoints(count: Int(effectiveCount), needed: 4))
    }
    guard coefficient.magnitude < 1 else { return coefficient...coefficient }
    let factor = method == .spearman ? 1 + coefficient * coefficient / 2 : 1
    let error = (factor / (effectiveCount - 3)).squareRoot()
    let tail = (1 - confidence) / 2
    guard tail > 0 else { return -1...1 }
    let margin = NormalDistribution.quantile(upperTail: tail) * error
    let centre = atanh(coefficient)
    return tanh(centre - margin)...tanh(centre + margin)
  }
}
