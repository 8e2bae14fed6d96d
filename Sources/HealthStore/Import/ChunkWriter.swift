import Foundation
import GRDB
import HealthLedger
import HealthSamples

/// Writes the rows of one type and one source as chunks.
///
/// The rows come in sections: those of one stored chunk with the new ones inserted. A section
/// without new rows leaves its chunk unchanged.
final class ChunkWriter {
  private let database: Database
  private let block = RowBlock()
  private let series: SeriesNumbers
  private let table: StoredChunk.Table
  private let revision: Revision
  private var builder: RecordColumns.Builder
  /// The stored chunk of the section.
  private var chunk: Int64?
  private var isChanged = false
  /// Whether any section was written.
  private var hasWritten = false
  /// The rows of the section that are already written.
  private var writtenCount = 0
  /// The number of rows at which the next part is written.
  private var limit = 2 * EncodedChunk.rowCount

  init(
    type: SampleType, source: Source, database: Database, revision: Revision,
    table: StoredChunk.Table = .chunks
  ) throws {
    self.table = table
    self.revision = revision
    self.database = database
    series = try database.numbers(of: type, source)
    builder = RecordColumns.Builder(type: type, source: source)
  }

  /// Starts the section of a stored chunk, or one without.
  func begin(_ chunk: Int64?) {
    self.chunk = chunk
    isChanged = false
    writtenCount = 0
    limit = usualLimit
    builder.removeFirst(builder.count)
  }

  /// In a section of a stored chunk rows are buffered for two chunks, so that none becomes small;
  /// otherwise they are written when one is full.
  private var usualLimit: Int {
    chunk == nil
      ? EncodedChunk.rowCount + RowBlock.capacity : 2 * EncodedChunk.rowCount
  }

  /// The number of rows of the section so far.
  var rowCount: Int { writtenCount + builder.count }

  /// Keeps rows of the stored chunk.
  ///
  /// If sets of members change, `matched` says for each row of the block whether the import has it.
  func pass(_ range: Range<Int>, of cursor: RowCursor, matched: [Bool] = []) throws {
    if let setChanges = cursor.setChanges, !isChanged, !matched.isEmpty {
      isChanged = range.contains { row in
        let origin = Int(cursor.block.origins[row])
        return setChanges[origin].set(matched[row]) != cursor.originTable[origin].memberSet
      }
    }
    try builder.append(range, of: cursor, matched: matched)
  }

  /// Leaves out a row of the stored chunk: for its readers it is deleted, or changes.
  func leaveOut(_ row: Int, of cursor: RowCursor, isDeleted: Bool = true) throws {
    isChanged = true
    if isDeleted {
      try revision.delete(row, of: cursor, from: series.subject)
    } else {
      revision.change(series.subject, in: cursor.span(row))
    }
  }

  /// Inserts rows of a cursor's block.
  ///
  /// They get new serials, unless one is given or they are hidden. The last one gets `memberSet`
  /// unless that is `nil`. With `birth` a single row counts again that had this serial first.
  func insert(
    _ range: Range<Int>, of cursor: RowCursor, serial: Int64? = nil, memberSet: UInt32? = nil,
    birth: Int64? = nil
  ) throws {
    guard !range.isEmpty else { return }
    isChanged = true
    if table == .chunks {
      let span = cursor.span(range)
      let subject = series.subject
      if let serial, serial < revision.firstSerial {
        revision.change(subject, in: span)
        try builder.append(range, of: cursor, serial: serial)
      } else {
        let first = serial ?? revision.allocateSerials(range.count)
        revision.add(first...first + Int64(range.count) - 1, to: subject, in: span)
        if let birth { revision.recordReturn(first, of: birth) }
        try builder.append(range, of: cursor, serial: first)
      }
    } else {
      try builder.append(range, of: cursor, serial: serial)
    }
    if let memberSet { builder.setMemberSetOfLast(memberSet) }
    if builder.count >= limit || builder.isHeavy { try writePart() }
  }

  /// Inserts a new row.
  func insert(_ row: CandidateRow) throws {
    isChanged = true
    let serial = revision.allocateSerials(1)
    revision.add(serial...serial, to: series.subject, in: row.key.time)
    try builder.append(row, serial: serial)
    if builder.count >= limit || builder.isHeavy { try writePart() }
  }

  /// Keeps rows of a stored chunk whose section is written in any case.
  func keep(_ range: Range<Int>, of cursor: RowCursor) throws {
    isChanged = true
    try builder.append(range, of: cursor)
    if builder.count >= limit || builder.isHeavy { try writePart() }
  }

