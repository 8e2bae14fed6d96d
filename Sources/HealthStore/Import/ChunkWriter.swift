import Foundation
import GRDB
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
  /// Whether the rows are superseded by later exports.
  private let isSuperseded: Bool
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
    type: SampleType, source: Source, database: Database, isSuperseded: Bool = false
  ) {
    self.isSuperseded = isSuperseded
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
  /// If export sets change, `matched` says for each row of the block whether the import has it.
  func pass(_ range: Range<Int>, of cursor: RowCursor, matched: [Bool] = []) throws {
    if let setChanges = cursor.setChanges, !isChanged, !matched.isEmpty {
      isChanged = range.contains { row in
        let origin = Int(cursor.block.origins[row])
        let exportSet = matched[row] ? setChanges.present[origin] : setChanges.absent[origin]
        return exportSet != cursor.originTable[origin].exportSet
      }
    }
    try builder.append(range, of: cursor, matched: matched)
  }

  /// Removes rows of the stored chunk.
  func leaveOut() { isChanged = true }

  /// Inserts new rows of a cursor's block, with `moreCopies` additional copies of the last one.
  ///
  /// The last one gets `exportSet` unless that is `nil`.
  func insert(
    _ range: Range<Int>, of cursor: RowCursor, moreCopies: Int = 0, exportSet: UInt32? = nil
  ) throws {
    isChanged = isChanged || !range.isEmpty
    try builder.append(range, of: cursor)
    if let exportSet { builder.setExportSetOfLast(exportSet) }
    if moreCopies != 0 { builder.addCopies(moreCopies, to: builder.count - 1) }
    if builder.count >= limit || builder.isHeavy { try writePart() }
  }

  /// Inserts a new row.
  func insert(_ row: CandidateRow, exportSet: UInt32? = nil) throws {
    isChanged = true
    try builder.append(row)
    if let exportSet { builder.setExportSetOfLast(exportSet) }
    if builder.count >= limit || builder.isHeavy { try writePart() }
  }

  /// Adds copies of a row of the section.
  ///
  /// A row that is already written is not updated.
  func addCopies(_ count: Int, to row: Int) {
    guard row >= writtenCount else { return }
    isChanged = true
    builder.addCopies(count, to: row - writtenCount)
  }

  /// Ends the section: writes the rest of it if anything changed.
  func end() throws {
    guard isChanged else { return }
    if let chunk {
      try database.execute(sql: "DELETE FROM chunks WHERE id = ?", arguments: [chunk])
    }
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
    guard !isSuperseded, let numbers else { return }
    try database.updateSeries(type: numbers.type, source: numbers.source)
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

  /// Turns a run into a chunk byte for byte (a trivial move); its rows have one export set.
  func move(_ run: Run, from file: SpillFile, exportSet: UInt32) throws {
    let (core, detail) = (try file.bytes(run.core), try file.bytes(run.detail))
    for bytes in [core, detail] { _ = try ByteReader(sealed: bytes) }
    try insert(
      core, detail, ChunkStatistics(try file.bytes(run.statistics)),
      zoneMap: try file.bytes(run.zoneMap), exportSet: exportSet)
  }

  private func write(_ range: Range<Int>) throws {
    var order = range.map(UInt32.init)
    // Values that match within a tolerance may be out of order among rows of one instant.
    builder.rows.putInChunkOrder(&order, canonical: builder.canonical)
    let chunk = EncodedChunk(builder.rows, at: order[...], room: block)
    try insert(
      chunk.core, chunk.detail, chunk.statistics, zoneMap: chunk.zoneMap.bytes)
  }

  private func insert(
    _ core: [UInt8], _ detail: [UInt8], _ statistics: ChunkStatistics, zoneMap: [UInt8],
    exportSet: UInt32 = ExportSets.none
  ) throws {
    let numbers =
      try numbers ?? (database.identifier(of: type), database.identifier(of: source))
    self.numbers = numbers
    if isSuperseded {
      let id = try database.nextID(in: "superseded")
      return try database.cachedStatement(
        sql: """
          INSERT INTO superseded (id, type, source, count, firstStart, lastStart, core, detail)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        id, numbers.type, numbers.source, statistics.count, statistics.firstStart,
        statistics.lastStart,
        Data(ValueOwner.supersededCore(id).bound(core)),
        Data(ValueOwner.supersededDetail(id).bound(detail)),
      ])
    }
    let id = try database.nextID(in: "chunks")
    try database.cachedStatement(
      sql: """
        INSERT INTO chunks
          (id, type, source, count, firstStart, lastStart, lastEnd, core, detail, exportSet)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, numbers.type, numbers.source, statistics.count, statistics.firstStart,
      statistics.lastStart,
      statistics.lastEnd, Data(ValueOwner.core(chunk: id).bound(core)),
      Data(ValueOwner.detail(chunk: id).bound(detail)), exportSet,
    ])
    try database.insertZoneMap(zoneMap, of: id)
    for (label, count) in statistics.labels.sorted(by: { $0.key < $1.key }) {
      try database.cachedStatement(
        sql: "INSERT INTO labels (chunk, label, count) VALUES (?, ?, ?)"
      ).execute(arguments: [id, label, count])
    }
    for (device, count) in statistics.devices.sorted(by: { $0.key < $1.key }) {
      try database.cachedStatement(
        sql: "INSERT INTO devices (chunk, device, count) VALUES (?, ?, ?)"
      ).execute(arguments: [id, device, count])
    }
  }
}
