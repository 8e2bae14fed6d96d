import Algorithms
import GRDB
public import HealthSamples

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
  ///   - body: gets a range of rows of one source, which are in reverse order when the newest come
  ///     first; returns whether to continue. An error that it throws ends the iteration and is
  ///     rethrown
  /// - Throws: ``StoreError``, or what `body` throws
  /// - Complexity: O(*n* + *r* · *s*) for *n* samples of the chunks read, in *r* ranges of *s*
  ///   sources
  public func forEachRowRange(
    of type: SampleType, in range: Range<Double>? = nil, isNewestFirst: Bool = false,
    _ body: (RecordColumns, Range<Int>) throws -> Bool
  ) throws {
    try readHandingOver { database in
      var merge = try TimeOrderedRows(
        of: database.resolved(type), in: range, isNewestFirst: isNewestFirst,
        groups: sources(of: type, in: range, from: database), database: database)
      while let run = try merge.next(from: database) {
        guard try Self.handOver({ try body(run.batch, run.rows) }) else { return }
      }
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

  /// The records of one source.
  private struct Input {
    let source: Source
    /// The chunks to read, the next one last.
    var chunks: [Int64]
    /// The remaining rows of the open chunk; `nil` if the next one must be opened.
    var batch: RecordColumns?
    var rows = 0..<0
    /// The position of the next row, or the earliest possible one if a chunk must be opened first.
    var key: Key
  }

  private let type: SampleType
  private let range: Range<Double>?
  private let isNewestFirst: Bool
  private var units: RecordedUnits
  private var inputs: [Input] = []
  /// The inputs that are not at their end, in the order of their next rows.
  private var order: [Int] = []

  init(
    of type: SampleType, in range: Range<Double>?, isNewestFirst: Bool,
    groups: [(source: Source, chunks: [Int64])], database: Database
  ) throws {
    self.type = type
    self.range = range
    self.isNewestFirst = isNewestFirst
    units = RecordedUnits(of: type)
    for (input, group) in groups.enumerated() {
      let chunks = isNewestFirst ? group.chunks : group.chunks.reversed()
      inputs.append(
        Input(
          source: group.source, chunks: chunks, key: Key(start: 0, end: 0, source: input)))
      try announceChunk(of: input, in: database)
    }
  }

  /// The next records of one source, up to the next record of any other; `nil` at the end.
  mutating func next(
    from database: Database
  ) throws -> (batch: RecordColumns, rows: Range<Int>)? {
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
      try putBack(first, in: database)
      return (batch, run)
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
    let batch = try database.records(
      of: chunk, type, source: inputs[input].source, in: range, units: &units)
    inputs[input].batch = batch
    inputs[input].rows = 0..<batch.count
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
    guard let chunk = inputs[input].chunks.last else { return }
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT firstStart, lastStart FROM zoneMaps WHERE chunk = ?"),
      arguments: [chunk])
    guard let row else { throw Corruption(chunk: chunk) }
    // Before every row that starts at the same instant.
    inputs[input].key =
      isNewestFirst
      ? Key(start: try row.decode(atIndex: 1), end: .infinity, source: .max)
      : Key(start: try row.decode(atIndex: 0), end: -.infinity, source: -1)
    insert(input)
  }

  private mutating func insert(_ input: Int) {
    let key = inputs[input].key
    order.insert(input, at: order.partitioningIndex { !precedes(inputs[$0].key, key) })
  }
}
