import GRDB
import HealthSamples

/// A part of a store whose rows have a digest, because no checksum of a chunk or an element covers
/// them.
enum DigestedPart: Hashable {
  /// Every table of a few short rows, and the schema itself.
  case shortTables
  /// Counts of the rows of chunks by label and device, and superseded chunks.
  case chunkStatistics
  /// The spans of the chunks of a type, in their table and in that of their zone maps.
  case chunks(type: Int64)
  /// The spans of the elements of a kind.
  case elements(ElementKind)
}

/// Digests of rows, in the table `digests`.
///
/// A digest is the sum of the hashes of the rows, so it does not depend on their order. The rows of
/// chunks and elements are read through the indexes that queries use: a row that is missing in an
/// index changes the digest.
extension Database {
  /// Throws if a part of the store was altered.
  ///
  /// - Complexity: O(rows)
  func checkDigests(of part: DigestedPart) throws {
    for (name, query) in try digestQueries(of: part) {
      guard try digest(query) == storedDigest(name) else { throw Corruption() }
    }
  }

  /// Throws if any part of the store was altered; a write would hide that for good.
  func checkAllDigests() throws {
    for part in try digestedParts() { try checkDigests(of: part) }
  }

  /// The number of wrong digests, and of all digests.
  func wrongDigests() throws -> (wrong: Int, checked: Int) {
    var (wrong, checked) = (0, 0)
    for part in try digestedParts() {
      for (name, query) in try digestQueries(of: part) {
        checked += 1
        if try digest(query) != storedDigest(name) { wrong += 1 }
      }
    }
    return (wrong, checked)
  }

  /// Updates the digests of all parts.
  ///
  /// - Complexity: O(rows of the short tables + chunks + elements)
  func updateAllDigests() throws {
    for part in try digestedParts() { try updateDigests(of: part) }
  }

  /// Updates the digests of a part.
  func updateDigests(of part: DigestedPart) throws {
    for (name, query) in try digestQueries(of: part) {
      let found = try digest(query)
      if try storedDigest(name) == found { continue }
      try execute(
        sql: "INSERT OR REPLACE INTO digests (name, digest) VALUES (?, ?)",
        arguments: [name, found])
    }
  }

  private func digestedParts() throws -> [DigestedPart] {
    let types = try Int64.fetchAll(
      self, sql: "SELECT id FROM types UNION SELECT type FROM chunks ORDER BY 1")
    return [.shortTables, .chunkStatistics] + types.map { .chunks(type: $0) }
      + ElementKind.allCases.map { .elements($0) }
  }

  /// The digests of a part: their names, and the queries for their rows.
  private func digestQueries(of part: DigestedPart) throws -> [(name: String, query: String)] {
    switch part {
    case .shortTables:
      let tables = try String.fetchAll(
        self,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
            AND name NOT IN (
              'chunks', 'zoneMaps', 'labels', 'devices', 'elements', 'superseded', 'digests')
          ORDER BY name
          """)
      return [("schema", "SELECT digest(type, name, tbl_name, sql) FROM sqlite_master")]
        + (try tables.map { table in
          let columns = try columns(in: table).map(\.name.quotedDatabaseIdentifier)
          return (
            "table \(table)",
            "SELECT digest(\(columns.joined(separator: ", "))) "
              + "FROM \(table.quotedDatabaseIdentifier)"
          )
        })
    case .chunkStatistics:
      return [
        ("table labels", "SELECT digest(chunk, label, count) FROM labels"),
        ("table devices", "SELECT digest(chunk, device, count) FROM devices"),
        (
          "table superseded",
          "SELECT digest(id, type, source, count, firstStart, lastStart) FROM superseded"
        ),
      ]
    case .chunks(let type):
      return [
        (
          "chunks \(type)",
          """
          SELECT digest(id, source, firstStart, lastStart, lastEnd, count)
          FROM chunks INDEXED BY chunksInTime WHERE type = \(type)
          """
        ),
        (
          "zoneMaps \(type)",
          """
          SELECT digest(chunk, lengthClass, firstStart, lastEnd, source, lastStart)
          FROM zoneMaps INDEXED BY zoneMapsInTime WHERE type = \(type)
          """
        ),
      ]
    case .elements(let kind):
      return [
        (
          "elements \(kind.storedText)",
          """
          SELECT digest(id, start, end, name, source)
          FROM elements INDEXED BY elementsInTime WHERE kind = '\(kind.storedText)'
          """
        )
      ]
    }
  }

  private func digest(_ query: String) throws -> Int64 {
    try Int64.fetchOne(cachedStatement(sql: query)) ?? 0
  }

  /// A digest of no rows is 0 and may be missing.
  private func storedDigest(_ name: String) throws -> Int64 {
    try Int64.fetchOne(
      cachedStatement(sql: "SELECT digest FROM digests WHERE name = ?"), arguments: [name]) ?? 0
  }
}

/// The SQL aggregate `digest(…)`: the sum of the hashes of rows.
struct RowDigest: DatabaseAggregate {
  static let function = DatabaseFunction("digest", pure: true, aggregate: RowDigest.self)

  private var sum: UInt64 = 0
  private var row = ByteWriter()

  mutating func step(_ values: [DatabaseValue]) {
    row.bytes.removeAll(keepingCapacity: true)
    for value in values {
      switch value.storage {
      case .null: row.append(UInt8(0))
      case .int64(let number):
        row.append(UInt8(1))
        row.append(UInt64(bitPattern: number))
      case .double(let number):
        row.append(UInt8(2))
        row.append(number.bitPattern)
      case .string(let text):
        row.append(UInt8(3))
        row.append(text)
      case .blob(let data):
        row.append(UInt8(4))
        row.append(variable: UInt64(data.count))
        row.bytes += data
      }
    }
    sum &+= Checksum.of(row.bytes[...])
  }

  func finalize() -> (any DatabaseValueConvertible)? { Int64(bitPattern: sum) }
}

/// The parts of a store with correct digests, until the store changes.
struct CheckedParts {
  /// Counters that SQLite increments with every change, by this connection and by others.
  private var state: [Int] = []
  private var parts: Set<DigestedPart> = []

  /// Throws if a part was altered; a part is checked only once.
  mutating func check(_ part: DigestedPart, in database: Database) throws {
    let now = [
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0,
      database.totalChangesCount,
    ]
    if now != state {
      state = now
      parts = []
    }
    guard !parts.contains(part) else { return }
    try database.checkDigests(of: part)
    parts.insert(part)
  }
}
