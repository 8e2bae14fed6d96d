import Foundation
import GRDB
public import HealthSamples

/// One import that changed a store.
public struct StoredImport: Sendable, Hashable {
  /// The number of the import.
  public let id: Int64
  /// The program that wrote the file.
  public let format: ImportFormat
  /// When it was imported, in seconds since 2001-01-01 UTC.
  public let importedAt: Double
  /// When the file was created; `nil` when not known.
  public let exportedAt: Double?
  /// The name of the file; it may be empty.
  public let file: String
  /// Samples and elements of the file.
  public let read: Int
  /// How many of them were not in the store.
  public let new: Int
}

/// What undoing an import changed.
public struct UndoneImport: Sendable, Hashable {
  /// Samples that only this import had.
  public internal(set) var deletedSamples = 0
  /// Elements that only this import had.
  public internal(set) var deletedElements = 0
  /// The times of samples that other imports have, too, but whose unit, rounding and metadata are
  /// as this import had them, by type: import the earlier file again to get its own.
  public internal(set) var staleSpans: [SampleType: ClosedRange<Double>] = [:]
}

extension SampleStore {
  /// The imports that changed the store, the earliest first; undone ones are not among them.
  public func imports() throws(StoreError) -> [StoredImport] {
    try checkOwner()
    return try read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT id, format, importedAt, exportedAt, file, read, new FROM imports ORDER BY id"
      ).map { row in
        guard let format = ImportFormat(rawValue: try row.decode(atIndex: 1)) else {
          throw Corruption()
        }
        return StoredImport(
          id: try row.decode(atIndex: 0), format: format, importedAt: try row.decode(atIndex: 2),
          exportedAt: try row.decode(atIndex: 3), file: try row.decode(atIndex: 4),
          read: try row.sampleCount(atIndex: 5), new: try row.sampleCount(atIndex: 6))
      }
    }
  }

  /// Undoes an import, in one transaction: deletes what only it had.
  ///
  /// A sample of an export of the Health app stays if another imported export has it; one of
  /// another program's file stays if it was in the store before. What the import superseded counts
  /// again. A later import of the same file brings everything back as new.
  ///
  /// - Parameter id: the number of the import
  /// - Returns: what changed; `nil` if there is no such import
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n*) for the *n* samples of the types and sources of the import
  public func undoImport(_ id: Int64) throws(StoreError) -> UndoneImport? {
    try write { database, revision in
      let row = try Row.fetchOne(
        database,
        sql: "SELECT format, exportedAt, firstSerial, lastSerial FROM imports WHERE id = ?",
        arguments: [id])
      guard let row else { return nil }
      guard let format = ImportFormat(rawValue: try row.decode(atIndex: 0)) else {
        throw Corruption()
      }
      let exported = try row.decode(Double?.self, atIndex: 1)
      let first: Int64 = try row.decode(atIndex: 2)
      let last: Int64 = try row.decode(atIndex: 3)
      try database.execute(sql: "DELETE FROM imports WHERE id = ?", arguments: [id])
      var undo = ImportUndo(
        format: format, exported: exported ?? -.infinity, serials: first..<max(first, last + 1),
        database: database, revision: revision)
      return try undo.run()
    }
  }
}

