import GRDB
import HealthSamples

extension Database {
  /// A reader of times, values and labels of a chunk, before the first block.
  func core(of chunk: Int64) throws -> CoreReader {
    try Corruption.naming(chunk) {
      let bytes = try bytes(sql: "SELECT core FROM chunks WHERE id = ?", arguments: [chunk])
      return try CoreReader(ValueOwner.core(chunk: chunk).untagged(bytes))
    }
  }
}

/// Reads times, values and labels of a chunk, block by block.
struct CoreReader {
  let count: Int
  let labelTable: [String]
  private var reader: ByteReader
  private var done = 0

  init(_ bytes: [UInt8]) throws(Corruption) {
    reader = try ByteReader(checked: bytes)
    count = try reader.chunkHeader()
    var labels: [String] = []
    for _ in 0..<(try reader.count()) { labels.append(try reader.text()) }
    guard !labels.isEmpty, labels.count <= Int(UInt16.max) + 1 else { throw Corruption() }
    labelTable = labels
  }

  /// The offset of the next block.
  var position: Int { reader.position }

  /// Moves to a block that starts at an offset.
  mutating func move(toBlock block: Int, at offset: Int) throws(Corruption) {
    try reader.move(to: offset)
    done = block * RowBlock.capacity
  }

  /// Decodes the next block; 0 at the end.
  mutating func next(into block: RowBlock) throws(Corruption) -> Int {
    let rows = max(0, min(count - done, RowBlock.capacity))
    guard rows > 0 else {
      guard reader.isAtEnd else { throw Corruption() }
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
  mutating func chunkHeader() throws(Corruption) -> Int {
    guard try byte() == EncodedChunk.version else { throw Corruption() }
    let count = try variable()
    guard count > 0, count <= UInt64(EncodedChunk.mostRows) else { throw Corruption() }
    return Int(count)
  }
}

/// Reads creation dates, origins, metadata and copies of a chunk, block by block, after
/// ``CoreReader`` has read the same block.
struct DetailReader {
  let count: Int
  /// The origins with their sets of members.
  let originTable: [Origin]
  private let keyTable: [MetadataKey]
  /// Whether any row has an entry of ``SyncKeys``.
  let hasSyncKeys: Bool
  /// The offset of each entry of the metadata table; the empty one is not stored.
  private let metadataOffsets: [Int]
  private var reader: ByteReader
  private var done = 0

  init(_ bytes: [UInt8]) throws(Corruption) {
    reader = try ByteReader(checked: bytes)
    count = try reader.chunkHeader()
    var origins: [Origin] = []
    for _ in 0..<(try reader.count(ofSize: 3)) {
      let (version, device) = (try reader.text(), try reader.text())
      origins.append(
        Origin(storedVersion: version, device: device, numbers: try reader.variable()))
    }
    guard !origins.isEmpty else { throw Corruption() }
    originTable = origins
    var keys: [MetadataKey] = []
    for _ in 0..<(try reader.count(ofSize: 2)) { keys.append(try MetadataKey(from: &reader)) }
    keyTable = keys
    hasSyncKeys = keys.contains { SyncKeys.isKey($0.text) }
    var offsets: [Int] = []
    for _ in 0..<(try reader.count()) {
      offsets.append(reader.position)
      for _ in 0..<(try reader.count(ofSize: 2)) {
        guard try reader.variable() < UInt64(keys.count) else { throw Corruption() }
        try reader.skipText()
      }
    }
    metadataOffsets = offsets
  }

  /// The entries in the metadata table, including the empty one at 0.
  var metadataCount: Int { metadataOffsets.count + 1 }

  /// One entry of the metadata table, decoded on demand: most tables are large and rarely read.
  func metadata(_ index: Int) throws(Corruption) -> Metadata {
    guard index > 0 else { return Metadata() }
    var reader = reader
    try reader.move(to: metadataOffsets[index - 1])
    var metadata = Metadata()
    for _ in 0..<(try reader.count(ofSize: 2)) {
      let key = keyTable[Int(try reader.variable())]
      metadata.entries.append(
        Metadata.Entry(key: key.text, value: try reader.text(), kind: key.kind))
    }
    return metadata
  }

  /// Decodes the next block.
  mutating func next(into block: RowBlock) throws(Corruption) -> Int {
    let rows = min(count - done, RowBlock.capacity)
    guard rows > 0 else {
      guard reader.isAtEnd else { throw Corruption() }
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
    try SerialBlocks.read(rows, into: block, from: &reader)
    done += rows
    return rows
  }
}

/// The columns of one decoded block of rows, and scratch memory.
///
/// It owns unmanaged memory because a merge reads single cells of it tens of millions of times.
final class RowBlock {
  static let capacity = PackedIntegers.blockCount

  let starts = Column<Double>.allocate(capacity: capacity)
  let ends = Column<Double>.allocate(capacity: capacity)
  let values = Column<Double>.allocate(capacity: capacity)
  let created = Column<Double>.allocate(capacity: capacity)
  /// Values in the canonical unit, if a reader fills them in.
  let canonical = Column<Double>.allocate(capacity: capacity)
  /// Recorded values, where `values` are converted.
  let recorded = Column<Double>.allocate(capacity: capacity)
  let labels = Column<UInt32>.allocate(capacity: capacity)
  let origins = Column<UInt32>.allocate(capacity: capacity)
  let metadata = Column<UInt32>.allocate(capacity: capacity)
  let copies = Column<UInt32>.allocate(capacity: capacity)
  /// Serials of rows relative to the least one of the chunk.
  let serials = Column<Int64>.allocate(capacity: capacity)
  let numbers = Column<Int64>.allocate(capacity: capacity)
  let otherNumbers = Column<Int64>.allocate(capacity: capacity)

  typealias Column<Element> = UnsafeMutableBufferPointer<Element>

  init() {
    for column in [starts, ends, values, created, canonical, recorded] {
      column.initialize(repeating: 0)
    }
    for column in [labels, origins, metadata, copies] { column.initialize(repeating: 0) }
    for column in [numbers, otherNumbers, serials] { column.initialize(repeating: 0) }
  }

  deinit {
    for column in [starts, ends, values, created, canonical, recorded] { column.deallocate() }
    for column in [labels, origins, metadata, copies] { column.deallocate() }
    for column in [numbers, otherNumbers, serials] { column.deallocate() }
  }
}

extension UnsafeMutableBufferPointer {
  /// The first `count` elements.
  func first(_ count: Int) -> Self { Self(rebasing: self[..<count]) }

  /// The first `count` elements, for reading.
  func cells(_ count: Int) -> UnsafeBufferPointer<Element> { UnsafeBufferPointer(first(count)) }
}
