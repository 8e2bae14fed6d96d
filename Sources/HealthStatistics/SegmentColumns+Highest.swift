package import HealthSamples

extension SegmentColumns {
  /// The statistics, interval by interval, of the source with the largest sum; of equals, the one
  /// with the higher rank.
  ///
  /// This is the policy `highest`, whose segments are unmasked.
  ///
  /// Parameters as in ``table(over:of:sources:rounding:hold:adding:threads:)``; the table has `sum`
  /// and `count`.
  ///
  /// - Returns: the table, and for each interval the index in ``sources`` of the chosen source,
  ///   `nil` without data
  /// - Throws: ``StatisticsError``
  /// - Complexity: O(*n* + sources × intervals)
  package func highestStatistics(
    over boundaries: Boundaries?, rounding: Rounding = .compensated,
    adding aggregates: AggregateColumns = AggregateColumns()
  ) throws(StatisticsError) -> (table: StatisticsColumns, chosen: [Int?]) {
    var table = try table(over: boundaries, of: [.count], adding: aggregates)
    var sums = Array(repeating: 0.0, count: table.count)
    table.counts = Array(repeating: 0, count: table.count)
    var chosen = [Int?](repeating: nil, count: table.count)
    for source in sources.indices {
      let alone = try self.table(
        over: boundaries, of: [.sum, .count], sources: source..<source + 1, rounding: rounding,
        adding: aggregates)
      let others = alone[raw: .sum] ?? []
      for row in table.hasData.indices where alone.hasData[row] {
        guard chosen[row] == nil || others[row] > sums[row] else { continue }
        chosen[row] = source
        sums[row] = others[row]
        table.counts[row] = alone.counts[row]
      }
    }
    table[raw: .sum] = sums
    return (table, chosen)
  }
}
