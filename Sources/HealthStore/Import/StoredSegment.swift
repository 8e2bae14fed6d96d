import Foundation
import GRDB

/// One segment of the database, not decoded.
struct StoredSegment {
  var id: Int64
  var count: Int
  var firstStart: Double
  var lastStart: Double

  /// The segments of a type and a source in the order of time.
  static func all(ofType type: Int64, source: Int64, in database: Database) throws -> [Self] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, count, firstStart, lastStart FROM segments WHERE type = ? AND source = ?
        ORDER BY firstStart, lastStart, id
        """, arguments: [type, source]
    ).map { row in
      Self(
        id: try row.decode(atIndex: 0),
        count: try row.sampleCount(atIndex: 1, atMost: EncodedSegment.mostRows),
        firstStart: try row.decode(atIndex: 2), lastStart: try row.decode(atIndex: 3))
    }
  }
}

extension Database {
  /// A cursor on the first row of a segment; its rows have their tellings where they are asked for.
  func cursor(
    of segment: Int64, hasTellings: Bool = false, isSuperseded: Bool = false,
    meanings: inout LabelMeanings
  ) throws -> RowCursor {
    let sql =
      isSuperseded
      ? "SELECT core, detail, count, 1 FROM superseded WHERE id = ?"
      : "SELECT core, detail, count, telling FROM segments WHERE id = ?"
    guard let row = try Row.fetchOne(self, sql: sql, arguments: [segment]) else {
      throw SegmentDamage(segment: segment)
    }
    do {
      let cursor = try RowCursor(
        core: (isSuperseded ? ValueOwner.supersededCore(segment) : .core(segment: segment))
          .released([UInt8](try row.decode(Data.self, atIndex: 0))),
        detail: (isSuperseded ? ValueOwner.supersededDetail(segment) : .detail(segment: segment))
          .released([UInt8](try row.decode(Data.self, atIndex: 1))),
        telling: hasTellings ? try row.decode(UInt32.self, atIndex: 3) : nil, meanings: &meanings)
      guard cursor.count == (try row.decode(Int.self, atIndex: 2)) else { throw SegmentDamage() }
      return cursor
    } catch {
      throw SegmentDamage(segment: segment)
    }
  }
}
