import Foundation
import GRDB
import HealthSamples
import Synchronization
internal import _HealthNumerics

/// A part of a store whose rows have a digest, because no checksum of a chunk or an element covers
/// them.
enum DigestedPart: Hashable {
  /// Every table of a few short rows, the schema itself, and the digests.
  case shortTables
  /// The spans of hidden chunks.
  case hiddenChunks
  /// The spans of the chunks of a type, in their table and in that of their zone maps.
  case chunks(type: Int64)
  /// The spans of the elements of a kind.
  case elements(ElementKind)
  /// The change log.
  case changes
  /// The UUIDs that begin with a byte.
  case uuids(firstByte: UInt8)
  /// The UUIDs of 65,536 consecutive serials.
  case serials(bucket: Int64)
  /// What belongs to 65,536 consecutive serials.
  case owners(bucket: Int64)
  /// To what 65,536 consecutive serials belong.
  case members(bucket: Int64)
  /// The versions of named objects whose keys begin with a byte.
  case versionKeys(firstByte: UInt8)
  /// Which versions 65,536 consecutive serials are.
  case versions(bucket: Int64)
  /// Which of 65,536 consecutive serials do not count.
  case gone(bucket: Int64)

  /// The part of a digest of rows that a value divides; `nil` for other digests.
  init?(digest name: String) {
    let words = name.split(separator: " ")
    guard words.count == 2 else { return nil }
    let bucket = Int64(words[1]).flatMap { (0..<1 << 47).contains($0) ? $0 : nil }
    switch (words[0], UInt8(words[1], radix: 16), bucket) {
    case ("uuids", let byte?, _): self = .uuids(firstByte: byte)
    case ("versionKeys", let byte?, _): self = .versionKeys(firstByte: byte)
    case ("versions", _, let bucket?): self = .versions(bucket: bucket)
    case ("gone", _, let bucket?): self = .gone(bucket: bucket)
    case ("serials", _, let bucket?): self = .serials(bucket: bucket)
    case ("owners", _, let bucket?): self = .owners(bucket: bucket)
    case ("members", _, let bucket?): self = .members(bucket: bucket)
    default: return nil
    }
  }
}

/// How the rows of a table enter digests.
private struct DigestedTable {
  let table: String
  /// The name of the digest of a row, in SQL; `ROW` stands for the row.
  let name: String
  /// The columns that enter the digest.
  let columns: [String]

  /// The expression of the name for a row, which is `NEW`, `OLD` or empty for a query.
  func name(of row: String) -> String {
    name.replacingOccurrences(of: "ROW.", with: row.isEmpty ? "" : row + ".")
  }

  /// The tables whose digests cover some rows or some columns.
  static let parts = [
    Self(
      table: "chunks", name: "'chunks ' || ROW.type",
      columns: [
        "id", "source", "firstStart", "lastStart", "lastEnd", "count", "firstSerial", "lastSerial",
        "memberSet",
      ]),
    Self(
      table: "zoneMaps", name: "'zoneMaps ' || ROW.type",
      columns: ["chunk", "lengthClass", "firstStart", "lastEnd", "source", "lastStart"]),
    Self(
      table: "elements", name: "'elements ' || ROW.kind",
      columns: ["id", "start", "end", "name", "source", "memberSet", "version"]),
    Self(
      table: "hidden", name: "'table hidden'",
      columns: ["id", "type", "source", "count", "firstStart", "lastStart", "lastEnd"]),
    Self(table: "tombstones", name: "'table tombstones'", columns: ["id", "count"]),
    Self(
      table: "changes", name: "'table changes'",
      columns: [
        "id", "kind", "type", "source", "firstSerial", "lastSerial", "firstStart", "lastEnd",
      ]),
    Self(
      table: "identities", name: "'uuids ' || hex(substr(ROW.uuid, 1, 1))",
      columns: ["uuid", "serial", "kind", "name", "type", "source", "start"]),
    Self(
      table: "identities", name: "'serials ' || (ROW.serial >> 16)", columns: ["serial", "uuid"]),
    Self(
      table: "associations", name: "'owners ' || (ROW.owner >> 16)",
      columns: [
        "owner", "kind", "member", "part", "isEnded", "clock", "counter", "store", "number",
      ]),
    Self(
      table: "associations", name: "'members ' || (ROW.member >> 16)",
      columns: ["member", "kind", "owner", "part", "isEnded"]),
    Self(
      table: "attachments", name: "'table attachments'",
      columns: [
        "id", "uuid", "object", "name", "contentType", "created", "size", "metadata", "isDetached",
        "number",
      ]),
    Self(
      table: "versions", name: "'versionKeys ' || hex(substr(ROW.key, 1, 1))",
      columns: ["key", "birth", "version", "clock", "counter", "store", "deletion", "state"]),
    Self(
      table: "hiddenElements", name: "'hiddenElements ' || ROW.kind",
      columns: ["id", "start", "end", "name", "source", "memberSet", "birth"]),
    Self(
      table: "versions", name: "'versions ' || (ROW.birth >> 16)",
      columns: ["birth", "key", "state"]),
    Self(table: "gone", name: "'gone ' || (ROW.birth >> 16)", columns: ["birth"]),
    Self(table: "hidden", name: "'\(hiddenSerials)'", columns: ["id", "firstSerial"]),
  ]

