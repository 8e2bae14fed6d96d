import GRDB
public import HealthSamples
internal import _HealthNumerics

extension SampleStore {
  /// Visits the records of a type in order of time, as they were recorded.
  ///
  /// Records are ordered by start and end, then by source in the order of columns. Only the chunks
  /// at the current instant are in memory, one per source, so memory does not grow with the
  /// records.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  ///   - isNewestFirst: whether the order is reversed
  ///   - serial: keeps only records that were added after it
  ///   - body: gets a range of rows of one source, which are in reverse order when the newest come
  ///     first; returns whether to continue. An error that it throws ends the iteration and is
  ///     rethrown
  /// - Throws: ``StoreError``, or what `body` throws
  /// - Complexity: O(*n* + *r* · *s*) for *n* samples of the chunks read, in *r* ranges of *s*
  ///   sources
  public func forEachRowRange(
    of type: SampleType, in range: Range<Double>? = nil, isNewestFirst: Bool = false,
    after serial: Int64 = 0, _ body: (RecordColumns, Range<Int>) throws -> Bool
  ) throws {
    let scan = SampleScan(of: type, in: range, after: serial)
    try forEachRowRange(of: [scan], isNewestFirst: isNewestFirst, body)
  }

  /// Visits the records of several types in one order of time, skipping what a scan does not need.
  ///
  /// Records of equal start and end are in the order of the scans, then of columns.
  package func forEachRowRange(
    of scans: [SampleScan], isNewestFirst: Bool,
    _ body: (RecordColumns, Range<Int>) throws -> Bool
  ) throws {
    try readHandingOver { database in
      var merge = try TimeOrderedRows(scans, of: self, isNewestFirst: isNewestFirst, database)
      while let run = try merge.next(from: database) {
        guard try Self.handOver({ try body(run.batch, run.rows) }) else { return }
      }
    }
  }
}

/// Reads the records of several types in one order of time, some at a time.
///
/// Only the chunks at the current instant are in memory, one per source.
package final class RowRunReader {
  private let snapshot: StoreSnapshot
  private var merge: TimeOrderedRows

  /// Begins to read; the order is that of ``SampleStore/forEachRowRange(of:isNewestFirst:_:)``.
  ///
  /// - Throws: ``StoreError``
  package init(
    _ scans: [SampleScan], isNewestFirst: Bool, in snapshot: StoreSnapshot
  ) throws(StoreError) {
    self.snapshot = snapshot
    merge = try snapshot.read { store, database in
      try TimeOrderedRows(scans, of: store, isNewestFirst: isNewestFirst, database)
    }
  }

  /// Visits the next runs of rows, until a body returns false or there are no more.
  ///
  /// - Parameter body: gets a batch, some of its rows, and a number that each chunk has alone: the
  ///   tables of two batches with one number are the same
  /// - Returns: whether there may be more
  /// - Throws: ``StoreError``
  package func next(_ body: (RecordColumns, Range<Int>, Int) -> Bool) throws(StoreError) -> Bool {
    try snapshot.read { _, database in
      while let run = try merge.next(from: database) {
        guard body(run.batch, run.rows, run.chunk) else { return true }
      }
      return false
    }
  }
}

