@_spi(Queues) import HealthSamples
import _HealthNumerics

/// The percentiles of a curve over each interval, by time: the least height that the curve does not
/// exceed for that share of the time where it is defined.
///
/// Heights are those of a ``CurveTable``. Intervals are computed one at a time.
struct CurveDistribution {
  /// The percentiles of each interval; `nil` where the curve is not defined.
  private(set) var percentiles: [Percentile: [Double?]]
  private let wanted: [Percentile]
  private var heights: CurveTable
  private let hold: Double
  private var interval = 0
  private var pieces: [Piece] = []

  /// A part of the curve between two heights, evenly over its time.
  private struct Piece {
    let low: Double
    let high: Double
    let seconds: Double
  }

  init(
    of percentiles: Set<Percentile>, _ rows: PooledRows, edges: IntervalEdges, hold: Double,
    on instructions: InstructionSet
  ) {
    wanted = percentiles.sorted { $0.percent < $1.percent }
    self.percentiles = Dictionary(
      uniqueKeysWithValues: percentiles.map { ($0, Array(repeating: nil, count: edges.count)) })
    heights = CurveTable(of: rows, edges: edges, hold: hold, scale: 1, on: instructions)
    self.hold = hold
  }

  /// Writes the percentiles of the current interval.
  ///
  /// - Complexity: O(*m* log *m*) for *m* pieces
  mutating func close() {
    defer { pieces.removeAll(keepingCapacity: true) }
    let total = pieces.reduce(0) { $0 + $1.seconds }
    guard total > 0, let low = pieces.map(\.low).min() else { return }
    // The difference of great heights of opposite signs may overflow; that of their halves does not.
    let half = pieces.contains { !($0.high - $0.low).isFinite } ? 0.5 : 1
    // What begins and ends at a height: time at that height alone, and time for each unit above.
    var changes: [(height: Double, level: Double, slope: Double)] = []
    for piece in pieces {
      let (low, high) = (piece.low * half, piece.high * half)
      let slope = piece.seconds / (high - low)
      if slope.isFinite, slope > 0 {
        changes.append((low, 0, slope))
        changes.append((high, 0, -slope))
      } else {
        changes.append((low, piece.seconds, 0))
      }
    }
    changes.sort { $0.height < $1.height }
    // Of pieces between heights that hardly differ the slope is enormous: rounding it would take
    // away that of all others.
    var slopes = ExactSum()
    var (height, time, slope) = (low * half, 0.0, 0.0)
    var next = 0
    for percentile in wanted {
      let target = total * percentile.percent / 100
      var found: Double?
      while found == nil, next < changes.count {
        let change = changes[next]
        let reached = time + slope * (change.height - height)
        if slope > 0, reached >= target {
          found = min(max(height + (target - time) / slope, height), change.height)
        } else if change.level > 0, reached + change.level >= target {
          found = change.height
        } else {
          (height, time) = (change.height, reached + change.level)
          if change.slope != 0 {
            slopes.add(change.slope)
            slope = slopes.result
          }
          next += 1
        }
      }
      percentiles[percentile]?[interval] = (found ?? height) / half
    }
  }

  private mutating func add(_ first: Double, _ last: Double, seconds: Double) {
    guard seconds > 0 else { return }
    pieces.append(Piece(low: min(first, last), high: max(first, last), seconds: seconds))
  }
}

extension CurveDistribution: CurveIntegrator {
  func height(of rows: some Collection<Int>) -> Double { heights.height(of: rows) }
  func height(of open: OpenRows) -> Double? { heights.height(of: open) }
  mutating func open(_ row: Int) { heights.open(row) }
  mutating func close(_ row: Int) { heights.close(row) }

  mutating func enter(interval: Int) {
    close()
    self.interval = interval
  }

  mutating func addLevel(_ height: Double, from start: Double, to end: Double) {
    add(height, height, seconds: end - start)
  }

  mutating func addGap(from start: Double, to end: Double, first: Double, last: Double) {
    if end - start <= 2 * hold { return add(first, last, seconds: end - start) }
    add(first, first, seconds: hold)
    add(last, last, seconds: hold)
  }

  mutating func addHeldValue(_ height: Double, from start: Double, to end: Double) {
    add(height, height, seconds: min(end - start, hold))
  }

  mutating func integrateDisjointRows(
    from row: Int, last: (end: Double, height: Double)?
  ) -> (row: Int, interval: Int, isBegun: Bool)? { nil }
}
