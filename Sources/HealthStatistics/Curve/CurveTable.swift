import CKernels
@_spi(Queues) import HealthSamples
import _HealthNumerics

/// The integral of a curve over each interval, and the time where it is defined.
struct CurveTable {
  private let rows: PooledRows
  private let edges: [Double]
  private let hold: Double
  private let scale: Double
  private let instructions: InstructionSet
  private var areas: SumColumns
  private var lengths: SumColumns
  private var interval = 0
  private var openSum = ExactSum()

  /// Makes an empty table; values are multiplied by `scale`, a power of two.
  init(
    of rows: PooledRows, edges: IntervalEdges, hold: Double, scale: Double,
    on instructions: InstructionSet
  ) {
    self.rows = rows
    self.edges = edges.edges
    self.hold = hold
    self.scale = scale
    self.instructions = instructions
    areas = SumColumns(count: edges.count)
    lengths = areas
  }

  /// The mean height in an interval; `nil` where the curve is not defined.
  func mean(interval: Int) -> Double? {
    let length = lengths[interval]
    return length.result > 0 ? areas[interval].quotient(by: length) / scale : nil
  }

  /// The time where the curve is defined in an interval, in seconds.
  func length(interval: Int) -> Double { lengths[interval].result }

  private func value(_ row: Int) -> Double { rows.values[row] * scale }

  private mutating func add(_ height: Double, seconds: Double) {
    areas[interval].add(height * seconds)
    lengths[interval].add(seconds)
  }
}

extension CurveTable: CurveIntegrator {
  /// Correctly rounded, so that the order of samples at one instant does not matter.
  func height(of rows: some Collection<Int>) -> Double {
    guard let first = rows.first else { return 0 }
    if rows.count == 1 { return value(first) }
    if rows.count == 2, let last = rows.dropFirst().first {
      let sum = value(first) + value(last)
      if sum.isFinite { return sum / 2 }
    }
    var sum = ExactSum()
    for row in rows { sum.add(value(row)) }
    return sum.mean(count: rows.count)
  }

  /// Correctly rounded, so that closed samples leave no rounding error.
  func height(of open: OpenRows) -> Double? {
    open.count > 1 ? openSum.mean(count: open.count) : open.first.map { value($0.value) }
  }

  mutating func open(_ row: Int) { openSum.add(value(row)) }
  mutating func close(_ row: Int) { openSum.add(-value(row)) }
  mutating func enter(interval: Int) { self.interval = interval }

  mutating func addLevel(_ height: Double, from start: Double, to end: Double) {
    add(height, seconds: end - start)
  }

  mutating func addGap(from start: Double, to end: Double, first: Double, last: Double) {
    add((first + last) * 0.5, seconds: min(end - start, 2 * hold))
  }

  mutating func addHeldValue(_ height: Double, from start: Double, to end: Double) {
    add(height, seconds: min(end - start, hold))
  }

  mutating func integrateDisjointRows(
    from row: Int, last: (end: Double, height: Double)?
  ) -> (row: Int, interval: Int, isBegun: Bool)? {
    var pass = hk_curve_pass(
      interval: interval, has_last: last != nil, last_end: last?.end ?? 0,
      last_height: last?.height ?? 0)
    // Moved out, so that the kernel can write to both at once.
    var (areas, lengths) = (SumColumns(count: 0), SumColumns(count: 0))
    swap(&areas, &self.areas)
    swap(&lengths, &self.lengths)
    let done = edges.withUnsafeBufferPointer { edges in
      areas.withUnsafeSums { areas, areasLost in
        lengths.withUnsafeSums { lengths, lengthsLost in
          var curves = hk_curves(
            edges: edges.baseAddress, count: edges.count - 1, hold: hold, scale: scale,
            areas: areas, areas_lost: areasLost, lengths: lengths, lengths_lost: lengthsLost)
          return hk_integrate_disjoint_rows(
            instructions.code, rows.starts, rows.ends, rows.values, row, rows.count, &curves, &pass)
        }
      }
    }
    swap(&areas, &self.areas)
    swap(&lengths, &self.lengths)
    interval = pass.interval
    return (done, pass.interval, pass.has_last)
  }
}