  /// Ends the section: writes the rest of it if anything changed.
  func end() throws {
    guard isChanged else { return }
    hasWritten = true
    if let chunk { try database.deleteChunk(chunk) }
    let count = builder.count
    let parts = max(1, (count + EncodedChunk.rowCount - 1) / EncodedChunk.rowCount)
    var start = 0
    for part in 1...parts {
      let end = part == parts ? count : boundary(near: count * part / parts) ?? count
      if end > start { try write(start..<end) }
      start = max(start, end)
    }
    builder.removeFirst(count)
  }

  /// Ends writing: updates the totals of the series.
  func finish() throws {
    if table == .chunks, hasWritten { try database.updateSeries(series) }
  }

  private func writePart() throws {
    let target = builder.isHeavy ? builder.count - 1 : EncodedChunk.rowCount
    guard let cut = boundary(near: target) ?? wholeSection else {
      limit = 2 * builder.count
      return
    }
    try write(0..<cut)
    builder.removeFirst(cut)
    writtenCount += cut
    limit = usualLimit
  }

  /// Only more rows of one instant than memory should hold are split.
  private var wholeSection: Int? {
    builder.count > EncodedChunk.mostRows / 4 || builder.isHeavy ? builder.count : nil
  }

  private func boundary(near target: Int) -> Int? {
    guard target > 0, target < builder.count else { return nil }
    return EncodedChunk.boundary(near: target, between: 0, and: builder.count) {
      !builder.key($0 - 1).isSimultaneous(with: builder.key($0))
    }
  }

  /// Turns a run into a chunk byte for byte (a trivial move); its rows have one set of members.
  func move(_ run: Run, from file: SpillFile, memberSet: UInt32) throws {
    let (core, detail) = (try file.bytes(run.core), try file.bytes(run.detail))
    for bytes in [core, detail] { _ = try ByteReader(checked: bytes) }
    var statistics = try ChunkStatistics(try file.bytes(run.statistics))
    let serial = revision.allocateSerials(statistics.count)
    statistics.firstSerial += serial
    statistics.lastSerial += serial
    revision.add(
      serial...serial + Int64(statistics.count) - 1, to: series.subject,
      in: statistics.firstStart...statistics.lastEnd)
    hasWritten = true
    try insert(
      core, detail, statistics, zoneMap: try file.bytes(run.zoneMap), memberSet: memberSet)
  }

  private func write(_ range: Range<Int>) throws {
    var order = range.map(UInt32.init)
    // Values that match within a tolerance may be out of order among rows of one instant.
    builder.rows.putInChunkOrder(&order, canonical: builder.canonical)
    try write(builder.rows, at: order[...])
  }

  /// Writes sorted rows, which have serials, as one chunk.
  @discardableResult
  func write(_ rows: RecordColumns, at order: ArraySlice<UInt32>) throws -> ChunkStatistics {
    let chunk = EncodedChunk(rows, at: order, room: block)
    try insert(chunk.core, chunk.detail, chunk.statistics, zoneMap: chunk.zoneMap.bytes)
    return chunk.statistics
  }

  private func insert(
    _ core: [UInt8], _ detail: [UInt8], _ statistics: ChunkStatistics, zoneMap: [UInt8],
    memberSet: UInt32 = Provenances.none
  ) throws {
    let id = revision.allocateChunk()
    let columns = "type, source, firstStart, lastStart, lastEnd"
    let span: StatementArguments = [
      id, series.type, series.source, statistics.firstStart, statistics.lastStart,
      statistics.lastEnd,
    ]
    guard table == .chunks else {
      try database.insert(
        into: "hidden", "id, \(columns), count, firstSerial, core, detail",
        span + [
          statistics.count, statistics.firstSerial,
          Data(ValueOwner.hiddenCore(id).tagged(core)),
          Data(ValueOwner.hiddenDetail(id).tagged(detail)),
        ])
      return
    }
    try database.insert(
      into: "chunks",
      "id, \(columns), count, memberSet, firstSerial, lastSerial, counts, core, detail",
      span + [
        statistics.count, memberSet, statistics.firstSerial, statistics.lastSerial,
        Data(ValueOwner.counts(chunk: id).tagged(statistics.counts.bytes)),
        Data(ValueOwner.core(chunk: id).tagged(core)),
        Data(ValueOwner.detail(chunk: id).tagged(detail)),
      ])
    try database.insert(
      into: "zoneMaps", "chunk, \(columns), lengthClass, blocks",
      span + [
        Database.lengthClass(from: statistics.firstStart, to: statistics.lastEnd),
        Data(ValueOwner.zoneMap(chunk: id).tagged(zoneMap)),
      ])
  }
}
