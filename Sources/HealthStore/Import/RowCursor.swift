import Foundation
import GRDB
import HealthLedger
import HealthSamples

/// A forward cursor over the rows of one chunk.
final class RowCursor {
  /// The columns of the current block.
  let block = RowBlock()
  /// The values of ``block`` in the canonical unit.
  let canonical: UnsafeMutableBufferPointer<Double>
  /// The row in the block.
  private(set) var row = 0
  /// The number of rows in the block; 0 at the end of the chunk.
  private(set) var rowCount = 0

  /// The remap from the tables of the chunk to those of the builder that gets its rows.
  var remap: TableRemap?
  /// The changes of the sets of members of kept rows, if any.
  var setChanges: [SetChange]?
  let originTable: [Origin]
  /// The ordinals of the entries of ``originTable``; `nil` where all are 0, as nearly always.
  private let ordinals: [UInt32]?
  /// The least serial of the chunk; 0 for a run, whose rows have none yet.
  let firstSerial: Int64

  private var core: CoreReader
  private var detail: DetailReader
  private let units: [RecordedUnit]

  /// Opens a chunk at its first row.
  ///
  /// Rows without their own set of members have `memberSet`; for `nil` no row has any.
  init(
    core: [UInt8], detail: [UInt8], memberSet: UInt32? = nil, firstSerial: Int64 = 0,
    units: inout RecordedUnits
  ) throws(Corruption) {
    self.firstSerial = firstSerial
    self.core = try CoreReader(core)
    self.detail = try DetailReader(detail)
    originTable = self.detail.originTable.map { origin in
      var origin = origin
      if memberSet == nil || origin.memberSet == Provenances.ofChunk {
        origin.memberSet = memberSet ?? Provenances.ofChunk
      }
      return origin
    }
    ordinals =
      originTable.contains { $0.ordinal > 0 } ? originTable.map(\.ordinal) : nil
    guard self.core.count == self.detail.count else { throw Corruption() }
    guard let resolved = try? units.units(of: self.core.labelTable) else { throw Corruption() }
    self.units = resolved
    canonical = resolved.areCanonical ? block.values : block.canonical
    try advanceBlock()
  }

  var isAtEnd: Bool { rowCount == 0 }
  var count: Int { core.count }
  var labelTable: [String] { core.labelTable }
  /// The set of members of a row of the block.
  func memberSet(_ row: Int) -> UInt32 { originTable[Int(block.origins[row])].memberSet }
  func metadata(_ index: Int) throws(Corruption) -> Metadata { try detail.metadata(index) }
  /// The names of a row of the block; `nil` without any.
  func syncKeys(_ row: Int) throws(Corruption) -> SyncKeys? {
    guard detail.hasSyncKeys else { return nil }
    return SyncKeys(try metadata(Int(block.metadata[row])))
  }
  /// The time of rows of the block, from the first start to the last end.
  func span(_ rows: Range<Int>) -> ClosedRange<Double> {
    let first = block.starts[rows.lowerBound]
    let last = rows.reduce(block.starts[rows.upperBound - 1]) { max($0, block.ends[$1]) }
    return SampleTime.closed(from: first, to: last)
  }
  func span(_ row: Int) -> ClosedRange<Double> {
    SampleTime.closed(from: block.starts[row], to: block.ends[row])
  }
  /// The serial of a row of the block.
  func serial(_ row: Int) -> Int64 { firstSerial + block.serials[row] }

  /// The remap into the tables of `target`, moved out so that it is not copied.
  func takeRemap(into target: TableIdentity) -> TableRemap {
    defer { remap = nil }
    if let remap, remap.target === target { return remap }
    return TableRemap(
      labels: labelTable.count, origins: originTable.count, metadata: detail.metadataCount,
      target: target)
  }

  /// The sort key of the current row, which must exist.
  var key: RowKey { key(row) }

  func key(_ row: Int) -> RowKey {
    RowKey(
      start: block.starts[row], end: block.ends[row], canonical: canonical[row],
      ordinal: ordinals?[Int(block.origins[row])] ?? 0)
  }

  /// Moves to the next row.
  func advance() throws(Corruption) {
    row &+= 1
    if row == rowCount { try advanceBlock() }
  }

