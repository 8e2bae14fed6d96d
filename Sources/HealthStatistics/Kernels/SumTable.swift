import HealthSamples

/// Sums and counts for each interval, source by source: the kernel behind sums and means.
struct SumTable {
  private(set) var totals: [CompensatedSum]
  private(set) var counts: [Int]
  private(set) var hasData: [Bool]

  private let edges: IntervalEdges
  private let scale: Double
  private let limit: Int
  private var partCount = 0
  // The source at hand, and the intervals it has met.
  private var sums: [CompensatedSum]
  private var touched = 0..<0

  /// Makes an empty table.
  ///
  /// Every term is multiplied by `scale`, a power of two, so that sums can be kept in range;
  /// `limit` says how many parts of samples may be added up beside whole ones.
  init(edges: IntervalEdges, scale: Double, limit: Int) {
    self.edges = edges
    self.scale = scale
    self.limit = limit
    totals = Array(repeating: CompensatedSum(), count: edges.count)
    counts = Array(repeating: 0, count: edges.count)
    hasData = Array(repeating: false, count: edges.count)
    sums = totals
  }

  /// Adds the segments of one source, in the order of their rows.
  ///
  /// With `splits` a segment that meets several intervals is shared out by time; otherwise it
  /// enters each of them whole. The answer is whether the limit of parts still holds.
  ///
  /// - Complexity: O(rows + parts)
  mutating func add(_ segments: SegmentColumns, rows: Range<Int>, splits: Bool) -> Bool {
    var interval = 0
    var lower = Double.infinity
    var upper = -Double.infinity
    var sum = CompensatedSum()
    var count = 0
    // The sample at hand and the intervals in which it has been counted.
    var sample = SegmentColumns.masked
    var countedBelow = 0
    for row in rows {
      let start = segments.starts[row]
      let end = segments.ends[row]
      let number = segments.samples[row]
      if number != sample {
        sample = number
        countedBelow = 0
      }
      if start >= lower, start < upper, end <= upper {
        sum.add(segments.values[row] * scale)
        if countedBelow <= interval, number != SegmentColumns.masked {
          count += 1
          countedBelow = interval + 1
        }
        continue
      }
      if lower < upper {
        sums[interval] = sum
        counts[interval] += count
      }
      let met = edges.intervals(from: start, to: end, near: interval)
      guard !met.isEmpty else {
        (lower, upper, count) = (.infinity, -.infinity, 0)
        continue
      }
      partCount += met.count - 1
      guard partCount <= limit else { return false }
      touch(met)
      for index in met {
        let value = segments.values[row]
        let partStart = max(start, edges.edges[index])
        let partEnd = min(end, edges.edges[index + 1])
        let isWhole = !splits || (partStart == start && partEnd == end)
        let term =
          isWhole
          ? value
          : ProRata.share(of: value, start: start, end: end, partStart: partStart, partEnd: partEnd)
        sums[index].add(term * scale)
        if index >= countedBelow, number != SegmentColumns.masked { counts[index] += 1 }
      }
      countedBelow = max(countedBelow, met.upperBound)
      interval = met.upperBound - 1
      lower = edges.edges[interval]
      upper = edges.edges[interval + 1]
      sum = sums[interval]
      count = 0
    }
    if lower < upper {
      sums[interval] = sum
      counts[interval] += count
    }
    return true
  }

  /// Ends a source: its rounded sums are added to the totals, so that they add up to them.
  mutating func endSourceOfSums() {
    for index in touched { totals[index].add(sums[index].result) }
    reset()
  }

  /// Ends a source whose samples enter a mean: the totals take what its sums lost as well.
  mutating func endSourceOfMeans() {
    for index in touched { totals[index].merge(sums[index]) }
    reset()
  }

  private mutating func touch(_ met: Range<Int>) {
    for index in met { hasData[index] = true }
    touched =
      touched.isEmpty
      ? met : min(touched.lowerBound, met.lowerBound)..<max(touched.upperBound, met.upperBound)
  }

  private mutating func reset() {
    for index in touched { sums[index] = CompensatedSum() }
    touched = 0..<0
  }
}
