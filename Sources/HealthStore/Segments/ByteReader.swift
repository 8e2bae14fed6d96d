/// Stored bytes that do not hold together, and the segment they belong to.
struct SegmentDamage: Error, Hashable {
  var segment: Int64?
}

/// Bytes of a segment while it is read; no content of them can make it leave their bounds.
struct ByteReader {
  let bytes: [UInt8]
  private(set) var position = 0
  /// Where the checksum begins: what may be read ends here, and eight bytes follow.
  let end: Int

  /// Checks the checksum.
  init(sealed bytes: [UInt8]) throws(SegmentDamage) {
    guard bytes.count >= 8 else { throw SegmentDamage() }
    self.bytes = bytes
    end = bytes.count - 8
    guard Checksum.of(bytes[..<end]) == load(at: end) else { throw SegmentDamage() }
  }

  private func load(at offset: Int) -> UInt64 {
    bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  var isAtEnd: Bool { position == end }

  mutating func byte() throws(SegmentDamage) -> UInt8 { bytes[try skip(1)] }

  mutating func number() throws(SegmentDamage) -> UInt64 { load(at: try skip(8)) }

  mutating func shortNumber() throws(SegmentDamage) -> UInt16 {
    let offset = try skip(2)
    return UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }

  mutating func variable() throws(SegmentDamage) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw SegmentDamage()
  }

  mutating func signed() throws(SegmentDamage) -> Int64 {
    let folded = try variable()
    return Int64(bitPattern: folded >> 1) ^ -Int64(folded & 1)
  }

  /// A count of things that take at least `size` bytes each, so that it bounds what is allocated.
  mutating func count(ofSize size: Int = 1) throws(SegmentDamage) -> Int {
    let count = try variable()
    guard count <= UInt64((end - position) / size) else { throw SegmentDamage() }
    return Int(count)
  }

  mutating func text() throws(SegmentDamage) -> String {
    let length = try count()
    let offset = try skip(length)
    return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
  }

  mutating func skipText() throws(SegmentDamage) { _ = try skip(try count()) }

  /// Moves on by `count` bytes and gives where they begin.
  mutating func skip(_ count: Int) throws(SegmentDamage) -> Int {
    guard count >= 0, count <= end - position else { throw SegmentDamage() }
    defer { position += count }
    return position
  }

  /// Goes to an offset that was a ``position`` before.
  mutating func move(to offset: Int) throws(SegmentDamage) {
    guard (0...end).contains(offset) else { throw SegmentDamage() }
    position = offset
  }
}
