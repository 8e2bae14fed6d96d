/// What the curve of one interval after the other is drawn on, piece by piece from the earliest on;
/// no two pieces overlap.
///
/// ``CurveTable`` rounds, ``ExactCurveTable`` does not; which pieces there are is the same.
protocol CurveCanvas {
  /// A height of the curve.
  associatedtype Height

  /// The mean of the values of some rows, at least one.
  func height(of rows: some Collection<Int>) -> Height
  /// The mean of the values of what is open; `nil` when nothing is.
  func height(of open: OpenSamples) -> Height?

  /// Notes that a row is open from now on.
  mutating func open(_ row: Int)
  /// Notes that a row is open no longer.
  mutating func close(_ row: Int)

  /// Goes on to a later interval.
  mutating func enter(interval: Int)
  /// Adds a piece of one height.
  mutating func addLevel(_ height: Height, from start: Double, to end: Double)
  /// Adds what lies in a gap between two heights: a line, or each held for as long as values are.
  mutating func addGap(from start: Double, to end: Double, first: Height, last: Height)
  /// Adds a height that is held towards an edge.
  mutating func addHold(_ height: Height, from start: Double, to end: Double)
  /// Draws rows from `row` on that meet no other, while nothing is open.
  ///
  /// - Parameters:
  ///   - row: the first row
  ///   - last: where the curve of the current interval ends so far; `nil` at its beginning
  /// - Returns: the first row that was not drawn, and the interval to which it or the last one
  ///   belongs, with whether anything is drawn in it
  mutating func drawLoneRows(
    from row: Int, last: (end: Double, height: Height)?
  ) -> (row: Int, interval: Int, isBegun: Bool)?
}
