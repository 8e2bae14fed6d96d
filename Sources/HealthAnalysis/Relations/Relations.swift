/// Which of many series go together, at which lag, and how many pairs were asked.
///
/// Every pair is tested at every lag in both directions, by the correlation of the tested columns
/// with a *p*-value for autocorrelated rows (``RegularSeries/correlation(with:lag:method:leastPairs:)``),
/// and all *p*-values are adjusted together (``MultipleTests``): choosing the lag
/// afterwards is paid for. A pair holds at its lag with the smallest *p*-value when that is still
/// small after the adjustment, and when the raw columns go the same way at that lag. Of values
/// (``Correlation/Method/pearson``) the ranks must be as sure at that lag, since two far values that meet
/// make a correlation of their own.
///
/// ```swift
/// let relations = try Relations(columns, raw: columns)
/// relations.tested.count  // how many questions were asked
/// for relation in relations.held { print(relation.first, relation.second, relation.lag) }
/// ```
///
/// The tested columns are free of the week and of slow changes, which many series share. Best is the
/// remainder of a decomposition with a periodic week and a trend of 91 rows, after
/// ``RegularSeries/whitened(mostLags:)``. The remainder of STL's default windows is tested as it is:
/// whitened, it reports far more than the rate allows. Going together is not cause.
public struct Relations: Sendable, Hashable {
  /// Two series by their numbers, in any order.
  public struct Pair: Sendable, Hashable {
    /// The smaller and the larger number.
    public let first, second: Int

    /// Makes a pair.
    public init(_ one: Int, _ other: Int) {
      first = min(one, other)
      second = max(one, other)
    }
  }

  /// A test that was not made, and why.
  public struct LeftOut: Sendable, Hashable {
    /// The numbers of the two series, the first the smaller.
    public let first, second: Int
    /// How many rows later the second series would have been read.
    public let lag: Int
    /// Too few pairs, or values that are all equal.
    public let reason: AnalysisError.Reason
  }

  /// Every test that was made: by first series, second series and lag.
  public let tested: [Relation]
  /// Every test that was not made, in the same order; excluded pairs are in neither list.
  public let leftOut: [LeftOut]
  /// The relations that hold: at most one a pair, the smallest *p*-value first.
  public let held: [Relation]

  /// The test of each pair with the smallest *p*-value, whether it holds or not, the smallest first.
  ///
  /// Of equal ones it is that with the larger coefficient, then that with the shorter lag.
  ///
  /// - Complexity: O(*t* + *p* log *p*) for *t* tests of *p* pairs
  public var bestOfPairs: [Relation] {
    Self.placesOfBest(tested).map { tested[$0] }.sorted(by: Self.isSurer)
  }

