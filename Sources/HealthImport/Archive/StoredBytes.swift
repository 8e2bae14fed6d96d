import CISAL

/// The bytes of a file, of a part of it, or of an uncompressed entry of an archive.
final class StoredBytes: ByteSource {
  let byteCount: Int
  private let file: File
  private let start: Int
  private let entry: ZipEntry?
  private var position = 0
  private var checksum: UInt32 = 0

  private init(file: File, start: Int, byteCount: Int, entry: ZipEntry?) {
    self.file = file
    self.start = start
    self.byteCount = byteCount
    self.entry = entry
  }

  /// All bytes of `file`.
  convenience init(file: File) {
    self.init(file: file, start: 0, byteCount: file.byteCount, entry: nil)
  }

  /// `byteCount` bytes from `start`, fewer at the end of the file.
  convenience init(file: File, start: Int, byteCount: Int) {
    self.init(file: file, start: start, byteCount: byteCount, entry: nil)
  }

  /// The bytes of `entry`, whose data start at `start`.
  convenience init(file: File, entry: ZipEntry, start: Int) {
    self.init(file: file, start: start, byteCount: entry.byteCount, entry: entry)
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