  /// The digest of the serials of hidden chunks, which earlier versions did not record: see
  /// ``Database/beginDigestOfHiddenSerials(_:)``.
  static let hiddenSerials = "hiddenSerials"

  /// The names of the digests of identities.
  static func name(ofUUIDsFrom byte: UInt8) -> String { "uuids \(digits(byte))" }
  static func name(ofSerialsIn bucket: Int64) -> String { "serials \(bucket)" }
  static func digits(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// The name of the digest of a short table.
  static func nameOfShort(_ table: String) -> String { "table \(table)" }
}

/// A digest, and the query for its rows.
private struct DigestQuery {
  let name: String
  private(set) var sql: String
  /// Digests of one table share a statement.
  private(set) var arguments = StatementArguments()

  init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
  }

  /// Only rows with this value in a column.
  func `where`(_ column: String, is value: some DatabaseValueConvertible) -> Self {
    filtered(" WHERE \(column) = ?", [value])
  }

  /// Only rows whose value in a column of bytes begins with one.
  func `where`(_ column: String, beginsWith byte: UInt8) -> Self {
    byte == .max
      ? filtered(" WHERE \(column) >= ?", [Data([byte])])
      : filtered(" WHERE \(column) >= ? AND \(column) < ?", [Data([byte]), Data([byte + 1])])
  }

  /// Only rows whose value in a column is one of 65,536 consecutive serials.
  func `where`(_ column: String, in bucket: Int64) -> Self {
    filtered(
      " WHERE \(column) >= ? AND \(column) < ?", [bucket << 16, (bucket + 1) << 16])
  }

  private func filtered(_ condition: String, _ values: StatementArguments) -> Self {
    var query = self
    query.sql += condition
    query.arguments += values
    return query
  }
}

/// Digests of rows, in the table `digests`.
///
/// A digest is the sum of the hashes of the rows, so it does not depend on their order, and a
/// transaction adds and subtracts the rows that it changes. The rows of chunks and elements are
/// read through the indexes that queries use: a row that is missing in an index changes the digest.
/// The digest `root` covers all others, so that rows and digests of an older state are found.
extension Database {
  /// Throws if a part of the store was altered.
  ///
  /// - Complexity: O(rows)
  func checkDigests(of part: DigestedPart, _ ledger: DigestLedger) throws {
    for query in try digestQueries(of: part) {
      let change = ledger.change(of: query.name)
      let expected = UInt64(bitPattern: try storedDigest(query.name)) &+ change
      guard !isUnrecorded(query, expected) else { continue }
      guard try UInt64(bitPattern: digest(query)) == expected else { throw Corruption() }
    }
  }

  /// The number of wrong digests, and of all digests.
  func wrongDigests() throws -> (wrong: Int, checked: Int) {
    var (wrong, checked) = (0, 0)
    for part in try digestedParts() {
      for query in try digestQueries(of: part) {
        checked += 1
        let expected = UInt64(bitPattern: try storedDigest(query.name))
        guard !isUnrecorded(query, expected) else { continue }
        if try UInt64(bitPattern: digest(query)) != expected { wrong += 1 }
      }
    }
    return (wrong, checked)
  }

  /// Whether an earlier version wrote the rows, which did not record their digest.
  private func isUnrecorded(_ query: DigestQuery, _ expected: UInt64) -> Bool {
    query.name == DigestedTable.hiddenSerials && expected == 0
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
    root, "SELECT digest(name, digest) FROM digests WHERE name <> '\(root)'")

