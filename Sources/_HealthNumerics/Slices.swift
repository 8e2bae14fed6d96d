// Names and results are those of swift-algorithms. Its extensions, and those of swift-numerics
// below it, would be visible in every file of a client: `internal import` hides types, not members.

extension RandomAccessCollection {
  /// The first index at which a predicate holds that stays true from there on; `endIndex` when
  /// there is none.
  ///
  /// - Precondition: the elements for which the predicate is false stand first.
  /// - Complexity: O(log `count`)
  @inlinable
  package func partitioningIndex(
    where isAfter: (Element) throws -> Bool
  ) rethrows -> Index {
    var (low, size) = (startIndex, count)
    while size > 0 {
      let half = size / 2
      let middle = index(low, offsetBy: half)
      if try isAfter(self[middle]) {
        size = half
      } else {
        low = index(after: middle)
        size -= half + 1
      }
    }
    return low
  }
}

extension Collection {
  /// The longest runs in which each two neighbours belong together, in order.
  ///
  /// - Complexity: O(`count`)
  @inlinable
  package func chunked(
    by belongsWith: (Element, Element) throws -> Bool
  ) rethrows -> [SubSequence] {
    guard !isEmpty else { return [] }
    var chunks: [SubSequence] = []
    var (start, last) = (startIndex, startIndex)
    var next = index(after: start)
    while next < endIndex {
      if try !belongsWith(self[last], self[next]) {
        chunks.append(self[start..<next])
        start = next
      }
      last = next
      formIndex(after: &next)
    }
    chunks.append(self[start...])
    return chunks
  }

  /// The longest runs of one key, in order.
  ///
  /// - Complexity: O(`count`)
  @inlinable
  package func chunked<Key: Equatable>(
    on key: (Element) throws -> Key
  ) rethrows -> [(Key, SubSequence)] {
    try chunked { try key($0) == key($1) }.map { (try key($0[$0.startIndex]), $0) }
  }

  /// The slices of a length, in order; the last may be shorter.
  ///
  /// - Precondition: `size` is positive.
  /// - Complexity: O(`count`); O(`count` / `size`) with random access
  package func chunks(ofCount size: Int) -> [SubSequence] {
    precondition(size > 0)
    var chunks: [SubSequence] = []
    var start = startIndex
    while start < endIndex {
      let end = index(start, offsetBy: size, limitedBy: endIndex) ?? endIndex
      chunks.append(self[start..<end])
      start = end
    }
    return chunks
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, where it stands first.
  package func uniqued() -> [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
