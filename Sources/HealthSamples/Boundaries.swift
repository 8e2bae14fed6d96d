import CKernels

/// The edges of neighbouring intervals: interval *i* is `[edges[i], edges[i + 1])`.
///
/// Every interval is half-open; an instant on an edge belongs to the interval that starts there.
public struct Boundaries: Sendable, Hashable {
  /// Strictly ascending, finite instants in seconds since 2001-01-01 UTC; none or at least two.
  public let edges: [Double]

  /// The number of intervals. - Complexity: O(1)
  public var count: Int { max(0, edges.count - 1) }

  /// Makes boundaries, or nothing when `edges` are not finite and strictly ascending, or just one.
  ///
  /// - Complexity: O(*n*)
  public init?(edges: [Double]) {
    guard edges.count != 1, edges.allSatisfy(\.isFinite),
      zip(edges, edges.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.edges = edges
  }

  /// The interval that contains `instant`, or `nil` outside of all.
  ///
  /// - Complexity: O(log *n*)
  public func index(of instant: Double) -> Int? {
    let index = edges.lastEdge(notAfter: instant)
    return 0..<count ~= index ? index : nil
  }
}

extension [Double] {
  /// The index of the last of ascending edges at or before an instant; -1 when all are later.
  ///
  /// The search, `hk_last_edge` in C, is where the package decides that an instant on an edge
  /// belongs to the interval that starts there: intervals, groups of blocks and kernels call it.
  ///
  /// - Precondition: `hint` is -1 or an index, best one near the result.
  /// - Complexity: O(log *d*) in the distance from the hint
  package func lastEdge(notAfter instant: Double, near hint: Int = -1) -> Int {
    precondition(hint < Swift.max(count, 1))
    return withUnsafeBufferPointer { edges in
      guard let base = edges.baseAddress, !edges.isEmpty else { return -1 }
      return hk_last_edge(base, edges.count, instant, hint)
    }
  }
}
