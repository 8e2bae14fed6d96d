public import HealthSamples

/// The order in which sources are believed, highest first.
///
/// ```swift
/// let priority = SourcePriority(order: [watch, phone])
/// priority.rank(of: phone)  // 1
/// ```
///
/// A source may be missing from it: it ranks below all listed ones (see ``ranking(of:)``).
public struct SourcePriority: Sendable, Hashable {
  /// The sources from the highest rank down, each once.
  public let order: [Source]
  private let ranks: [Source: Int]

  /// Makes an order; of a source that stands twice the first place counts.
  ///
  /// - Complexity: O(*n*)
  public init(order: [Source]) {
    var ranks: [Source: Int] = [:]
    self.order = order.filter { source in
      guard ranks[source] == nil else { return false }
      ranks[source] = ranks.count
      return true
    }
    self.ranks = ranks
  }

  /// The place of a source, 0 the highest; `nil` for one that is not listed.
  public func rank(of source: Source) -> Int? { ranks[source] }
}
