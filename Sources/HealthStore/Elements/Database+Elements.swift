import Foundation
import GRDB
import HealthSamples

/// An element in the store, and which program's file told of it first.
struct StoredElementName {
  let id: Int64
  let format: ImportFormat
}

extension Database {
  /// The elements of a kind by what makes them the same.
  func elementKeys(of kind: ElementKind) throws -> [ElementKey: [StoredElementName]] {
    var keys: [ElementKey: [StoredElementName]] = [:]
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT elements.id, elements.name, sources.name, isUserEntered, start, stop, format
        FROM elements LEFT JOIN sources ON sources.id = elements.source
        WHERE kind = ? ORDER BY elements.id
        """, arguments: [kind.storedText])
    while let row = try rows.next() {
      guard let format = ImportFormat(rawValue: try row.decode(atIndex: 6)) else {
        throw SegmentDamage()
      }
      keys[try ElementKey(row), default: []].append(
        StoredElementName(id: try row.decode(atIndex: 0), format: format))
    }
    return keys
  }

  /// The content of an element, and how many copies an export held.
  func element(_ id: Int64) throws -> (content: [UInt8], copies: Int) {
    let row = try Row.fetchOne(
      cachedStatement(sql: "SELECT content, copies FROM elements WHERE id = ?"), arguments: [id])
    guard let row else { throw SegmentDamage() }
    let content = ValueOwner.element(id).released([UInt8](try row.decode(Data.self, atIndex: 0)))
    return (content, try row.decode(atIndex: 1))
  }

  func insertElement(
    _ kind: ElementKind, _ key: ElementKey, source: Int64?, _ content: [UInt8], copies: Int,
    format: ImportFormat
  ) throws {
    let id = try nextID(in: "elements")
    try cachedStatement(
      sql: """
        INSERT INTO elements (id, kind, name, source, start, stop, copies, format, content)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, kind.storedText, key.name, source, key.start, key.end, copies, format.rawValue,
      Data(ValueOwner.element(id).bound(content)),
    ])
  }

  func updateElement(_ id: Int64, _ content: [UInt8], copies: Int) throws {
    try cachedStatement(sql: "UPDATE elements SET content = ?, copies = ? WHERE id = ?")
      .execute(arguments: [Data(ValueOwner.element(id).bound(content)), copies, id])
  }

  /// The number of the next row of a table, as SQLite would give it.
  func nextID(in table: String) throws -> Int64 {
    let last = try Int64.fetchOne(cachedStatement(sql: "SELECT max(id) FROM \(table)")) ?? 0
    guard last >= 0, last < .max else { throw SegmentDamage() }
    return last + 1
  }

  func deleteElement(_ id: Int64) throws {
    try cachedStatement(sql: "DELETE FROM elements WHERE id = ?").execute(arguments: [id])
  }
}

extension ElementKind {
  /// What the store writes for the kind; it never changes.
  var storedText: String {
    switch self {
    case .workout: "w"
    case .route: "r"
    case .correlation: "c"
    case .activitySummary: "s"
    case .beatList: "b"
    case .electrocardiogram: "e"
    case .audiogram: "a"
    case .visionPrescription: "v"
    case .clinicalRecord: "d"
    case .characteristics: "m"
    }
  }

  /// The kind for which the store writes a text.
  init?(storedText text: String) {
    guard let kind = Self.allCases.first(where: { $0.storedText == text }) else { return nil }
    self = kind
  }
}

extension ElementKey {
  /// A key as the store keeps it, behind the number of the element.
  init(_ row: Row) throws {
    let source = try row.decode(String?.self, atIndex: 2)
    self.init(
      name: try row.decode(atIndex: 1),
      source: try source.map { Source(name: $0, isUserEntered: try row.decode(atIndex: 3)) },
      start: try row.decode(atIndex: 4), end: try row.decode(atIndex: 5))
  }
}
