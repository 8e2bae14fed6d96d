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

  /// Adds a piece that begins where the last one ended, or later; one without length is nothing.
  ///
  /// - Complexity: O(intervals met)
  mutating func add(_ piece: CurvePiece) {
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

  /// The mean height in an interval; `nil` where the curve has no length.
  func mean(interval: Int) -> Double? {
    lengths[interval].result > 0 ? integrals[interval].quotient(by: lengths[interval]) : nil
  }

  /// For how long the curve is defined in an interval, in seconds.
  func length(interval: Int) -> Double { lengths[interval].result }
}
