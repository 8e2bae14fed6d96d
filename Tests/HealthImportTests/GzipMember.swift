import _HealthTestSupport

/// A member of a gzip file (RFC 1952), and what to do wrong.
struct GzipMember {
  var content: [UInt8]
  var flags: UInt8 = 0
  var magic: [UInt8] = [0x1F, 0x8B, 8]
  var checksumError: UInt32 = 0
  var lengthError: UInt64 = 0

  init(_ content: [UInt8]) { self.content = content }

  var bytes: [UInt8] {
    var header = magic + [flags] + [1, 2, 3, 4, 0, 255]
    if flags & 4 != 0 { header += [5, 0] + Array("extra".utf8) }
    if flags & 8 != 0 { header += Array("export.xml\0".utf8) }
    if flags & 16 != 0 { header += Array("a comment\0".utf8) }
    if flags & 2 != 0 { header += [0x12, 0x34] }
    let checksum = ZipWriter.checksum(content) ^ checksumError
    return header + ZipWriter.deflate(content) + ZipWriter.number(UInt64(checksum), 4)
      + ZipWriter.number(UInt64(content.count) ^ lengthError, 4)
  }
}
