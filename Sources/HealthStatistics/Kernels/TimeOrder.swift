import HealthSamples

/// The rows of several sources as one list.
enum TimeOrder {
  /// Rows in the order of start, end and value, which no rank of a source changes.
  ///
  /// - Precondition: the segments of each source stand in that order, as whole samples do.
  /// - Complexity: O(*n* log *k*) for *k* sources
  static func rows(of segments: SegmentColumns, sources: Range<Int>) -> [Int] {
    // Neighbours first, then pairs of pairs: each row is moved once a round.
    var lists = sources.map { Array(segments.rows(ofSource: $0)) }
    while lists.count > 1 {
      lists = stride(from: 0, to: lists.count, by: 2).map { index in
        index + 1 < lists.count
          ? merged(lists[index], lists[index + 1], of: segments) : lists[index]
      }
    }
    return lists.first ?? []
  }

  private static func merged(
    _ left: [Int], _ right: [Int], of segments: SegmentColumns
  ) -> [Int] {
    var rows: [Int] = []
    rows.reserveCapacity(left.count + right.count)
    var next = 0
    for row in left {
      while next < right.count, segments.precedes(right[next], row) {
        rows.append(right[next])
        next += 1
      }
      rows.append(row)
    }
    return rows + right[next...]
  }
}

extension SegmentColumns {
  fileprivate func precedes(_ row: Int, _ other: Int) -> Bool {
    if starts[row] != starts[other] { return starts[row] < starts[other] }
    if ends[row] != ends[other] { return ends[row] < ends[other] }
    return values[row] < values[other]
  }
}
