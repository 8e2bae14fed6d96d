/// Maps the indices of one table to those of another, lazily.
package struct IndexRemap: Sendable {
  @usableFromInline var remapped: [UInt32]
  /// The indices passed to ``compact(_:)``, in the order of first use.
  package private(set) var used: [Int] = []

  /// A map for a table of `count` entries.
  package init(count: Int) { remapped = Array(repeating: .max, count: count) }

  /// The number of entries of the table.
  package var count: Int { remapped.count }

  /// The new index of an entry, which `find` returns on first use.
  @inlinable package mutating func index<Failure>(
    of entry: Int, find: (Int) throws(Failure) -> UInt32
  ) throws(Failure) -> UInt32 {
    let known = remapped[entry]
    if known != .max { return known }
    let index = try find(entry)
    remapped[entry] = index
    return index
  }

  /// The index of an entry among the used ones, in the order of first use.
  @inlinable package mutating func compact(_ entry: Int) -> UInt32 {
    let known = remapped[entry]
    return known != .max ? known : add(entry)
  }

  @usableFromInline mutating func add(_ entry: Int) -> UInt32 {
    let index = UInt32(used.count)
    remapped[entry] = index
    used.append(entry)
    return index
  }
}
