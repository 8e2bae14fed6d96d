/// The correctly rounded mean of a curve over each interval.
///
/// Nothing is rounded on the way, not even the instants at which a held value ends.
struct ExactCurveTable {
  private let rows: PooledRows
  private let hold: Dyadic
  /// The mean height in each interval; `nil` where the curve has no length.
  private(set) var means: [Double?]
  /// The interval at hand, and the curve in it.
  private var interval = 0
  private var integral = ExactSum()
  private var length = Dyadic(0)
  private var openSum = ExactSum()

  init(of rows: PooledRows, edges: IntervalEdges, hold: Double) {
    self.rows = rows
    self.hold = Dyadic(hold)
    means = Array(repeating: nil, count: edges.count)
  }

  /// Writes the mean of the interval at hand.
  mutating func close() {
    guard !length.magnitude.isZero else { return }
    means[interval] = integral.quotient(by: length)
    integral = ExactSum()
    length = Dyadic(0)
  }

  private mutating func add(_ height: ExactMean, seconds: Dyadic) {
    integral.add(height.sum * seconds, over: height.count)
    length = (length + seconds).reduced
  }

  private func seconds(from start: Double, to end: Double) -> Dyadic {
    Dyadic(end) - Dyadic(start)
  }
}

extension ExactCurveTable: CurveCanvas {
  func height(of rows: some Collection<Int>) -> ExactMean {
    ExactMean(of: rows.map { self.rows.values[$0] })
  }

  func height(of open: OpenSamples) -> ExactMean? {
    open.isEmpty ? nil : ExactMean(openSum, count: open.count)
  }

  mutating func open(_ row: Int) { openSum.add(rows.values[row]) }
  mutating func close(_ row: Int) { openSum.add(-rows.values[row]) }

  mutating func enter(interval: Int) {
    close()
    self.interval = interval
  }

  mutating func addLevel(_ height: ExactMean, from start: Double, to end: Double) {
    add(height, seconds: seconds(from: start, to: end))
  }

  mutating func addGap(from start: Double, to end: Double, first: ExactMean, last: ExactMean) {
    // Half of the way belongs to either side.
    let half = min(
      seconds(from: start, to: end) * Dyadic(0.5), hold)
    add(first, seconds: half)
    add(last, seconds: half)
  }

  mutating func addHold(_ height: ExactMean, from start: Double, to end: Double) {
    add(height, seconds: min(seconds(from: start, to: end), hold))
  }

  mutating func drawLoneRows(
    from row: Int, last: (end: Double, height: ExactMean)?
  ) -> (row: Int, interval: Int, isBegun: Bool)? { nil }
}
