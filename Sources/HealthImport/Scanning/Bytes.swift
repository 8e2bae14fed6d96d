import Glibc

/// A range of text in memory, not owned.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension Bytes {
  /// The bytes from `start` up to `end`.
  @inline(__always)
  init(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) {
    self.init(start: start, count: end - start)
  }

  /// Whether the bytes equal `literal`.
  @inline(__always)
  func equals(_ literal: StaticString) -> Bool {
    guard let baseAddress, count == literal.utf8CodeUnitCount else { return false }
    return memcmp(baseAddress, literal.utf8Start, literal.utf8CodeUnitCount) == 0
  }
}

extension UnsafePointer<UInt8> {
  /// Whether the text here starts with `literal`.
  ///
  /// - Precondition: as many bytes are readable, as ``Window`` guarantees with its padding.
  @inline(__always)
  func starts(with literal: StaticString) -> Bool {
    memcmp(self, literal.utf8Start, literal.utf8CodeUnitCount) == 0
  }

  /// The first `byte` before `end`.
  @inline(__always)
  func first(_ byte: UInt8, before end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    guard let found = memchr(self, Int32(byte), end - self) else { return nil }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
  }

  /// The first occurrence of `literal` that ends before `end`.
  func first(_ literal: StaticString, before end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let length = literal.utf8CodeUnitCount
    var place = self
    while end - place >= length,
      let found = place.first(literal.utf8Start.pointee, before: end), end - found >= length
    {
      if found.starts(with: literal) { return found }
      place = found + 1
    }
    return nil
  }

  /// Eight bytes as a little-endian number.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawPointer(self).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension UInt8 {
  /// Whether the byte is white space in XML.
  @inline(__always)
  var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
  /// Whether the byte is a decimal digit.
  @inline(__always)
  var isDigit: Bool { self &- 0x30 <= 9 }

  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let slash = UInt8(ascii: "/")
  static let equals = UInt8(ascii: "=")
  static let lineFeed = UInt8(ascii: "\n")
}
