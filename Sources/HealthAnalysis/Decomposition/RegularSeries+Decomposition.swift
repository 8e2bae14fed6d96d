extension RegularSeries {
  /// The series as trend, season and remainder, by STL.
  ///
  /// STL smooths the rows at each place of the period, and what is left over all rows, by local
  /// regression in turns (Cleveland, Cleveland, McRae and Terpenning, *Journal of Official
  /// Statistics* 6, 1990, 3–73).
  ///
  /// Missing rows are filled first: a line between the neighbours without their season, plus the
  /// season, which is the median difference of its place in the period from the mean of a period.
  /// They are marked, and have no remainder.
  ///
  /// ```swift
  /// let parts = try steps.decomposed(period: 7)
  /// ```
  ///
  /// - Parameters:
  ///   - period: after how many rows the season comes again, from 2
  ///   - parameters: what STL is told
  /// - Returns: the parts
  /// - Throws: `AnalysisError` for a parameter outside of its range, less than two periods, more
  ///   than half of the rows missing, a gap longer than the parameters allow, or a part too large
  ///   for a `Double`
  /// - Complexity: O(iterations · rows · windows)
  public func decomposed(
    period: Int, parameters: DecompositionParameters = DecompositionParameters()
  ) throws(AnalysisError) -> Decomposition {
    try decomposed(
      by: try DecompositionPlan(rows: count, period: period, parameters: parameters))
  }

  /// The series as trend, several seasons and remainder, by MSTL.
  ///
  /// Each season is found by STL in the series without the other seasons, from the shortest period
  /// to the longest, and all of them in turns (Bandara, Hyndman and Bergmeir, *MSTL*, arXiv
  /// 2107.13462, 2021). There is no transformation of Box and Cox.
  ///
  /// - Parameters:
  ///   - periods: after how many rows each season comes again, from 2; all of them different
  ///   - windows: the window of each season in cycles; 11 for the shortest period, 15 for the next,
  ///     and so on when `nil`
  ///   - passes: how often all seasons are found in turns
  ///   - parameters: what each STL is told
  /// - Returns: the parts
  /// - Throws: the errors of ``decomposed(period:parameters:)``; two of the longest period are needed
  /// - Complexity: O(passes · iterations · rows · windows)
  public func decomposed(
    periods: [Int], windows: [Int]? = nil, passes: Int = 2,
    parameters: DecompositionParameters = DecompositionParameters()
  ) throws(AnalysisError) -> Decomposition {
    try decomposed(
      by: try DecompositionPlan(
        rows: count, periods: periods, windows: windows, passes: passes, parameters: parameters))
  }

  /// The series as trend, seasons and remainder, by a plan that is used for many.
  ///
  /// - Throws: `AnalysisError` for another number of rows than the plan's, more than half of the
  ///   rows missing, a gap longer than the plan's, or a part too large for a `Double`
  public func decomposed(by plan: DecompositionPlan) throws(AnalysisError) -> Decomposition {
    guard count == plan.rows else {
      throw AnalysisError(.lengthsDiffer(x: count, y: plan.rows))
    }
    guard presentCount >= (count + 1) / 2 else {
      throw AnalysisError(.tooFewPoints(count: presentCount, needed: (count + 1) / 2))
    }
    let gap = GapFilling.longestGap(isPresent)
    guard gap.rows <= plan.longestGap else {
      throw AnalysisError(
        .gapTooLong(rows: gap.rows, limit: plan.longestGap), row: gap.first)
    }
    // Around their centre and in units near 1 values neither overflow nor lose what is small.
    let column = ScaledColumn(presentCount == count ? values : presentValues)
    var scaled = column.values
    let rows = presentRows
    if presentCount < count {
      scaled = Array(repeating: 0, count: count)
      for (row, value) in zip(rows, column.values) { scaled[row] = value }
      scaled = GapFilling.filled(scaled, isPresent, period: plan.periods[0])
    }
    let parts = plan.parts(of: scaled)
    return try Decomposition(parts, of: self, scaled, column, rows: rows, periods: plan.periods)
  }
}

extension Decomposition {
  /// The parts of a scaled series, in its own unit.
  fileprivate init(
    _ parts: (trend: [Double], seasons: [[Double]], weights: [Double]), of series: RegularSeries,
    _ scaled: [Double], _ column: ScaledColumn, rows: [Int], periods: [Int]
  ) throws(AnalysisError) {
    var rest = scaled
    for season in parts.seasons { for row in rest.indices { rest[row] -= season[row] } }
    for row in rest.indices { rest[row] -= parts.trend[row] }
    let level = scaled.reduce(column.centre.magnitude) { max($0, $1.magnitude) }
    trendStrength = Self.strength(of: parts.trend, remainder: rest, rows: rows, level: level)
    seasonalStrength = parts.seasons.map {
      Self.strength(of: $0, remainder: rest, rows: rows, level: level)
    }
    let unit = Unit(exponent: column.exponent)
    let trend = unit.values(of: parts.trend.map { $0 + column.centre })
    seasons = zip(periods, parts.seasons).map { period, values in
      Season(period: period, values: unit.values(of: values))
    }
    self.trend = trend
    weights = parts.weights
    isFilled = series.isPresent.map { !$0 }
    var adjusted = series.values
    for season in seasons { for row in rows { adjusted[row] -= season.values[row] } }
    var remainder = adjusted
    for row in rows { remainder[row] -= trend[row] }
    for column in seasons.map(\.values) + [trend, adjusted, remainder] {
      if let row = column.firstIndex(where: { !$0.isFinite }) {
        throw AnalysisError(.overflow, row: row)
      }
    }
    self.adjusted = try RegularSeries(adjusted, present: series.isPresent)
    self.remainder = try RegularSeries(remainder, present: series.isPresent)
  }
}

extension RegularSeries {
  /// A series with values in some rows.
  fileprivate init(_ values: [Double], present: [Bool]) throws(AnalysisError) {
    guard present.contains(false) else {
      try self.init(values)
      return
    }
    try self.init(zip(values, present).map { $1 ? $0 : nil })
  }
}

/// Multiplication by a power of two.
private struct Unit {
  private let exponent: Int
  private let factor: Double?

  init(exponent: Int) {
    self.exponent = exponent
    factor = -1022...1023 ~= exponent ? 1.scaled(by: exponent) : nil
  }

  func values(of numbers: [Double]) -> [Double] {
    guard let factor else { return numbers.map { $0.scaled(by: exponent) } }
    return numbers.map { $0 * factor }
  }
}
