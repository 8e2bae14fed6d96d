extension RegularSeries {
  /// The correlation of each row with a row of another series some rows later, where both are there.
  ///
  /// ```swift
  /// let relation = try exercise.correlation(with: sleep, lag: 1)
  /// relation.coefficient  // of exercise on a day and sleep on the day after
  /// ```
  ///
  /// Values near in time are alike, so that pairs tell less than as many independent ones:
  /// ``Correlation/effectiveCount`` is *n*/(1 + 2Σ(1 − j/N)*a*ⱼ*b*ⱼ), with the autocorrelations of
  /// both series at the distances 1–28, at most *n* and at least 4 (Bartlett 1935; Pyper and
  /// Peterman, *Canadian Journal of Fisheries and Aquatic Sciences* 55, 1998, 2127–2140, eq. 1). For
  /// Spearman's coefficient they are those of the ranks.
  ///
  /// - Parameters:
  ///   - other: a series with as many rows
  ///   - lag: how many rows later the other series is read; earlier when negative
  ///   - method: what is compared
  ///   - leastPairs: how many pairs it needs, at least 4; six weeks of days unless given
  /// - Returns: the correlation with its effective count
  /// - Throws: `AnalysisError` for series of different lengths, with too few pairs or more than 2^20
  ///   rows, or where all values of a series among the pairs are equal
  /// - Complexity: O(*n* log *n*)
  public func correlation(
    with other: RegularSeries, lag: Int = 0, method: Correlation.Method = .spearman,
    leastPairs: Int = 42
  ) throws(AnalysisError) -> Correlation {
    guard count == other.count else {
      throw AnalysisError(.lengthsDiffer(x: count, y: other.count))
    }
    try Relations.check(leastPairs: leastPairs)
    guard lag.magnitude < max(1, count) else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: leastPairs))
    }
    let left = try PairedColumn(self, method: method)
    let right = try PairedColumn(other, method: method)
    var scratch: [UInt32] = []
    return try left.correlation(with: right, lag: lag, leastPairs: leastPairs, scratch: &scratch)
      .get()
  }
}

extension PairedColumn {
  /// The correlation at one lag, with its effective count.
  func correlation(
    with other: PairedColumn, lag: Int, leastPairs: Int, scratch: inout [UInt32]
  ) -> Result<Correlation, AnalysisError> {
    pairs(with: other, lag: lag, leastPairs: leastPairs, scratch: &scratch).map { pairs in
      Correlation(
        method: method, coefficient: pairs.coefficient, count: pairs.count,
        effectiveCount: effectiveCount(with: other, count: pairs.count))
    }
  }
}
