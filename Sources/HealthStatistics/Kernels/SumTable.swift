import CKernels
import Dispatch
import HealthSamples
import _HealthNumerics

/// Sums, counts and extremes of each interval, source by source: one pass over the columns.
struct SumTable {
  /// The sums over all sources.
  private(set) var totals: SumColumns
  private(set) var hasData: [Bool]
  /// The smallest values, 0 where there are none; empty unless requested.
  private(set) var minimums: [Double]
  /// The largest values.
  private(set) var maximums: [Double]

  let kernel: SumKernel
  private let edges: IntervalEdges
  private let scale: Double
  private var partsLeft: Int
  /// The intervals to which the first source was added; `nil` before it.
  private var rangeOfFirst: Range<Int>?
  /// Zero sums, reused for sources after the first.
  private var room = SumColumns(count: 0)

  /// Makes an empty table.
  ///
  /// Every term is multiplied by `scale`, a power of two, so that sums stay in range; `limit` is
  /// the most parts of samples, besides whole ones, that may be added.
  init(edges: IntervalEdges, scale: Double, limit: Int, wantsExtremes: Bool, kernel: SumKernel) {
    self.edges = edges
    self.scale = scale
    self.kernel = kernel
    partsLeft = limit
    totals = SumColumns(count: edges.count)
    hasData = Array(repeating: false, count: edges.count)
    minimums = Array(repeating: 0, count: wantsExtremes ? edges.count : 0)
    maximums = minimums
  }

  /// Adds the segments of one source, in the order of their rows, and preaggregated groups of
  /// samples of that source, each inside one interval.
  ///
  /// With `splits` a segment that overlaps several intervals is divided by time, and the rounded
  /// sums of the source are added, so that sources add up to the totals; otherwise it counts whole
  /// in each interval, and the totals get the unrounded sums. Returns whether the number of parts
  /// is within the limit; `hk_add_rows` defines the bits of a sum.
  ///
  /// - Complexity: O(rows + parts + groups)
  mutating func add(
    _ segments: SegmentColumns, rows: Range<Int>, splits: Bool,
    adding aggregates: AggregateColumns = AggregateColumns(), groups: Range<Int> = 0..<0
  ) -> Bool {
    guard !rows.isEmpty || !groups.isEmpty else { return true }
    // Moved out, so that no column is copied.
    var sums = SumColumns(count: 0)
    guard let rangeOfFirst else {
      swap(&sums, &totals)
      guard let met = fill(&sums, from: segments, rows: rows, splits: splits) else { return false }
      let all = add(aggregates, groups: groups, to: &sums, besides: met)
      totals = sums
      // A single source is not rounded before the total is.
      self.rangeOfFirst = all
      return true
    }
    if splits { totals.round(in: rangeOfFirst) }
    self.rangeOfFirst = 0..<0
    swap(&sums, &room)
    if sums.counts.isEmpty { sums = SumColumns(count: edges.count) }
    guard let filled = fill(&sums, from: segments, rows: rows, splits: splits) else { return false }
    let met = add(aggregates, groups: groups, to: &sums, besides: filled)
    if splits { sums.round(in: met) }
    totals.merge(sums, in: met)
    sums.reset(in: met)
    room = sums
    return true
  }

  /// Adds groups of samples to the sums of their source; returns the range of the intervals
  /// changed, including `met`.
  private mutating func add(
    _ aggregates: AggregateColumns, groups: Range<Int>, to sums: inout SumColumns,
    besides met: Range<Int>
  ) -> Range<Int> {
    var met = met
    var hint = 0
    for group in groups {
      let start = aggregates.firstStarts[group]
      guard let index = edges.intervals(from: start, to: start, near: hint).first else { continue }
      hint = index
      met =
        met.isEmpty
        ? index..<index + 1 : min(met.lowerBound, index)..<max(met.upperBound, index + 1)
      sums[index].add(aggregates.sums[group] * scale)
      sums[index].add(aggregates.sumErrors[group] * scale)
      sums.counts[index] += aggregates.counts[group]
      if !minimums.isEmpty {
        let (low, high) = (aggregates.minimums[group], aggregates.maximums[group])
        minimums[index] = hasData[index] ? min(minimums[index], low) : low
        maximums[index] = hasData[index] ? max(maximums[index], high) : high
      }
      hasData[index] = true
    }
    return met
  }

  /// Adds rows to zero sums; returns the range of the intervals overlapped, `nil` when there are
  /// too many parts.
  private mutating func fill(
    _ sums: inout SumColumns, from segments: SegmentColumns, rows: Range<Int>, splits: Bool
  ) -> Range<Int>? {
    let pieces = SumPiece.pieces(of: segments, rows: rows, edges: edges.edges, kernel: kernel)
    if pieces.count > 1 {
      let passes = passes(over: pieces, of: segments, into: &sums, splits: splits)
      // A row that extends beyond its piece unexpectedly is missing in the adjacent piece.
      if zip(passes, pieces).allSatisfy({ $0.hasExpectedOverhang(of: $1) }) {
        return result(of: passes)
      }
      sums.reset(in: 0..<edges.count)
    }
    let whole = SumPiece(intervals: 0..<edges.count, rows: [rows])
    return result(of: passes(over: [whole], of: segments, into: &sums, splits: splits))
  }