  /// Tests every pair of series at every lag.
  ///
  /// - Parameters:
  ///   - series: the columns to test, at least two, one row a day (or another step)
  ///   - raw: the same columns before anything was taken out; `series` themselves when `nil`
  ///   - lags: 0 to at most 366 rows; each but 0 is tested in both directions
  ///   - method: what is compared
  ///   - leastPairs: how many pairs of rows a test needs, at least 4; six weeks of days unless given
  ///   - falseDiscoveryRate: the share of relations without an effect that is allowed among those
  ///     that hold, between 0 and 1
  ///   - adjustment: how the *p*-values are adjusted; with ``MultipleTests/holm`` the rate is that of even
  ///     one relation without an effect
  ///   - givenCount: how many other columns were taken out of each
  ///     (``RegularSeries/rest(given:method:)``); the effective counts lose as many
  ///   - excluded: pairs that are not tested, such as a distance and its steps
  /// - Throws: `AnalysisError` for series of different lengths, more than 2^20 rows, or a parameter
  ///   outside of its range; a pair with too few rows is left out instead
  /// - Complexity: O(*n* log *n*) for each series, O(*n*) for each test
  public init(
    _ series: [RegularSeries], raw: [RegularSeries]? = nil, lags: ClosedRange<Int> = 0...3,
    method: Correlation.Method = .spearman, leastPairs: Int = 42,
    falseDiscoveryRate: Double = 0.05, adjustment: MultipleTests = .benjaminiHochberg,
    givenCount: Int = 0, excluding excluded: Set<Pair> = []
  ) throws(AnalysisError) {
    try Self.check(leastPairs: leastPairs)
    guard lags.lowerBound >= 0, lags.upperBound <= 366 else {
      throw AnalysisError(.parameter(name: "lags", range: "from 0 to 366"))
    }
    guard falseDiscoveryRate > 0, falseDiscoveryRate < 1 else {
      throw AnalysisError(.parameter(name: "false discovery rate", range: "between 0 and 1"))
    }
    guard givenCount >= 0 else {
      throw AnalysisError(.parameter(name: "number of given columns", range: "0 or more"))
    }
    guard series.count >= 2 else {
      throw AnalysisError(.parameter(name: "number of series", range: "at least 2"))
    }
    if let raw, raw.count != series.count {
      throw AnalysisError(.lengthsDiffer(x: series.count, y: raw.count))
    }
    let rows = series[0].count
    if let other = (series + (raw ?? [])).first(where: { $0.count != rows }) {
      throw AnalysisError(.lengthsDiffer(x: rows, y: other.count))
    }

    let columns = try Self.columns(series, method: method)
    let steps = Set(lags.flatMap { [-$0, $0] }).sorted()
    var scratch: [UInt32] = []
    var tested: [Relation] = []
    var leftOut: [LeftOut] = []
    for first in columns.indices {
      for second in first + 1..<max(first + 1, columns.count)
      where !excluded.contains(Pair(first, second)) {
        for lag in steps {
          switch columns[first].correlation(
            with: columns[second], lag: lag, leastPairs: leastPairs, scratch: &scratch)
          {
          case .success(let found):
            let correlation = found.losing(givenCount)
            let pValue = correlation.pValue
            tested.append(
              Relation(
                first: first, second: second, lag: lag, correlation: correlation, pValue: pValue,
                adjustedPValue: pValue))
          case .failure(let error):
            leftOut.append(
              LeftOut(first: first, second: second, lag: lag, reason: error.reason))
          }
        }
      }
    }
    let adjusted = try adjustment.adjusted(tested.map(\.pValue))
    for index in tested.indices { tested[index].adjustedPValue = adjusted[index] }

    var candidates = Self.placesOfBest(tested).filter {
      tested[$0].adjustedPValue <= falseDiscoveryRate
    }
    if method == .pearson, !candidates.isEmpty {
      let ranks = try Relations(
        series, lags: lags, leastPairs: leastPairs, falseDiscoveryRate: falseDiscoveryRate,
        adjustment: adjustment, givenCount: givenCount, excluding: excluded)
      let known = Set(
        ranks.tested.filter { $0.adjustedPValue <= falseDiscoveryRate }
          .map { [$0.first, $0.second, $0.lag] })
      candidates.removeAll {
        !known.contains([tested[$0].first, tested[$0].second, tested[$0].lag])
      }
    }
    if !candidates.isEmpty {
      let rawColumns = try raw.map { (raw) throws(AnalysisError) in
        try Self.columns(raw, method: method)
      }
      for index in candidates {
        let relation = tested[index]
        tested[index].rawCoefficient =
          if let rawColumns {
            try? rawColumns[relation.first].pairs(
              with: rawColumns[relation.second], lag: relation.lag, leastPairs: leastPairs,
              scratch: &scratch
            ).get().coefficient
          } else { relation.correlation.coefficient }
      }
    }
    self.tested = tested
    self.leftOut = leftOut
    held = candidates.map { tested[$0] }.filter(\.hasSignOfRaw).sorted(by: Self.isSurer)
  }

  /// Whether a relation comes before another: by *p*-value, then by the numbers of the series.
  private static func isSurer(_ one: Relation, than other: Relation) -> Bool {
    (one.pValue, one.first, one.second) < (other.pValue, other.first, other.second)
  }

  /// The index of the test with the smallest *p*-value of each pair; of equal ones that with the
  /// larger coefficient, then the shorter lag.
  private static func placesOfBest(_ tested: [Relation]) -> [Int] {
    var best: [Int] = []
    for (index, relation) in tested.enumerated() {
      guard let last = best.last.map({ tested[$0] }), last.first == relation.first,
        last.second == relation.second
      else {
        best.append(index)
        continue
      }
      let key = { (relation: Relation) in
        (relation.pValue, -relation.correlation.coefficient.magnitude, relation.lag.magnitude)
      }
      if key(relation) < key(last) { best[best.count - 1] = index }
    }
    return best
  }

  private static func columns(
    _ series: [RegularSeries], method: Correlation.Method
  ) throws(AnalysisError) -> [PairedColumn] {
    var columns: [PairedColumn] = []
    for series in series { columns.append(try PairedColumn(series, method: method)) }
    return columns
  }

  /// Refuses a number of pairs too small for a confidence interval.
  static func check(leastPairs: Int) throws(AnalysisError) {
    guard leastPairs >= 4 else {
      throw AnalysisError(.parameter(name: "least number of pairs", range: "at least 4"))
    }
  }
}
