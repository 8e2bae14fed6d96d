/// The test of Mann and Kendall for values with seasons: each season is compared with itself alone.
///
/// A value is compared with those of the same season in other cycles, as January with other Januaries and
/// Mondays with other Mondays; the scores of the seasons add up (R. M. Hirsch, J. R. Slack and R. A. Smith,
/// *Water Resources Research* 18, 1982, 107–121). So a season, however large, is no trend. Seasons that
/// rise and others that fall cancel out.
///
/// ```swift
/// let test = try RegularSeries([1, 50, 2, 52, 3, 51, 4, 54]).seasonalMannKendall(period: 2)
/// test.score               // 10: 6 of the first season and 4 of the second
/// test.slope               // 1 from one cycle to the next
/// test.dependent.pValue    // 0.104
/// ```
public struct SeasonalMannKendall: Sendable, Hashable {
  /// The test by a variance of the score.
  public struct Test: Sendable, Hashable {
    /// The variance of the score without a trend.
    public let variance: Double
    /// (S − 1)/√variance for a positive score, (S + 1)/√variance for a negative one, else 0: the 1 is
    /// the correction for continuity.
    public let statistic: Double
    /// The probability of a score at least as far from 0 without a trend, by the normal distribution.
    public let pValue: Double

    init(score: Int, variance: Double) {
      self.variance = variance
      let distance = Double(score - score.signum())
      statistic = distance == 0 ? 0 : distance / variance.squareRoot()
      pValue = min(1, 2 * NormalDistribution.upperTail(statistic.magnitude))
    }
  }

  /// *S*: over all seasons, the pairs of cycles that rise minus those that fall.
  public let score: Int
  /// *S* by the number of pairs, from −1 to 1; pairs of equal values count as pairs.
  public let tau: Double
  /// The seasonal slope of Sen, the change from one cycle to the next: the median of
  /// (*x*ⱼ − *x*ᵢ)/(*j* − *i*) over all pairs of cycles of all seasons (Hirsch and others 1982).
  public let slope: Double
  /// The test as if the seasons of a cycle were independent: the variance is the sum of those of the
  /// seasons, each (*n*(*n* − 1)(2*n* + 5) − Σ*t*(*t* − 1)(2*t* + 5))/18 over groups of *t* equal values.
  ///
  /// Where neighbouring rows go together the probability is too small.
  public let independent: Test
  /// The test that heeds how the seasons of a cycle go together.
  ///
  /// The variance also has the covariances of all pairs of seasons (R. M. Hirsch and J. R. Slack, *Water
  /// Resources Research* 20, 1984, 727–732). Each is (*K* + 4Σ*d*ᵢ*e*ᵢ)/3: *K* is Kendall's score of both
  /// seasons over the cycles that have both, and *d*ᵢ and *e*ᵢ are the distances of the ranks from their
  /// mean, 0 where a value is missing (E. J. Dietz and T. J. Killeen, *Journal of the American Statistical
  /// Association* 76, 1981, 169–174).
  ///
  /// Of series of months without a trend 5 in 100 have a probability below 0.05 where months are
  /// independent, at most 8 where a month keeps 0.5 or 0.7 of the one before. Below ten cycles it finds
  /// little, below five almost nothing. What lasts from one cycle to the next is not heeded, as a week
  /// in days that keep 0.7 (11 in 100).
  public let dependent: Test
  /// How many seasons have two values or more.
  public let seasonCount: Int
  /// The number of values in the season that has most.
  public let cycleCount: Int
  /// The number of values.
  public let count: Int
}

