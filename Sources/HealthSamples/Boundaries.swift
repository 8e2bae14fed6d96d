import CKernels

/// The edges of adjacent intervals: interval *i* is `[edges[i], edges[i + 1])`.
///
/// ```swift
/// let hours = try Boundaries(edges: [0, 3600, 7200])
/// hours.count  // 2
/// ```
///
/// Every interval is half-open; an instant on an edge belongs to the interval that starts there.
public struct Boundaries: Sendable, Hashable {
  /// Strictly ascending, finite instants in seconds since 2001-01-01 UTC; none or at least two.
  public let edges: [Double]

  /// The number of intervals. - Complexity: O(1)
  public var count: Int { max(0, edges.count - 1) }

  /// Makes the boundaries of adjacent intervals; no edges are no intervals.
  ///
  /// - Throws: ``ColumnError`` for an edge that is not finite or not after the previous one, and
  ///   for a single edge; its ``ColumnError/index`` is the index of the edge
  /// - Complexity: O(*n*)
  public init(edges: [Double]) throws(ColumnError) {
    for (index, edge) in edges.enumerated() {
      guard edge.isFinite else { throw ColumnError(.edgeNotFinite, index: index) }
      guard index == 0 || edges[index - 1] < edge else {
        throw ColumnError(.edgesNotAscending, index: index)
      }
    }
    guard edges.count != 1 else { throw ColumnError(.loneEdge, index: 0) }
    self.edges = edges
  }

  /// Makes boundaries from edges that are known to be finite and ascending.
  package init(ascendingEdges edges: [Double]) {
    self.edges = edges
    assert(edges.count != 1 && edges.allSatisfy(\.isFinite))
    assert(zip(edges, edges.dropFirst()).allSatisfy(<))
  }

  /// The boundaries of some of the intervals. - Complexity: O(length of `intervals`)
  public subscript(intervals: Range<Int>) -> Boundaries {
    precondition(
      intervals.lowerBound >= 0 && intervals.upperBound <= count, "There are no such intervals.")
    guard !intervals.isEmpty else { return Boundaries(ascendingEdges: []) }
    return Boundaries(ascendingEdges: Array(edges[intervals.lowerBound...intervals.upperBound]))
  }
}

extension [Double] {
  /// The index of the last of ascending edges at or before an instant; -1 when all are later.
  ///
  /// The search, `hk_last_edge` in C, decides for the whole package that an instant on an edge
  /// belongs to the interval that starts there: intervals, groups of blocks and kernels call it.
  ///
  /// - Precondition: `hint` is -1 or an index, ideally near the result.
  /// - Complexity: O(log *d*) in the distance from the hint
  package func lastEdge(notAfter instant: Double, near hint: Int = -1) -> Int {
    precondition(hint < Swift.max(count, 1))
    return withUnsafeBufferPointer { edges in
      guard let base = edges.baseAddress, !edges.isEmpty else { return -1 }
      return hk_last_edge(base, edges.count, instant, hint)
    }
  }
}
