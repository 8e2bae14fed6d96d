import HealthSamples
internal import _HealthNumerics

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
    (span..<count).partitioningIndex(near: span) { end(ofSpan: $0) >= instant }
  }

  /// The same, searching backwards from `span`.
  ///
  /// - Complexity: O(log *d*) in the distance from `span`
  func firstSpan(endingAtOrAfter instant: Double, before span: Int) -> Int {
    (0..<span).partitioningIndex(near: span) { end(ofSpan: $0) >= instant }
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
  /// The first index from `index` on whose number is not below `bound`, in an ascending column.
  ///
  /// - Complexity: O(log *d*) in the distance from `index`
  func firstIndex(notBelow bound: Double, from index: Int) -> Int {
    (index..<count).partitioningIndex(near: index) { self[$0] >= bound }
  }
}

extension Range<Int> {
  /// The first index at which a predicate holds that stays true from there on; the upper bound when
  /// there is none.
  ///
  /// Sweeps search on from where they are, so steps double from the hint (galloping search), and a
  /// binary search follows. `hk_last_edge` does the same over plain columns, for kernels in C too.
  ///
  /// - Precondition: `hint` is an index or the upper bound.
  /// - Complexity: O(log *d*) in the distance from the hint
  @inline(__always)
  fileprivate func partitioningIndex(near hint: Int, where isAfter: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    var step = 1
    if hint < upperBound, !isAfter(hint) {
      low = hint
      while low + step < upperBound, !isAfter(low + step) {
        low += step
        step *= 2
      }
      high = Swift.min(low + step, upperBound)
      low += 1
    } else {
      high = hint
      while high - step >= lowerBound, isAfter(high - step) {
        high -= step
        step *= 2
      }
      low = Swift.max(high - step, lowerBound)
    }
    return (low..<high).partitioningIndex(where: isAfter)
  }
}
