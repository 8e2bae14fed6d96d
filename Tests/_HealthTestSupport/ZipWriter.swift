import CISAL

/// Writes small archives, with the peculiarities that exports have or might have.
public struct ZipWriter {
  /// One file in the archive, and what to do wrong.
  public struct Entry: Sendable {
    public var name: [UInt8]
    public var content: [UInt8]
    public var method = 8
    public var isEncrypted = false
    /// Sizes and checksum follow the data and are zero in the local header, as Apple does.
    public var hasDescriptor = true
    /// Sizes and the place of the header stand in the extra field.
    public var isLong = false
    /// How many bytes of the packed data are missing, though the sizes in the directory fit.
    public var missing = 0
    public var checksumError: UInt32 = 0
    public var statedLength: UInt64?
    /// Whether it names the data of the entry before it, in place of data of its own.
    public var sharesData = false
    /// The packed data and their checksum, if ``content`` does not say them.
    public var packed: (data: [UInt8], checksum: UInt32)?

    public init(_ name: String, _ content: String) {
      self.init(name, bytes: Array(content.utf8))
    }

    public init(_ name: String, bytes: [UInt8]) {
      self.name = Array(name.utf8)
      content = bytes
    }

    /// An entry in which a block comes many times, packed once.
    public init(
      _ name: String, _ head: String, repeating block: [UInt8], count: Int, _ tail: String
    ) {
      let (head, tail) = (Array(head.utf8), Array(tail.utf8))
      self.init(name, bytes: [])
      isLong = true
      statedLength = UInt64(head.count + block.count * count + tail.count)
      var checksum = crc32_gzip_refl(0, head, UInt64(head.count))
      for _ in 0..<count { checksum = crc32_gzip_refl(checksum, block, UInt64(block.count)) }
      checksum = crc32_gzip_refl(checksum, tail, UInt64(tail.count))
      let middle = ZipWriter.deflate(block, isLast: false)
      var data = ZipWriter.deflate(head, isLast: false)
      for _ in 0..<count { data += middle }
      packed = (data + ZipWriter.deflate(tail), checksum)
    }
  }

  public private(set) var bytes: [UInt8] = []

  /// Makes an archive that stands at `origin` of its file.
  public init(_ entries: [Entry], comment: String = "", isLong: Bool = false, origin: UInt64 = 0) {
    var directory: [UInt8] = []
    var data: ArraySlice<UInt8> = []
    var checksum: UInt32 = 0
    var lengths: [UInt64] = []
    for entry in entries {
      if !entry.sharesData {
        let packed =
          entry.packed?.data ?? (entry.method == 8 ? Self.deflate(entry.content) : entry.content)
        data = packed.dropLast(entry.missing)
        checksum = entry.packed?.checksum ?? (Self.checksum(entry.content) ^ entry.checksumError)
        lengths = [
          entry.statedLength ?? UInt64(entry.content.count), UInt64(data.count),
          origin + UInt64(bytes.count),
        ]
      }
      var header = Self.number(20, 2) + Self.number(flags(entry), 2)
      header += Self.number(UInt64(entry.method), 2) + Self.number(0, 4)
      let name = entry.name
      directory += Self.number(0x0201_4B50, 4) + Self.number(20, 2) + header
      directory += Self.number(UInt64(checksum), 4)
      let extra =
        entry.isLong
        ? Self.number(0x5455, 2) + Self.number(1, 2) + [0] + Self.number(1, 2) + Self.number(24, 2)
          + lengths.flatMap { Self.number($0, 8) } : []
      directory += Self.number(entry.isLong ? 0xFFFF_FFFF : lengths[1], 4)
      directory += Self.number(entry.isLong ? 0xFFFF_FFFF : lengths[0], 4)
      directory += Self.number(UInt64(name.count), 2) + Self.number(UInt64(extra.count), 2)
      directory += Self.number(0, 2) + Self.number(0, 8)
      directory += Self.number(entry.isLong ? 0xFFFF_FFFF : lengths[2], 4) + name + extra
      if entry.sharesData { continue }

      bytes += Self.number(0x0403_4B50, 4) + header
      if entry.hasDescriptor {
        bytes += Self.number(0, 12)
      } else {
        bytes += Self.number(UInt64(checksum), 4) + Self.number(lengths[1], 4)
        bytes += Self.number(lengths[0], 4)
      }
      bytes += Self.number(UInt64(name.count), 2) + Self.number(4, 2) + name + [1, 2, 0, 0] + data
      if entry.hasDescriptor {
        bytes += Self.number(0x0807_4B50, 4) + Self.number(UInt64(checksum), 4)
        bytes += Self.number(lengths[1], 4) + Self.number(lengths[0], 4)
      }
    }
    let start = origin + UInt64(bytes.count)
    let size = UInt64(directory.count)
    bytes += directory
    if isLong {
      let record = origin + UInt64(bytes.count)
      bytes += Self.number(0x0606_4B50, 4) + Self.number(44, 8) + Self.number(45, 2)
      bytes += Self.number(45, 2) + Self.number(0, 8) + Self.number(UInt64(entries.count), 8)
      bytes += Self.number(UInt64(entries.count), 8) + Self.number(size, 8) + Self.number(start, 8)
      bytes += Self.number(0x0706_4B50, 4) + Self.number(0, 4) + Self.number(record, 8)
      bytes += Self.number(1, 4)
    }
    bytes += Self.number(0x0605_4B50, 4) + Self.number(0, 4)
    let count = UInt64(min(entries.count, 0xFFFF))
    bytes += Self.number(count, 2) + Self.number(count, 2)
    bytes += Self.number(isLong ? 0xFFFF_FFFF : size, 4)
    bytes += Self.number(isLong ? 0xFFFF_FFFF : start, 4)
    bytes += Self.number(UInt64(comment.utf8.count), 2) + Array(comment.utf8)
  }

  private func flags(_ entry: Entry) -> UInt64 {
    (entry.hasDescriptor ? 8 : 0) | (entry.isEncrypted ? 1 : 0)
  }

  public static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) : 0 }
  }

  /// CRC-32 bit by bit.
  public static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var state = UInt32.max
    for byte in bytes {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xEDB8_8320 : state >> 1 }
    }
    return ~state
  }

  /// Deflated bytes; further ones may follow when they are not the last.
  public static func deflate(_ bytes: [UInt8], isLast: Bool = true) -> [UInt8] {
    var input = bytes
    var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 8 + 4096)
    let stream = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    isal_deflate_stateless_init(stream)
    stream.pointee.end_of_stream = isLast ? 1 : 0
    stream.pointee.flush = isLast ? UInt16(NO_FLUSH) : UInt16(FULL_FLUSH)
    let length = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        isal_deflate_stateless(stream)
        return output.count - Int(stream.pointee.avail_out)
      }
    }
    return Array(output[..<length])
  }
}
