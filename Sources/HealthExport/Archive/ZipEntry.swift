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
}
