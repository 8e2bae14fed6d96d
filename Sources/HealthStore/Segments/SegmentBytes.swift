import GRDB

/// Where the bytes of segments come from: the database, or memory.
protocol SegmentBytes {
  /// What is known of a segment; `nil` where that was never found out.
  func summary(of segment: Int64) throws -> SegmentSummary?

  /// A reader of times, values and labels, before the first block.
  func core(of segment: Int64) throws -> CoreReader
}

extension Database: SegmentBytes {
  func core(of segment: Int64) throws -> CoreReader {
    guard
      let bytes = try bytes(sql: "SELECT core FROM segments WHERE id = ?", arguments: [segment])
    else { throw SegmentDamage(segment: segment) }
    do {
      return try CoreReader(ValueOwner.core(segment: segment).released(bytes))
    } catch {
      throw SegmentDamage(segment: segment)
    }
  }
}
