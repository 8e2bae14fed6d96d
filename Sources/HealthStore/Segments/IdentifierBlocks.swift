/// Blocks of small numbers: places in a table, and copies.
enum IdentifierBlocks {
  static func append(
    _ identifiers: some Collection<UInt32>, room block: RowBlock, to writer: inout ByteWriter
  ) {
    var count = 0
    for identifier in identifiers {
      block.numbers[count] = Int64(identifier)
      count += 1
    }
    PackedIntegers.append(UnsafeBufferPointer(block.numbers.first(count)), to: &writer)
  }

  /// Reads `count` numbers that must lie in `bounds`.
  static func read(
    _ count: Int, in bounds: ClosedRange<Int64>, room block: RowBlock,
    into identifiers: UnsafeMutableBufferPointer<UInt32>, from reader: inout ByteReader
  ) throws(SegmentDamage) {
    if bounds == 0...0, PackedIntegers.skipZeros(in: &reader) {
      return identifiers.first(count).update(repeating: 0)
    }
    let numbers = block.numbers.first(count)
    try PackedIntegers.read(numbers, from: &reader)
    var isInside = true
    for index in 0..<count {
      isInside = isInside && bounds.contains(numbers[index])
      identifiers[index] = UInt32(truncatingIfNeeded: numbers[index])
    }
    guard isInside else { throw SegmentDamage() }
  }
}
