import GRDB
import HealthLedger
import HealthSamples
internal import _HealthNumerics

/// Inserts and deletes single rows of one type and one source.
///
/// The chunks of a series do not overlap, like the leaves of a tree. An edit rewrites the chunk into
/// which it falls; a large one is first split, so that only rows around the edit are rewritten
/// next time. Small neighbours are joined in tiers: eight of one tier become one of the next, so a
/// row is rewritten O(log *n*) times.
struct SeriesEditor {
  private let type: SampleType
  private let source: Source
  private let table: StoredChunk.Table
  private let numbers: SeriesNumbers
  private let database: Database
  private let revision: Revision
  private var units: RecordedUnits
  private let births: Births
  private let block = RowBlock()
  /// What the edits change in the totals of the series.
  private var change = RowCounts()
  private var isChanged = false
  /// Where rows were deleted last.
  private var edited: Double?

  /// Up to this number of rows a chunk grows by rows that are saved in order of time.
  private static let growing = 128
  /// Up to this number of rows a chunk is rewritten when a row falls into it; hidden rows, which often
  /// have sets of their own, take longer.
  private var leaf: Int { table == .chunks ? 4096 : 512 }
  /// So many rows on each side of an edit are split off from a larger chunk.
  private var margin: Int { leaf / 8 }
  /// So many neighbours of one tier are joined.
  private static let fanOut = 8

  init(
    _ type: SampleType, _ source: Source, table: StoredChunk.Table = .chunks, database: Database,
    revision: Revision
  ) throws {
    self.table = table
    self.type = type
    self.source = source
    self.database = database
    self.revision = revision
    numbers = try database.numbers(of: type, source)
    units = RecordedUnits(of: type)
    births = try Births(database, revision)
  }

  /// Inserts rows that have serials.
  ///
  /// - Complexity: O(*n* log *n* + rows of the chunks into which they fall)
  mutating func insert(_ rows: RecordColumns) throws {
    let canonical = rows.canonicalValues(try units.units(of: rows.labelTable))
    var order = rows.starts.indices.map(UInt32.init)
    rows.putInChunkOrder(&order, canonical: canonical)
    var next = 0
    while next < order.count {
      let start = rows.starts[Int(order[next])]
      let before = try chunks(notAfter: start).first
      let after = try chunks(after: start).first
      let bound = after?.firstStart ?? .infinity
      var end = next + 1
      while end < order.count, rows.starts[Int(order[end])] < bound { end += 1 }
      try insert(rows, order[next..<end], canonical, between: before, and: after)
      next = end
    }
    guard table == .chunks, let first = rows.serials.min(), let last = rows.serials.max(),
      let start = rows.starts.min(), let end = rows.ends.max()
    else { return }
    revision.add(
      first...last, to: numbers.subject, in: SampleTime.closed(from: start, to: end))
  }

  /// Inserts sorted rows that start at or after one chunk and before the next.
  private mutating func insert(
    _ rows: RecordColumns, _ order: ArraySlice<UInt32>, _ canonical: [Double],
    between before: StoredChunk?, and after: StoredChunk?
  ) throws {
    let lastStart = before?.lastStart ?? -.infinity
    let inside = order.prefix { rows.starts[Int($0)] <= lastStart }
    var rest = order[inside.endIndex...]
    if let before, !inside.isEmpty {
      // What follows the chunk goes with it while it is small.
      let taken = before.count <= leaf ? order : inside
      rest = order[taken.endIndex...]
      try rewrite([before.id], adding: rows, taken, canonical)
    }
    guard !rest.isEmpty else { return }
    let growing = [inside.isEmpty ? before : nil, after].lazy.compactMap(\.self)
      .first { $0.count < Self.growing }
    try rewrite(growing.map { [$0.id] } ?? [], adding: rows, rest, canonical)
    try joinNeighbours(of: rows.starts[Int(rest[rest.startIndex])])
  }

