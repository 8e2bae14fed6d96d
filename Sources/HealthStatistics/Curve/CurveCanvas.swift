/// What a curve is drawn on, piece by piece from the earliest on; no two pieces overlap.
///
/// ``CurveTable`` rounds, ``ExactCurveTable`` does not; which pieces there are is the same.
protocol CurveCanvas {
  /// A height of the curve.
  associatedtype Height

  /// One value.
  func height(_ value: Double) -> Height
  /// The mean of some values, at least one.
  func height(meanOf values: [Double]) -> Height
  /// The mean of what is open; `nil` when nothing is.
  func height(of open: OpenSamples) -> Height?

  /// Adds a piece of one height; one without length is nothing.
  mutating func addLevel(_ height: Height, from start: Double, to end: Double)
  /// Adds a straight line.
  mutating func addLine(from start: Double, to end: Double, first: Height, last: Height)
  /// Adds a height that is held for some seconds after an instant.
  mutating func addHold(_ height: Height, after instant: Double, seconds: Double)
  /// Adds a height that holds some seconds before an instant.
  mutating func addHold(_ height: Height, before instant: Double, seconds: Double)
}
