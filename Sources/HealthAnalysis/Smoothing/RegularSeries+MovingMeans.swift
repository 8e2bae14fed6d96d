import _HealthNumerics

extension RegularSeries {
  /// The mean of each row and of those before it.
  ///
  /// ```swift
  /// let series = try RegularSeries([1, nil, 3, 5])
  /// let means = try series.trailingMean(rows: 3, atLeast: 2)
  /// (0..<4).map { means[$0] }  // [nil, nil, 2, 4]
  /// ```
  ///
  /// Rows without a value are left out of a mean: they are not 0, and no older row stands in for
  /// them. The first means see fewer rows.
  ///
  /// - Parameters:
  ///   - rows: how many rows a mean sees, the own one counted
  ///   - least: how many of them must have a value; else the mean is missing
  /// - Returns: a series with as many rows, in the unit of the values
  /// - Throws: `AnalysisError` when `rows` is below 1, or `least` not between 1 and `rows`
  /// - Complexity: O(*n*·rows)
  public func trailingMean(rows: Int, atLeast least: Int) throws(AnalysisError) -> RegularSeries {
    try Self.checkWindow(rows: rows, atLeast: least)
    return try movingMean(atLeast: least) { row in
      max(0, row - min(row, rows - 1))..<(row + 1)
    }
  }

  /// The mean of each row and of as many on either side.
  ///
  /// - Parameters:
  ///   - rows: how many rows a mean sees, the own one counted: an odd number
  ///   - least: how many of them must have a value; else the mean is missing
  /// - Returns: a series with as many rows, in the unit of the values
  /// - Throws: `AnalysisError` when `rows` is below 1 or even, or `least` not between 1 and `rows`
  /// - Complexity: O(*n*·rows)
  public func centredMean(rows: Int, atLeast least: Int) throws(AnalysisError) -> RegularSeries {
    try Self.checkWindow(rows: rows, atLeast: least)
    guard !rows.isMultiple(of: 2) else {
      throw AnalysisError(.parameter(name: "number of rows of a centred mean", range: "odd"))
    }
    let reach = rows / 2
    return try movingMean(atLeast: least) { row in
      (row - min(row, reach))..<(row + min(count - 1 - row, reach) + 1)
    }
  }

  /// Refuses a window without rows, and a least number that it cannot have.
  static func checkWindow(rows: Int, atLeast least: Int) throws(AnalysisError) {
    guard rows >= 1 else {
      throw AnalysisError(.parameter(name: "number of rows", range: "1 or more"))
    }
    guard (1...rows).contains(least) else {
      throw AnalysisError(
        .parameter(name: "least number of values", range: "from 1 to the number of rows"))
    }
  }

  private func movingMean(
    atLeast least: Int, over window: (Int) -> Range<Int>
  ) throws(AnalysisError) -> RegularSeries {
    // A sum of the largest doubles would overflow, so that they are added as 2^−64 of themselves.
    let exponent = values.contains { $0.magnitude > 1e290 } ? 64 : 0
    let factor = 1.scaled(by: -exponent)
    let means = values.indices.map { row -> Double? in
      var sum = CompensatedSum()
      var present = 0
      var low = Double.infinity
      var high = -Double.infinity
      for other in window(row) where isPresent[other] {
        sum.add(values[other] * factor)
        present += 1
        low = min(low, values[other])
        high = max(high, values[other])
      }
      guard present >= least else { return nil }
      // A rounded mean is not beyond the values that it is of.
      return min(high, max(low, sum.mean(count: present).scaled(by: exponent)))
    }
    return try RegularSeries(means)
  }
}
