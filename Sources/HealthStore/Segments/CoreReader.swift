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

  /// Decodes the next block; 0 at the end.
  mutating func next(into block: RowBlock) throws(SegmentDamage) -> Int {
    let rows = min(count - done, RowBlock.capacity)
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
