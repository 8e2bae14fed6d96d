import Foundation
import GRDB

/// Writes and reads what is known of segments without decoding them.
extension Database {
  /// Writes what is known of a stored segment.
  func insertSummary(_ summary: [UInt8]?, of segment: Int64) throws {
    let facts = try Row.fetchOne(
      cachedStatement(
        sql: "SELECT type, source, firstStart, lastStart, lastEnd FROM segments WHERE id = ?"),
      arguments: [segment])
    guard let facts else { throw SegmentDamage(segment: segment) }
    let copied = (0..<5).map { facts[$0] as DatabaseValue }
    let reach = Self.reach(
      from: try facts.decode(atIndex: 2), to: try facts.decode(atIndex: 4))
    try cachedStatement(
      sql: """
        INSERT INTO summaries
          (segment, type, source, firstStart, lastStart, lastEnd, reach, blocks)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      segment, copied[0], copied[1], copied[2], copied[3], copied[4], reach,
      summary.map { Data(ValueOwner.summary(segment: segment).bound($0)) },
    ])
  }

  /// What is known of a segment; `nil` where that was never found out.
  func summary(of segment: Int64) throws -> SegmentSummary? {
    let bytes = try bytes(
      sql: "SELECT blocks FROM summaries WHERE segment = ?", arguments: [segment])
    return try bytes.map { bytes in
      do {
        return try SegmentSummary(ValueOwner.summary(segment: segment).released(bytes))
      } catch {
        throw SegmentDamage(segment: segment)
      }
    }
  }

  /// The bytes of the one column of the first row.
  func bytes(sql: String, arguments: StatementArguments) throws -> [UInt8]? {
    let rows = try Row.fetchCursor(self, sql: sql, arguments: arguments)
    guard let row = try rows.next() else { throw SegmentDamage() }
    return try row.withUnsafeData(atIndex: 0) { $0.map { [UInt8]($0) } }
  }

  /// A power of two that is at least twice a length of time, so that no rounding of differences
  /// matters where it stands for the length.
  static func reach(from firstStart: Double, to lastEnd: Double) -> Double {
    let length = lastEnd - firstStart
    guard length > 0 else { return 1 }
    return length.isFinite ? length.binade * 4 : .infinity
  }

  /// Finds out what is known of the segments of an older store.
  func summariseSegments() throws {
    let block = RowBlock()
    for segment in try Int64.fetchAll(self, sql: "SELECT id FROM segments") {
      // A damaged segment must not keep the rest from its owner: whoever reads it is told.
      let core = (try? core(of: segment)) ?? (try? unboundCore(of: segment))
      let summary = core.flatMap { try? SegmentSummary(core: $0, room: block) }
      try insertSummary(summary?.bytes, of: segment)
    }
    for row in try Row.fetchAll(self, sql: "SELECT DISTINCT type, source FROM segments") {
      try summariseStream(type: try row.decode(atIndex: 0), source: try row.decode(atIndex: 1))
    }
  }

  /// A reader of a segment as stores kept it before its checksum said whose it is.
  private func unboundCore(of segment: Int64) throws -> CoreReader {
    let stored = try bytes(sql: "SELECT core FROM segments WHERE id = ?", arguments: [segment])
    return try CoreReader(stored ?? [])
  }

  /// Sums up the segments of a type and a source again, after they have changed.
  ///
  /// - Complexity: O(*s*) for *s* segments of the type and the source
  func summariseStream(type: Int64, source: Int64) throws {
    let condition = "WHERE type = ? AND source = ?"
    for statement in [
      "DELETE FROM streams \(condition)", "DELETE FROM streamLabels \(condition)",
      "INSERT INTO streams \(Self.streams(condition))",
      "INSERT INTO streamLabels \(Self.streamLabels(condition))",
    ] {
      try cachedStatement(sql: statement).execute(arguments: [type, source])
    }
  }

  /// What the table of streams must hold, for all segments or some.
  static func streams(_ condition: String = "") -> String {
    """
    SELECT type, source, sum(count), min(firstStart), max(lastStart), max(lastEnd), (
        SELECT device FROM devices JOIN segments AS others ON others.id = devices.segment
        WHERE others.type = segments.type AND others.source = segments.source
        GROUP BY device ORDER BY sum(devices.count) DESC, device LIMIT 1)
    FROM segments \(condition) GROUP BY type, source
    """
  }

  /// What the table of their labels must hold.
  static func streamLabels(_ condition: String = "") -> String {
    """
    SELECT type, source, label, sum(labels.count)
    FROM labels JOIN segments ON segments.id = labels.segment
    \(condition) GROUP BY type, source, label
    """
  }
}
