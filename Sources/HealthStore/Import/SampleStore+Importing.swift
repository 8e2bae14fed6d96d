import Foundation
import GRDB
public import HealthSamples
import HealthUnits

extension SampleStore {
  /// Begins an import; other imports must wait until it finishes or is dropped.
  ///
  /// - Parameters:
  ///   - format: the program that wrote the file; each format is tracked on its own
  ///   - threads: the number of threads that sort and encode records, including the calling one;
  ///     the result does not depend on it
  /// - Returns: a session that takes batches
  /// - Throws: ``StoreError``; ``StoreError/Reason/busy`` while another import runs
  public func beginImport(
    from format: ImportFormat = .appleHealth, threads: Int = 1
  ) throws(StoreError) -> ImportSession {
    try beginImport(from: format, threads: threads, sizes: RunSizes())
  }

  /// Begins an import with other run sizes.
  func beginImport(
    from format: ImportFormat = .appleHealth, threads: Int = 1, sizes: RunSizes
  ) throws(StoreError) -> ImportSession {
    do {
      let types = try queue.writeWithoutTransaction { database in
        guard !database.isInsideTransaction else { throw StoreError(.busy, path: path) }
        try database.beginTransaction(isReadOnly ? .deferred : .immediate)
        do {
          try checkFile()
          // Damage would be hidden after the import.
          try database.checkAllDigests()
          return try database.sampleTypes()
        } catch {
          try database.rollback()
          throw error
        }
      }
      return ImportSession(
        store: self, format: format, types: types, threads: threads, sizes: sizes)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Runs inside the transaction of the import.
  func inSession<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try queue.writeWithoutTransaction(body)
  }

  /// Commits the import.
  func commit() throws {
    try queue.writeWithoutTransaction { try $0.commit() }
  }

  /// Ends the transaction of the import if it is still open.
  func rollback() {
    queue.writeWithoutTransaction { database in
      // If the rollback fails there is nothing to roll back: SQLite has already done it.
      if database.isInsideTransaction { try? database.rollback() }
    }
  }
}

extension Database {
  /// The chunks of a type and a source.
  func chunks(of type: SampleType, _ source: Source) throws -> [StoredChunk] {
    guard let type = try storedIdentifier(of: type), let source = try storedIdentifier(of: source)
    else { return [] }
    return try StoredChunk.all(ofType: type, source: source, in: self)
  }

  /// The id of a type in the store, if present.
  func storedIdentifier(of type: SampleType) throws -> Int64? {
    try Int64.fetchOne(
      cachedStatement(sql: "SELECT id FROM types WHERE identifier = ?"),
      arguments: [type.identifier])
  }

  /// The id of a source in the store, if present.
  func storedIdentifier(of source: Source) throws -> Int64? {
    try Int64.fetchOne(
      cachedStatement(sql: "SELECT id FROM sources WHERE matchingName = ? AND isUserEntered = ?"),
      arguments: [source.storedName, source.isUserEntered])
  }

  /// The id of a type, inserted if new.
  func identifier(of type: SampleType) throws -> Int64 {
    if let known = try storedIdentifier(of: type) { return known }
    try execute(
      sql: "INSERT INTO types (identifier, unit, style) VALUES (?, ?, ?)",
      arguments: [
        type.identifier, type.canonicalUnit?.text(in: .healthKit), type.style?.rawValue,
      ])
    return lastInsertedRowID
  }

  /// The id of a source, inserted if new.
  func identifier(of source: Source) throws -> Int64 {
    if let known = try storedIdentifier(of: source) { return known }
    try execute(
      sql: "INSERT INTO sources (name, matchingName, isUserEntered) VALUES (?, ?, ?)",
      arguments: [source.name, source.storedName, source.isUserEntered])
    return lastInsertedRowID
  }

  /// The types in the store by identifier.
  ///
  /// The catalogue takes precedence; a type that it lacks is as first imported.
  func sampleTypes() throws -> [String: SampleType] {
    var types: [String: SampleType] = [:]
    for row in try Row.fetchAll(self, sql: "SELECT identifier, unit, style FROM types") {
      let type = try SampleType(row)
      types[type.identifier] = Catalogue.type(type.identifier) ?? type
    }
    return types
  }

  /// The sources in the store by id.
  func sources() throws -> [Int64: Source] {
    let rows = try Row.fetchAll(self, sql: "SELECT id, name, isUserEntered FROM sources")
    return try Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let source = Source(
          name: try row.decode(atIndex: 1), isUserEntered: try row.decode(atIndex: 2))
        return (try row.decode(atIndex: 0), source)
      })
  }
}

extension Source {
  /// The matching name in canonical composition, so that equal names have equal bytes.
  fileprivate var storedName: String { matchingName.precomposedStringWithCanonicalMapping }
}
