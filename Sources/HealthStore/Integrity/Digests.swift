import Foundation
import GRDB
import HealthSamples
import Synchronization
internal import _HealthNumerics

/// A part of a store whose rows have digests, because no checksum of a chunk or an element covers
/// them.
struct DigestedPart: Hashable {
  /// That of ``DigestedTable/part``.
  fileprivate let name: String
  /// What its rows have in common, as in the names of its digests; empty for whole tables.
  fileprivate var value = ""

  /// Every table of a few short rows, the schema itself, and the digests.
  static let shortTables = Self(name: "short")
  /// The spans of hidden chunks.
  static let hiddenChunks = Self(name: "hidden")
  /// The change log.
  static let changes = Self(name: "changes")
  /// The spans of the chunks of a type, in their table and in that of their zone maps.
  static func chunks(type: Int64) -> Self { Self(name: "chunks", value: "\(type)") }
  /// The spans of the elements of a kind.
  static func elements(_ kind: ElementKind) -> Self {
    Self(name: "elements", value: kind.storedText)
  }
  /// The UUIDs that begin with a byte.
  static func uuids(firstByte: UInt8) -> Self { Self(name: "uuids", firstByte) }
  /// The UUIDs of 65,536 consecutive serials.
  static func serials(bucket: Int64) -> Self { Self(name: "serials", value: "\(bucket)") }
  /// What belongs to 65,536 consecutive serials.
  static func owners(bucket: Int64) -> Self { Self(name: "owners", value: "\(bucket)") }
  /// To what 65,536 consecutive serials belong.
  static func members(bucket: Int64) -> Self { Self(name: "members", value: "\(bucket)") }
  /// The versions of named objects whose keys begin with a byte.
  static func versionKeys(firstByte: UInt8) -> Self { Self(name: "versionKeys", firstByte) }
  /// Which versions 65,536 consecutive serials are.
  static func versions(bucket: Int64) -> Self { Self(name: "versions", value: "\(bucket)") }
  /// Which of 65,536 consecutive serials do not count.
  static func gone(bucket: Int64) -> Self { Self(name: "gone", value: "\(bucket)") }

  fileprivate init(name: String, value: String = "") { (self.name, self.value) = (name, value) }

  fileprivate init(name: String, _ byte: UInt8) {
    self.init(name: name, value: (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true))
  }

  /// The part of a digest of rows that serials or first bytes divide; `nil` for other digests.
  fileprivate init?(digest: String) {
    let words = digest.split(separator: " ").map(String.init)
    guard words.count == 2 else { return nil }
    switch DigestedTable.all.first(where: { $0.name == words[0] })?.division {
    case .firstByte where UInt8(words[1], radix: 16) != nil: break
    case .serials where Int64(words[1]).map { 0..<1 << 47 ~= $0 } == true: break
    default: return nil
    }
    self.init(name: words[0], value: words[1])
  }

  /// The name of the only digest of a divided part.
  fileprivate var digest: String { "\(name) \(value)" }
}

/// How the rows of a table enter digests.
private struct DigestedTable {
  /// What divides the rows between digests.
  enum Division {
    case nothing
    case value(of: String)
    /// The first byte of a column.
    case firstByte(of: String)
    /// 65,536 consecutive serials in a column.
    case serials(in: String)
  }

  /// The part that the digests belong to.
  let part: String
  /// The name of the digest, before the value that divides the rows.
  let name: String
  let table: String
  /// The index through which the rows are read.
  let reading: String
  let division: Division
  /// The columns that enter the digest.
  let columns: [String]

  init(
    part: String? = nil, _ name: String, _ table: String, _ reading: String = "",
    by division: Division = .nothing, columns: [String]
  ) {
    self.part = part ?? name
    self.name = name
    self.table = table
    self.reading = reading
    self.division = division
    self.columns = columns
  }

