/// Corrupt stored bytes, and their chunk.
struct Corruption: Error, Hashable {
  var chunk: Int64?

  /// Names the chunk in the damage that a body finds.
  static func naming<Value>(_ chunk: Int64, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let damage as Corruption {
      throw Corruption(chunk: damage.chunk ?? chunk)
    }
  }
}

/// A bounds-checked reader of the bytes of a chunk.
struct ByteReader {
  let bytes: [UInt8]
  private(set) var position = 0
  /// The start of the checksum, which is eight bytes long: reading ends here.
  let end: Int

  /// A reader of no bytes.
  init() { (bytes, end) = ([], 0) }

  /// Checks the checksum.
  init(checked bytes: [UInt8]) throws(Corruption) {
    guard bytes.count >= 8 else { throw Corruption() }
    self.bytes = bytes
    end = bytes.count - 8
    guard Checksum.of(bytes[..<end]) == load(at: end) else { throw Corruption() }
  }

  private func load(at offset: Int) -> UInt64 {
    bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  var isAtEnd: Bool { position == end }

  mutating func byte() throws(Corruption) -> UInt8 { bytes[try skip(1)] }

  mutating func number() throws(Corruption) -> UInt64 { load(at: try skip(8)) }

  mutating func shortNumber() throws(Corruption) -> UInt16 {
    let offset = try skip(2)
    return UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }

  mutating func variable() throws(Corruption) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw Corruption()
  }

  mutating func signed() throws(Corruption) -> Int64 {
    let folded = try variable()
    return Int64(bitPattern: folded >> 1) ^ -Int64(folded & 1)
  }

  /// A count of items of at least `size` bytes each, so that it limits allocations.
  mutating func count(ofSize size: Int = 1) throws(Corruption) -> Int {
    let count = try variable()
    guard count <= UInt64((end - position) / size) else { throw Corruption() }
    return Int(count)
  }

  mutating func text() throws(Corruption) -> String {
    let length = try count()
    let offset = try skip(length)
    return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
  }

  mutating func skipText() throws(Corruption) { _ = try skip(try count()) }

  /// Skips `count` bytes and returns their offset.
  mutating func skip(_ count: Int) throws(Corruption) -> Int {
    guard count >= 0, count <= end - position else { throw Corruption() }
    defer { position += count }
    return position
  }

  /// Moves to an offset that was a ``position`` before.
  mutating func move(to offset: Int) throws(Corruption) {
    guard (0...end).contains(offset) else { throw Corruption() }
    position = offset
  }
}

/// A writer of the bytes of a chunk, numbers little-endian.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ number: UInt16) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Seven bits per byte, the lowest first.
  mutating func append(variable number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A zigzag-encoded signed number.
  mutating func append(signed number: Int64) {
    append(variable: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }

  mutating func append(_ text: String) {
    let utf8 = text.utf8
    append(variable: UInt64(utf8.count))
    bytes.append(contentsOf: utf8)
  }

  /// Appends the checksum.
  mutating func appendChecksum() { append(Checksum.of(bytes[...])) }

  /// The bytes that a body writes, with their checksum.
  static func checksummed(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    body(&writer)
    writer.appendChecksum()
    return writer.bytes
  }
}

/// The column and row of stored bytes.
///
/// It is mixed into the stored checksum, so that bytes moved to another row are detected.
enum ValueOwner {
  case core(chunk: Int64)
  case detail(chunk: Int64)
  case zoneMap(chunk: Int64)
  case element(Int64)
  case hiddenCore(Int64)
  case hiddenDetail(Int64)
  case counts(chunk: Int64)
  case seriesCounts(type: Int64, source: Int64)
  case tombstones(Int64)
  case attachment(Int64)
  case hiddenElement(Int64)

  private var mark: UInt64 {
    let (column, row): (UInt8, Int64) =
      switch self {
      case .core(let chunk): (1, chunk)
      case .detail(let chunk): (2, chunk)
      case .zoneMap(let chunk): (3, chunk)
      case .element(let id): (4, id)
      case .hiddenCore(let chunk): (5, chunk)
      case .hiddenDetail(let chunk): (6, chunk)
      case .counts(let chunk): (7, chunk)
      case .seriesCounts(let type, let source): (8, type &<< 32 &+ source)
      case .tombstones(let id): (9, id)
      case .attachment(let id): (10, id)
      case .hiddenElement(let id): (11, id)
      }
    var writer = ByteWriter()
    writer.append(column)
    writer.append(UInt64(bitPattern: row))
    return Checksum.of(writer.bytes[...])
  }

  /// The bytes as stored.
  func tagged(_ bytes: [UInt8]) -> [UInt8] { adding(mark, to: bytes) }

  /// Stored bytes as they were written; those of another row have a wrong checksum.
  func untagged(_ bytes: [UInt8]) -> [UInt8] { adding(0 &- mark, to: bytes) }

  private func adding(_ number: UInt64, to bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 8 else { return bytes }
    var bytes = bytes
    bytes.withUnsafeMutableBytes { bytes in
      let end = bytes.count - 8
      let sum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self))
      bytes.storeBytes(of: (sum &+ number).littleEndian, toByteOffset: end, as: UInt64.self)
    }
    return bytes
  }
}

/// XXH64 with seed 0, after the xxHash specification 0.1.1 by Yann Collet.
///
/// It detects every change within one 8-byte word, and any other except one in 2^64, faster than
/// memory bandwidth.
enum Checksum {
  private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
    0x27D4_EB2F_1656_67C5
  )

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.withUnsafeBytes(sum) }

  private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var offset = 0
    var sum: UInt64
    if count >= 32 {
      var lanes = (primes.0 &+ primes.1, primes.1, UInt64(0), 0 &- primes.0)
      while offset <= count - 32 {
        lanes.0 = round(lanes.0, word(bytes, offset))
        lanes.1 = round(lanes.1, word(bytes, offset + 8))
        lanes.2 = round(lanes.2, word(bytes, offset + 16))
        lanes.3 = round(lanes.3, word(bytes, offset + 24))
        offset += 32
      }
      sum = rotate(lanes.0, 1) &+ rotate(lanes.1, 7)
      sum = sum &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        sum = (sum ^ round(0, lane)) &* primes.0 &+ primes.3
      }
    } else {
      sum = primes.4
    }
    sum = sum &+ UInt64(count)
    while offset <= count - 8 {
      sum = rotate(sum ^ round(0, word(bytes, offset)), 27) &* primes.0 &+ primes.3
      offset += 8
    }
    if offset <= count - 4 {
      let half = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      sum = rotate(sum ^ (UInt64(UInt32(littleEndian: half)) &* primes.0), 23)
      sum = sum &* primes.1 &+ primes.2
      offset += 4
    }
    while offset < count {
      sum = rotate(sum ^ (UInt64(bytes[offset]) &* primes.4), 11) &* primes.0
      offset += 1
    }
    sum = (sum ^ (sum >> 33)) &* primes.1
    sum = (sum ^ (sum >> 29)) &* primes.2
    return sum ^ (sum >> 32)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    (word &<< count) | (word &>> (64 &- count))
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* primes.1, 31) &* primes.0
  }
}
