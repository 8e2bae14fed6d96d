import HealthSamples

/// Draws the curve of a temporally weighted type, interval by interval, each from its own samples:
/// the one place that decides what lies between them (see ``MeanMethod/temporallyWeighted``).
///
/// Here and in `interval_curves.c`, which draws rows that meet no other.
struct CurveSweep<Canvas: CurveCanvas> {
  private let rows: PooledRows
  private let edges: IntervalEdges
  private var canvas: Canvas
  private var open = OpenSamples()
  /// The current interval: -1 before all, `edges.count` after all.
  private var interval = -1
  // Up to where the curve is drawn while samples are open.
  private var position = -Double.infinity
  // The latest end so far inside of the interval, and all rows that end there.
  private var lastEnd = -Double.infinity
  private var lastRows: [Int] = []

  /// Draws the curve of some rows.
  ///
  /// - Parameters:
  ///   - rows: whole samples
  ///   - edges: the intervals
  ///   - canvas: what to draw on
  /// - Returns: the canvas with the curve on it
  /// - Complexity: O(*n* log *k* + intervals met) where *k* samples are open at once
  static func drawing(
    of rows: PooledRows, over edges: IntervalEdges, on canvas: Canvas
  ) -> Canvas {
    var sweep = CurveSweep(rows: rows, edges: edges, canvas: canvas)
    sweep.draw()
    return sweep.canvas
  }

  private init(rows: PooledRows, edges: IntervalEdges, canvas: Canvas) {
    self.rows = rows
    self.edges = edges
    self.canvas = canvas
  }

  private mutating func draw() {
    var next = 0
    while next < rows.count, interval < edges.count {
      let start = rows.starts[next]
      advance(to: start)
      if open.isEmpty, isInside {
        let drawn = drawLoneRows(from: next)
        guard drawn == next else {
          next = drawn
          continue
        }
        if start >= upperEdge { continue }
      }
      var group = next + 1
      while group < rows.count, rows.starts[group] == start { group += 1 }
      if open.isEmpty, isInside { cross(to: start, next..<group) }
      for row in next..<group { begin(row) }
      position = start
      next = group
    }
    advance(to: .infinity)
  }

  private var isInside: Bool { interval >= 0 && interval < edges.count }
  private var lowerEdge: Double { interval < 0 ? -.infinity : edges.edges[interval] }
  private var upperEdge: Double {
    interval < edges.count ? edges.edges[interval + 1] : .infinity
  }

  /// Draws what is open up to an instant, and ends the intervals that end until then.
  private mutating func advance(to instant: Double) {
    while interval < edges.count, upperEdge <= instant {
      let edge = upperEdge
      close(until: edge)
      if isInside, open.isEmpty, !lastRows.isEmpty, edge < .infinity {
        canvas.addHold(canvas.height(of: lastRows), from: lastEnd, to: edge)
      }
      if open.isEmpty {
        enter(edges.interval(startingNotAfter: instant, near: interval))
      } else {
        enter(interval + 1)
        position = edge
      }
    }
    close(until: instant)
  }

  private mutating func enter(_ next: Int) {
    interval = next
    lastEnd = -.infinity
    lastRows.removeAll(keepingCapacity: true)
    if isInside { canvas.enter(interval: interval) }
  }

  private mutating func begin(_ row: Int) {
    let end = rows.ends[row]
    if end > rows.starts[row] {
      open.insert(end: end, row: row)
      canvas.open(row)
    } else {
      finish(row, at: end)
    }
  }

  /// Draws what is open up to an instant, and closes what ends until then.
  private mutating func close(until limit: Double) {
    while let first = open.first {
      let end = min(first.end, limit)
      if isInside, position < end, let height = canvas.height(of: open) {
        canvas.addLevel(height, from: position, to: end)
      }
      position = end
      guard first.end <= limit else { return }
      canvas.close(first.row)
      open.removeFirst()
      finish(first.row, at: first.end)
    }
  }

  private mutating func finish(_ row: Int, at end: Double) {
    if end != lastEnd {
      lastEnd = end
      lastRows.removeAll(keepingCapacity: true)
    }
    lastRows.append(row)
  }

  /// Draws what lies between the last sample, or the edge of the interval, and those that start now.
  private mutating func cross(to start: Double, _ group: Range<Int>) {
    let height = canvas.height(of: group)
    if lastRows.isEmpty {
      if lowerEdge > -.infinity { canvas.addHold(height, from: lowerEdge, to: start) }
    } else if lastEnd < start {
      canvas.addGap(
        from: lastEnd, to: start, first: canvas.height(of: lastRows), last: height)
    }
  }

  /// Draws rows that meet no other; the first that was not drawn.
  private mutating func drawLoneRows(from row: Int) -> Int {
    let last = lastRows.isEmpty ? nil : (lastEnd, canvas.height(of: lastRows))
    guard let drawn = canvas.drawLoneRows(from: row, last: last) else { return row }
    if drawn.interval != interval { enter(drawn.interval) }
    if drawn.row > row, drawn.isBegun {
      lastEnd = -.infinity
      finish(drawn.row - 1, at: rows.ends[drawn.row - 1])
    }
    return drawn.row
  }
}
