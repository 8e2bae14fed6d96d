import Foundation
import GRDB
import HealthSamples

/// A row of the tables of elements.
struct StoredElementRow {
  let id: Int64
  let isHidden: Bool
  let key: ElementKey
  /// Its set of members.
  let set: UInt32
  /// The serial, or the first one of a hidden element; 0 if it never counted.
  let serial: Int64

  func content(_ database: Database) throws -> [UInt8] {
    try database.elementContent(id, isHidden: isHidden)
  }
}

extension Database {
  /// All that is known of the elements of a kind, first what counts.
  ///
  /// - Complexity: O(*n*) for *n* elements; no content is read
  func storedElements(of kind: ElementKind) throws -> [StoredElementRow] {
    let sources = try sources()
    return try Row.fetchAll(
      self,
      sql: """
        SELECT id, name, source, start, end, memberSet, 0, id
        FROM elements INDEXED BY elementsInTime WHERE kind = ?1
        UNION ALL
        SELECT id, name, source, start, end, memberSet, 1, birth
        FROM hiddenElements INDEXED BY hiddenElementsInTime WHERE kind = ?1 ORDER BY 7, 1
        """, arguments: [kind.storedText]
    ).map { row in
      StoredElementRow(
        id: try row.decode(atIndex: 0), isHidden: try row.decode(atIndex: 6),
        key: try ElementKey(row, among: sources), set: try row.decode(atIndex: 5),
        serial: try row.decode(atIndex: 7))
    }
  }

  /// Inserts an element that counts, or with a first serial words that do not.
  func insertElement(
    _ id: Int64, _ kind: ElementKind, _ key: ElementKey, source: Int64?, _ content: [UInt8],
    memberSet: UInt32, birth: Int64? = nil
  ) throws {
    let (table, last) = birth == nil ? ("elements", "version") : ("hiddenElements", "birth")
    try cachedStatement(
      sql: """
        INSERT INTO \(table) (id, kind, name, source, start, end, memberSet, content, \(last))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ifnull(?, random()))
        """
    ).execute(arguments: [
      id, kind.storedText, key.name, source, key.start, key.end, memberSet,
      Data(ValueOwner(element: id, isHidden: birth != nil).tagged(content)), birth,
    ])
  }

  /// Replaces the words of an element that counts.
  func updateElement(_ id: Int64, _ content: [UInt8], memberSet: UInt32) throws {
    try cachedStatement(
      sql: "UPDATE elements SET content = ?, memberSet = ?, version = random() WHERE id = ?"
    ).execute(arguments: [Data(ValueOwner.element(id).tagged(content)), memberSet, id])
  }

  func setMemberSet(_ set: UInt32, ofElement id: Int64, isHidden: Bool) throws {
    try cachedStatement(
      sql: isHidden
        ? "UPDATE hiddenElements SET memberSet = ? WHERE id = ?"
        : "UPDATE elements SET memberSet = ?, version = random() WHERE id = ?"
    ).execute(arguments: [set, id])
  }

  func setBirth(_ birth: Int64, ofHiddenElement id: Int64) throws {
    try cachedStatement(sql: "UPDATE hiddenElements SET birth = ?1 WHERE id = ?2 AND birth <> ?1")
      .execute(arguments: [birth, id])
  }

  func deleteHiddenElement(_ id: Int64) throws {
    try cachedStatement(sql: "DELETE FROM hiddenElements WHERE id = ?").execute(arguments: [id])
  }

  /// The stored bytes of an element; empty for one that only an act of an earlier format names.
  func elementContent(_ id: Int64, isHidden: Bool) throws -> [UInt8] {
    let content = try Data.fetchOne(
      cachedStatement(
        sql: "SELECT content FROM \(isHidden ? "hiddenElements" : "elements") WHERE id = ?"),
      arguments: [id])
    guard let content else { throw Corruption() }
    return ValueOwner(element: id, isHidden: isHidden).untagged([UInt8](content))
  }

  /// The files that had elements of a kind.
  func files(of kind: ElementKind) throws -> [Int64] {
    try Int64.fetchAll(
      self, sql: "SELECT file FROM kindFiles WHERE kind = ?", arguments: [kind.storedText])
  }