  /// Moves the rows of a chunk for which a body gives a set to the hidden ones, with that set;
  /// returns how many.
  mutating func hide(
    from chunk: Int64, _ memberSet: (RowCursor, Int) throws -> UInt32?
  ) throws -> Int {
    let cursor = try database.cursor(of: chunk, hasMemberSets: true, units: &units)
    var kept = RecordColumns.Builder(type: type, source: source)
    var deleted = RecordColumns.Builder(type: type, source: source)
    // What a damaged chunk counts is not read yet.
    let room = min(cursor.count, EncodedChunk.rowCount)
    kept.reserveCapacity(room)
    deleted.reserveCapacity(room)
    var positions: ClosedRange<Int>?
    let cursorStart = cursor.isAtEnd ? nil : cursor.key.start
    while !cursor.isAtEnd {
      // A cursor maps its tables into those of one builder at a time.
      let sets = try (0..<cursor.rowCount).map { try memberSet(cursor, $0) }
      let gone = sets.indices.filter { sets[$0] != nil }
      if let first = gone.first, let last = gone.last {
        positions =
          (positions?.lowerBound ?? kept.count + first)...kept.count + last - gone.count + 1
      }
      for row in gone {
        try revision.delete(row, of: cursor, from: numbers.subject)
        try deleted.append(
          row..<row + 1, of: cursor, serial: births.birth(of: cursor.serial(row)))
        if let set = sets[row] { deleted.setMemberSetOfLast(set) }
      }
      for range in [Range<Int>](joining: sets.indices.lazy.filter { sets[$0] == nil }) {
        try kept.append(range, of: cursor)
      }
      try cursor.advanceBlock()
    }
    guard let positions else { return 0 }
    edited = cursorStart
    try remove(chunk)
    try write(kept, around: positions.lowerBound..<positions.upperBound + 1)
    var hidden = try SeriesEditor(
      type, source, table: .hidden, database: database, revision: revision)
    try hidden.insert(deleted.rows)
    try revision.flushDeletions(to: database)
    return deleted.count
  }

  /// Updates the totals of the series.
  mutating func finish() throws {
    guard isChanged, table == .chunks else { return }
    if let edited { try joinNeighbours(of: edited) }
    try database.updateSeries(numbers, by: change)
  }

  /// The last chunks that start at or before an instant, the latest first.
  private func chunks(notAfter start: Double, limit: Int = 1) throws -> [StoredChunk] {
    try StoredChunk.all(
      table, ofType: numbers.type, source: numbers.source, in: database,
      "firstStart <= ? ORDER BY firstStart DESC, lastStart DESC, id DESC", [start], limit: limit)
  }

  /// The first chunks that start after an instant.
  private func chunks(after start: Double, limit: Int = 1) throws -> [StoredChunk] {
    try StoredChunk.all(
      table, ofType: numbers.type, source: numbers.source, in: database,
      "firstStart > ? ORDER BY firstStart, lastStart, id", [start], limit: limit)
  }

  /// Writes the rows of neighbouring chunks again, with others added.
  private mutating func rewrite(
    _ chunks: [Int64], adding rows: RecordColumns, _ order: ArraySlice<UInt32>,
    _ canonical: [Double]
  ) throws {
    var builder = RecordColumns.Builder(type: type, source: source)
    for chunk in chunks {
      let cursor = try database.cursor(
        of: chunk, hasMemberSets: true, isHidden: table == .hidden, units: &units)
      while !cursor.isAtEnd {
        try builder.append(0..<cursor.rowCount, of: cursor)
        try cursor.advanceBlock()
      }
      try remove(chunk)
    }
    let added = order.map(Int.init)
    var around: Range<Int>?
    if !added.isEmpty, builder.count > leaf {
      let first = rows.starts[added[0]]
      let last = rows.starts[added[added.count - 1]]
      let low = builder.rows.starts.partitioningIndex { $0 >= first }
      let high = builder.rows.starts.partitioningIndex { $0 > last }
      around = low..<high + added.count
    }
    builder.append(rows, [Range<Int>](joining: added), canonical: canonical)
    try write(builder, around: around)
  }