  /// The tables whose digests cover some rows or some columns.
  static let all = [
    Self(
      "chunks", "chunks", "INDEXED BY chunksInTime", by: .value(of: "type"),
      columns: [
        "id", "source", "firstStart", "lastStart", "lastEnd", "count", "firstSerial", "lastSerial",
        "memberSet",
      ]),
    Self(
      part: "chunks", "zoneMaps", "zoneMaps", "INDEXED BY zoneMapsInTime", by: .value(of: "type"),
      columns: ["chunk", "lengthClass", "firstStart", "lastEnd", "source", "lastStart"]),
    Self(
      "elements", "elements", "INDEXED BY elementsInTime", by: .value(of: "kind"),
      columns: ["id", "start", "end", "name", "source", "memberSet", "version"]),
    Self(
      part: "elements", "hiddenElements", "hiddenElements", "INDEXED BY hiddenElementsInTime",
      by: .value(of: "kind"),
      columns: ["id", "start", "end", "name", "source", "memberSet", "birth"]),
    Self(
      part: "hidden", "table hidden", "hidden",
      columns: ["id", "type", "source", "count", "firstStart", "lastStart", "lastEnd"]),
    Self(part: "hidden", hiddenSerials, "hidden", columns: ["id", "firstSerial"]),
    Self(part: "short", "table tombstones", "tombstones", columns: ["id", "count"]),
    Self(
      part: "short", "table attachments", "attachments",
      columns: [
        "id", "uuid", "object", "name", "contentType", "created", "size", "metadata", "isDetached",
        "number",
      ]),
    Self(
      part: "changes", "table changes", "changes",
      columns: [
        "id", "kind", "type", "source", "firstSerial", "lastSerial", "firstStart", "lastEnd",
      ]),
    Self(
      "uuids", "identities", by: .firstByte(of: "uuid"),
      columns: ["uuid", "serial", "kind", "name", "type", "source", "start"]),
    Self(
      "serials", "identities", "INDEXED BY identitiesBySerial", by: .serials(in: "serial"),
      columns: ["serial", "uuid"]),
    Self(
      "owners", "associations", "NOT INDEXED", by: .serials(in: "owner"),
      columns: [
        "owner", "kind", "member", "part", "isEnded", "clock", "counter", "store", "number",
      ]),
    Self(
      "members", "associations", "INDEXED BY associationsByMember", by: .serials(in: "member"),
      columns: ["member", "kind", "owner", "part", "isEnded"]),
    Self(
      "versionKeys", "versions", "NOT INDEXED", by: .firstByte(of: "key"),
      columns: ["key", "birth", "version", "clock", "counter", "store", "deletion", "state"]),
    Self(
      "versions", "versions", "INDEXED BY versionsByBirth", by: .serials(in: "birth"),
      columns: ["birth", "key", "state"]),
    Self("gone", "gone", by: .serials(in: "birth"), columns: ["birth"]),
  ]

  /// The digest of the serials of hidden chunks, which earlier versions did not record: see
  /// ``Database/beginDigestOfHiddenSerials(_:)``.
  static let hiddenSerials = "hiddenSerials"

  /// The expression of the name of the digest of a row, which is `NEW` or `OLD`.
  func name(of row: String) -> String {
    switch division {
    case .nothing: "'\(name)'"
    case .value(let column): "'\(name) ' || \(row).\(column)"
    case .firstByte(let column): "'\(name) ' || hex(substr(\(row).\(column), 1, 1))"
    case .serials(let column): "'\(name) ' || (\(row).\(column) >> 16)"
    }
  }

  /// The query for the rows of a part with a value.
  func query(_ value: String = "", reading: String? = nil) -> DigestQuery {
    let bucket = Int64(value) ?? 0
    let (condition, arguments): (String, StatementArguments) =
      switch division {
      case .nothing: ("", [])
      case .value(let column): ("WHERE \(column) = ?", [value])
      case .firstByte(let column):
        switch UInt8(value, radix: 16) ?? .max {
        case .max: ("WHERE \(column) >= ?", [Data([.max])])
        case let byte:
          ("WHERE \(column) >= ? AND \(column) < ?", [Data([byte]), Data([byte + 1])])
        }
      case .serials(let column):
        ("WHERE \(column) BETWEEN ? AND ?", [bucket << 16, bucket << 16 | 0xFFFF])
      }
    let columns = columns.joined(separator: ", ")
    return DigestQuery(
      name: value.isEmpty ? name : "\(name) \(value)",
      sql: "SELECT digest(\(columns)) FROM \(table) \(reading ?? self.reading) \(condition)",
      arguments: arguments)
  }
}

/// A digest, and the query for its rows.
private struct DigestQuery {
  let name: String
  let sql: String
  /// Digests of one table share a statement.
  var arguments = StatementArguments()
}

