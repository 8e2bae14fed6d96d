/// What the central directory of an archive says of one file in it.
struct ZipEntry {
  /// The name with its folders; invalid UTF-8 is replaced, since the name is only shown.
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
  /// Where the local header stands.
  let headerOffset: Int
  /// Whether the length of the unpacked data stands in 64 bits; else its high bits may be lost.
  let isLong: Bool

  /// Whether the unpacked data may be longer than ``byteCount`` by a multiple of 4 GiB.
  ///
  /// The archiver of macOS writes longer files with just the low 32 bits of their length. What so
  /// little packed data cannot unpack to is damage: deflate is at most 1032 times shorter.
  var mayBeLonger: Bool {
    !isLong && method == 8 && compressedByteCount > (byteCount + 1 << 32) / 1032
  }
}
