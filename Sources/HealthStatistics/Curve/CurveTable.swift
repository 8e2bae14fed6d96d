/// The integral of a curve over each interval, and for how long it is defined there.
struct CurveTable {
  private let edges: IntervalEdges
  private var integrals: [CompensatedSum]
  private var lengths: [CompensatedSum]
  private var hint = 0

  init(edges: IntervalEdges) {
    self.edges = edges
    integrals = Array(repeating: CompensatedSum(), count: edges.count)
    lengths = integrals
  }

  /// The mean height in an interval; `nil` where the curve has no length.
  func mean(interval: Int) -> Double? {
    lengths[interval].result > 0 ? integrals[interval].quotient(by: lengths[interval]) : nil
  }

  /// For how long the curve is defined in an interval, in seconds.
  func length(interval: Int) -> Double { lengths[interval].result }

  /// Adds a piece that begins where the last one ended, or later; one without length is nothing.
  ///
  /// - Complexity: O(intervals met)
  private mutating func add(_ piece: CurvePiece) {
    guard piece.start < piece.end, edges.count > 0 else { return }
    let met = edges.intervals(from: piece.start, to: piece.end, near: hint)
    for index in met {
      let start = max(piece.start, edges.edges[index])
      let end = min(piece.end, edges.edges[index + 1])
      let length = end - start
      integrals[index].add(productOf: piece.height(from: start, to: end), and: length)
      lengths[index].add(length)
    }
    hint = met.isEmpty ? hint : met.upperBound - 1
  }
}

extension CurveTable: CurveCanvas {
  func height(_ value: Double) -> Double { value }

  /// Correctly rounded, so that the order of samples at one instant plays no part.
  func height(meanOf values: [Double]) -> Double {
    guard let first = values.first, values.contains(where: { $0 != first }) else {
      return values.first ?? 0
    }
    var sum = ExactSum()
    for value in values { sum.add(value) }
    return sum.mean(count: values.count)
  }

  func height(of open: OpenSamples) -> Double? { open.mean }

  mutating func addLevel(_ height: Double, from start: Double, to end: Double) {
    add(CurvePiece(from: start, to: end, value: height))
  }

  mutating func addLine(from start: Double, to end: Double, first: Double, last: Double) {
    add(CurvePiece(from: start, to: end, first: first, last: last))
  }

  mutating func addHold(_ height: Double, after instant: Double, seconds: Double) {
    addLevel(height, from: instant, to: instant + seconds)
  }

  mutating func addHold(_ height: Double, before instant: Double, seconds: Double) {
    addLevel(height, from: instant - seconds, to: instant)
  }
}
