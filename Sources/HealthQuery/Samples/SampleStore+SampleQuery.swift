public import HealthSamples
public import HealthStore

extension SampleStore {
  /// Visits the samples that a query asks for, in its order, from one snapshot of the store.
  ///
  /// Where the order is that of time, only the chunks at the current instant are in memory;
  /// otherwise the samples of the answer are, at most as many as the limit.
  ///
  /// - Parameters:
  ///   - query: the query
  ///   - body: gets rows of one batch in the order of the answer; returns whether to continue. An
  ///     error that it throws ends the iteration and is rethrown
  /// - Throws: ``QueryError``, `StoreError`, or what `body` throws
  /// - Complexity: O(*n* log *k*) for the *n* samples of the chunks read and *k* of the answer
  public func forEachSample(
    _ query: SampleQuery, _ body: (RecordColumns, [Int]) throws -> Bool
  ) throws {
    let scans = try query.scans()
    var left = query.limit ?? .max
    guard left > 0 else { return }
    if query.isInOrderOfTime {
      let isNewestFirst = query.sort.first?.isDescending ?? false
      try forEachRowRange(of: scans, isNewestFirst: isNewestFirst) { batch, run in
        let rows = Array((isNewestFirst ? Array(run.reversed()) : Array(run)).prefix(left))
        left -= rows.count
        return try body(batch, rows) && left > 0
      }
      return
    }
    var sorted = SortedRows(by: query.sort, limit: left)
    try snapshot {
      for scan in scans { try forEachBatch(of: scan) { sorted.add($0) } }
    }
    try sorted.forEach(body)
  }

  /// The samples that a query asks for, one batch of each run of rows of one type and source.
  ///
  /// - Throws: ``QueryError`` or `StoreError`
  /// - Complexity: as ``forEachSample(_:_:)``; all samples are in memory
  public func records(_ query: SampleQuery) throws -> [RecordColumns] {
    var batches: [RecordColumns] = []
    try forEachSample(query) { batch, rows in
      batches.append(batch.selecting(rows))
      return true
    }
    return batches
  }
}
