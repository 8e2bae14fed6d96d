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
  /// - Throws: `QueryError`, `StoreError`, or what `body` throws
  /// - Complexity: O(*n* log *k*) for the *n* samples of the chunks read and *k* of the answer
  public func forEachSample(
    _ query: SampleQuery, _ body: (RecordColumns, [Int]) throws -> Bool
  ) throws {
    try snapshot { try visit(query, body) }
  }

  private func visit(
    _ query: SampleQuery, _ body: (RecordColumns, [Int]) throws -> Bool
  ) throws {
    if let anchor = query.after { try check(anchor) }
    let scans = try scans(of: query)
    var left = query.limit ?? .max
    guard left > 0 else { return }
    if query.isInOrderOfTime {
      let isNewestFirst = query.order.first?.isDescending ?? false
      try forEachRowRange(of: scans, isNewestFirst: isNewestFirst) { batch, run in
        let rows = Array((isNewestFirst ? Array(run.reversed()) : Array(run)).prefix(left))
        left -= rows.count
        return try body(batch, rows) && left > 0
      }
      return
    }
    var sorted = SortedRows(by: query.order, limit: left)
    for scan in scans { try forEachBatch(of: scan) { sorted.add($0) } }
    try sorted.forEach(body)
  }

  /// What must be read for a query, in the order of its types.
  ///
  /// - Throws: `QueryError` or `StoreError`
  package func scans(of query: SampleQuery) throws -> [SampleScan] {
    try query.scans(serials(of: query.predicate.uuids))
  }

  /// The samples that a query asks for, one batch of each run of rows of one type and source.
  ///
  /// - Throws: `QueryError` or `StoreError`
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

/// What was added and deleted after an anchor.
public struct SampleChanges: Sendable {
  /// Added samples in the order in which the store got them, as runs of one type and source.
  public internal(set) var added: [RecordColumns] = []
  /// Deleted samples of the types, in the order of deletion.
  public internal(set) var deleted: [DeletedRow] = []
  /// Where the next question goes on.
  public internal(set) var anchor: StoreAnchor
  /// Whether nothing was left out because of the limit.
  public internal(set) var isComplete = true
}

extension SampleStore {
  /// What was added and deleted after the anchor of a query, at most as many as its limit.
  ///
  /// A sample that was deleted may never have been told. Deleted samples are those of the types,
  /// whatever the predicate says of samples.
  ///
  /// - Parameter query: the query; its sort does not matter
  /// - Returns: the changes, and the anchor to go on from
  /// - Throws: `QueryError` or `StoreError`
  /// - Complexity: O(*n* log *k*) for the *n* samples of the chunks read and *k* of the answer
  public func changes(_ query: SampleQuery) throws -> SampleChanges {
    var added: [RecordColumns] = []
    var changes = try changes(query) { added.append($0.selecting($1)) }
    changes.added = added
    return changes
  }

  /// The same with added samples for a body, which gets rows of one batch after another.
  package func changes(
    _ query: SampleQuery, _ body: (RecordColumns, [Int]) throws -> Void
  ) throws -> SampleChanges {
    try snapshot {
      let now = try anchor()
      let start = query.after ?? StoreAnchor(before: now)
      var query = query
      (query.after, query.sort) = (start, [])
      var changes = SampleChanges(anchor: now)
      if let limit = query.limit, limit <= 0 {
        (changes.anchor, changes.isComplete) = (start, start == now)
        return changes
      }
      var count = 0
      var last: Int64?
      try forEachSample(query) { batch, rows in
        count += rows.count
        last = rows.last.map { batch.serials[$0] } ?? last
        try body(batch, rows)
        return true
      }
      let left = query.limit.map { max(0, $0 - count) }
      if left == 0, let last {
        changes.anchor = try anchor(now, serial: last, deletion: start.deletion)
        changes.isComplete = false
        return changes
      }
      let types = Set(query.types)
      var from = start
      while true {
        let page = try deletions(after: from, limit: Self.deletionsAtOnce)
        let wanted = page.filter { $0.type.map(types.contains) ?? false }
        for deletion in wanted {
          if let left, changes.deleted.count == left {
            changes.anchor = try anchor(
              now, serial: now.serial,
              deletion: changes.deleted.last?.deletion ?? start.deletion)
            changes.isComplete = false
            return changes
          }
          changes.deleted.append(deletion)
        }
        guard let last = page.last, page.count == Self.deletionsAtOnce else { return changes }
        from = try anchor(now, serial: now.serial, deletion: last.deletion)
      }
    }
  }

  private static var deletionsAtOnce: Int { 4_096 }
}
