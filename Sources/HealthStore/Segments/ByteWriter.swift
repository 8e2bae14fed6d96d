/// Bytes of a segment while it is written, numbers little-endian.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ number: UInt16) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Seven bits a byte, the lowest first.
  mutating func append(variable number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A signed number, folded so that small ones of either sign are short.
  mutating func append(signed number: Int64) {
    append(variable: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }

  mutating func append(_ text: String) {
    let utf8 = text.utf8
    append(variable: UInt64(utf8.count))
    bytes.append(contentsOf: utf8)
  }

  /// Ends the bytes with their checksum.
  mutating func seal() { append(Checksum.of(bytes[...])) }
}
