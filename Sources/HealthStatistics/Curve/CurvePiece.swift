/// One piece of a curve over time: a straight line from one instant to a later one.
struct CurvePiece {
  let start: Double
  let end: Double
  let first: Double
  let last: Double

  init(from start: Double, to end: Double, first: Double, last: Double) {
    self.start = start
    self.end = end
    self.first = first
    self.last = last
  }

  init(from start: Double, to end: Double, value: Double) {
    self.init(from: start, to: end, first: value, last: value)
  }

  /// The mean height over a part, which of a line is the height in its middle.
  func height(from partStart: Double, to partEnd: Double) -> Double {
    guard first != last else { return first }
    let share = ((partStart - start) + (partEnd - start)) / (2 * (end - start))
    return first + (last - first) * share
  }
}
