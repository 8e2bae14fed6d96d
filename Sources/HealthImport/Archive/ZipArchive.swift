/// The directory of a zip archive (PKWARE APPNOTE 6.3.10), with its zip64 extensions.
///
/// Sizes and checksums are read only from the central directory: Apple writes zeros into the local
/// headers and puts data descriptors after the data.
struct ZipArchive {
  /// The files in the archive.
  let entries: [ZipEntry]
  private let file: File

  private static let longestDirectory = 1 << 26
  private static let endRecordBytes = 22
  private static let locatorBytes = 20
  private static let longRecordBytes = 56

  /// Whether `head`, the first bytes of a file, are those of a zip archive.
  static func isArchive(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6])
  }

  /// Reads the central directory of `file`.
  init(file: File) throws(ExportError) {
    self.file = file
    let (directory, shift) = try Self.directory(of: file)
    let bytes = try file.bytes(in: directory)
    var entries: [ZipEntry] = []
    var place = 0
    while let signature = bytes.littleEndian(at: place, UInt32.self), signature == 0x0201_4B50 {
      guard let (entry, next) = Self.entry(in: bytes, at: place, shift: shift) else {
        throw ExportError(
          .damagedArchive, path: file.path, offset: directory.lowerBound + place)
      }
      entries.append(entry)
      place = next
    }
    self.entries = entries
  }

  /// The unpacked bytes of `entry`.
  ///
  /// - Parameters:
  ///   - entry: an entry of this archive
  ///   - limit: the most bytes if the archive may have lost the high bits of the length; without a
  ///     limit the stated length applies
  /// - Returns: the bytes from the start
  /// - Throws: ``ExportError`` when the header is damaged or the compression is not supported
  func bytes(of entry: ZipEntry, limit: Int = 0) throws(ExportError) -> any ByteSource {
    let header = try file.bytes(in: entry.headerOffset..<entry.headerOffset + 30)
    guard header.littleEndian(at: 0, UInt32.self) == 0x0403_4B50,
      let name = header.littleEndian(at: 26, UInt16.self),
      let extra = header.littleEndian(at: 28, UInt16.self)
    else {
      throw ExportError(
        .damagedArchive, path: file.path, entry: entry.name, offset: entry.headerOffset)
    }
    let start = entry.headerOffset + 30 + Int(name) + Int(extra)
    guard !entry.isEncrypted, entry.method == 0 || entry.method == 8 else {
      throw ExportError(
        entry.isEncrypted ? .encrypted : .unsupportedCompression(method: entry.method),
        path: file.path, entry: entry.name,
        offset: entry.headerOffset)
    }
    return entry.method == 0
      ? StoredBytes(file: file, entry: entry, start: start)
      : InflatedBytes(
        file: file, entry: entry, start: start, limit: max(limit, entry.byteCount))
  }

  /// The offset of the central directory, and the number of bytes before the archive.
  ///
  /// The end record is searched backwards, because a comment may follow it. The directory ends
  /// where that record starts, which reveals data before the archive.
  private static func directory(
    of file: File
  ) throws(ExportError) -> (range: Range<Int>, shift: Int) {
    let tailStart = max(0, file.byteCount - endRecordBytes - Int(UInt16.max) - locatorBytes)
    let tail = try file.bytes(in: tailStart..<file.byteCount)
    guard let place = endRecord(in: tail),
      let size = tail.littleEndian(at: place + 12, UInt32.self),
      let offset = tail.littleEndian(at: place + 16, UInt32.self)
    else { throw ExportError(.truncatedArchive, path: file.path, offset: file.byteCount) }

    var directory: (offset: UInt64, size: UInt64) = (UInt64(offset), UInt64(size))
    var directoryEnd = tailStart + place
    if let locator = tail.littleEndian(at: place - locatorBytes, UInt32.self),
      locator == 0x0706_4B50,
      let recordOffset = tail.littleEndian(at: place - locatorBytes + 8, UInt64.self)
    {
      directoryEnd -= locatorBytes + longRecordBytes
      var start = Int(clamping: recordOffset)
      if try !file.has(0x0606_4B50, at: start) { start = directoryEnd }
      let record = try file.bytes(in: start..<start.addingClamped(longRecordBytes))
      guard record.littleEndian(at: 0, UInt32.self) == 0x0606_4B50,
        let size = record.littleEndian(at: 40, UInt64.self),
        let offset = record.littleEndian(at: 48, UInt64.self)
      else { throw ExportError(.damagedArchive, path: file.path, offset: start) }
      directory = (offset, size)
    }
    var start = Int(clamping: directory.offset)
    let length = Int(clamping: directory.size)
    var shift = 0
    if length <= directoryEnd, directoryEnd - length > start, try !file.has(0x0201_4B50, at: start),
      try file.has(0x0201_4B50, at: directoryEnd - length)
    {
      shift = directoryEnd - length - start
      start += shift
    }
    let end = start.addingClamped(length)
    guard end <= file.byteCount, length <= longestDirectory else {
      throw ExportError(.damagedArchive, path: file.path, offset: tailStart + place)
    }
    return (start..<end, shift)
  }

  /// The offset of the end record in the last bytes of a file: the last one whose comment extends
  /// to the end of the file, else the last one, if other data follows it.
  private static func endRecord(in tail: [UInt8]) -> Int? {
    let places = (0..<max(0, tail.count - endRecordBytes + 1)).filter {
      tail[$0] == 0x50 && tail.littleEndian(at: $0, UInt32.self) == 0x0605_4B50
    }
    let whole = places.last {
      tail.littleEndian(at: $0 + 20, UInt16.self).map(Int.init) == tail.count - $0 - endRecordBytes
    }
    return whole ?? places.last
  }

  private static func entry(
    in bytes: [UInt8], at place: Int, shift: Int
  ) -> (ZipEntry, next: Int)? {
    guard let flags = bytes.littleEndian(at: place + 8, UInt16.self),
      let method = bytes.littleEndian(at: place + 10, UInt16.self),
      let checksum = bytes.littleEndian(at: place + 16, UInt32.self),
      let compressed = bytes.littleEndian(at: place + 20, UInt32.self),
      let unpacked = bytes.littleEndian(at: place + 24, UInt32.self),
      let nameLength = bytes.littleEndian(at: place + 28, UInt16.self),
      let extraLength = bytes.littleEndian(at: place + 30, UInt16.self),
      let commentLength = bytes.littleEndian(at: place + 32, UInt16.self),
      let header = bytes.littleEndian(at: place + 42, UInt32.self)
    else { return nil }
    let name = place + 46..<place + 46 + Int(nameLength)
    let extra = name.upperBound..<name.upperBound + Int(extraLength)
    let next = extra.upperBound + Int(commentLength)
    guard next <= bytes.count else { return nil }

    // Fields with all bits set are in the extra field 1, in this order (APPNOTE 4.5.3).
    var long = longFields(in: bytes, extra)[...]
    func length(_ short: UInt32) -> Int? {
      short == .max ? long.popFirst().map { Int(clamping: $0) } : Int(short)
    }
    guard let byteCount = length(unpacked), let compressedByteCount = length(compressed),
      let headerOffset = length(header), headerOffset < Int.max / 4
    else { return nil }
    let entry = ZipEntry(
      name: String(decoding: bytes[name], as: UTF8.self), method: Int(method),
      isEncrypted: flags & 1 != 0, checksum: checksum,
      compressedByteCount: min(compressedByteCount, Int.max / 4), byteCount: byteCount,
      headerOffset: headerOffset + shift, isLong: unpacked == .max)
    return (entry, next)
  }

  private static func longFields(in bytes: [UInt8], _ extra: Range<Int>) -> [UInt64] {
    var place = extra.lowerBound
    while let kind = bytes.littleEndian(at: place, UInt16.self),
      let size = bytes.littleEndian(at: place + 2, UInt16.self),
      place + 4 + Int(size) <= extra.upperBound
    {
      if kind == 1 {
        return (0..<Int(size) / 8).compactMap {
          bytes.littleEndian(at: place + 4 + 8 * $0, UInt64.self)
        }
      }
      place += 4 + Int(size)
    }
    return []
  }
}

extension File {
  /// Whether a structure with this signature is at `offset`.
  fileprivate func has(_ signature: UInt32, at offset: Int) throws(ExportError) -> Bool {
    guard offset < byteCount else { return false }
    return try bytes(in: offset..<offset + 4).littleEndian(at: 0, UInt32.self) == signature
  }
}

extension [UInt8] {
  /// The little-endian number at `place`; `nil` when out of bounds.
  func littleEndian<Number: FixedWidthInteger>(at place: Int, _: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard place >= 0, place <= count - size else { return nil }
    return withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
  }
}

extension Int {
  /// The sum, clamped to the largest number.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
