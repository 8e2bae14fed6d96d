import Foundation
import GRDB

extension Database {
  /// Writes the zone map of a stored chunk.
  func insertZoneMap(_ bytes: [UInt8], of chunk: Int64) throws {
    let row = try Row.fetchOne(
      cachedStatement(
        sql: "SELECT type, source, firstStart, lastStart, lastEnd FROM chunks WHERE id = ?"),
      arguments: [chunk])
    guard let row else { throw Corruption(chunk: chunk) }
    let copied = (0..<5).map { row[$0] as DatabaseValue }
    let lengthClass = Self.lengthClass(
      from: try row.decode(atIndex: 2), to: try row.decode(atIndex: 4))
    try cachedStatement(
      sql: """
        INSERT INTO zoneMaps
          (chunk, type, source, firstStart, lastStart, lastEnd, lengthClass, blocks)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      chunk, copied[0], copied[1], copied[2], copied[3], copied[4], lengthClass,
      Data(ValueOwner.zoneMap(chunk: chunk).bound(bytes)),
    ])
  }

  /// The zone map of a chunk.
  func zoneMap(of chunk: Int64) throws -> ZoneMap {
    do {
      let bytes = try bytes(
        sql: "SELECT blocks FROM zoneMaps WHERE chunk = ?", arguments: [chunk])
      return try ZoneMap(ValueOwner.zoneMap(chunk: chunk).released(bytes))
    } catch is Corruption {
      throw Corruption(chunk: chunk)
    }
  }

  /// The bytes of the only column of the first row.
  func bytes(sql: String, arguments: StatementArguments) throws -> [UInt8] {
    let rows = try Row.fetchCursor(self, sql: sql, arguments: arguments)
    guard let row = try rows.next(),
      let bytes = try row.withUnsafeData(atIndex: 0, { $0.map { [UInt8]($0) } })
    else { throw Corruption() }
    return bytes
  }

  /// A power of two that is at least twice a length of time, so that rounding errors of differences
  /// do not matter when it is used instead of the length.
  static func lengthClass(from firstStart: Double, to lastEnd: Double) -> Double {
    let length = lastEnd - firstStart
    guard length > 0 else { return 1 }
    return length.isFinite ? length.binade * 4 : .infinity
  }

  /// Recomputes the totals of the chunks of a type and a source after a change.
  ///
  /// - Complexity: O(*s*) for *s* chunks of the type and the source
  func updateSeries(type: Int64, source: Int64) throws {
    let condition = "WHERE type = ? AND source = ?"
    for statement in [
      "DELETE FROM series \(condition)", "DELETE FROM seriesLabels \(condition)",
      "INSERT INTO series \(Self.seriesQuery(condition))",
      "INSERT INTO seriesLabels \(Self.seriesLabelsQuery(condition))",
    ] {
      try cachedStatement(sql: statement).execute(arguments: [type, source])
    }
  }

  /// The expected rows of the table `series`, for all chunks or some.
  static func seriesQuery(_ condition: String = "") -> String {
    """
    SELECT type, source, sum(count), min(firstStart), max(lastStart), max(lastEnd), (
        SELECT device FROM devices JOIN chunks AS others ON others.id = devices.chunk
        WHERE others.type = chunks.type AND others.source = chunks.source
        GROUP BY device ORDER BY sum(devices.count) DESC, device LIMIT 1)
    FROM chunks \(condition) GROUP BY type, source
    """
  }

  /// The expected rows of the table `seriesLabels`.
  static func seriesLabelsQuery(_ condition: String = "") -> String {
    """
    SELECT type, source, label, sum(labels.count)
    FROM labels JOIN chunks ON chunks.id = labels.chunk
    \(condition) GROUP BY type, source, label
    """
  }
}
