/// From the indices of one table to those of another, each found when it is first asked for.
package struct IndexRemap: Sendable {
  @usableFromInline var remapped: [UInt32]
  /// The indices that ``compact(_:)`` was asked for, in the order of first use.
  package private(set) var used: [Int] = []

  /// A map of a table of so many entries.
  package init(count: Int) { remapped = Array(repeating: .max, count: count) }

  /// The number of entries of the table.
  package var count: Int { remapped.count }

  /// The new index of an entry, which `find` gives the first time.
  @inlinable package mutating func index<Failure>(
    of entry: some FixedWidthInteger, find: (Int) throws(Failure) -> UInt32
  ) throws(Failure) -> UInt32 {
    let known = remapped[Int(entry)]
    if known != .max { return known }
    let index = try find(Int(entry))
    remapped[Int(entry)] = index
    return index
  }

  /// The index of an entry among those that are used, in the order of first use.
  @inlinable package mutating func compact(_ entry: some FixedWidthInteger) -> UInt32 {
    let known = remapped[Int(entry)]
    return known != .max ? known : add(Int(entry))
  }

  @usableFromInline mutating func add(_ entry: Int) -> UInt32 {
    let index = UInt32(used.count)
    remapped[entry] = index
    used.append(entry)
    return index
  }
}
