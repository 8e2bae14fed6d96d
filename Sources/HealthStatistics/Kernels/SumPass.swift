import CKernels
import HealthSamples
import _HealthNumerics

/// The work of one thread: it adds rows to intervals that no other thread writes.
struct SumPass {
  private let intervals: hk_intervals
  private let first: Int
  private let limit: Int
  private var state: hk_pass
  private(set) var isWithinLimit = true

  /// Makes an empty pass over the intervals of a piece.
  init(intervals: hk_intervals, piece: SumPiece, limit: Int) {
    let offset = piece.intervals.lowerBound
    first = offset
    self.limit = limit
    self.intervals = hk_intervals(
      edges: intervals.edges + offset, count: piece.intervals.count,
      sums: intervals.sums + offset, lost: intervals.lost + offset,
      minimums: intervals.minimums.map { $0 + offset },
      maximums: intervals.maximums.map { $0 + offset },
      counts: intervals.counts + offset, has_data: intervals.has_data + offset)
    state = hk_pass(
      interval: 0, sample: SegmentColumns.masked, counted: -2, parts_left: limit, before: 0,
      after: 0, lowest: piece.intervals.count, highest: -1)
  }

  mutating func add(_ rows: [hk_rows], scale: Double, splits: Bool, on instructions: InstructionSet)
  {
    isWithinLimit = rows.withUnsafeBufferPointer { rows in
      var segments = hk_segments(
        pieces: rows.baseAddress, count: rows.count, masked: SegmentColumns.masked)
      return withUnsafePointer(to: intervals) { intervals in
        hk_add_rows(instructions.code, &segments, scale, splits, intervals, &state)
      }
    }
  }

  /// How many parts of samples, besides whole ones, were added; above the limit once that is
  /// exceeded.
  var partCount: Int { limit - state.parts_left }

  /// The range of the intervals to which rows were added.
  var overlapped: Range<Int>? {
    state.lowest <= state.highest ? first + state.lowest..<first + state.highest + 1 : nil
  }

  /// Whether the number of rows that extend beyond the piece is as expected.
  func hasExpectedOverhang(of piece: SumPiece) -> Bool {
    (piece.rowsBefore ?? state.before) == state.before
      && (piece.rowsAfter ?? state.after) == state.after
  }
}
