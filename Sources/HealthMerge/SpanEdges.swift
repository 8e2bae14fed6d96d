import HealthSamples

/// The spans of covered time as one raw column, see ``CoveredTime/edges``.
struct SpanEdges: @unchecked Sendable {
  let edges: UnsafePointer<Double>
  /// The places of zero-length samples, ascending.
  let instants: UnsafeBufferPointer<Double>
  /// The number of spans, the one at infinity left out.
  let count: Int

  func start(ofSpan span: Int) -> Double { edges[2 &* span &+ 1] }
  func end(ofSpan span: Int) -> Double { edges[2 &* span &+ 2] }

  /// The first span that ends at or after an instant, the one at infinity at the latest.
  ///
  /// - Complexity: O(log *d*) in the distance from `span`
  func firstSpan(endingAtOrAfter instant: Double, from span: Int) -> Int {
    guard end(ofSpan: span) < instant else { return span }
    var low = span
    var step = 1
    while low + step < count, end(ofSpan: low + step) < instant {
      low += step
      step *= 2
    }
    return firstSpan(in: low + 1..<min(low + step, count), endingAtOrAfter: instant)
  }

  /// The same, or `span` when all before it end earlier.
  ///
  /// - Complexity: O(log *d*) in the distance from `span`
  func firstSpan(endingAtOrAfter instant: Double, before span: Int) -> Int {
    var high = span
    var step = 1
    while step <= high, end(ofSpan: high - step) >= instant {
      high -= step
      step *= 2
    }
    return firstSpan(in: max(0, high - step)..<high, endingAtOrAfter: instant)
  }

  private func firstSpan(in spans: Range<Int>, endingAtOrAfter instant: Double) -> Int {
    var (low, high) = (spans.lowerBound, spans.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if end(ofSpan: middle) < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension CoveredTime {
  /// Calls `body` with the spans as one raw column.
  func withUnsafeEdges<Result>(_ body: (SpanEdges) -> Result) -> Result {
    edges.withUnsafeBufferPointer { edges in
      instants.withUnsafeBufferPointer { instants in
        guard let first = edges.baseAddress else { preconditionFailure("There are edges.") }
        return body(SpanEdges(edges: first, instants: instants, count: spanCount))
      }
    }
  }
}
