import Foundation
import GRDB
import HealthSamples

extension Database {
  /// Checks that every element can be read and is what its row says, and that the notes on formats
  /// are sound.
  func verifyElements() throws {
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT elements.id, elements.name, sources.name, isUserEntered, start, stop, kind, copies,
          format, content
        FROM elements LEFT JOIN sources ON sources.id = elements.source
        """)
    while let row = try rows.next() {
      guard let kind = ElementKind(storedText: try row.decode(atIndex: 6)),
        ImportFormat(rawValue: try row.decode(atIndex: 8)) != nil,
        try row.decode(Int.self, atIndex: 7) > 0,
        try kind.columns.keyStored(in: [UInt8](row.decode(Data.self, atIndex: 9)))
          == ElementKey(row)
      else { throw SegmentDamage() }
    }
    let formats = try String.fetchAll(
      self, sql: "SELECT format FROM provenance UNION SELECT format FROM exports")
    guard formats.allSatisfy({ ImportFormat(rawValue: $0) != nil }) else { throw SegmentDamage() }
  }
}

extension StoredElement {
  /// What the bytes of a row say makes it the same element in every export.
  fileprivate static func keyStored(in bytes: [UInt8]) throws(SegmentDamage) -> ElementKey {
    key(of: try decode(bytes))
  }
}
