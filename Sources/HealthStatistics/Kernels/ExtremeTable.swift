import HealthSamples

/// The smallest and the largest value of each interval.
struct ExtremeTable {
  private(set) var minimums: [Double]
  private(set) var maximums: [Double]
  private let edges: IntervalEdges

  init(edges: IntervalEdges) {
    self.edges = edges
    minimums = Array(repeating: .infinity, count: edges.count)
    maximums = Array(repeating: -.infinity, count: edges.count)
  }

  /// Adds segments in any order; one that meets several intervals enters each.
  mutating func add(_ segments: SegmentColumns, rows: Range<Int>) {
    var hint = 0
    for row in rows {
      let met = edges.intervals(
        from: segments.starts[row], to: segments.ends[row], near: hint)
      let value = segments.values[row]
      for index in met {
        if value < minimums[index] { minimums[index] = value }
        if value > maximums[index] { maximums[index] = value }
      }
      hint = met.isEmpty ? hint : met.lowerBound
    }
  }

  /// The columns, with 0 where an interval has no data.
  func result(hasData: [Bool]) -> (minimums: [Double], maximums: [Double]) {
    (
      zip(minimums, hasData).map { $1 ? $0 : 0 },
      zip(maximums, hasData).map { $1 ? $0 : 0 }
    )
  }
}
