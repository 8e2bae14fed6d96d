import Foundation
import GRDB
import HealthLedger
public import HealthSamples

/// One import that changed a store.
public struct StoredImport: Sendable, Hashable {
  /// The number of the import; an import of the same file after an undo has another.
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
  /// Whether a later import replaced it: its samples do not count.
  public let isReplaced: Bool
}

extension SampleStore {
  /// The imports that changed the store, the earliest first; undone ones are not among them.
  public func imports() throws(StoreError) -> [StoredImport] {
    try checkOwner()
    return try read { database in
      let history = try StoreHistory(database)
      return try Row.fetchAll(
        database,
        sql: """
          SELECT id, format, importedAt, exportedAt, name, read, new FROM files
          ORDER BY importedAt, id
          """
      ).compactMap { row -> StoredImport? in
        guard let file = history.files[try row.decode(atIndex: 0)], let number = file.number else {
          return nil
        }
        guard let format = ImportFormat(rawValue: try row.decode(atIndex: 1)) else {
          throw Corruption()
        }
        return StoredImport(
          id: number, format: format, importedAt: try row.decode(atIndex: 2),
          exportedAt: try row.decode(atIndex: 3), file: try row.decode(atIndex: 4),
          read: try row.sampleCount(atIndex: 5), new: try row.sampleCount(atIndex: 6),
          isReplaced: !file.isPresent)
      }
    }
  }

  /// Undoes an import, in one transaction: the store is then as if it had never been imported.
  ///
  /// What other imports have stays, as these word it, and what the import had replaced or superseded
  /// counts again. A later import of the same file brings everything back.
  ///
  /// - Parameters:
  ///   - id: the number of the import
  ///   - dryRun: says what would change, and changes nothing
  /// - Returns: what changed; `nil` if there is no such import
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n*) for the *n* samples of the types and sources of the import
  public func undoImport(_ id: Int64, dryRun: Bool = false) throws(StoreError) -> HistoryChange? {
    try write(dryRun: dryRun) { database, revision in
      try checkAll(in: database)
      guard let file = try StoreHistory(database).file(ofImport: id) else { return nil }
      try database.append(.undoing, file: file.id, at: now.instant) { _ in }
      return try database.replayAll(revision)
    }
  }
}

extension Database {
  /// Records what an import brought, if it brought anything.
  func recordCounts(of identity: Data, _ summary: ImportSummary, _ revision: Revision) throws {
    guard revision.nextSerial > revision.firstSerial else { return }
    try execute(
      sql: "UPDATE files SET read = ?, new = ? WHERE identity = ?",
      arguments: [summary.read, summary.new, identity])
  }

  /// Decides anew which samples and elements count, after other files count than before.
  func replayAll(_ revision: Revision) throws -> HistoryChange {
    let sets = try Provenances(self)
    var change = HistoryChange()
    for series in try allSeries() {
      let files = try files(of: series)
      guard !files.isEmpty else { continue }
      change.add(
        try replay(series.type, series.source, SeriesFiles(sets, files), revision: revision))
    }
    change.add(try replayElements(sets, revision: revision))
    try sets.write(to: self)
    return change
  }
}
