import HealthSamples

/// The place of a row in a segment: by start, then end, then value in the canonical unit.
struct RowKey {
  var start: Double
  var end: Double
  var canonical: Double

  /// Whether both rows have the same times.
  func isSimultaneous(with other: Self) -> Bool { start == other.start && end == other.end }

  /// Whether both rows say the same.
  func isCopy(of other: Self) -> Bool {
    isSimultaneous(with: other) && canonical.bitPattern == other.canonical.bitPattern
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.start != right.start { return left.start < right.start }
    if left.end != right.end { return left.end < right.end }
    if left.canonical != right.canonical { return left.canonical < right.canonical }
    return left.canonical.sign == .minus && right.canonical.sign == .plus
  }
}

extension RecordColumns {
  /// The rows of a range in the order of segments, or `nil` when they stand in it already.
  ///
  /// Exports write a type forwards or backwards with few exceptions; both cost one pass.
  ///
  /// - Complexity: O(*n* log *n*); O(*n*) for few runs
  func segmentOrder(_ range: Range<Int>, canonical: [Double]) -> [Int]? {
    starts.withUnsafeBufferPointer { starts in
      ends.withUnsafeBufferPointer { ends in
        canonical.withUnsafeBufferPointer { canonical in
          func key(_ row: Int) -> RowKey {
            RowKey(start: starts[row], end: ends[row], canonical: canonical[row])
          }
          func descents(_ rows: some Collection<Int>) -> Int {
            zip(rows, rows.dropFirst()).reduce(0) { $0 + (key($1.1) < key($1.0) ? 1 : 0) }
          }
          let count = descents(range)
          if count == 0 { return nil }
          var order = Array(range)
          if count * 2 > range.count { order.reverse() }
          order.sort { key($0) < key($1) }
          return order
        }
      }
    }
  }

  /// The rows at `places`, in their order.
  ///
  /// - Complexity: O(*n*)
  func rows(at places: [Int]) -> RecordColumns {
    var rows = RecordColumns(type: type, source: source)
    rows.starts = places.map { starts[$0] }
    rows.ends = places.map { ends[$0] }
    rows.created = places.map { created[$0] }
    rows.values = places.map { values[$0] }
    rows.labels = places.map { labels[$0] }
    rows.origins = places.map { origins[$0] }
    rows.metadata = places.map { metadata[$0] }
    rows.copies = places.map { copies[$0] }
    rows.labelTable = labelTable
    rows.originTable = originTable
    rows.metadataTable = metadataTable
    return rows
  }
}
