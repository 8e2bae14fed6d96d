import CKernels
import HealthSamples
internal import _HealthNumerics

/// A range of intervals, and the rows that should overlap them.
struct SumPiece {
  let intervals: Range<Int>
  /// Ranges of rows, ascending.
  var rows: [Range<Int>]
  /// How many of the rows extend before the intervals; `nil` for any number.
  var rowsBefore: Int?
  /// How many of the rows extend after them.
  var rowsAfter: Int?

  /// How many rows before a cut are searched for rows that extend past it.
  ///
  /// A row further back is noticed by its own piece, and the sums are computed again without cuts.
  private static let lookBack = 1024

  /// Divides the work at edges of intervals into pieces with about the same number of rows.
  ///
  /// A sum depends only on the rows that overlap its interval and on their order. So a piece gets
  /// all rows from the first that starts in it, and the previous ones that extend into it.
  ///
  /// - Complexity: O(threads × log *n*)
  static func pieces(
    of segments: SegmentColumns, rows: Range<Int>, edges: [Double], kernel: SumKernel
  ) -> [SumPiece] {
    let cuts = cuts(of: segments, rows: rows, edges: edges, kernel: kernel)
    let reaching = cuts.map { cut in
      rowsReaching(
        edges[cut.interval], of: segments, in: max(rows.lowerBound, cut.row - lookBack)..<cut.row)
    }
    return (0...cuts.count).map { index in
      let first = index > 0 ? cuts[index - 1] : (interval: 0, row: rows.lowerBound)
      let end =
        index < cuts.count ? cuts[index] : (interval: edges.count - 1, row: rows.upperBound)
      var piece = SumPiece(intervals: first.interval..<end.interval, rows: [])
      if index > 0 {
        piece.rows = reaching[index - 1]
        piece.rowsBefore = piece.rows.joined().count {
          segments.span(ofRow: $0).start < edges[first.interval]
        }
      }
      if index < cuts.count { piece.rowsAfter = reaching[index].reduce(0) { $0 + $1.count } }
      // Consecutive rows stay in one range: they may be one run.
      let joined = piece.rows.last.flatMap { $0.upperBound == first.row ? $0.lowerBound : nil }
      if joined != nil { piece.rows.removeLast() }
      piece.rows.append((joined ?? first.row)..<end.row)
      return piece
    }
  }

  /// Intervals at which work is divided, each with the first row that starts in it.
  private static func cuts(
    of segments: SegmentColumns, rows: Range<Int>, edges: [Double], kernel: SumKernel
  ) -> [(interval: Int, row: Int)] {
    let count = min(kernel.threads, rows.count / kernel.rowsPerThread)
    var cuts: [(interval: Int, row: Int)] = []
    for index in stride(from: 1, to: count, by: 1) {
      let target = rows.lowerBound + rows.count / count * index
      let interval =
        hk_last_edge(edges, edges.count, segments.span(ofRow: target).start, -1) + 1
      guard interval > cuts.last?.interval ?? 0, interval < edges.count - 1 else { continue }
      // Rows ascend for the most part; that is enough for a cut.
      let row = (target..<rows.upperBound).partitioningIndex {
        segments.span(ofRow: $0).start >= edges[interval]
      }
      guard row > cuts.last?.row ?? rows.lowerBound, row < rows.upperBound else { continue }
      cuts.append((interval, row))
    }
    return cuts
  }

  /// The rows that extend to an edge or beyond, as ranges.
  private static func rowsReaching(
    _ edge: Double, of segments: SegmentColumns, in rows: Range<Int>
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for row in rows {
      let (start, end) = segments.span(ofRow: row)
      guard end > edge || start >= edge else { continue }
      if let last = ranges.last, last.upperBound == row {
        ranges[ranges.count - 1] = last.lowerBound..<row + 1
      } else {
        ranges.append(row..<row + 1)
      }
    }
    return ranges
  }
}
