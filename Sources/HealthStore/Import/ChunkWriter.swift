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
  private let type: SampleType
  private let source: Source
  private let table: StoredChunk.Table
  private let revision: Revision
  private var builder: RecordColumns.Builder
  /// The stored chunk of the section.
  private var chunk: Int64?
  private var isChanged = false
  /// The ids of the type and the source, once a chunk has been written.
  private var numbers: (type: Int64, source: Int64)?
  /// The rows of the section that are already written.
  private var writtenCount = 0
  /// The number of rows at which the next part is written.
  private var limit = 2 * EncodedChunk.rowCount

  init(
    type: SampleType, source: Source, database: Database, revision: Revision,
    table: StoredChunk.Table = .chunks
  ) {
    self.table = table
    self.revision = revision
    self.database = database
    self.type = type
    self.source = source
    builder = RecordColumns.Builder(type: type, source: source)
  }

  /// Starts the section of a stored chunk, or one without.
  func begin(_ chunk: Int64?) {
    self.chunk = chunk
    isChanged = false
    writtenCount = 0
    limit = usualLimit
    builder = RecordColumns.Builder(type: type, source: source)
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
      try revision.delete(row, of: cursor, from: subject())
    } else {
      revision.change(try subject(), in: cursor.span(row))
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
      let subject = try subject()
      if let serial, serial < revision.firstSerial {
        revision.change(subject, in: span)
        try builder.append(range, of: cursor, serial: serial)
      } else {
        let first = serial ?? revision.takeSerials(range.count)
        revision.add(range.count, from: first, to: subject, in: span)
        if let birth { revision.noteReturn(first, of: birth) }
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
    let serial = revision.takeSerials(1)
    revision.add(1, from: serial, to: try subject(), in: row.key.time)
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
    if let chunk { try database.deleteChunk(chunk) }
    let count = builder.count
    let parts = max(1, (count + EncodedChunk.rowCount - 1) / EncodedChunk.rowCount)
    var start = 0
    for part in 1...parts {
      let end = part == parts ? count : boundary(near: count * part / parts) ?? count
      if end > start { try write(start..<end) }
      start = max(start, end)
    }
    builder = RecordColumns.Builder(type: type, source: source)
  }

  /// Ends writing: updates the totals of the series.
  func finish() throws {
    guard table == .chunks, let numbers else { return }
    try database.updateSeries(type: numbers.type, source: numbers.source)
  }

  /// The ids of the type and the source.
  private func identifiers() throws -> (type: Int64, source: Int64) {
    if let numbers { return numbers }
    let numbers = try (database.identifier(of: type), database.identifier(of: source))
    self.numbers = numbers
    return numbers
  }

  private func subject() throws -> Revision.Subject {
    let numbers = try identifiers()
    return Revision.Subject(type: numbers.type, source: numbers.source)
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

  /// Rows of one instant stay in one chunk, so that a later import matches them together; only more
  /// rows than memory should hold are split.
  private var wholeSection: Int? {
    builder.count > EncodedChunk.mostRows / 4 || builder.isHeavy ? builder.count : nil
  }

  /// The row near `target` where the times change, preferably at `target` or before it.
  private func boundary(near target: Int) -> Int? {
    func isBoundary(_ row: Int) -> Bool {
      !builder.key(row - 1).isSimultaneous(with: builder.key(row))
    }
    guard target > 0, target < builder.count else { return nil }
    return stride(from: target, to: 0, by: -1).first(where: isBoundary)
      ?? (target..<builder.count).first(where: isBoundary)
  }

  /// Turns a run into a chunk byte for byte (a trivial move); its rows have one set of members.
  func move(_ run: Run, from file: SpillFile, memberSet: UInt32) throws {
    let (core, detail) = (try file.bytes(run.core), try file.bytes(run.detail))
    for bytes in [core, detail] { _ = try ByteReader(sealed: bytes) }
    var statistics = try ChunkStatistics(try file.bytes(run.statistics))
    let serial = revision.takeSerials(statistics.count)
    statistics.firstSerial += serial
    statistics.lastSerial += serial
    revision.add(
      statistics.count, from: serial, to: try subject(),
      in: statistics.firstStart...statistics.lastEnd)
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
    memberSet: UInt32 = MemberSets.none
  ) throws {
    let numbers = try identifiers()
    let id = revision.takeChunk()
    let columns = "type, source, firstStart, lastStart, lastEnd"
    let span: StatementArguments = [
      id, numbers.type, numbers.source, statistics.firstStart, statistics.lastStart,
      statistics.lastEnd,
    ]
    guard table == .chunks else {
      try database.insert(
        into: "hidden", "id, \(columns), count, firstSerial, core, detail",
        span + [
          statistics.count, statistics.firstSerial,
          Data(ValueOwner.hiddenCore(id).bound(core)),
          Data(ValueOwner.hiddenDetail(id).bound(detail)),
        ])
      return
    }
    try database.insert(
      into: "chunks",
      "id, \(columns), count, memberSet, firstSerial, lastSerial, counts, core, detail",
      span + [
        statistics.count, memberSet, statistics.firstSerial, statistics.lastSerial,
        Data(ValueOwner.counts(chunk: id).bound(statistics.counts.bytes)),
        Data(ValueOwner.core(chunk: id).bound(core)),
        Data(ValueOwner.detail(chunk: id).bound(detail)),
      ])
    try database.insert(
      into: "zoneMaps", "chunk, \(columns), lengthClass, blocks",
      span + [
        Database.lengthClass(from: statistics.firstStart, to: statistics.lastEnd),
        Data(ValueOwner.zoneMap(chunk: id).bound(zoneMap)),
      ])
  }
}
