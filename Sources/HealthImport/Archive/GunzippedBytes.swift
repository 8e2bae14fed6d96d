import CISAL

/// The bytes of a gzip file (RFC 1952) with any number of members, each checked against its CRC-32
/// and its length.
final class GunzippedBytes: ByteSource {
  private let inflater: Inflater
  private let limit: Int
  private var place = Place.beforeFirst
  private var produced = 0
  private var memberLength: UInt32 = 0
  private var checksum: UInt32 = 0

  private enum Place {
    case beforeFirst
    case inside
    case between
    /// After the last member, or at a premature end.
    case atEnd(isCut: Bool)
  }

  /// A stream of the unpacked bytes of `packed`, the file at `path`: at most `limit` bytes.
  init(_ packed: any ByteSource, path: String, limit: Int) {
    inflater = Inflater(packed, path: path)
    self.limit = limit
  }

  /// Whether `head`, the first bytes of a file, are those of a gzip file.
  static func isPacked(_ head: [UInt8]) -> Bool { head.starts(with: [0x1F, 0x8B, 8]) }

  var byteCount: Int { 0 }
  var endedEarly: Bool {
    if case .atEnd(let isCut) = place { isCut } else { true }
  }
  func stop() { inflater.stop() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    while true {
      switch place {
      case .atEnd: return 0
      case .beforeFirst, .between:
        place = try openMember()
      case .inside:
        let count = try inflater.inflate(into: buffer)
        produced += count
        guard produced <= limit else { throw inflater.error(.tooLarge(limit: limit)) }
        memberLength &+= UInt32(truncatingIfNeeded: count)
        checksum = crc32_gzip_refl(checksum, buffer.baseAddress, UInt64(count))
        if inflater.isFinished {
          place = try closeMember() ? .between : .atEnd(isCut: true)
        } else if count == 0 {
          place = .atEnd(isCut: true)
        }
        if count > 0 { return count }
      }
    }
  }

  /// Reads the header of a member.
  private func openMember() throws(ExportError) -> Place {
    guard let first = try inflater.nextByte() else { return .atEnd(isCut: false) }
    if first == 0, case .between = place { return try skipPadding() }
    guard first == 0x1F, try isNext(0x8B), try isNext(8) else {
      throw inflater.error(.damagedArchive)
    }
    guard let flags = try inflater.nextByte(), try skip(6) else { return .atEnd(isCut: true) }
    if flags & Flag.extra != 0 {
      guard let length = try number(bytes: 2), try skip(length) else { return .atEnd(isCut: true) }
    }
    for flag in [Flag.name, Flag.comment] where flags & flag != 0 {
      repeat {
        guard let byte = try inflater.nextByte() else { return .atEnd(isCut: true) }
        if byte == 0 { break }
      } while true
    }
    if flags & Flag.headerChecksum != 0, try !skip(2) { return .atEnd(isCut: true) }
    inflater.restart()
    (memberLength, checksum) = (0, 0)
    return .inside
  }

  private enum Flag {
    static let headerChecksum: UInt8 = 2
    static let extra: UInt8 = 4
    static let name: UInt8 = 8
    static let comment: UInt8 = 16
  }

  /// Checks the trailer of a member; false when the file ends prematurely.
  private func closeMember() throws(ExportError) -> Bool {
    inflater.returnUnused()
    guard let sum = try number(bytes: 4), let length = try number(bytes: 4) else { return false }
    guard sum == checksum, length == memberLength else { throw inflater.error(.checksumMismatch) }
    return true
  }

  /// Skips zero padding.
  private func skipPadding() throws(ExportError) -> Place {
    while let byte = try inflater.nextByte() {
      guard byte == 0 else { throw inflater.error(.damagedArchive) }
    }
    return .atEnd(isCut: false)
  }

  /// Whether the next byte is `byte`, or there is none.
  private func isNext(_ byte: UInt8) throws(ExportError) -> Bool {
    try inflater.nextByte().map { $0 == byte } ?? true
  }

  private func skip(_ count: Int) throws(ExportError) -> Bool {
    for _ in 0..<count where try inflater.nextByte() == nil { return false }
    return true
  }

  /// A little-endian number of `bytes` bytes; `nil` when the file ends in it.
  private func number(bytes: Int) throws(ExportError) -> Int? {
    var number = 0
    for shift in 0..<bytes {
      guard let byte = try inflater.nextByte() else { return nil }
      number |= Int(byte) << (8 * shift)
    }
    return number
  }
}