  /// Records that a file has elements of a kind.
  func record(_ file: Int64, of kind: ElementKind) throws {
    try execute(
      sql: "INSERT OR IGNORE INTO kindFiles (kind, file) VALUES (?, ?)",
      arguments: [kind.storedText, file])
  }

  /// Decides anew which elements count.
  func replayElements(_ sets: Provenances, revision: Revision) throws -> ElementReplay.Outcome {
    var outcome = ElementReplay.Outcome()
    for kind in ElementKind.allCases {
      var replay = try ElementReplay(kind, sets, in: self, revision: revision)
      outcome += try replay.decideAll()
    }
    return outcome
  }

  /// The kind and the stored bytes of an element; `nil` if there is none.
  func elementContent(withSerial serial: Int64) throws -> (kind: ElementKind, content: [UInt8])? {
    let row = try Row.fetchOne(
      cachedStatement(sql: "SELECT kind, content FROM elements WHERE id = ?"),
      arguments: [serial])
    guard let row else { return nil }
    guard let kind = ElementKind(storedText: try row.decode(atIndex: 0)) else { throw Corruption() }
    let content = ValueOwner.element(serial).untagged(
      [UInt8](try row.decode(Data.self, atIndex: 1)))
    return (kind, content)
  }

  /// The next row id of a table, as SQLite would assign it.
  func nextID(in table: String) throws -> Int64 {
    let last = try Int64.fetchOne(cachedStatement(sql: "SELECT max(id) FROM \(table)")) ?? 0
    guard last >= 0, last < .max else { throw Corruption() }
    return last + 1
  }

  func deleteElement(
    _ id: Int64, _ subject: Revision.Subject, _ key: ElementKey, revision: Revision
  ) throws {
    try revision.delete(element: id, from: subject, in: key.span, self)
    try cachedStatement(sql: "DELETE FROM elements WHERE id = ?").execute(arguments: [id])
  }
}

extension ElementKey {
  /// The time of the element.
  var span: ClosedRange<Double> { SampleTime.closed(from: start, to: end) }

  /// A key from the columns name, source, start and end, which follow the id of the element.
  init(_ row: Row, among sources: [Int64: Source]) throws {
    let source = try row.decode(Int64?.self, atIndex: 2)
    self.init(
      name: try row.decode(atIndex: 1), source: source.flatMap { sources[$0] },
      start: try row.decode(atIndex: 3), end: try row.decode(atIndex: 4))
  }
}

extension Database {
  /// Checks that every element is readable and matches its row, and that formats are known.
  func verifiedElements(_ found: inout StoreVerification) throws -> StoreVerification.Count {
    let sources = try sources()
    var count = StoreVerification.Count()
    for isHidden in [false, true] {
      let table = isHidden ? "hiddenElements" : "elements"
      let rows = try Row.fetchCursor(
        self, sql: "SELECT id, name, source, start, end, kind, content FROM \(table)")
      while let row = try rows.next() {
        let kind = ElementKind(storedText: try row.decode(atIndex: 5))
        let isWhole = try count.check {
          let id: Int64 = try row.decode(atIndex: 0)
          let content = ValueOwner(element: id, isHidden: isHidden)
            .untagged([UInt8](try row.decode(Data.self, atIndex: 6)))
          let key = try ElementKey(row, among: sources)
          guard let kind, try isHidden && content.isEmpty || kind.columns.key(in: content) == key
          else { throw Corruption() }
        }
        if !isWhole, let kind { found.damagedElements[kind, default: 0] += 1 }
      }
    }
    let formats = try String.fetchAll(self, sql: "SELECT format FROM files")
    for format in formats where ImportFormat(rawValue: format) == nil { count.damaged += 1 }
    return count
  }
}

extension ValueOwner {
  fileprivate init(element id: Int64, isHidden: Bool) {
    self = isHidden ? .hiddenElement(id) : .element(id)
  }
}

extension StoredElement {
  /// The key computed from the bytes of a row.
  fileprivate static func key(in bytes: [UInt8]) throws(Corruption) -> ElementKey {
    key(of: try decode(bytes))
  }
}