  /// All parts that have rows or digests.
  func digestedParts() throws -> [DigestedPart] {
    let types = try Int64.fetchAll(
      self, sql: "SELECT id FROM types NOT INDEXED UNION SELECT type FROM chunks ORDER BY 1")
    /// Of 65,536 consecutive serials each.
    func buckets(of column: String, in table: String) throws -> [Int64] {
      try Int64.fetchAll(
        self, sql: "SELECT DISTINCT \(column) >> 16 FROM \(table) ORDER BY 1")
    }
    let stored = try String.fetchAll(self, sql: "SELECT name FROM digests")
    var divided: [DigestedPart] =
      try firstBytes(of: "uuid", in: "identities").map { .uuids(firstByte: $0) }
      + buckets(of: "serial", in: "identities").map { .serials(bucket: $0) }
      + buckets(of: "owner", in: "associations").map { .owners(bucket: $0) }
    divided += try buckets(of: "member", in: "associations INDEXED BY associationsByMember")
      .map { .members(bucket: $0) }
    divided += try firstBytes(of: "key", in: "versions").map { .versionKeys(firstByte: $0) }
    divided += try buckets(of: "birth", in: "versions").map { .versions(bucket: $0) }
    divided += try buckets(of: "birth", in: "gone").map { .gone(bucket: $0) }
    divided += stored.compactMap(DigestedPart.init(digest:))
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

  /// The tables of few rows, of which every column enters a digest, with their columns.
  private func shortTables() throws -> [(table: String, columns: [String])] {
    // The formats are compared when the store is opened.
    let others = Set(DigestedTable.parts.map(\.table) + ["digests", Schema.formatTable])
    return try tables().filter { !others.contains($0) }.map { table in
      (table, try columns(in: table).map(\.name.quotedDatabaseIdentifier))
    }
  }

  /// The digests of a part, with the queries for their rows.
  private func digestQueries(of part: DigestedPart) throws -> [DigestQuery] {
    func query(_ name: String, _ table: Int, _ source: String) -> DigestQuery {
      let columns = DigestedTable.parts[table].columns.joined(separator: ", ")
      return DigestQuery(name, "SELECT digest(\(columns)) FROM \(source)")
    }
    switch part {
    case .shortTables:
      return [
        DigestQuery("schema", "SELECT digest(type, name, tbl_name, sql) FROM sqlite_master"),
        query("table tombstones", 4, "tombstones"), query("table attachments", 10, "attachments"),
        Self.rootQuery,
      ]
        + (try shortTables().flatMap { table, columns in
          // Sources are looked up in an index of every column: it must say what the table says.
          let readings = table == "sources" ? [" NOT INDEXED", " INDEXED BY sourcesByName"] : [""]
          return readings.map { reading in
            DigestQuery(
              DigestedTable.nameOfShort(table),
              "SELECT digest(\(columns.joined(separator: ", "))) "
                + "FROM \(table.quotedDatabaseIdentifier)\(reading)")
          }
        })
    case .hiddenChunks:
      return [
        query("table hidden", 3, "hidden"), query(DigestedTable.hiddenSerials, 15, "hidden"),
      ]
    case .chunks(let type):
      return [
        query("chunks \(type)", 0, "chunks INDEXED BY chunksInTime").where("type", is: type),
        query("zoneMaps \(type)", 1, "zoneMaps INDEXED BY zoneMapsInTime").where("type", is: type),
      ]
    case .elements(let kind):
      let letter = kind.storedText
      return [
        query("elements \(letter)", 2, "elements INDEXED BY elementsInTime")
          .where("kind", is: letter),
        query("hiddenElements \(letter)", 12, "hiddenElements INDEXED BY hiddenElementsInTime")
          .where("kind", is: letter),
      ]
    case .changes: return [query("table changes", 5, "changes")]
    case .uuids(let byte):
      return [
        query(DigestedTable.name(ofUUIDsFrom: byte), 6, "identities")
          .where("uuid", beginsWith: byte)
      ]
    case .versionKeys(let byte):
      return [
        query("versionKeys \(DigestedTable.digits(byte))", 11, "versions NOT INDEXED")
          .where("key", beginsWith: byte)
      ]
    case .versions(let bucket):
      return [
        query("versions \(bucket)", 13, "versions INDEXED BY versionsByBirth")
          .where("birth", in: bucket)
      ]
    case .gone(let bucket):
      return [query("gone \(bucket)", 14, "gone").where("birth", in: bucket)]
    case .serials(let bucket):
      return [
        query(
          DigestedTable.name(ofSerialsIn: bucket), 7, "identities INDEXED BY identitiesBySerial"
        ).where("serial", in: bucket)
      ]
    case .owners(let bucket):
      return [
        query("owners \(bucket)", 8, "associations NOT INDEXED").where("owner", in: bucket)
      ]
    case .members(let bucket):
      return [
        query("members \(bucket)", 9, "associations INDEXED BY associationsByMember")
          .where("member", in: bucket)
      ]
    }
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
    let short = try shortTables().map { table, columns in
      DigestedTable(
        table: table, name: "'\(DigestedTable.nameOfShort(table))'", columns: columns)
    }
    for (index, part) in (DigestedTable.parts + short).enumerated() {
      func note(_ sign: Int, _ row: String) -> String {
        let columns = part.columns.map { "\(row).\($0)" }.joined(separator: ", ")
        return "SELECT \(DigestLedger.name)(\(sign), \(part.name(of: row)), \(columns));"
      }
      let (added, removed) = (note(1, "NEW"), note(-1, "OLD"))
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
      if let sum { sums[DigestedTable.name(ofUUIDsFrom: UInt8(byte))] = sum }
    }
    for (bucket, sum) in serials { sums[DigestedTable.name(ofSerialsIn: bucket)] = sum }
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
  mutating func check(
    _ part: DigestedPart, in database: Database, _ ledger: DigestLedger
  ) throws {
    let now = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    if now != version {
      version = now
      parts = []
    }
    guard !parts.contains(part) else { return }
    try database.checkDigests(of: part, ledger)
    parts.insert(part)
  }
}
