import HealthSamples
import _HealthNumerics

/// The time that samples cover in each interval.
enum DurationTable {
  /// The union of covered time over all sources, clipped to each interval, in seconds.
  ///
  /// - Complexity: O(*n* log *k* + intervals overlapped) for *k* sources; segments of one source
  ///   that are not in ascending order are sorted first
  static func durations(
    of segments: SegmentColumns, sources: Range<Int>, edges: IntervalEdges
  ) -> [Double] {
    let covered = coveredTime(of: segments, sources: sources)
    var durations = Array(repeating: CompensatedSum(), count: edges.count)
    var hint = 0
    for (start, end) in zip(covered.starts, covered.ends) {
      let met = edges.intervals(from: start, to: end, near: hint)
      for index in met {
        durations[index].add(min(end, edges.edges[index + 1]) - max(start, edges.edges[index]))
      }
      hint = met.isEmpty ? hint : met.upperBound - 1
    }
    return durations.map(\.result)
  }

  private static func coveredTime(
    of segments: SegmentColumns, sources: Range<Int>
  ) -> CoveredTime {
    var unions = sources.map { source in
      var union = CoveredTime()
      union.formUnion(of: segments, rows: segments.rows(ofSource: source))
      return union
    }
    // Pairwise: each span is moved once per round.
    while unions.count > 1 {
      unions = stride(from: 0, to: unions.count, by: 2).map { index in
        var union = unions[index]
        if index + 1 < unions.count {
          let other = unions[index + 1]
          union.formUnion(starts: other.starts, ends: other.ends, rows: other.starts.indices)
        }
        return union
      }
    }
    return unions.first ?? CoveredTime()
  }
}

extension CoveredTime {
  fileprivate mutating func formUnion(of segments: SegmentColumns, rows: Range<Int>) {
    let (starts, ends) = (segments.starts, segments.ends)
    if zip(starts[rows], starts[rows].dropFirst()).allSatisfy({ $0 <= $1 }) {
      formUnion(starts: starts, ends: ends, rows: rows)
    } else {
      // Parts of overlapping samples are not in ascending order.
      let sorted = rows.sorted { starts[$0] < starts[$1] }
      formUnion(
        starts: sorted.map { starts[$0] }, ends: sorted.map { ends[$0] }, rows: sorted.indices)
    }
  }
}