/// Digests of rows, in the table `digests`.
///
/// A digest is the sum of the hashes of the rows, so it does not depend on their order, and a
/// transaction adds and subtracts the rows that it changes. The rows of chunks and elements are
/// read through the indexes that queries use: a row that is missing in an index changes the digest.
/// The digest `root` covers all others, so that rows and digests of an older state are found.
extension Database {
  /// The number of wrong digests, and of all digests, of some parts.
  ///
  /// - Complexity: O(rows)
  func wrongDigests(
    of parts: [DigestedPart], _ ledger: DigestLedger? = nil
  ) throws -> (wrong: Int, checked: Int) {
    let queries = try parts.flatMap(digestQueries)
    let wrong = try queries.filter { query in
      let change = ledger?.change(of: query.name) ?? 0
      let expected = UInt64(bitPattern: try storedDigest(query.name)) &+ change
      // An earlier version may have written the rows, which did not record their digest.
      if query.name == DigestedTable.hiddenSerials, expected == 0 { return false }
      return try UInt64(bitPattern: digest(query)) != expected
    }
    return (wrong.count, queries.count)
  }

  /// Records the digest of the serials of hidden chunks with a transaction that begins, if an earlier
  /// version has not.
  fileprivate func beginDigestOfHiddenSerials(_ ledger: DigestLedger) throws {
    guard try storedDigest(DigestedTable.hiddenSerials) == 0, try !isEmpty("hidden"),
      let query = try digestQueries(of: .hiddenChunks).last
    else { return }
    ledger.add([query.name: UInt64(bitPattern: try digest(query))])
  }

  /// Computes all digests anew, for a new store or a repaired one.
  ///
  /// - Complexity: O(rows of the short tables + chunks + elements)
  func resetDigests() throws {
    try execute(sql: "DELETE FROM digests")
    for part in try digestedParts() {
      for query in try digestQueries(of: part) where query.name != Self.root {
        let found = try digest(query)
        if found != 0 { try setDigest(found, query.name) }
      }
    }
    try setDigest(digest(Self.rootQuery), Self.root)
  }

  /// Adds what a transaction changed.
  func updateDigests(from ledger: DigestLedger) throws {
    let before = UInt64(bitPattern: try storedDigest(Self.root))
    var root = before
    for (name, change) in ledger.takeChanges() where change != 0 {
      let old = try storedDigest(name)
      let new = Int64(bitPattern: UInt64(bitPattern: old) &+ change)
      // A digest of no rows is 0, which has no row.
      if old != 0 { root &-= RowHash.of([name.databaseValue, old.databaseValue]) }
      if new != 0 { root &+= RowHash.of([name.databaseValue, new.databaseValue]) }
      if new == 0 {
        try cachedStatement(sql: "DELETE FROM digests WHERE name = ?").execute(arguments: [name])
      } else {
        try setDigest(new, name)
      }
    }
    if root != before { try setDigest(Int64(bitPattern: root), Self.root) }
  }

  private func setDigest(_ digest: Int64, _ name: String) throws {
    try cachedStatement(sql: "INSERT OR REPLACE INTO digests (name, digest) VALUES (?, ?)")
      .execute(arguments: [name, digest])
  }

  private static let root = "root"
  private static let rootQuery = DigestQuery(
    name: root, sql: "SELECT digest(name, digest) FROM digests WHERE name <> '\(root)'")

  /// All parts that have rows or digests.
  func digestedParts() throws -> [DigestedPart] {
    let types = try Int64.fetchAll(
      self, sql: "SELECT id FROM types NOT INDEXED UNION SELECT type FROM chunks ORDER BY 1")
    var divided: [DigestedPart] = []
    for part in DigestedTable.all {
      switch part.division {
      case .nothing, .value: continue
      case .firstByte(let column):
        divided += try firstBytes(of: column, in: part.table).map { .init(name: part.name, $0) }
      case .serials(let column):
        divided += try Int64.fetchAll(
          self, sql: "SELECT DISTINCT \(column) >> 16 FROM \(part.table) \(part.reading)"
        ).map { .init(name: part.name, value: "\($0)") }
      }
    }
    divided += try String.fetchAll(self, sql: "SELECT name FROM digests")
      .compactMap(DigestedPart.init(digest:))
    return [.shortTables, .hiddenChunks, .changes] + types.map { .chunks(type: $0) }
      + ElementKind.allCases.map { .elements($0) } + divided.uniqued()
  }

