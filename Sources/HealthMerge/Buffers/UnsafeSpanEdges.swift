import HealthSamples

/// The spans and instants of covered time as raw columns, see ``CoveredTime/edges``.
struct UnsafeSpanEdges: @unchecked Sendable {
  let edges: UnsafePointer<Double>
  /// The instants of zero-length samples, ascending.
  let instants: UnsafeBufferPointer<Double>
  /// The number of spans without the sentinel at infinity.
  let count: Int

  func start(ofSpan span: Int) -> Double { edges[2 &* span &+ 1] }
  func end(ofSpan span: Int) -> Double { edges[2 &* span &+ 2] }

  /// The first span that ends at or after an instant, at the latest the sentinel.
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

  /// The same, searching backwards from `span`.
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
  func withUnsafeEdges<Result>(_ body: (UnsafeSpanEdges) -> Result) -> Result {
    edges.withUnsafeBufferPointer { edges in
      instants.withUnsafeBufferPointer { instants in
        guard let first = edges.baseAddress else { preconditionFailure("There are edges.") }
        return body(UnsafeSpanEdges(edges: first, instants: instants, count: spanCount))
      }
    }
  }
}

extension UnsafeBufferPointer<Double> {
  /// The first index from `index` on at which a monotonic predicate is true; `count` when there is
  /// none.
  ///
  /// - Complexity: O(log *d*) in the distance, by galloping
  func firstIndex(from index: Int, where isAfter: (Double) -> Bool) -> Int {
    guard index < count, !isAfter(self[index]) else { return index }
    var low = index
    var step = 1
    while low + step < count, !isAfter(self[low + step]) {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step, count)
    low += 1
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
