import CISAL

/// The bytes of a file, or of an entry that an archive holds unpacked.
final class StoredBytes: ByteSource {
  let byteCount: Int
  private let file: File
  private let start: Int
  private let entry: ZipEntry?
  private var position = 0
  private var checksum: UInt32 = 0

  /// All bytes of `file`.
  init(file: File) {
    self.file = file
    start = 0
    byteCount = file.byteCount
    entry = nil
  }

  /// The bytes of `entry`, whose data begin at `start`.
  init(file: File, entry: ZipEntry, start: Int) {
    self.file = file
    self.start = start
    self.entry = entry
    byteCount = entry.byteCount
  }

  var endedEarly: Bool { position < byteCount }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(byteCount - position))
    let count = wanted.isEmpty ? 0 : try file.read(into: wanted, at: start + position)
    position += count
    if let entry {
      checksum = crc32_gzip_refl(checksum, wanted.baseAddress, UInt64(count))
      if count == 0, position == byteCount, checksum != entry.checksum {
        throw ExportError(.checksumMismatch, path: file.path, entry: entry.name)
      }
    }
    return count
  }
}