  /// The range of the intervals overlapped, `nil` when there were too many parts.
  private mutating func result(of passes: [SumPass]) -> Range<Int>? {
    partsLeft -= passes.reduce(0) { $0 + $1.partCount }
    guard partsLeft >= 0 else { return nil }
    let met = passes.compactMap(\.overlapped)
    guard let first = met.map(\.lowerBound).min(), let last = met.map(\.upperBound).max() else {
      return 0..<0
    }
    return first..<last
  }

  /// Adds the rows of each piece on its own thread.
  private mutating func passes(
    over pieces: [SumPiece], of segments: SegmentColumns, into sums: inout SumColumns, splits: Bool
  ) -> [SumPass] {
    let (kernel, scale, limit) = (kernel, scale, partsLeft)
    return segments.withUnsafeRows { rows in
      withUnsafeIntervals(of: &sums) { intervals in
        [SumPass](unsafeUninitializedCapacity: pieces.count) { passes, initialized in
          // Each thread writes its own pass, and intervals that no other thread has.
          nonisolated(unsafe) let (passes, intervals, rows) = (passes, intervals, rows)
          let add = { @Sendable (index: Int) in
            var pass = SumPass(intervals: intervals, piece: pieces[index], limit: limit)
            for range in pieces[index].rows where pass.isWithinLimit {
              pass.add(rows[range], scale: scale, splits: splits, on: kernel.instructions)
            }
            passes.initializeElement(at: index, to: pass)
          }
          if pieces.count == 1 {
            add(0)
          } else {
            DispatchQueue.concurrentPerform(iterations: pieces.count, execute: add)
          }
          initialized = pieces.count
        }
      }
    }
  }

  /// Calls `body` with the columns of the table, and the sums and counts of one source.
  private mutating func withUnsafeIntervals<Result>(
    of sums: inout SumColumns, _ body: (hk_intervals) -> Result
  ) -> Result {
    let edges = edges
    return edges.edges.withUnsafeBufferPointer { instants in
      sums.sums.withUnsafeMutableBufferPointer { sum in
        sums.lost.withUnsafeMutableBufferPointer { lost in
          sums.counts.withUnsafeMutableBufferPointer { counts in
            minimums.withUnsafeMutableBufferPointer { minimums in
              maximums.withUnsafeMutableBufferPointer { maximums in
                hasData.withUnsafeMutableBufferPointer { hasData in
                  body(
                    hk_intervals(
                      edges: instants.baseAddress, count: edges.count, sums: sum.baseAddress,
                      lost: lost.baseAddress,
                      minimums: minimums.isEmpty ? nil : minimums.baseAddress,
                      maximums: maximums.isEmpty ? nil : maximums.baseAddress,
                      counts: counts.baseAddress, has_data: hasData.baseAddress))
                }
              }
            }
          }
        }
      }
    }
  }
}

/// The columns of segments as pointers for a kernel.
private struct SegmentRows {
  let segments: SegmentColumns
  /// The columns of the samples, and the segments' own.
  let shared: hk_rows
  let own: hk_rows

  /// Some rows, as pieces.
  subscript(rows: Range<Int>) -> [hk_rows] {
    let first = segments.piece(ofRow: rows.lowerBound)
    return segments.pieces[first...].prefix { $0.first < rows.upperBound }.map { piece in
      var columns = piece.number == nil ? own : shared
      let taken = piece.rows.clamped(to: rows)
      let skipped = taken.lowerBound - piece.first
      let place = piece.range.lowerBound + skipped
      columns.starts = columns.starts + place
      columns.ends = columns.ends + place
      columns.values = columns.values + place
      columns.count = taken.count
      if let number = piece.number {
        columns.first_sample = SegmentColumns.number(
          number, plus: UInt32(truncatingIfNeeded: skipped))
      } else {
        columns.samples = columns.samples + place
      }
      return columns
    }
  }
}

extension SegmentColumns {
  /// Calls `body` with the columns.
  fileprivate func withUnsafeRows<Result>(_ body: (SegmentRows) -> Result) -> Result {
    func rows(
      _ starts: [Double], _ ends: [Double], _ values: [Double], _ samples: [UInt32]?,
      _ body: (hk_rows) -> Result
    ) -> Result {
      starts.withUnsafeBufferPointer { starts in
        ends.withUnsafeBufferPointer { ends in
          values.withUnsafeBufferPointer { values in
            func lend(_ samples: UnsafePointer<UInt32>?) -> Result {
              body(
                hk_rows(
                  starts: starts.baseAddress, ends: ends.baseAddress, values: values.baseAddress,
                  samples: samples, first_sample: 0, count: starts.count))
            }
            return samples?.withUnsafeBufferPointer { lend($0.baseAddress) } ?? lend(nil)
          }
        }
      }
    }
    return rows(shared.starts, shared.ends, shared.values, nil) { shared in
      rows(own.starts, own.ends, own.values, own.samples) { own in
        body(SegmentRows(segments: self, shared: shared, own: own))
      }
    }
  }
}
