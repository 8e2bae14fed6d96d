@_spi(Queues) import HealthSamples

/// Computes the curve of a temporally weighted type, each interval from its own samples.
///
/// This and `interval_curves.c`, which integrates rows that overlap no other, decide the height of
/// the curve between samples (see ``MeanMethod/temporallyWeighted``).
struct CurveSweep<Integrator: CurveIntegrator> {
  private let rows: PooledRows
  private let edges: IntervalEdges
  private var integrator: Integrator
  private var open = OpenRows()
  /// The current interval: -1 before the first edge, `edges.count` after the last.
  private var interval = -1
  // The end of the curve so far while samples are open.
  private var position = -Double.infinity
  // The latest end so far inside the interval, and all rows that end there.
  private var lastEnd = -Double.infinity
  private var lastRows: [Int] = []

  /// Integrates the curve of some rows.
  ///
  /// - Parameters:
  ///   - rows: whole samples
  ///   - edges: the intervals
  ///   - integrator: the integrator in its initial state
  /// - Returns: the integrator with all pieces
  /// - Complexity: O(*n* log *k* + intervals overlapped) where *k* samples are open at once
  static func integrating(
    of rows: PooledRows, over edges: IntervalEdges, into integrator: Integrator
  ) -> Integrator {
    var sweep = CurveSweep(rows: rows, edges: edges, integrator: integrator)
    sweep.integrate()
    return sweep.integrator
  }

  private init(rows: PooledRows, edges: IntervalEdges, integrator: Integrator) {
    self.rows = rows
    self.edges = edges
    self.integrator = integrator
  }

  private mutating func integrate() {
    var next = 0
    while next < rows.count, interval < edges.count {
      let start = rows.starts[next]
      advance(to: start)
      if open.isEmpty, isInside {
        let done = integrateDisjointRows(from: next)
        guard done == next else {
          next = done
          continue
        }
        if start >= upperEdge { continue }
      }
      var group = next + 1
      while group < rows.count, rows.starts[group] == start { group += 1 }
      if open.isEmpty, isInside { bridgeGap(to: start, next..<group) }
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

  /// Adds the open samples up to an instant, and ends the intervals that end until then.
  private mutating func advance(to instant: Double) {
    while interval < edges.count, upperEdge <= instant {
      let edge = upperEdge
      close(until: edge)
      if isInside, open.isEmpty, !lastRows.isEmpty, edge < .infinity {
        integrator.addHeldValue(integrator.height(of: lastRows), from: lastEnd, to: edge)
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
    if isInside { integrator.enter(interval: interval) }
  }

  private mutating func begin(_ row: Int) {
    let end = rows.ends[row]
    if end > rows.starts[row] {
      open.insert(row, priority: end)
      integrator.open(row)
    } else {
      finish(row, at: end)
    }
  }

  /// Adds the open samples up to an instant, and closes those that end until then.
  private mutating func close(until limit: Double) {
    while let first = open.first {
      let end = min(first.priority, limit)
      if isInside, position < end, let height = integrator.height(of: open) {
        integrator.addLevel(height, from: position, to: end)
      }
      position = end
      guard first.priority <= limit else { return }
      integrator.close(first.value)
      open.removeFirst()
      finish(first.value, at: first.priority)
    }
  }

  private mutating func finish(_ row: Int, at end: Double) {
    if end != lastEnd {
      lastEnd = end
      lastRows.removeAll(keepingCapacity: true)
    }
    lastRows.append(row)
  }

  /// Adds the gap between the last sample, or the edge of the interval, and the samples that start
  /// now.
  private mutating func bridgeGap(to start: Double, _ group: Range<Int>) {
    let height = integrator.height(of: group)
    if lastRows.isEmpty {
      if lowerEdge > -.infinity { integrator.addHeldValue(height, from: lowerEdge, to: start) }
    } else if lastEnd < start {
      integrator.addGap(
        from: lastEnd, to: start, first: integrator.height(of: lastRows), last: height)
    }
  }

  /// Integrates rows that overlap no other; returns the first row that was not integrated.
  private mutating func integrateDisjointRows(from row: Int) -> Int {
    let last = lastRows.isEmpty ? nil : (lastEnd, integrator.height(of: lastRows))
    guard let done = integrator.integrateDisjointRows(from: row, last: last) else { return row }
    if done.interval != interval { enter(done.interval) }
    if done.row > row, done.isBegun {
      lastEnd = -.infinity
      finish(done.row - 1, at: rows.ends[done.row - 1])
    }
    return done.row
  }
}
