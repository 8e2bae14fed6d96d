/// Reads times, values and labels of a segment, block by block.
struct CoreReader {
  let count: Int
  let labelTable: [String]
  private var reader: ByteReader
  private var done = 0

  init(_ bytes: [UInt8]) throws(SegmentDamage) {
    reader = try ByteReader(sealed: bytes)
    count = try reader.segmentHeader()
    var labels: [String] = []
    for _ in 0..<(try reader.count()) { labels.append(try reader.text()) }
    guard !labels.isEmpty, labels.count <= Int(UInt16.max) + 1 else { throw SegmentDamage() }
    labelTable = labels
  }

  /// The bytes of the segment.
  var byteCount: Int { reader.bytes.count }

  /// Where the next block begins.
  var position: Int { reader.position }

  /// Goes to a block that begins at an offset.
  mutating func move(toBlock block: Int, at offset: Int) throws(SegmentDamage) {
    try reader.move(to: offset)
    done = block * RowBlock.capacity
  }

  /// Decodes the next block; 0 at the end.
  mutating func next(into block: RowBlock) throws(SegmentDamage) -> Int {
    let rows = max(0, min(count - done, RowBlock.capacity))
    guard rows > 0 else {
      guard reader.isAtEnd else { throw SegmentDamage() }
      return 0
    }
    try TimeBlocks.read(rows, into: block, from: &reader)
    try ValueBlocks.read(rows, into: block, from: &reader)
    try IdentifierBlocks.read(
      rows, in: 0...Int64(labelTable.count - 1), room: block, into: block.labels, from: &reader)
    done += rows
    return rows
  }
}

extension ByteReader {
  /// The version and the number of rows.
  mutating func segmentHeader() throws(SegmentDamage) -> Int {
    guard try byte() == EncodedSegment.version else { throw SegmentDamage() }
    let count = try variable()
    guard count > 0, count <= UInt64(EncodedSegment.mostRows) else { throw SegmentDamage() }
    return Int(count)
  }
}