  private mutating func remove(_ chunk: Int64) throws {
    if table == .chunks {
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT id, counts FROM chunks WHERE id = ?"),
        arguments: [chunk])
      guard let row else { throw Corruption(chunk: chunk) }
      change.add(try Database.counts(row), times: -1)
      isChanged = true
    }
    try database.deleteChunk(chunk, from: table)
  }

  /// Writes rows as chunks: those around an edit apart from the others.
  private mutating func write(_ builder: RecordColumns.Builder, around edit: Range<Int>?) throws {
    guard builder.count > 0 else { return }
    var order = (0..<builder.count).map(UInt32.init)
    builder.rows.putInChunkOrder(&order, canonical: builder.canonical)
    var cuts: [Int] = []
    if let edit, builder.count > leaf, edit.count < builder.count / 4 {
      cuts = [edit.lowerBound - margin, edit.upperBound + margin]
        .filter { (margin..<builder.count - margin).contains($0) }
    } else if builder.count > leaf, builder.count <= 2 * leaf {
      cuts = [builder.count / 2]
    }
    let writer = try ChunkWriter(
      type: type, source: source, database: database, revision: revision, table: table)
    var start = 0
    func boundary(from cut: Int, to end: Int) -> Int {
      let starts = builder.rows.starts
      return EncodedChunk.boundary(near: cut, between: cut, and: end) {
        starts[Int(order[$0 - 1])] != starts[Int(order[$0])]
      } ?? end
    }
    for cut in cuts + [builder.count] {
      let end = max(start, boundary(from: cut, to: builder.count))
      while start < end {
        let size = end - start
        let parts = (size + EncodedChunk.rowCount - 1) / EncodedChunk.rowCount
        let stop = boundary(from: start + (size + parts - 1) / parts, to: end)
        change.add(try writer.write(builder.rows, at: order[start..<stop]).counts)
        isChanged = true
        start = stop
      }
    }
  }

  /// Joins neighbours of one tier around an instant when there are enough.
  private mutating func joinNeighbours(of start: Double) throws {
    let before = try chunks(notAfter: start, limit: 2 * Self.fanOut)
    let neighbours = before.reversed() + (try chunks(after: start, limit: 2 * Self.fanOut))
    var limit = 2 * Self.growing
    while limit <= EncodedChunk.rowCount / Self.fanOut {
      let runs = neighbours.split { $0.count > limit }
      if let run = runs.first(where: { $0.count >= Self.fanOut }) {
        let none = RecordColumns(type: type, source: source)
        return try rewrite(run.map(\.id), adding: none, [], [])
      }
      limit *= Self.fanOut
    }
  }
}

extension SampleStore {
  /// Writes the chunks of every series again, as full as a first import makes them, and returns
  /// free pages to the file system.
  ///
  /// Serials, UUIDs and answers stay. A program that reads or writes meanwhile makes it wait up to
  /// three seconds.
  ///
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n*)
  public func compact() throws(StoreError) {
    try write { database, revision in
      for series in try database.allSeries() {
        try database.compact(series, revision: revision)
      }
    }
    try StoreError.naming(path) {
      let connection = try connections.acquire()
      defer { connections.putBack(connection) }
      try connection.queue.writeWithoutTransaction { database in
        guard !database.isInsideTransaction else { return }
        try database.execute(sql: "VACUUM")
        if !path.isEmpty { try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      }
    }
  }
}

extension Database {
  /// Writes the chunks of a series again if there are more than its rows need.
  fileprivate func compact(_ series: StoredSeries, revision: Revision) throws {
    let full = (series.count + EncodedChunk.rowCount - 1) / EncodedChunk.rowCount
    guard series.chunks.count > full else { return }
    var units = RecordedUnits(of: series.type)
    let writer = try ChunkWriter(
      type: series.type, source: series.source, database: self, revision: revision)
    writer.begin(nil)
    for chunk in series.chunks {
      let cursor = try cursor(of: chunk.id, hasMemberSets: true, units: &units)
      while !cursor.isAtEnd {
        try writer.keep(0..<cursor.rowCount, of: cursor)
        try cursor.advanceBlock()
      }
      try deleteChunk(chunk.id)
    }
    try writer.end()
    try writer.finish()
  }
}
