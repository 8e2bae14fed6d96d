@_spi(Queues) import HealthSamples
import _HealthNumerics

/// The correctly rounded mean of a curve over each interval.
///
/// Nothing is rounded in between, not even the instants at which a held value ends. Intervals are
/// computed one at a time.
struct ExactCurveTable {
  private let rows: PooledRows
  private let values: ExactValues
  private let hold: Double
  /// The mean height in each interval; `nil` where the curve is not defined.
  private(set) var means: [Double?]
  /// The current interval, and its integral.
  private var interval = 0
  private var integral: ExactTotal
  private var length = ExactSum()
  private var open: ExactTotal

  init(of rows: PooledRows, values: ExactValues, edges: IntervalEdges, hold: Double) {
    self.rows = rows
    self.values = values
    self.hold = hold
    integral = ExactTotal(values)
    open = integral
    means = Array(repeating: nil, count: edges.count)
  }

  /// Writes the mean of the current interval.
  mutating func close() {
    let seconds = length.whole
    guard !seconds.magnitude.isZero else { return }
    means[interval] = integral.quotient(by: seconds, of: values)
    integral = ExactTotal(values)
    length = ExactSum()
  }

  /// Adds a height over some time: `share` of the difference of two instants, up to `limit`.
  private mutating func add(
    _ height: ExactMean, from start: Double, to end: Double, share: Double = 1, limit: Double
  ) {
    let (difference, error) = twoSum(end, -start)
    if error == 0, case .sample(let sample) = height {
      let seconds = min(difference * share, limit)
      integral.add(sample, of: values, times: seconds)
      length.add(seconds)
      return
    }
    let way = (Dyadic(end) - Dyadic(start)) * Dyadic(share)
    let seconds = limit.isFinite ? min(way, Dyadic(limit)) : way
    switch height {
    case .sample(let sample): integral.add(values.value(sample) * seconds, over: Dyadic(1))
    case .quotient(let sum, let count): integral.add(sum * seconds, over: count)
    }
    length.add(seconds, over: Dyadic(1))
  }
}

extension ExactCurveTable: CurveIntegrator {
  func height(of rows: some Collection<Int>) -> ExactMean { ExactMean(of: rows, of: values) }

  func height(of open: OpenRows) -> ExactMean? {
    guard let first = open.first else { return nil }
    return open.count == 1
      ? .sample(first.value) : ExactMean(self.open, count: open.count, of: values)
  }

  mutating func open(_ row: Int) { open.add(row, of: values) }
  mutating func close(_ row: Int) { open.add(row, of: values, sign: -1) }

  mutating func enter(interval: Int) {
    close()
    self.interval = interval
  }

  mutating func addLevel(_ height: ExactMean, from start: Double, to end: Double) {
    add(height, from: start, to: end, limit: .infinity)
  }

  mutating func addGap(from start: Double, to end: Double, first: ExactMean, last: ExactMean) {
    // Each side gets half of the gap.
    add(first, from: start, to: end, share: 0.5, limit: hold)
    add(last, from: start, to: end, share: 0.5, limit: hold)
  }

  mutating func addHeldValue(_ height: ExactMean, from start: Double, to end: Double) {
    add(height, from: start, to: end, limit: hold)
  }

  mutating func integrateDisjointRows(
    from row: Int, last: (end: Double, height: ExactMean)?
  ) -> (row: Int, interval: Int, isBegun: Bool)? { nil }
}
