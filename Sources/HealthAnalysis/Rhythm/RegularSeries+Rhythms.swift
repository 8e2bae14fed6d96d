extension RegularSeries {
  /// Rhythms of one or several periods in the rows that have a value (see ``Cosinor``).
  ///
  /// Row 0 is at time 0, and each row is one later: periods and times of peaks are in rows.
  ///
  /// ```swift
  /// let week = try dailyRates.cosinor(periods: [7]).rhythms[0]
  /// ```
  ///
  /// - Parameter periods: the periods in rows, each once
  /// - Returns: the model
  /// - Throws: `AnalysisError` as a ``Cosinor`` does
  /// - Complexity: O(rows · *k*²) for *k* periods
  public func cosinor(periods: [Double]) throws(AnalysisError) -> Cosinor {
    try Cosinor(times: presentRows.map(Double.init), values: presentValues, periods: periods)
  }

  /// The periodogram of the rows that have a value (see ``Periodogram``).
  ///
  /// Frequencies are in periods a row. Higher ones than ½ are mirror images of lower ones, so that
  /// the grid ends there.
  ///
  /// - Parameters:
  ///   - oversampling: how many steps of the grid a peak is wide, at least 1
  ///   - highestFrequency: the end of the grid, in periods a row
  /// - Returns: the periodogram
  /// - Throws: `AnalysisError` as a ``Periodogram`` does
  /// - Complexity: O(*n*·frequencies)
  public func periodogram(
    oversampling: Int = 5, highestFrequency: Double = 0.5
  ) throws(AnalysisError) -> Periodogram {
    try Periodogram(
      times: presentRows.map(Double.init), values: presentValues, oversampling: oversampling,
      highestFrequency: highestFrequency)
  }
}
