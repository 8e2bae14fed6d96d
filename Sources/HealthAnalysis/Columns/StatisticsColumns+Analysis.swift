import HealthSamples
public import HealthStatistics

extension StatisticsColumns {
  /// The straight line through one statistic of the intervals.
  ///
  /// The x of a point is the middle of its interval, in days of 86,400 s. Intervals without data
  /// are left out. For `recent` and `first` the points are their values.
  ///
  /// ```swift
  /// let weeks = try rates.statistics(over: boundaries)
  /// try weeks.linearTrend(of: .mean)?.slope  // beats a minute, a day
  /// ```
  ///
  /// - Parameters:
  ///   - statistic: what to fit
  ///   - rows: the intervals to use; all when `nil`. The sums of the first and the last one are too
  ///     small when the data cover them only in part.
  ///   - origin: where *x* is 0, in seconds since 2001-01-01 UTC
  /// - Returns: the line; `nil` when the statistic was not computed
  /// - Throws: `AnalysisError`; a row in it counts the intervals that have data.
  /// - Complexity: O(*n*)
  public func linearTrend(
    of statistic: Statistic, rows: Range<Int>? = nil, origin: Double = 0
  ) throws(AnalysisError) -> LinearTrend? {
    guard let values = self[raw: statistic] else { return nil }
    let chosen = (rows ?? 0..<count).clamped(to: 0..<count).filter {
      hasData[$0] && value(statistic, row: $0) != nil
    }
    return try LinearTrend(
      x: chosen.map { row in
        let start = starts[row] - origin
        let end = ends[row] - origin
        return (start + (end - start) / 2) / .secondsPerDay
      }, y: chosen.map { values[$0] })
  }
}

extension StatisticsColumns {
  /// One statistic of the intervals as a series: one row an interval, missing where it has no value.
  ///
  /// - Returns: the series; `nil` when the statistic was not computed
  /// - Throws: `AnalysisError` with the row of a sum that is too large for a `Double`
  /// - Complexity: O(rows)
  public func series(of statistic: Statistic) throws(AnalysisError) -> RegularSeries? {
    guard let values = self[statistic] else { return nil }
    return try RegularSeries(values)
  }
}
