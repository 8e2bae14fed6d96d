extension StatisticsColumns {
  /// The rows of tables one after the other; every table has the same columns.
  ///
  /// - Complexity: O(rows)
  package init(joining tables: [StatisticsColumns]) {
    func column<Element>(_ path: KeyPath<StatisticsColumns, [Element]?>) -> [Element]? {
      tables.first?[keyPath: path] == nil ? nil : tables.flatMap { $0[keyPath: path] ?? [] }
    }
    func references(
      _ path: KeyPath<StatisticsColumns, SampleReferences?>
    ) -> SampleReferences? {
      guard tables.first?[keyPath: path] != nil else { return nil }
      let all = tables.compactMap { $0[keyPath: path] }
      return SampleReferences(
        values: all.flatMap(\.values), starts: all.flatMap(\.starts), ends: all.flatMap(\.ends))
    }
    self.init(
      starts: tables.flatMap(\.starts), ends: tables.flatMap(\.ends),
      hasData: tables.flatMap(\.hasData), counts: tables.flatMap(\.counts))
    sums = column(\.sums)
    means = column(\.means)
    minimums = column(\.minimums)
    maximums = column(\.maximums)
    for percentile in (tables.first?.percentiles ?? [:]).keys {
      percentiles[percentile] = tables.flatMap { $0.percentiles[percentile] ?? [] }
    }
    standardDeviations = column(\.standardDeviations)
    durations = column(\.durations)
    coverages = column(\.coverages)
    recents = references(\.recents)
    firsts = references(\.firsts)
  }
}