extension RegularSeries {
  /// The test whether the values of the same season rise or fall from cycle to cycle.
  ///
  /// The season of a row is its number modulo the period; missing rows are left out.
  ///
  /// - Parameter period: how many rows make a cycle: 12 for months of years, 7 for days of weeks
  /// - Returns: the test
  /// - Throws: `AnalysisError` for a period below 2, more than ``TheilSenTrend/pointLimit`` rows, fewer
  ///   than three values in every season, seasons that are each constant, or a slope that overflows
  /// - Complexity: O(*c*²) for each season of *c* cycles; O(*n*) memory
  public func seasonalMannKendall(period: Int) throws(AnalysisError) -> SeasonalMannKendall {
    guard period >= 2 else {
      throw AnalysisError(.parameter(name: "period", range: "2 rows or more"))
    }
    guard count <= TheilSenTrend.pointLimit else {
      throw AnalysisError(.tooManyPoints(count: count, limit: TheilSenTrend.pointLimit))
    }
    // No difference of values scaled so overflows, and all slopes have one scale.
    let exponent = presentValues.contains { $0.magnitude > 0x1p1022 } ? 2 : 0
    var seasons: [SeasonOfCycles] = []
    var most = 0
    for first in 0..<min(period, count) {
      let rows = stride(from: first, to: count, by: period).filter { isPresent[$0] }
      most = max(most, rows.count)
      guard rows.count >= 2 else { continue }
      seasons.append(
        try SeasonOfCycles(
          cycles: rows.map { $0 / period }, values: rows.map { values[$0].scaled(by: -exponent) }))
    }
    guard most >= 3 else { throw AnalysisError(.tooFewPoints(count: most, needed: 3)) }
    let variance = seasons.map(\.variance).compensatedSum
    guard variance > 0 else { throw AnalysisError(.constant) }
    let score = seasons.reduce(0) { $0 + $1.score }
    let pairs = seasons.reduce(0) { $0 + $1.slopes.count }
    let middle = PairSlopes.elements(
      of: seasons.map(\.slopes), at: [(pairs - 1) / 2, pairs / 2],
      capacity: max(1 << 17, 16 * count))
    let slope = middle[0].midpoint(with: middle[1]).scaled(by: exponent) + 0
    guard slope.isFinite else { throw AnalysisError(.overflow) }
    return SeasonalMannKendall(
      score: score, tau: Double(score) / Double(pairs), slope: slope,
      independent: SeasonalMannKendall.Test(score: score, variance: variance),
      dependent: SeasonalMannKendall.Test(
        score: score,
        variance: SeasonOfCycles.jointVariance(of: seasons, cycles: (count - 1) / period + 1)),
      seasonCount: seasons.count, cycleCount: most, count: presentCount)
  }
}

/// The values of one season.
private struct SeasonOfCycles {
  let cycles: [Int]
  let values: [Double]
  let score: Int
  let variance: Double
  let slopes: PairSlopes

  init(cycles: [Int], values: [Double]) throws(AnalysisError) {
    let found = try KendallScore(x: cycles.map(Double.init), y: values, needed: 2)
    (self.cycles, self.values) = (cycles, values)
    score = found.score
    variance = found.variance(ofTies: .eachColumnAlone)
    slopes = try PairSlopes(x: cycles.map(Double.init), y: values)
  }

  /// The variance of the sum of the scores, with the covariances of all pairs of seasons.
  ///
  /// The sum of (*K* + 4Σ*de*)/3 over all pairs of seasons, each with itself too, is
  /// (Σ*D*ᵢⱼ² + 4Σ*D*ᵢ²)/3: *D*ᵢⱼ is the number of seasons that rise from cycle *i* to *j* minus those that
  /// fall, and *D*ᵢ the sum of the distances of the ranks of cycle *i*. So it cannot be negative.
  static func jointVariance(of seasons: [SeasonOfCycles], cycles: Int) -> Double {
    // Distances of ranks in halves, which are whole numbers.
    var distances = [Int](repeating: 0, count: cycles)
    for season in seasons {
      let centre = season.values.count + 1
      for (cycle, rank) in zip(season.cycles, season.values.averageRanks) {
        distances[cycle] += Int(2 * rank) - centre
      }
    }
    var squares = 0
    var signs = [Int](repeating: 0, count: cycles)
    for cycle in 0..<cycles {
      for later in cycle..<cycles { signs[later] = 0 }
      for season in seasons {
        guard let place = season.place(of: cycle) else { continue }
        for later in place..<season.values.count {
          signs[season.cycles[later]] += season.sign(from: place, to: later)
        }
      }
      for later in cycle..<cycles { squares += signs[later] * signs[later] }
    }
    let ranks = distances.reduce(0) { $0 + $1 * $1 }
    return Double(squares + ranks) / 3
  }

  /// The place of a cycle among those that have a value.
  private func place(of cycle: Int) -> Int? {
    var (low, high) = (0, cycles.count)
    while low < high {
      let middle = (low + high) / 2
      if cycles[middle] < cycle { low = middle + 1 } else { high = middle }
    }
    return low < cycles.count && cycles[low] == cycle ? low : nil
  }

  private func sign(from place: Int, to later: Int) -> Int {
    values[later] > values[place] ? 1 : values[later] < values[place] ? -1 : 0
  }
}
