import Foundation
import GRDB

extension Database {
  /// The zone map of a chunk.
  func zoneMap(of chunk: Int64) throws -> ZoneMap {
    try Corruption.naming(chunk) {
      let bytes = try bytes(
        sql: "SELECT blocks FROM zoneMaps WHERE chunk = ?", arguments: [chunk])
      return try ZoneMap(ValueOwner.zoneMap(chunk: chunk).untagged(bytes))
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

  /// Updates the totals of a series: adds a change to the stored counts; without one, sums the
  /// counts of all its chunks.
  ///
  /// - Complexity: O(*s*) for *s* chunks of the type and the source; with a change O(log *s*), and
  ///   O(*s*) for the bounds, which are in an index
  func updateSeries(_ series: SeriesNumbers, by change: RowCounts? = nil) throws {
    let (type, source) = (series.type, series.source)
    var counts = RowCounts()
    if let change {
      let row = try Row.fetchOne(
        cachedStatement(
          sql: "SELECT type, source, counts FROM series WHERE type = ? AND source = ?"),
        arguments: [type, source])
      if let row { counts = try Self.seriesCounts(row, from: 0) }
      counts.add(change)
    } else {
      let rows = try Row.fetchCursor(
        cachedStatement(sql: "SELECT id, counts FROM chunks WHERE type = ? AND source = ?"),
        arguments: [type, source])
      while let row = try rows.next() { counts.add(try Self.counts(row)) }
    }
    try cachedStatement(sql: "DELETE FROM series WHERE type = ? AND source = ?")
      .execute(arguments: [type, source])
    let owner = ValueOwner.seriesCounts(type: type, source: source)
    try cachedStatement(
      sql: """
        INSERT INTO series (type, source, count, firstStart, lastStart, lastEnd, counts)
        SELECT type, source, sum(count), min(firstStart), max(lastStart), max(lastEnd), ?3
        FROM chunks INDEXED BY chunksInTime WHERE type = ?1 AND source = ?2
        GROUP BY type, source
        """
    ).execute(arguments: [type, source, Data(owner.tagged(counts.bytes))])
  }

  /// The counts of a chunk from the columns id and counts.
  static func counts(_ row: Row, from column: Int = 0) throws -> RowCounts {
    let chunk: Int64 = try row.decode(atIndex: column)
    do {
      return try RowCounts(
        ValueOwner.counts(chunk: chunk).untagged(
          [UInt8](try row.decode(Data.self, atIndex: column + 1))))
    } catch {
      throw Corruption(chunk: chunk)
    }
  }
}