/// Merges the records of several sources into one order of time.
private struct TimeOrderedRows {
  /// The position of a record in the order of time.
  private struct Key {
    var start: Double
    var end: Double
    var source: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.start, left.end, left.source) < (right.start, right.end, right.source)
    }
  }

  /// The records of one type and source.
  private struct Input {
    let scan: SampleScan
    /// The type as the store uses it.
    let type: SampleType
    let source: Source
    /// The chunks to read, the next one last.
    var chunks: [Int64]
    /// The remaining rows of the open chunk; `nil` if the next one must be opened.
    var batch: RecordColumns?
    var rows = 0..<0
    /// The number of the open chunk among all that were opened.
    var chunk = 0
    /// The position of the next row, or the earliest possible one if a chunk must be opened first.
    var key: Key
  }

  private let isNewestFirst: Bool
  private var steps: ReadSteps
  private var units: [SampleType: RecordedUnits] = [:]
  private var inputs: [Input] = []
  /// The inputs that are not at their end, in the order of their next rows.
  private var order: [Int] = []

  /// The number of chunks that were opened.
  private var openedCount = 0

  init(
    _ scans: [SampleScan], of store: SampleStore, isNewestFirst: Bool, _ database: Database
  ) throws {
    self.isNewestFirst = isNewestFirst
    steps = ReadSteps(store.watch, of: 0)
    for scan in scans {
      try add(
        scan, of: store.resolved(scan.type, in: database),
        groups: store.sources(
          of: scan.type, in: scan.range, after: scan.serial, from: database), from: database)
    }
  }

  /// Adds the chunks of a type.
  private mutating func add(
    _ scan: SampleScan, of type: SampleType, groups: [(source: Source, chunks: [Int64])],
    from database: Database
  ) throws {
    for group in groups where scan.mayContain(group.source, of: type) {
      let input = inputs.count
      steps.count += group.chunks.count
      inputs.append(
        Input(
          scan: scan, type: type, source: group.source,
          chunks: isNewestFirst ? group.chunks : group.chunks.reversed(),
          key: Key(start: 0, end: 0, source: input)))
      try announceChunk(of: input, in: database)
    }
  }

  /// The next records of one source, up to the next record of any other; `nil` at the end.
  mutating func next(
    from database: Database
  ) throws -> (batch: RecordColumns, rows: Range<Int>, chunk: Int)? {
    while let first = order.first {
      order.removeFirst()
      guard let batch = inputs[first].batch else {
        try openChunk(of: first, in: database)
        continue
      }
      let bound = order.first.map { inputs[$0].key }
      let rows = inputs[first].rows
      var run =
        isNewestFirst
        ? rows.upperBound - 1..<rows.upperBound : rows.lowerBound..<rows.lowerBound + 1
      while run.count < rows.count {
        let row = isNewestFirst ? run.lowerBound - 1 : run.upperBound
        if let bound, precedes(bound, key(of: batch, row, source: first)) { break }
        run = min(run.lowerBound, row)..<max(run.upperBound, row + 1)
      }
      inputs[first].rows =
        isNewestFirst ? rows.lowerBound..<run.lowerBound : run.upperBound..<rows.upperBound
      let chunk = inputs[first].chunk
      try putBack(first, in: database)
      return (batch, run, chunk)
    }
    return nil
  }

  private func precedes(_ left: Key, _ right: Key) -> Bool {
    isNewestFirst ? right < left : left < right
  }

  private func key(of batch: RecordColumns, _ row: Int, source: Int) -> Key {
    Key(start: batch.starts[row], end: batch.ends[row], source: source)
  }

  /// Reads the next chunk of an input.
  private mutating func openChunk(of input: Int, in database: Database) throws {
    guard let chunk = inputs[input].chunks.popLast() else { return }
    try steps.begin()
    let type = inputs[input].type
    let batch = try database.records(
      of: chunk, type, source: inputs[input].source, by: inputs[input].scan,
      units: &units[type, default: RecordedUnits(of: type)])
    inputs[input].batch = batch
    inputs[input].rows = 0..<batch.count
    inputs[input].chunk = openedCount
    openedCount += 1
    try putBack(input, in: database)
  }

  /// Inserts an input by its next row.
  private mutating func putBack(_ input: Int, in database: Database) throws {
    let rows = inputs[input].rows
    guard let batch = inputs[input].batch, !rows.isEmpty else {
      return try announceChunk(of: input, in: database)
    }
    let row = isNewestFirst ? rows.upperBound - 1 : rows.lowerBound
    inputs[input].key = key(of: batch, row, source: input)
    insert(input)
  }

  /// Inserts an input by the start of its next chunk, without reading it.
  private mutating func announceChunk(of input: Int, in database: Database) throws {
    inputs[input].batch = nil
    while let chunk = inputs[input].chunks.last {
      let bounds = try database.bounds(of: chunk, of: inputs[input].type, inputs[input].source)
      guard try database.mayContain(chunk, bounds, by: inputs[input].scan) else {
        inputs[input].chunks.removeLast()
        continue
      }
      // Before every row that starts at the same instant.
      inputs[input].key =
        isNewestFirst
        ? Key(start: bounds.starts.upperBound, end: .infinity, source: .max)
        : Key(start: bounds.starts.lowerBound, end: -.infinity, source: -1)
      return insert(input)
    }
  }

  private mutating func insert(_ input: Int) {
    let key = inputs[input].key
    order.insert(input, at: order.partitioningIndex { !precedes(inputs[$0].key, key) })
  }
}
