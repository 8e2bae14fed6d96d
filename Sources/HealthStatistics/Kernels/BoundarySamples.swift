import HealthSamples

/// The value of the latest or the earliest sample of each interval.
///
/// Sources are added from the highest rank down, so a later source wins only with a better span.
/// Within a source equal spans are ordered by value: the latest is the one with the larger value,
/// the earliest the one with the smaller.
struct BoundarySamples {
  /// The value of each sample, whole even where the sample extends beyond the interval.
  private(set) var values: [Double]
  private(set) var spans: StatisticsColumns.Spans
  private let edges: IntervalEdges
  private let wantsLatest: Bool
  private var ranks: [Int]

  init(edges: IntervalEdges, wantsLatest: Bool) {
    self.edges = edges
    self.wantsLatest = wantsLatest
    let zeros = Array(repeating: 0.0, count: edges.count)
    values = zeros
    spans = StatisticsColumns.Spans(starts: zeros, ends: zeros)
    ranks = Array(repeating: -1, count: edges.count)
  }

  mutating func add(_ segments: SegmentColumns, rows: Range<Int>, rank: Int) {
    let (starts, ends, values) = (segments.starts, segments.ends, segments.values)
    var hint = 0
    for row in rows {
      let (start, end) = (starts[row], ends[row])
      let met = edges.intervals(from: start, to: end, near: hint)
      for index in met where wins(start: start, end: end, rank: rank, in: index) {
        self.values[index] = values[row]
        spans.starts[index] = start
        spans.ends[index] = end
        ranks[index] = rank
      }
      hint = met.isEmpty ? hint : met.lowerBound
    }
  }

  private func wins(start: Double, end: Double, rank: Int, in index: Int) -> Bool {
    guard ranks[index] >= 0 else { return true }
    let best = (start: spans.starts[index], end: spans.ends[index])
    if wantsLatest {
      if (end, start) == (best.end, best.start) { return rank == ranks[index] }
      return (end, start) > (best.end, best.start)
    }
    return (start, end) < (best.start, best.end)
  }
}
