import CKernels
import Dispatch
import HealthSamples

/// Sums, counts and extremes of each interval, source by source: one pass over the columns.
struct SumTable {
  /// What the sources add up to.
  private(set) var totals: SumColumns
  private(set) var hasData: [Bool]
  /// The smallest values, 0 where there are none; empty unless they are wanted.
  private(set) var minimums: [Double]
  /// The largest values.
  private(set) var maximums: [Double]

  let kernel: SumKernel
  private let edges: IntervalEdges
  private let scale: Double
  private var partsLeft: Int
  /// The intervals that the first source has met; `nil` before it.
  private var metByFirst: Range<Int>?
  /// Sums of nothing, for sources after the first.
  private var room = SumColumns(count: 0)

  /// Makes an empty table.
  ///
  /// Every term is multiplied by `scale`, a power of two, so that sums can be kept in range;
  /// `limit` says how many parts of samples may be added up beside whole ones.
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

  /// Adds the segments of one source, in the order of their rows, and runs of samples of that
  /// source, each of which lies inside of one interval.
  ///
  /// With `splits` a segment that meets several intervals is shared out by time, and the rounded
  /// sums of the source are added, so that sources add up to the totals; otherwise it enters each
  /// interval whole, and the totals take what the sums lost as well. The answer is whether the
  /// limit of parts still holds; `hk_add_rows` says which bits a sum has.
  ///
  /// - Complexity: O(rows + parts + runs)
  mutating func add(
    _ segments: SegmentColumns, rows: Range<Int>, splits: Bool,
    beside summaries: SummaryColumns = SummaryColumns(), runs: Range<Int> = 0..<0
  ) -> Bool {
    guard !rows.isEmpty || !runs.isEmpty else { return true }
    // Taken out, so that no column is copied.
    var sums = SumColumns(count: 0)
    guard let metByFirst else {
      swap(&sums, &totals)
      guard let met = fill(&sums, from: segments, rows: rows, splits: splits) else { return false }
      let all = add(summaries, runs: runs, to: &sums, besides: met)
      totals = sums
      // Alone it need not be rounded before the total is.
      self.metByFirst = all
      return true
    }
    if splits { totals.round(in: metByFirst) }
    self.metByFirst = 0..<0
    swap(&sums, &room)
    if sums.counts.isEmpty { sums = SumColumns(count: edges.count) }
    guard let filled = fill(&sums, from: segments, rows: rows, splits: splits) else { return false }
    let met = add(summaries, runs: runs, to: &sums, besides: filled)
    if splits { sums.round(in: met) }
    totals.merge(sums, in: met)
    sums.reset(in: met)
    room = sums
    return true
  }

  /// Adds runs of samples to the sums of their source; the range of the intervals met, with those
  /// that were met before.
  private mutating func add(
    _ summaries: SummaryColumns, runs: Range<Int>, to sums: inout SumColumns,
    besides met: Range<Int>
  ) -> Range<Int> {
    var met = met
    var hint = 0
    for run in runs {
      let start = summaries.firstStarts[run]
      guard let index = edges.intervals(from: start, to: start, near: hint).first else { continue }
      hint = index
      met =
        met.isEmpty
        ? index..<index + 1 : min(met.lowerBound, index)..<max(met.upperBound, index + 1)
      sums[index].add(summaries.sums[run] * scale)
      sums[index].add(summaries.lost[run] * scale)
      sums.counts[index] += summaries.counts[run]
      if !minimums.isEmpty {
        let (low, high) = (summaries.minimums[run], summaries.maximums[run])
        minimums[index] = hasData[index] ? min(minimums[index], low) : low
        maximums[index] = hasData[index] ? max(maximums[index], high) : high
      }
      hasData[index] = true
    }
    return met
  }

  /// Adds rows to sums of nothing; the range of the intervals met, `nil` when there are too many
  /// parts.
  private mutating func fill(
    _ sums: inout SumColumns, from segments: SegmentColumns, rows: Range<Int>, splits: Bool
  ) -> Range<Int>? {
    let pieces = SumPiece.pieces(of: segments, rows: rows, edges: edges.edges, kernel: kernel)
    if pieces.count > 1 {
      let passes = passes(over: pieces, of: segments, into: &sums, splits: splits)
      // What a piece met beyond its intervals another must have met: it was cut there.
      if zip(passes, pieces).allSatisfy({ $0.hasMetOnlyWhatIsExpected(of: $1) }) {
        return result(of: passes)
      }
      sums.reset(in: 0..<edges.count)
    }
    let whole = SumPiece(intervals: 0..<edges.count, rows: [rows])
    return result(of: passes(over: [whole], of: segments, into: &sums, splits: splits))
  }

  /// The range of the intervals met, `nil` when there were too many parts.
  private mutating func result(of passes: [SumPass]) -> Range<Int>? {
    partsLeft -= passes.reduce(0) { $0 + $1.partCount }
    guard partsLeft >= 0 else { return nil }
    let met = passes.compactMap(\.met)
    guard let first = met.map(\.lowerBound).min(), let last = met.map(\.upperBound).max() else {
      return 0..<0
    }
    return first..<last
  }

  /// Adds the rows of each piece on a thread of its own.
  private mutating func passes(
    over pieces: [SumPiece], of segments: SegmentColumns, into sums: inout SumColumns, splits: Bool
  ) -> [SumPass] {
    let (kernel, scale, limit) = (kernel, scale, partsLeft)
    return segments.withUnsafeRows { rows in
      withUnsafeIntervals(of: &sums) { intervals in
        [SumPass](unsafeUninitializedCapacity: pieces.count) { passes, initialized in
          // Each thread writes its own pass, and intervals that no other has.
          nonisolated(unsafe) let (passes, intervals, rows) = (passes, intervals, rows)
          let add = { @Sendable (index: Int) in
            var pass = SumPass(intervals: intervals, piece: pieces[index], limit: limit)
            for range in pieces[index].rows where pass.isWithinLimit {
              pass.add(rows[range], scale: scale, splits: splits, path: kernel.path)
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

  /// Lends the columns of the table, with sums and counts of one source, to a kernel.
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

/// The columns of segments, lent to a kernel.
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
  /// Lends the columns to a kernel.
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