extension Database {
  /// Records an import.
  func noteImport(
    _ format: ImportFormat, file: String, exported: Double?, read: Int, new: Int,
    _ revision: Revision
  ) throws {
    try execute(
      sql: """
        INSERT INTO imports
          (id, format, importedAt, exportedAt, file, firstSerial, lastSerial, read, new)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        try nextID(in: "imports"), format.rawValue, Date.now.timeIntervalSinceReferenceDate,
        exported, file, revision.firstSerial, revision.nextSerial - 1, read, new,
      ])
  }
}

/// Deletes what only one import had.
private struct ImportUndo {
  let format: ImportFormat
  let exported: Double
  /// Of the rows that it added.
  let serials: Range<Int64>
  let database: Database
  let revision: Revision
  private var undone = UndoneImport()

  init(
    format: ImportFormat, exported: Double, serials: Range<Int64>, database: Database,
    revision: Revision
  ) {
    self.format = format
    self.exported = exported
    self.serials = serials
    self.database = database
    self.revision = revision
  }

  mutating func run() throws -> UndoneImport {
    // Another import of an export of the same date has the same rows.
    let isRepeated =
      try format == .appleHealth
      && Int.fetchOne(
        database, sql: "SELECT 1 FROM imports WHERE format = ? AND exportedAt IS ? LIMIT 1",
        arguments: [format.rawValue, exported.isFinite ? exported : nil]) != nil
    if isRepeated { return undone }
    let sets = try ExportSets(database)
    let export = format == .appleHealth ? sets.dates.first { $0.value == exported }?.key : nil
    for series in try database.allSeries() {
      if let export {
        try forget(export, of: series, sets)
      } else {
        try delete(from: series) { [serials] cursor, row in
          serials.contains(cursor.serial(row)) && cursor.exportSet(row) == ExportSets.none
        }
      }
    }
    try sets.write(to: database)
    if let export {
      try database.execute(
        sql: "DELETE FROM seriesExports WHERE export = ?", arguments: [export])
    }
    try deleteElements()
    return undone
  }

  /// Deletes the rows of a series that only one export has, and decides again which ones later
  /// exports supersede.
  private mutating func forget(
    _ export: Int64, of series: StoredSeries, _ sets: ExportSets
  ) throws {
    let type = try database.storedIdentifier(
      of: SampleType(identifier: series.type, kind: .category))
    let source = try database.storedIdentifier(of: series.source)
    let known = try database.exports(ofType: type, source: source)
    guard known.contains(export), let sampleType = try database.sampleTypes()[series.type],
      let type, let source
    else { return }
    let with = SeriesExports(
      sets, known: known, export: export, isLater: false, mayUpdate: false, isReplacing: false)
    let rest = known.filter { $0 != export }
    let newest = rest.max { (sets.dates[$0] ?? 0, $0) < (sets.dates[$1] ?? 0, $1) }
    let without = SeriesExports(
      sets, known: rest, export: newest, isLater: false, mayUpdate: false, isReplacing: false)
    var units = RecordedUnits(of: sampleType)
    var remaining: [UInt32: UInt32] = [:]
    func set(after exportSet: UInt32) throws -> UInt32 {
      if let known = remaining[exportSet] { return known }
      let set = try without.number(of: with.presence(exportSet), of: with)
      remaining[exportSet] = set
      return set
    }
    // Superseded rows first: they may count again.
    try rewrite(sampleType, series, isHidden: true, &units, with, set)
    try rewrite(sampleType, series, isHidden: false, &units, with, set)
    try database.execute(
      sql: "DELETE FROM seriesExports WHERE type = ? AND source = ? AND export = ?",
      arguments: [type, source, export])
    if newest != nil {
      var review = SeriesReview(
        sampleType, series.source, exports: without, units: units, in: database,
        revision: revision)
      _ = try review.run(&units)
    }
    try database.updateSeries(type: type, source: source)
  }

  /// Writes the chunks of a series again where an export is in the sets of their rows.
  private mutating func rewrite(
    _ type: SampleType, _ series: StoredSeries, isHidden: Bool, _ units: inout RecordedUnits,
    _ with: SeriesExports, _ set: (UInt32) throws -> UInt32
  ) throws {
    let chunks =
      isHidden
      ? try database.supersededChunks(of: type, series.source) : series.chunks.map(\.id)
    let writer = ChunkWriter(
      type: type, source: series.source, database: database, revision: revision,
      table: isHidden ? .superseded : .chunks)
    for chunk in chunks {
      let cursor = try database.cursor(
        of: chunk, hasExportSets: true, isHidden: isHidden, units: &units)
      guard let index = with.index else { continue }
      let isConcerned = try cursor.originTable.contains { try with.presence($0.exportSet)[index] }
      guard isConcerned else { continue }
      writer.begin(isHidden ? nil : chunk)
      while !cursor.isAtEnd {
        for row in 0..<cursor.rowCount {
          let old = cursor.exportSet(row)
          let presence = try with.presence(old)
          let isOnly = presence[index] && presence.filter(\.self).count == 1
          if isOnly {
            if !isHidden {
              try writer.leaveOut(row..<row + 1, of: cursor)
              undone.deletedSamples += 1
            }
            continue
          }
          try writer.keep(row..<row + 1, of: cursor, exportSet: set(old))
          if presence[index], presence.lastIndex(of: true) == index, !isHidden {
            let span = cursor.span(row)
            let before = undone.staleSpans[type] ?? span
            undone.staleSpans[type] =
              min(before.lowerBound, span.lowerBound)...max(before.upperBound, span.upperBound)
          }
        }
        try cursor.advanceBlock()
      }
      try writer.end()
      if isHidden {
        try database.execute(sql: "DELETE FROM hidden WHERE id = ?", arguments: [chunk])
      }
    }
  }

  /// Deletes rows of a series, which later imports bring back.
  private mutating func delete(
    from series: StoredSeries, where isDeleted: (RowCursor, Int) throws -> Bool
  ) throws {
    guard let type = try database.sampleTypes()[series.type] else { return }
    var editor = try SeriesEditor(type, series.source, database: database, revision: revision)
    let concerned = try Set(
      Int64.fetchAll(
        database, sql: "SELECT id FROM chunks WHERE firstSerial < ? AND lastSerial >= ?",
        arguments: [serials.upperBound, serials.lowerBound]))
    for chunk in series.chunks where concerned.contains(chunk.id) {
      undone.deletedSamples += try editor.delete(
        from: chunk.id, keepsIdentity: false, where: isDeleted)
    }
    try editor.finish()
  }

  /// Deletes the elements that the import added and no later export has.
  private mutating func deleteElements() throws {
    let sources = try database.sources()
    let newest = try database.lastExport(of: format) ?? -.infinity
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT id, name, source, start, end, kind FROM elements
        WHERE id >= ? AND id < ? AND format = ? AND (? OR coalesce(lastSeen, ?) <= ?)
        """,
      arguments: [
        serials.lowerBound, serials.upperBound, format.rawValue, format != .appleHealth, newest,
        exported,
      ])
    for row in rows {
      guard let kind = ElementKind(storedText: try row.decode(atIndex: 5)) else {
        throw Corruption()
      }
      try database.deleteElement(
        row.decode(atIndex: 0), kind.subject, ElementKey(row, among: sources), revision: revision)
      undone.deletedElements += 1
    }
  }
}
