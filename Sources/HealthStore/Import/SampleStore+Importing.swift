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
    try checkOwner()
    return try StoreError.naming(path) {
      let transaction = try WriteTransaction(of: self)
      let types = try transaction.run { database in
        try checkAll(in: database)
        return try database.sampleTypes()
      }
      return ImportSession(
        store: self, transaction: transaction, format: format, types: types, threads: threads,
        sizes: sizes)
    }
  }
}

extension SampleStore {
  /// Throws if any row that decides was altered: what is derived from it would be wrong, too.
  func checkAll(in database: Database) throws {
    for part in try database.digestedParts() { try check(part, in: database) }
  }
}

extension Database {
  /// The chunks of a type and a source.
  func chunks(
    _ table: StoredChunk.Table = .chunks, of type: SampleType, _ source: Source
  ) throws -> [StoredChunk] {
    guard let type = try storedIdentifier(of: type), let source = try storedIdentifier(of: source)
    else { return [] }
    return try StoredChunk.all(table, ofType: type, source: source, in: self)
  }

  /// The id of a type in the store, if present.
  ///
  /// Read from the table: its digest does not cover the index that SQLite makes for it.
  func storedIdentifier(of type: SampleType) throws -> Int64? {
    try Int64.fetchOne(
      cachedStatement(sql: "SELECT id FROM types NOT INDEXED WHERE identifier = ?"),
      arguments: [type.identifier])
  }

  /// The id of a source in the store, if present; the digest covers the index.
  func storedIdentifier(of source: Source) throws -> Int64? {
    try Int64.fetchOne(
      cachedStatement(
        sql: """
          SELECT id FROM sources INDEXED BY sourcesByName
          WHERE matchingName = ? AND bundleIdentifier = ? AND isUserEntered = ?
          """),
      arguments: [source.storedName, source.bundleIdentifier, source.isUserEntered])
  }

  /// The id of a type, inserted if new.
  func identifier(of type: SampleType) throws -> Int64 {
    if let known = try storedIdentifier(of: type) { return known }
    return try insert(
      into: "types", "identifier, unit, style",
      [type.identifier, type.canonicalUnit?.text(in: .healthKit), type.style?.rawValue])
  }

  /// The id of a source, inserted if new.
  func identifier(of source: Source) throws -> Int64 {
    if let known = try storedIdentifier(of: source) { return known }
    return try insert(
      into: "sources", "name, bundleIdentifier, matchingName, isUserEntered",
      [source.name, source.bundleIdentifier, source.storedName, source.isUserEntered])
  }

  /// The types in the store by identifier.
  ///
  /// The catalogue takes precedence; a type that it lacks is as first imported.
  func sampleTypes() throws -> [String: SampleType] {
    var types: [String: SampleType] = [:]
    for row in try Row.fetchAll(self, sql: "SELECT identifier, unit, style FROM types NOT INDEXED")
    {
      let type = try SampleType(row)
      types[type.identifier] = Catalogue.type(type.identifier) ?? type
    }
    return types
  }

  /// The sources in the store by id.
  func sources() throws -> [Int64: Source] {
    let rows = try Row.fetchAll(
      self, sql: "SELECT id, name, bundleIdentifier, isUserEntered FROM sources NOT INDEXED")
    return try Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (try row.decode(atIndex: 0), try Source(row, from: 1))
      })
  }
}

extension Source {
  /// A source from the columns name, bundle identifier and whether it is entered by hand.
  init(_ row: Row, from column: Int) throws {
    let (name, bundle, isUserEntered): (String, String, Bool) = try row.values(from: column)
    self.init(name: name, bundleIdentifier: bundle, isUserEntered: isUserEntered)
  }

  /// The matching name in canonical composition, so that equal names have equal bytes.
  fileprivate var storedName: String { matchingName.precomposedStringWithCanonicalMapping }
}
