import HealthSamples

/// Sums, counts and extremes of each interval, source by source: one pass over the columns.
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

  /// The smallest values, infinite where there are none; empty unless they are wanted.
  private(set) var minimums: [Double]
  /// The largest values.
  private(set) var maximums: [Double]
  private let wantsExtremes: Bool

  /// Makes an empty table.
  ///
  /// Every term is multiplied by `scale`, a power of two, so that sums can be kept in range;
  /// `limit` says how many parts of samples may be added up beside whole ones.
  init(edges: IntervalEdges, scale: Double, limit: Int, wantsExtremes: Bool) {
    self.edges = edges
    self.scale = scale
    self.limit = limit
    self.wantsExtremes = wantsExtremes
    minimums = Array(repeating: .infinity, count: wantsExtremes ? edges.count : 0)
    maximums = Array(repeating: -.infinity, count: wantsExtremes ? edges.count : 0)
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
  /// Eight rows at a time where all lie inside of one interval: their values are added in pairs of
  /// lanes, and that sum is a term of the compensated one. Three roundings more keep the bound.
  /// The eights are counted from the row that enters an interval, so the bits of an interval do
  /// not depend on the rows before it.
  ///
  /// - Complexity: O(rows + parts)
  mutating func add(_ segments: SegmentColumns, rows: Range<Int>, splits: Bool) -> Bool {
    segments.starts.withUnsafeBufferPointer { starts in
      segments.ends.withUnsafeBufferPointer { ends in
        segments.values.withUnsafeBufferPointer { values in
          segments.samples.withUnsafeBufferPointer { samples in
            add(
              SegmentRows(starts: starts, ends: ends, values: values, samples: samples),
              rows: rows, splits: splits)
          }
        }
      }
    }
  }

  private mutating func add(_ segments: SegmentRows, rows: Range<Int>, splits: Bool) -> Bool {
    var run = IntervalRun(outside: 0)
    // The sample at hand and the intervals in which it has been counted.
    var sample = SegmentColumns.masked
    var countedBelow = 0
    // Before this row no eight rows lie inside of the interval.
    var nextBlock = Int.max
    var row = rows.lowerBound
    while row < rows.upperBound {
      if row >= nextBlock {
        let done = run.add(segments, rows: row..<rows.upperBound, scale: scale)
        if done > 0 {
          row += done
          sample = segments.samples[row - 1]
          countedBelow = run.interval + 1
        }
        nextBlock = row + SegmentRows.blockSize
        guard row < rows.upperBound else { break }
      }
      let start = segments.starts[row]
      let end = segments.ends[row]
      let number = segments.samples[row]
      if number != sample {
        sample = number
        countedBelow = 0
      }
      if start >= run.lower, start < run.upper, end <= run.upper {
        run.add(segments.values[row], scale: scale)
        if countedBelow <= run.interval, number != SegmentColumns.masked {
          run.count += 1
          countedBelow = run.interval + 1
        }
        row += 1
        continue
      }
      close(run)
      let met = edges.intervals(from: start, to: end, near: run.interval)
      guard !met.isEmpty else {
        run = IntervalRun(outside: run.interval)
        nextBlock = Int.max
        row += 1
        continue
      }
      partCount += met.count - 1
      guard partCount <= limit else { return false }
      touch(met)
      addParts(of: segments, row: row, to: met, splits: splits, countedBelow: countedBelow)
      countedBelow = max(countedBelow, met.upperBound)
      run = begin(met.upperBound - 1)
      row += 1
      nextBlock = row
    }
    close(run)
    return true
  }

  /// Adds a segment to each interval that it meets.
  private mutating func addParts(
    of segments: SegmentRows, row: Int, to met: Range<Int>, splits: Bool, countedBelow: Int
  ) {
    let (start, end) = (segments.starts[row], segments.ends[row])
    let value = segments.values[row]
    let counts = segments.samples[row] != SegmentColumns.masked
    for index in met {
      let partStart = max(start, edges.edges[index])
      let partEnd = min(end, edges.edges[index + 1])
      let isWhole = !splits || (partStart == start && partEnd == end)
      let term =
        isWhole
        ? value
        : ProRata.share(of: value, start: start, end: end, partStart: partStart, partEnd: partEnd)
      sums[index].add(term * scale)
      if index >= countedBelow, counts { self.counts[index] += 1 }
      if wantsExtremes {
        minimums[index] = min(minimums[index], value)
        maximums[index] = max(maximums[index], value)
      }
    }
  }

  /// Adds runs of samples of one source, each of which lies inside of one interval.
  ///
  /// - Complexity: O(runs)
  mutating func add(_ summaries: SummaryColumns, runs: Range<Int>) {
    var hint = 0
    for run in runs {
      let start = summaries.firstStarts[run]
      let met = edges.intervals(from: start, to: start, near: hint)
      guard let index = met.first else { continue }
      touch(met)
      sums[index].add(summaries.sums[run] * scale)
      sums[index].add(summaries.lost[run] * scale)
      counts[index] += summaries.counts[run]
      if wantsExtremes {
        minimums[index] = min(minimums[index], summaries.minimums[run])
        maximums[index] = max(maximums[index], summaries.maximums[run])
      }
      hint = index
    }
  }

  private func begin(_ interval: Int) -> IntervalRun {
    IntervalRun(
      interval: interval, lower: edges.edges[interval], upper: edges.edges[interval + 1],
      sum: sums[interval])
  }

  private mutating func close(_ run: IntervalRun) {
    guard run.lower < run.upper else { return }
    sums[run.interval] = run.sum
    counts[run.interval] += run.count
    if wantsExtremes {
      minimums[run.interval] = min(minimums[run.interval], run.minimum)
      maximums[run.interval] = max(maximums[run.interval], run.maximum)
    }
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
