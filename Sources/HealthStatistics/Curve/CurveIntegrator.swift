@_spi(Queues) import HealthSamples

/// Open rows by their ends.
typealias OpenRows = PriorityQueue<Double, Int>

/// Integrates the curves of successive intervals, from pieces in ascending order that do not
/// overlap.
///
/// ``CurveTable`` rounds, ``ExactCurveTable`` does not; both get the same pieces.
protocol CurveIntegrator {
  /// A height of the curve.
  associatedtype Height

  /// The mean of the values of some rows, at least one.
  func height(of rows: some Collection<Int>) -> Height
  /// The mean of the values of the open samples; `nil` when there are none.
  func height(of open: OpenRows) -> Height?

  /// A row is open from now on.
  mutating func open(_ row: Int)
  /// A row is no longer open.
  mutating func close(_ row: Int)

  /// Moves on to a later interval.
  mutating func enter(interval: Int)
  /// Adds a piece of constant height.
  mutating func addLevel(_ height: Height, from start: Double, to end: Double)
  /// Adds the gap between two heights: a line, or each height held up to the hold time.
  mutating func addGap(from start: Double, to end: Double, first: Height, last: Height)
  /// Adds a height that is held towards an edge.
  mutating func addHeldValue(_ height: Height, from start: Double, to end: Double)
  /// Integrates rows from `row` on that overlap no other row, while no sample is open.
  ///
  /// - Parameters:
  ///   - row: the first row
  ///   - last: the end of the curve so far in the current interval; `nil` at its start
  /// - Returns: the first row that was not integrated, and the interval of that row or of the last
  ///   one, with whether that interval has a curve so far
  mutating func integrateDisjointRows(
    from row: Int, last: (end: Double, height: Height)?
  ) -> (row: Int, interval: Int, isBegun: Bool)?
}
