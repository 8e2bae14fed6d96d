import HealthSamples

/// Draws the curve of a temporally weighted type, from the first sample to the last: the one place
/// that decides what lies between samples (see ``MeanMethod/temporallyWeighted``).
struct CurveSweep {
  private let segments: SegmentColumns
  private let hold: Double
  private let scale: Double
  private var table: CurveTable
  private var open = OpenSamples()
  // Up to where the curve is drawn while samples are open.
  private var position = -Double.infinity
  // The latest end so far, and the values of all samples that end there.
  private var lastEnd = -Double.infinity
  private var lastValues: [Double] = []

  /// What the curve of some rows has in each interval.
  ///
  /// - Parameters:
  ///   - segments: whole samples
  ///   - rows: rows of `segments` in the order of their starts
  ///   - hold: for how long a lone value stands; half of the longest gap that is bridged
  ///   - scale: a power of two by which values are multiplied
  ///   - edges: the intervals
  /// - Returns: integrals and lengths
  /// - Complexity: O(*n* log *k* + intervals) where *k* samples are open at once
  static func table(
    of segments: SegmentColumns, rows: [Int], hold: Double, scale: Double, edges: IntervalEdges
  ) -> CurveTable {
    var sweep = CurveSweep(
      segments: segments, hold: hold, scale: scale, table: CurveTable(edges: edges))
    sweep.draw(rows)
    return sweep.table
  }

  private init(segments: SegmentColumns, hold: Double, scale: Double, table: CurveTable) {
    self.segments = segments
    self.hold = hold
    self.scale = scale
    self.table = table
  }

  private mutating func draw(_ rows: [Int]) {
    var next = 0
    while next < rows.count {
      let start = segments.starts[rows[next]]
      var group = next + 1
      while group < rows.count, segments.starts[rows[group]] == start { group += 1 }
      close(until: start)
      if open.isEmpty { cross(to: start, value: meanOfValues(rows[next..<group])) }
      let isAlone = open.isEmpty && group == next + 1
      let end = segments.ends[rows[next]]
      if isAlone, group == rows.count || end <= segments.starts[rows[group]] {
        // Most samples meet no other: nothing needs to be kept open.
        let value = segments.values[rows[next]] * scale
        table.add(CurvePiece(from: start, to: end, value: value))
        finish(value, at: end)
      } else {
        for row in rows[next..<group] { begin(row) }
      }
      position = start
      next = group
    }
    close(until: .infinity)
    if !lastValues.isEmpty {
      table.add(
        CurvePiece(from: lastEnd, to: lastEnd + hold, value: Self.mean(of: lastValues)))
    }
  }

  private mutating func begin(_ row: Int) {
    let value = segments.values[row] * scale
    let end = segments.ends[row]
    if end > segments.starts[row] {
      open.insert(end: end, value: value)
    } else {
      finish(value, at: end)
    }
  }

  private func meanOfValues(_ rows: ArraySlice<Int>) -> Double {
    if rows.count == 1, let row = rows.first { return segments.values[row] * scale }
    return Self.mean(of: rows.map { segments.values[$0] * scale })
  }

  /// Draws what is open up to an instant, and closes what ends until then.
  private mutating func close(until limit: Double) {
    while let mean = open.mean, let end = open.firstEnd {
      table.add(CurvePiece(from: position, to: min(end, limit), value: mean))
      guard end <= limit else { return }
      position = end
      while open.firstEnd == end, let value = open.removeFirst() { finish(value, at: end) }
    }
  }

  private mutating func finish(_ value: Double, at end: Double) {
    if end != lastEnd {
      lastEnd = end
      lastValues.removeAll(keepingCapacity: true)
    }
    lastValues.append(value)
  }

  /// Draws the gap that ends at `start`, where nothing is open.
  private mutating func cross(to start: Double, value: Double) {
    guard lastEnd < start else { return }
    guard !lastValues.isEmpty else {
      table.add(CurvePiece(from: start - hold, to: start, value: value))
      return
    }
    let before = Self.mean(of: lastValues)
    if start - lastEnd <= 2 * hold {
      table.add(CurvePiece(from: lastEnd, to: start, first: before, last: value))
    } else {
      table.add(CurvePiece(from: lastEnd, to: lastEnd + hold, value: before))
      table.add(CurvePiece(from: start - hold, to: start, value: value))
    }
  }

  /// The correctly rounded mean, so that the order of samples at one instant plays no part.
  private static func mean(of values: [Double]) -> Double {
    guard let first = values.first, values.contains(where: { $0 != first }) else {
      return values.first ?? 0
    }
    var sum = ExactSum()
    for value in values { sum.add(value) }
    return sum.mean(count: values.count)
  }
}
