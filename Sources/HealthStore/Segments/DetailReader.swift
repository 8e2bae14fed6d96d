import HealthSamples

/// Reads creation dates, origins, metadata and copies of a segment, block by block, after
/// ``CoreReader`` has read the same block.
struct DetailReader {
  let count: Int
  /// The origins with their tellings.
  let originTable: [Origin]
  private let keyTable: [String]
  /// Where each entry of the metadata table begins; the empty one is not written.
  private let metadataOffsets: [Int]
  private var reader: ByteReader
  private var done = 0

  init(_ bytes: [UInt8]) throws(SegmentDamage) {
    reader = try ByteReader(sealed: bytes)
    count = try reader.segmentHeader()
    var origins: [Origin] = []
    for _ in 0..<(try reader.count(ofSize: 3)) {
      var origin = Origin(sourceVersion: try reader.text(), device: try reader.text())
      guard let telling = UInt32(exactly: try reader.variable()) else { throw SegmentDamage() }
      origin.telling = telling
      origins.append(origin)
    }
    guard !origins.isEmpty else { throw SegmentDamage() }
    originTable = origins
    var keys: [String] = []
    for _ in 0..<(try reader.count()) { keys.append(try reader.text()) }
    keyTable = keys
    var offsets: [Int] = []
    for _ in 0..<(try reader.count()) {
      offsets.append(reader.position)
      for _ in 0..<(try reader.count(ofSize: 2)) {
        guard try reader.variable() < UInt64(keys.count) else { throw SegmentDamage() }
        try reader.skipText()
      }
    }
    metadataOffsets = offsets
  }

  /// The entries in the metadata table, the empty one at 0 included.
  var metadataCount: Int { metadataOffsets.count + 1 }

  /// One entry of the metadata table, decoded when it is asked for: most tables are large and
  /// little read.
  func metadata(_ place: Int) throws(SegmentDamage) -> Metadata {
    guard place > 0 else { return Metadata() }
    var reader = reader
    try reader.move(to: metadataOffsets[place - 1])
    var metadata = Metadata()
    for _ in 0..<(try reader.count(ofSize: 2)) {
      let key = keyTable[Int(try reader.variable())]
      metadata.entries.append(Metadata.Entry(key: key, value: try reader.text()))
    }
    return metadata
  }

  /// Decodes the next block.
  mutating func next(into block: RowBlock) throws(SegmentDamage) -> Int {
    let rows = min(count - done, RowBlock.capacity)
    guard rows > 0 else {
      guard reader.isAtEnd else { throw SegmentDamage() }
      return 0
    }
    try CreationBlocks.read(rows, into: block, from: &reader)
    try IdentifierBlocks.read(
      rows, in: 0...Int64(originTable.count - 1), room: block, into: block.origins, from: &reader)
    try IdentifierBlocks.read(
      rows, in: 0...Int64(metadataOffsets.count), room: block, into: block.metadata,
      from: &reader)
    try IdentifierBlocks.read(
      rows, in: 0...Int64(UInt32.max), room: block, into: block.copies, from: &reader)
    done += rows
    return rows
  }
}
