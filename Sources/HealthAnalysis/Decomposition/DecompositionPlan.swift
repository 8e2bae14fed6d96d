/// A decomposition prepared for many series of one length.
///
/// The weights of all local fits depend on the length and the parameters alone. A smoother keeps its
/// own, 32 MB at most; 4 MB for ten years of days with periods of 7 and 365. For one series
/// ``RegularSeries/decomposed(period:parameters:)`` says the same in one call.
///
/// ```swift
/// let plan = try DecompositionPlan(rows: 3_650, periods: [7, 365])
/// let parts = try series.map { try $0.decomposed(by: plan) }
/// ```
public struct DecompositionPlan: Sendable {
  /// The number of rows of each series.
  public let rows: Int
  /// The periods in rows, the shortest first.
  public let periods: [Int]
  /// The longest gap that is filled.
  public let longestGap: Int
  private let passes: Int
  private let seasons: [SeasonalTrendLoess]

  /// Prepares STL with one period.
  ///
  /// - Parameters:
  ///   - rows: the number of rows of each series
  ///   - period: after how many rows the season comes again, from 2
  ///   - parameters: what STL is told
  /// - Throws: `AnalysisError` for a parameter outside of its range, or less than two periods
  /// - Complexity: O(window²) for the longest window
  public init(
    rows: Int, period: Int, parameters: DecompositionParameters = DecompositionParameters()
  ) throws(AnalysisError) {
    try self.init(rows: rows, [(period, parameters)], passes: 1)
  }

  /// Prepares MSTL with several periods.
  ///
  /// - Parameters:
  ///   - rows: the number of rows of each series
  ///   - periods: after how many rows each season comes again, from 2; all of them different
  ///   - windows: the window of each season in cycles, in the order of the periods; 11 for the
  ///     shortest, 15 for the next, and so on when `nil`
  ///   - passes: how often all seasons are found in turns, from 1 to 100; once for one period
  ///   - parameters: what each STL is told; the windows of the seasons are those above
  /// - Throws: `AnalysisError` for a parameter outside of its range, or less than two of the longest
  ///   period
  /// - Complexity: O(window²) for the longest window
  public init(
    rows: Int, periods: [Int], windows: [Int]? = nil, passes: Int = 2,
    parameters: DecompositionParameters = DecompositionParameters()
  ) throws(AnalysisError) {
    guard !periods.isEmpty, Set(periods).count == periods.count else {
      throw AnalysisError(.parameter(name: "periods", range: "at least one, all different"))
    }
    guard windows.map({ $0.count == periods.count }) ?? true else {
      throw AnalysisError(.parameter(name: "windows", range: "one for each period"))
    }
    guard 1...100 ~= passes else {
      throw AnalysisError(.parameter(name: "passes", range: "from 1 to 100"))
    }
    let order = periods.indices.sorted { periods[$0] < periods[$1] }
    let parts = order.enumerated().map { place, index in
      var part = parameters
      part.seasonalWindow = .cycles(windows?[index] ?? 11 + 4 * place)
      return (periods[index], part)
    }
    try self.init(rows: rows, parts, passes: periods.count == 1 ? 1 : passes)
  }

  private init(
    rows: Int, _ parts: [(period: Int, parameters: DecompositionParameters)], passes: Int
  ) throws(AnalysisError) {
    self.rows = rows
    self.passes = passes
    periods = parts.map(\.period)
    longestGap = parts[0].parameters.longestGap
    guard longestGap >= 0 else {
      throw AnalysisError(.parameter(name: "longest gap", range: "0 or more"))
    }
    var resolved: [ResolvedDecomposition] = []
    for (period, parameters) in parts {
      resolved.append(try ResolvedDecomposition(parameters, rows: rows, period: period))
    }
    seasons = resolved.map { SeasonalTrendLoess($0) }
  }

  /// What the seasons and the trend are in a series without gaps.
  ///
  /// Each season is found in the series without the others, in turns (Bandara, Hyndman and
  /// Bergmeir, *MSTL*, arXiv 2107.13462, 2021, algorithm 1). The trend is that of the last one.
  func parts(of series: [Double]) -> (trend: [Double], seasons: [[Double]], weights: [Double]) {
    var found = [[Double]](repeating: Array(repeating: 0, count: rows), count: seasons.count)
    var rest = series
    var last = SeasonalTrendLoess.Parts(trend: [], season: [], weights: [])
    for _ in 0..<passes {
      for (index, season) in seasons.enumerated() {
        for row in 0..<rows { rest[row] += found[index][row] }
        last = season.parts(of: rest)
        for row in 0..<rows { rest[row] -= last.season[row] }
        found[index] = last.season
      }
    }
    return (last.trend, found, last.weights)
  }
}
