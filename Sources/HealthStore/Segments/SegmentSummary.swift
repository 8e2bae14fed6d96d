/// What is known of a segment block by block without decoding it: where its samples lie in time and
/// what their recorded values add up to.
///
/// A question reads it first, and of the segment only the blocks that an edge of an interval cuts.
struct SegmentSummary: Equatable {
  /// The form of the bytes; another one is refused.
  private static let version: UInt8 = 1

  /// The number of rows.
  var count = 0
  /// What stands beside every value; `nil` when it is not the same everywhere.
  var label: String?
  /// The blocks in order; all but the last have ``RowBlock/capacity`` rows.
  var blocks: [BlockSummary] = []

  /// The number of rows of a block.
  func rowCount(ofBlock block: Int) -> Int {
    min(RowBlock.capacity, count - block * RowBlock.capacity)
  }
}

extension SegmentSummary {
  /// The bytes in which it is kept.
  ///
  /// - Complexity: O(blocks)
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(Self.version)
    writer.append(variable: UInt64(count))
    writer.append(UInt8(label == nil ? 0 : 1))
    if let label { writer.append(label) }
    for block in blocks {
      writer.append(variable: UInt64(block.offset))
      for number in block.numbers { writer.append(number.bitPattern) }
    }
    writer.seal()
    return writer.bytes
  }

  /// Reads it back.
  ///
  /// - Complexity: O(blocks)
  init(_ bytes: [UInt8]) throws(SegmentDamage) {
    var reader = try ByteReader(sealed: bytes)
    guard try reader.byte() == Self.version else { throw SegmentDamage() }
    let count = try reader.variable()
    guard count > 0, count <= UInt64(EncodedSegment.mostRows) else { throw SegmentDamage() }
    self.count = Int(count)
    label = try reader.byte() == 0 ? nil : try reader.text()
    blocks.reserveCapacity(self.count / RowBlock.capacity + 1)
    for _ in stride(from: 0, to: self.count, by: RowBlock.capacity) {
      blocks.append(try BlockSummary(from: &reader))
    }
    guard reader.isAtEnd else { throw SegmentDamage() }
  }

  /// Finds it in the times, values and labels of a segment.
  ///
  /// - Complexity: O(*n*)
  init(core: CoreReader, room block: RowBlock) throws(SegmentDamage) {
    var reader = core
    count = reader.count
    label = reader.labelTable.count == 1 ? reader.labelTable[0] : nil
    while true {
      let offset = reader.position
      let rows = try reader.next(into: block)
      guard rows > 0 else { return }
      blocks.append(
        BlockSummary(
          offset: offset, starts: UnsafeBufferPointer(block.starts.first(rows)),
          ends: UnsafeBufferPointer(block.ends.first(rows)),
          values: UnsafeBufferPointer(block.values.first(rows))))
    }
  }
}
