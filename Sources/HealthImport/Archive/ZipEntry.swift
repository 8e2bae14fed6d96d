/// A file in the central directory of an archive.
struct ZipEntry {
  /// The path; invalid UTF-8 is replaced, since the path is only displayed.
  let name: String
  /// The compression: 0 stored, 8 deflated.
  let method: Int
  /// Whether the data are encrypted.
  let isEncrypted: Bool
  /// CRC-32 of the unpacked data.
  let checksum: UInt32
  /// The length of the packed data.
  let compressedByteCount: Int
  /// The length of the unpacked data.
  let byteCount: Int
  /// The offset of the local header.
  let headerOffset: Int
  /// Whether the unpacked length has 64 bits; otherwise its high bits may be lost.
  let isLong: Bool

  /// Whether the unpacked data may be longer than ``byteCount`` by a multiple of 4 GiB.
  ///
  /// The archiver of macOS writes longer files with only the low 32 bits of their length. Packed
  /// data that is too short for that is damaged: deflate compresses by at most 1032.
  var mayBeLonger: Bool {
    !isLong && method == 8 && compressedByteCount > (byteCount + 1 << 32) / 1032
  }
}
