import Foundation
import GRDB
import HealthSamples

extension Database {
  /// The elements of a kind by what makes them the same.
  func elementKeys(of kind: ElementKind) throws -> [ElementKey: [Int64]] {
    var keys: [ElementKey: [Int64]] = [:]
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT elements.id, elements.name, sources.name, isUserEntered, start, stop
        FROM elements LEFT JOIN sources ON sources.id = elements.source
        WHERE kind = ? ORDER BY elements.id
        """, arguments: [kind.rawValue])
    while let row = try rows.next() {
      keys[try ElementKey(row), default: []].append(try row.decode(atIndex: 0))
    }
    return keys
  }

  /// The content of an element, and how many copies an export held.
  func element(_ id: Int64) throws -> (content: [UInt8], copies: Int) {
    let row = try Row.fetchOne(
      cachedStatement(sql: "SELECT content, copies FROM elements WHERE id = ?"), arguments: [id])
    guard let row else { throw SegmentDamage() }
    return ([UInt8](try row.decode(Data.self, atIndex: 0)), try row.decode(atIndex: 1))
  }

  /// The format of the file that told of an element last.
  func elementFormat(_ id: Int64) throws -> ImportFormat? {
    try String.fetchOne(
      cachedStatement(sql: "SELECT format FROM elements WHERE id = ?"), arguments: [id]
    ).flatMap(ImportFormat.init)
  }

  func insertElement(
    _ kind: ElementKind, _ key: ElementKey, _ content: [UInt8], copies: Int, format: ImportFormat
  ) throws {
    let source = try key.source.map { try identifier(of: $0) }
    try cachedStatement(
      sql: """
        INSERT INTO elements (kind, name, source, start, stop, copies, format, content)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      kind.rawValue, key.name, source, key.start, key.end, copies, format.rawValue, Data(content),
    ])
  }

  func updateElement(
    _ id: Int64, _ content: [UInt8], copies: Int, format: ImportFormat
  ) throws {
    try cachedStatement(
      sql: "UPDATE elements SET content = ?, copies = ?, format = ? WHERE id = ?"
    ).execute(arguments: [Data(content), copies, format.rawValue, id])
  }

  func deleteElement(_ id: Int64) throws {
    try cachedStatement(sql: "DELETE FROM elements WHERE id = ?").execute(arguments: [id])
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
