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
    var low = 0
    var high = edges.count
    while low < high {
      let middle = (low + high) / 2
      if edges[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low == 0 || low == edges.count ? nil : low - 1
  }
}
