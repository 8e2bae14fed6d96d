package import HealthSamples

extension SegmentColumns {
  /// The statistics of the source with the largest sum, the higher rank of equals, interval by
  /// interval.
  ///
  /// This is the policy `highest`, whose segments nothing has masked.
  ///
  /// Parameters as in ``statistics(over:of:exactlyFrom:)``; `sum` and `count` are answered, with
  /// the samples of `summaries`.
  ///
  /// - Returns: the table, and for each interval the place in ``sources`` of the chosen source,
  ///   `nil` without data
  /// - Throws: ``StatisticsError``
  /// - Complexity: O(*n* + sources × intervals)
  package func highestStatistics(
    over boundaries: Boundaries?, exactlyFrom samples: SampleColumns? = nil,
    beside summaries: SummaryColumns = SummaryColumns()
  ) throws(StatisticsError) -> (table: StatisticsColumns, chosen: [Int?]) {
    var table = try statistics(over: boundaries, of: [.count], beside: summaries)
    table.sums = Array(repeating: 0, count: table.count)
    table.counts = Array(repeating: 0, count: table.count)
    var chosen = [Int?](repeating: nil, count: table.count)
    for source in sources.indices {
      let alone = try self.table(
        over: boundaries, of: [.sum, .count], sources: source..<source + 1, exactlyFrom: samples,
        beside: summaries)
      for row in table.hasData.indices where alone.hasData[row] {
        let sum = alone.sums?[row] ?? 0
        guard chosen[row] == nil || sum > table.sums?[row] ?? 0 else { continue }
        chosen[row] = source
        table.sums?[row] = sum
        table.counts[row] = alone.counts[row]
      }
    }
    return (table, chosen)
  }

  /// The statistics of the source at an index of ``sources``.
  ///
  /// - Throws: ``StatisticsError``
  /// - Complexity: O(rows of the source + intervals)
  package func statistics(
    ofSource source: Int, over boundaries: Boundaries?, of statistics: [Statistic]
  ) throws(StatisticsError) -> StatisticsColumns {
    try table(
      over: boundaries, of: statistics, sources: source..<source + 1, exactlyFrom: nil)
  }
}
