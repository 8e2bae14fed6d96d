import CISAL

/// The bytes of a deflated entry of an archive, checked against its CRC-32.
final class InflatedBytes: ByteSource {
  private let entry: ZipEntry
  private let limit: Int
  private let inflater: Inflater
  private var produced = 0
  private var checksum: UInt32 = 0
  private var isChecked = false

  /// A stream of `entry`, whose compressed data start at `start` and unpack to at most `limit`
  /// bytes.
  init(file: File, entry: ZipEntry, start: Int, limit: Int) {
    self.entry = entry
    self.limit = limit
    inflater = Inflater(
      StoredBytes(file: file, start: start, byteCount: entry.compressedByteCount),
      path: file.path, entry: entry.name, start: start)
  }

  var byteCount: Int { entry.byteCount }
  var endedEarly: Bool { !inflater.isFinished }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    if isChecked { return 0 }
    let count = try inflater.inflate(into: buffer)
    produced += count
    checksum = crc32_gzip_refl(checksum, buffer.baseAddress, UInt64(count))
    isChecked = inflater.isFinished
    let excess = produced - entry.byteCount
    if excess > 0, !entry.mayBeLonger || isChecked && excess % 1 << 32 != 0 {
      throw inflater.error(.damagedArchive)
    }
    if excess < 0, isChecked { throw inflater.error(.damagedArchive) }
    guard produced <= limit else { throw inflater.error(.tooLarge(limit: limit)) }
    if isChecked, checksum != entry.checksum { throw inflater.error(.checksumMismatch) }
    return count
  }
}