  /// Moves to a row of the same block, or to its end.
  func move(to row: Int) { self.row = row }

  /// Moves to the first row of the next block.
  func advanceBlock() throws(Corruption) {
    row = 0
    rowCount = try core.next(into: block)
    guard try detail.next(into: block) == rowCount else { throw Corruption() }
    block.convert(rowCount, units, into: block.canonical)
  }

  /// Visits the rows from the current block on; rows are numbered in their block.
  func forEachRow(_ body: (Int) throws -> Void) throws {
    while !isAtEnd {
      for row in 0..<rowCount { try body(row) }
      try advanceBlock()
    }
  }
}

/// One sample of an export, with its copies merged.
struct CandidateRow {
  var key: RowKey
  /// The data besides the times.
  let cells: PayloadIndices
  /// The number of copies in the export.
  var copies: Int
  /// The number of records inside other elements that repeat it.
  var repeating: Int
  /// The cursor of the tables that the indices refer to.
  var cursor: RowCursor

  /// The current row of a cursor.
  init(_ cursor: RowCursor) {
    (key, cells) = (cursor.key, cursor.payloadIndices(cursor.row))
    (copies, repeating) = (Int(cursor.block.copies[cursor.row]), 0)
    self.cursor = cursor
  }

  /// The data besides the times, with their texts.
  var payload: Payload {
    get throws(Corruption) {
      Payload(
        value: cells.value, created: cells.created, label: cursor.labelTable[Int(cells.label)],
        metadata: try cursor.metadata(Int(cells.metadata)),
        origin: cursor.originTable[Int(cells.origin)])
    }
  }
}

/// One chunk of the database, not decoded.
struct StoredChunk {
  var id: Int64
  var count: Int
  var firstStart: Double
  var lastStart: Double
  var lastEnd: Double

  /// The tables of chunks.
  enum Table {
    /// Of samples that queries read.
    case chunks
    /// Of samples that do not count.
    case hidden
  }

  /// The chunks of a type and a source, in the order of time where a condition says no other.
  static func all(
    _ table: Table = .chunks, ofType type: Int64, source: Int64, in database: Database,
    _ condition: String = "TRUE ORDER BY firstStart, lastStart, id",
    _ arguments: StatementArguments = [], limit: Int = -1
  ) throws -> [Self] {
    let index = table == .chunks ? "chunksInTime" : "hiddenInTime"
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, firstStart, lastStart, lastEnd, count FROM \(table) INDEXED BY \(index)
          WHERE type = ? AND source = ? AND \(condition) LIMIT \(limit)
          """), arguments: [type, source] + arguments
    ).map { row in
      let (id, firstStart, lastStart, lastEnd): (Int64, Double, Double, Double) = try row.values()
      let count = try row.sampleCount(atIndex: 4, atMost: EncodedChunk.mostRows)
      return Self(
        id: id, count: count, firstStart: firstStart, lastStart: lastStart, lastEnd: lastEnd)
    }
  }
}

extension Database {
  /// Deletes a chunk, with its zone map.
  func deleteChunk(_ id: Int64, from table: StoredChunk.Table = .chunks) throws {
    try cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?").execute(arguments: [id])
  }

  /// A cursor at the first row of a chunk, with sets of members if requested.
  func cursor(
    of chunk: Int64, hasMemberSets: Bool = false, isHidden: Bool = false,
    units: inout RecordedUnits
  ) throws -> RowCursor {
    let table = isHidden ? "1 FROM hidden" : "\(hasMemberSets ? "memberSet" : "0") FROM chunks"
    do {
      let (core, detail, count, serial, set): (Data, Data, Int, Int64, UInt32) = try values(
        "SELECT core, detail, count, firstSerial, \(table) WHERE id = ?", [chunk])
      let cursor = try RowCursor(
        core: (isHidden ? ValueOwner.hiddenCore(chunk) : .core(chunk: chunk))
          .untagged([UInt8](core)),
        detail: (isHidden ? ValueOwner.hiddenDetail(chunk) : .detail(chunk: chunk))
          .untagged([UInt8](detail)),
        memberSet: hasMemberSets ? set : nil, firstSerial: serial, units: &units)
      guard cursor.count == count else { throw Corruption() }
      return cursor
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw Corruption(chunk: chunk)
    }
  }
}
