/// The range that most of a series' values lie in, and the middle of it.
public struct TypicalRange: Sendable, Hashable {
  /// The value that the lower share lies below, the 5th percentile unless chosen otherwise.
  public let low: Double
  /// The median.
  public let median: Double
  /// The value that the upper share lies below, the 95th percentile unless chosen otherwise.
  public let high: Double
  /// How many values these are of.
  public let count: Int
  /// The least of them.
  public let least: Double
  /// The greatest of them.
  public let greatest: Double

  /// Whether a value lies inside, the ends included.
  public func contains(_ value: Double) -> Bool { low <= value && value <= high }
}

extension RegularSeries {
  /// The typical range of the last rows.
  ///
  /// ```swift
  /// let series = try RegularSeries((1...28).map(Double.init))
  /// let range = try series.typicalRange()
  /// (range.low, range.median, range.high, range.count)  // (2.35, 14.5, 26.65, 28)
  /// ```
  ///
  /// Percentiles are of type 7 of Hyndman and Fan (*The American Statistician* 50, 1996, 361–365).
  ///
  /// - Parameters:
  ///   - rows: how many rows at the end of the series, gaps included: 28, or 365 for a year
  ///   - shares: the shares of the values below the low and the high end, between 0 and 1
  ///   - least: how many of the rows must have a value
  /// - Returns: the range
  /// - Throws: `AnalysisError` for a parameter outside of its range, and for fewer values
  /// - Complexity: O(rows · log rows)
  public func typicalRange(
    rows: Int = 28, shares: ClosedRange<Double> = 0.05...0.95, atLeast least: Int = 14
  ) throws(AnalysisError) -> TypicalRange {
    try Self.checkRange(rows: rows, shares: shares, atLeast: least)
    let present = (count - min(count, rows)..<count).filter { isPresent[$0] }
    guard let range = range(of: present, shares: shares, atLeast: least) else {
      throw AnalysisError(.tooFewPoints(count: present.count, needed: least))
    }
    return range
  }

  /// The typical range of each group of the last rows, such as the days of the week.
  ///
  /// - Parameters:
  ///   - groups: an id of each row's group
  ///   - rows: how many rows at the end of the series, gaps and all groups included
  ///   - shares: the shares of the values below the low and the high end, between 0 and 1
  ///   - least: how many rows of a group must have a value; else it has no range
  /// - Returns: the ranges by group
  /// - Throws: `AnalysisError` for a parameter outside of its range, and for another number of groups
  /// - Complexity: O(rows · log rows)
  public func typicalRanges(
    byGroup groups: [Int], rows: Int = 365, shares: ClosedRange<Double> = 0.05...0.95,
    atLeast least: Int = 14
  ) throws(AnalysisError) -> [Int: TypicalRange] {
    try Self.checkRange(rows: rows, shares: shares, atLeast: least)
    try checkGroups(groups)
    let present = (count - min(count, rows)..<count).filter { isPresent[$0] }
    return Dictionary(grouping: present) { groups[$0] }
      .compactMapValues { range(of: $0, shares: shares, atLeast: least) }
  }

  /// The typical range at each row, of the rows before it: the row itself is left out.
  ///
  /// - Parameters:
  ///   - rows: how many rows before each, gaps and all groups included
  ///   - shares: the shares of the values below the low and the high end, between 0 and 1
  ///   - least: how many of the rows must have a value
  ///   - groups: an id of each row's group, such as its day of the week; the range is then of the
  ///     rows of the same group
  /// - Returns: a range for each row; `nil` where too few values are before it
  /// - Throws: `AnalysisError` for a parameter outside of its range, and for another number of groups
  /// - Complexity: O(*n* · rows · log rows)
  public func typicalRangesBefore(
    rows: Int = 28, shares: ClosedRange<Double> = 0.05...0.95, atLeast least: Int = 14,
    groups: [Int]? = nil
  ) throws(AnalysisError) -> [TypicalRange?] {
    try Self.checkRange(rows: rows, shares: shares, atLeast: least)
    if let groups { try checkGroups(groups) }
    return (0..<count).map { row in
      range(
        of: presentRows(before: row, within: rows, sameIn: groups), shares: shares, atLeast: least)
    }
  }

  private func range(
    of rows: [Int], shares: ClosedRange<Double>, atLeast least: Int
  ) -> TypicalRange? {
    let sorted = rows.map { values[$0] }.sorted()
    guard sorted.count >= least, let low = sorted.quantileOfSorted(shares.lowerBound),
      let median = sorted.medianOfSorted, let high = sorted.quantileOfSorted(shares.upperBound),
      let first = sorted.first, let last = sorted.last
    else { return nil }
    return TypicalRange(
      low: low, median: median, high: high, count: sorted.count, least: first, greatest: last)
  }

  private func checkGroups(_ groups: [Int]) throws(AnalysisError) {
    guard groups.count == count else {
      throw AnalysisError(.lengthsDiffer(x: count, y: groups.count))
    }
  }

  private static func checkRange(
    rows: Int, shares: ClosedRange<Double>, atLeast least: Int
  ) throws(AnalysisError) {
    try checkWindow(rows: rows, atLeast: least)
    guard shares.lowerBound >= 0, shares.upperBound <= 1 else {
      throw AnalysisError(.parameter(name: "shares of a range", range: "between 0 and 1"))
    }
  }
}
