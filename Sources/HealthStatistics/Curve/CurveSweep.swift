import HealthSamples

/// Draws the curve of a temporally weighted type, from the first sample to the last: the one place
/// that decides what lies between samples (see ``MeanMethod/temporallyWeighted``).
struct CurveSweep<Canvas: CurveCanvas> {
  private let segments: SegmentColumns
  private let hold: Double
  private let scale: Double
  private var canvas: Canvas
  private var open = OpenSamples()
  // Up to where the curve is drawn while samples are open.
  private var position = -Double.infinity
  // The latest end so far, and the values of all samples that end there.
  private var lastEnd = -Double.infinity
  private var lastValues: [Double] = []

  /// Draws the curve of some rows.
  ///
  /// - Parameters:
  ///   - segments: whole samples
  ///   - rows: rows of `segments` in the order of their starts
  ///   - hold: for how long a lone value stands; half of the longest gap that is bridged
  ///   - scale: a power of two by which values are multiplied
  ///   - canvas: what to draw on
  /// - Returns: the canvas with the curve on it
  /// - Complexity: O(*n* log *k* + intervals) where *k* samples are open at once
  static func drawing(
    of segments: SegmentColumns, rows: [Int], hold: Double, scale: Double = 1, on canvas: Canvas
  ) -> Canvas {
    var sweep = CurveSweep(segments: segments, hold: hold, scale: scale, canvas: canvas)
    sweep.draw(rows)
    return sweep.canvas
  }

  private init(segments: SegmentColumns, hold: Double, scale: Double, canvas: Canvas) {
    self.segments = segments
    self.hold = hold
    self.scale = scale
    self.canvas = canvas
  }

  private mutating func draw(_ rows: [Int]) {
    var next = 0
    while next < rows.count {
      let start = segments.starts[rows[next]]
      var group = next + 1
      while group < rows.count, segments.starts[rows[group]] == start { group += 1 }
      close(until: start)
      if open.isEmpty { cross(to: start, height: height(rows[next..<group])) }
      let isAlone = open.isEmpty && group == next + 1
      let end = segments.ends[rows[next]]
      if isAlone, group == rows.count || end <= segments.starts[rows[group]] {
        // Most samples meet no other: nothing needs to be kept open.
        let value = value(rows[next])
        canvas.addLevel(canvas.height(value), from: start, to: end)
        finish(value, at: end)
      } else {
        for row in rows[next..<group] { begin(row) }
      }
      position = start
      next = group
    }
    close(until: .infinity)
    if !lastValues.isEmpty {
      canvas.addHold(canvas.height(meanOf: lastValues), after: lastEnd, seconds: hold)
    }
  }

  private func value(_ row: Int) -> Double { segments.values[row] * scale }

  private func height(_ rows: ArraySlice<Int>) -> Canvas.Height {
    if rows.count == 1, let row = rows.first { return canvas.height(value(row)) }
    return canvas.height(meanOf: rows.map(value))
  }

  private mutating func begin(_ row: Int) {
    let end = segments.ends[row]
    if end > segments.starts[row] {
      open.insert(end: end, value: value(row))
    } else {
      finish(value(row), at: end)
    }
  }

  /// Draws what is open up to an instant, and closes what ends until then.
  private mutating func close(until limit: Double) {
    while let height = canvas.height(of: open), let end = open.firstEnd {
      canvas.addLevel(height, from: position, to: min(end, limit))
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
  private mutating func cross(to start: Double, height: Canvas.Height) {
    guard lastEnd < start else { return }
    guard !lastValues.isEmpty else {
      return canvas.addHold(height, before: start, seconds: hold)
    }
    let before = canvas.height(meanOf: lastValues)
    if start - lastEnd <= 2 * hold {
      canvas.addLine(from: lastEnd, to: start, first: before, last: height)
    } else {
      canvas.addHold(before, after: lastEnd, seconds: hold)
      canvas.addHold(height, before: start, seconds: hold)
    }
  }
}
