import Foundation
import GRDB
import HealthSamples

extension Database {
  /// Checks that every element can be read and is what its row says, and that the notes on formats
  /// are sound.
  func verifiedElements(_ found: inout StoreVerification) throws -> StoreVerification.Count {
    let sources = try sources()
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT id, name, source, start, stop, kind, copies, format, content FROM elements
        """)
    var count = StoreVerification.Count()
    while let row = try rows.next() {
      count.checked += 1
      let kind = ElementKind(storedText: try row.decode(atIndex: 5))
      do {
        let content = try ValueOwner.element(row.decode(atIndex: 0)).released(
          [UInt8](row.decode(Data.self, atIndex: 8)))
        guard let kind, ImportFormat(rawValue: try row.decode(atIndex: 7)) != nil,
          try row.decode(Int.self, atIndex: 6) > 0,
          try kind.columns.keyStored(in: content) == ElementKey(row, among: sources)
        else { throw SegmentDamage() }
      } catch is SegmentDamage {
        count.damaged += 1
        if let kind { found.damagedElements[kind, default: 0] += 1 }
      }
    }
    let formats = try String.fetchAll(
      self, sql: "SELECT format FROM provenance UNION SELECT format FROM exports")
    for format in formats where ImportFormat(rawValue: format) == nil { count.damaged += 1 }
    return count
  }
}

extension StoredElement {
  /// What the bytes of a row say makes it the same element in every export.
  fileprivate static func keyStored(in bytes: [UInt8]) throws(SegmentDamage) -> ElementKey {
    key(of: try decode(bytes))
  }
}
