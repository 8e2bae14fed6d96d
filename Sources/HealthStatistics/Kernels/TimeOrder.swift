import HealthSamples

/// The rows of several sources as one list.
enum TimeOrder {
  /// Rows in the order of start, end and value, whatever the ranks of the sources.
  ///
  /// - Precondition: the segments of each source are in that order, as whole samples are.
  /// - Complexity: O(*n* log *k*) for *k* sources
  static func rows(of segments: SegmentColumns, sources: Range<Int>) -> [Int] {
    let columns = Columns(
      starts: segments.starts, ends: segments.ends, values: segments.values)
    // Pairwise: each row is moved once per round.
    var lists = sources.map { Array(segments.rows(ofSource: $0)) }
    while lists.count > 1 {
      lists = stride(from: 0, to: lists.count, by: 2).map { index in
        index + 1 < lists.count
          ? merged(lists[index], lists[index + 1], of: columns) : lists[index]
      }
    }
    return lists.first ?? []
  }

  private static func merged(
    _ left: [Int], _ right: [Int], of columns: Columns
  ) -> [Int] {
    [Int](unsafeUninitializedCapacity: left.count + right.count) { rows, count in
      columns.starts.withUnsafeBufferPointer { starts in
        var (first, second) = (0, 0)
        while first < left.count, second < right.count {
          let (row, other) = (left[first], right[second])
          // Branch-free except for equal starts: which source comes next depends on the data.
          let isOther =
            starts[row] == starts[other]
            ? columns.precedes(other, row) : starts[other] < starts[row]
          rows[first + second] = isOther ? other : row
          first += isOther ? 0 : 1
          second += isOther ? 1 : 0
        }
        for row in left[first...] {
          rows[first + second] = row
          first += 1
        }
        for row in right[second...] {
          rows[first + second] = row
          second += 1
        }
        count = first + second
      }
    }
  }

  private struct Columns {
    let starts: [Double]
    let ends: [Double]
    let values: [Double]

    func precedes(_ row: Int, _ other: Int) -> Bool {
      if starts[row] != starts[other] { return starts[row] < starts[other] }
      if ends[row] != ends[other] { return ends[row] < ends[other] }
      return values[row] < values[other]
    }
  }
}