  /// The first bytes of the values of a column with an index.
  ///
  /// - Complexity: O(first bytes × log rows)
  private func firstBytes(of column: String, in table: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let next = try cachedStatement(sql: "SELECT min(\(column)) FROM \(table) WHERE \(column) >= ?")
    var least = Data()
    while let byte = try Data.fetchOne(next, arguments: [least])?.first {
      bytes.append(byte)
      if byte == .max { break }
      least = Data([byte + 1])
    }
    return bytes
  }

  /// The tables of few rows, of which every column enters a digest.
  private func shortTables() throws -> [DigestedTable] {
    // The formats are compared when the store is opened.
    let others = Set(DigestedTable.all.map(\.table) + ["digests", Schema.formatTable])
    return try tables().filter { !others.contains($0) }.map { table in
      DigestedTable(
        "table \(table)", table,
        columns: try columns(in: table).map(\.name.quotedDatabaseIdentifier))
    }
  }

  /// The digests of a part, with the queries for their rows.
  private func digestQueries(of part: DigestedPart) throws -> [DigestQuery] {
    var queries = DigestedTable.all.filter { $0.part == part.name }.map { $0.query(part.value) }
    guard part == .shortTables else { return queries }
    queries += [
      DigestQuery(
        name: "schema", sql: "SELECT digest(type, name, tbl_name, sql) FROM sqlite_master"),
      Self.rootQuery,
    ]
    for table in try shortTables() {
      // Sources are looked up in an index of every column: it must say what the table says.
      let readings = table.table == "sources" ? ["NOT INDEXED", "INDEXED BY sourcesByName"] : [""]
      queries += readings.map { table.query(reading: $0) }
    }
    return queries
  }

  private func digest(_ query: DigestQuery) throws -> Int64 {
    try Int64.fetchOne(cachedStatement(sql: query.sql), arguments: query.arguments) ?? 0
  }

  /// A digest of no rows is 0 and has no row.
  private func storedDigest(_ name: String) throws -> Int64 {
    try Int64.fetchOne(
      cachedStatement(sql: "SELECT digest FROM digests WHERE name = ?"), arguments: [name]) ?? 0
  }

  /// Makes the ledger of this connection follow every row that it writes.
  func followRows() throws {
    // Otherwise a replaced row would not be subtracted.
    try execute(sql: "PRAGMA recursive_triggers = ON")
    for (index, part) in (DigestedTable.all + (try shortTables())).enumerated() {
      func entry(_ sign: Int, _ row: String) -> String {
        let columns = part.columns.map { "\(row).\($0)" }.joined(separator: ", ")
        return "SELECT \(DigestLedger.name)(\(sign), \(part.name(of: row)), \(columns));"
      }
      let (added, removed) = (entry(1, "NEW"), entry(-1, "OLD"))
      for (event, body) in [("INSERT", added), ("DELETE", removed), ("UPDATE", removed + added)] {
        // Saved samples, many at a time, tell the ledger themselves: see IdentityDigests.
        if event == "INSERT", part.table == IdentityDigests.table { continue }
        try execute(
          sql: """
            CREATE TEMP TRIGGER follow\(event)\(index) AFTER \(event) ON main.\(part.table)
            BEGIN \(body) END
            """)
      }
    }
  }
}

/// The changes of digests by the rows that a transaction writes, which triggers report.
final class DigestLedger: Sendable {
  fileprivate static let name = "follow_row"
  /// `nil` outside of a transaction of the store.
  private let changes = Mutex<[String: UInt64]?>(nil)

  /// The SQL function `follow_row(sign, name, …)`.
  var function: DatabaseFunction {
    DatabaseFunction(Self.name) { [weak self] values in
      guard values.count > 2, let sign = Int.fromDatabaseValue(values[0]),
        let name = String.fromDatabaseValue(values[1])
      else { return nil }
      let hash = RowHash.of(values[2...])
      self?.changes.withLock { $0?[name, default: 0] &+= sign > 0 ? hash : 0 &- hash }
      return nil
    }
  }

  /// Begins a transaction that writes.
  func begin(_ database: Database) throws {
    changes.withLock { $0 = [:] }
    try database.beginDigestOfHiddenSerials(self)
  }

  /// Ends the transaction.
  func end() { changes.withLock { $0 = nil } }

  /// Adds rows that no trigger reports: the sums of their hashes by the name of the digest.
  func add(_ sums: [String: UInt64]) {
    changes.withLock { changes in
      for (name, sum) in sums { changes?[name, default: 0] &+= sum }
    }
  }

  /// What the transaction has changed in a digest so far.
  func change(of name: String) -> UInt64 { changes.withLock { $0?[name] ?? 0 } }

  /// The changes by name of the digest, which are forgotten.
  func takeChanges() -> [String: UInt64] {
    changes.withLock { changes in
      defer { changes = [:] }
      return changes ?? [:]
    }
  }
}

/// The hash of one row.
enum RowHash {
  static func of(_ values: some Sequence<DatabaseValue>) -> UInt64 {
    var row = ByteWriter()
    return of(values, room: &row)
  }

  static func of(_ values: some Sequence<DatabaseValue>, room row: inout ByteWriter) -> UInt64 {
    row.bytes.removeAll(keepingCapacity: true)
    for value in values {
      switch value.storage {
      case .null: row.append(cell: Int64?.none)
      case .int64(let number): row.append(cell: number)
      case .double(let number): row.append(cell: number)
      case .string(let text): row.append(cell: text)
      case .blob(let data): data.withUnsafeBytes { row.append(cell: $0) }
      }
    }
    return Checksum.of(row.bytes[...])
  }
}

extension ByteWriter {
  fileprivate mutating func append(cell number: Int64?) {
    append(UInt8(number == nil ? 0 : 1))
    if let number { append(UInt64(bitPattern: number)) }
  }

  fileprivate mutating func append(cell text: String) {
    append(UInt8(3))
    append(text)
  }

  fileprivate mutating func append(cell number: Double) {
    append(UInt8(2))
    append(number.bitPattern)
  }

  fileprivate mutating func append(cell blob: UnsafeRawBufferPointer) {
    append(UInt8(4))
    append(variable: UInt64(blob.count))
    bytes.append(contentsOf: blob)
  }
}

/// What new rows of the table of identities add to its two kinds of digests.
struct IdentityDigests {
  fileprivate static let table = "identities"

  /// By the first byte of the UUID.
  private var uuids = [UInt64?](repeating: nil, count: 256)
  /// By the bucket of the serial.
  private var serials: [Int64: UInt64] = [:]
  private var row = ByteWriter()

  mutating func add(_ identity: NewIdentity) {
    let serial = identity.place.serial
    withUnsafeBytes(of: identity.uuid.uuid) { uuid in
      row.bytes.removeAll(keepingCapacity: true)
      row.append(cell: uuid)
      row.append(cell: serial)
      row.append(cell: identity.place.subject.kind)
      row.append(cell: identity.place.name)
      row.append(cell: identity.place.subject.type)
      row.append(cell: identity.place.subject.source)
      row.append(cell: identity.place.start)
      uuids[Int(uuid[0])] = (uuids[Int(uuid[0])] ?? 0) &+ Checksum.of(row.bytes[...])
      row.bytes.removeAll(keepingCapacity: true)
      row.append(cell: serial)
      row.append(cell: uuid)
      serials[serial >> 16, default: 0] &+= Checksum.of(row.bytes[...])
    }
  }

  /// The sums by the name of the digest.
  var sums: [String: UInt64] {
    var sums: [String: UInt64] = [:]
    for (byte, sum) in uuids.enumerated() {
      if let sum { sums[DigestedPart.uuids(firstByte: UInt8(byte)).digest] = sum }
    }
    for (bucket, sum) in serials { sums[DigestedPart.serials(bucket: bucket).digest] = sum }
    return sums
  }
}

/// The SQL aggregate `digest(…)`: the sum of the hashes of rows.
struct RowDigest: DatabaseAggregate {
  static let function = DatabaseFunction("digest", pure: true, aggregate: RowDigest.self)

  private var sum: UInt64 = 0
  private var row = ByteWriter()

  mutating func step(_ values: [DatabaseValue]) {
    sum &+= RowHash.of(values, room: &row)
  }

  func finalize() -> (any DatabaseValueConvertible)? { Int64(bitPattern: sum) }
}

/// The parts of a store with correct digests, until another connection changes the store.
///
/// What this connection changes enters the digests with it.
struct CheckedParts {
  /// The counter that SQLite increments with every commit of another connection.
  private var version: Int?
  private var parts: Set<DigestedPart> = []

  /// Throws if a part was altered; a part is checked only once.
  mutating func check(_ part: DigestedPart, in database: Database, _ ledger: DigestLedger) throws {
    let now = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    if now != version {
      version = now
      parts = []
    }
    guard !parts.contains(part) else { return }
    guard try database.wrongDigests(of: [part], ledger).wrong == 0 else { throw Corruption() }
    parts.insert(part)
  }
}
