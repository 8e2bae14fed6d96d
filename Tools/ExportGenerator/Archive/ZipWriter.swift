/// A zip archive as Apple writes it: deflate, sizes and CRC behind the data, no UTF-8 flag.
///
/// Where a size or a place passes 4 GiB, the archive has the fields of zip64 (APPNOTE 4.5.3).
final class ZipWriter {
  private let file: OutputFile
  private let path: String
  private let modified: (time: Int, date: Int)
  private var entries: [Entry] = []

  private struct Entry {
    let name: [UInt8]
    let offset: Int
    let isLarge: Bool
    var checksum: UInt32 = 0
    var compressedCount = 0
    var count = 0
  }

  private static let hasDataDescriptor = 8
  private static let deflated = 8
  private static let largest = 0xFFFF_FFFF

  /// Starts an archive whose entries were modified at `wallClock`, in seconds since 1970-01-01
  /// without a zone.
  init(path: String, wallClock: Int) throws(OutputError) {
    file = try OutputFile(path: path)
    self.path = path
    let (day, second) = wallClock.flooredDivision(by: 86_400)
    let date = CivilDate(day: day)
    modified = (
      second / 3_600 << 11 | second / 60 % 60 << 5 | second % 60 / 2,
      max(0, date.year - 1980) << 9 | date.month << 5 | date.dayOfMonth
    )
  }

  /// Adds an entry of known contents.
  func add(_ name: String, contents: [UInt8]) throws(OutputError) {
    var entry = try begin(name, isLarge: false)
    try contents.span.withUnsafeBytes { (bytes) throws(OutputError) in try entry.write(bytes) }
    try end(entry)
  }

  /// Starts an entry whose text is yet to come; `isLarge` when it may pass 4 GiB, which its
  /// header has to say beforehand.
  func begin(_ name: String, isLarge: Bool) throws(OutputError) -> ZipEntrySink {
    let entry = Entry(name: [UInt8](name.utf8), offset: file.count, isLarge: isLarge)
    var header = LittleEndian()
    header.add(0x0403_4B50, bytes: 4)
    header.add(isLarge ? 45 : 20, bytes: 2)
    addCommonFields(of: entry, checksum: 0, compressedCount: 0, count: 0, to: &header)
    header.add(isLarge ? 20 : 0, bytes: 2)
    header.bytes += entry.name
    if isLarge {
      header.add(0x0001, bytes: 2)
      header.add(16, bytes: 2)
      header.add(0, bytes: 8)
      header.add(0, bytes: 8)
    }
    try file.write(header.bytes)
    entries.append(entry)
    return try ZipEntrySink(file: file, path: path)
  }

  /// Ends the entry begun last: what its header could not say follows it.
  func end(_ sink: consuming ZipEntrySink) throws(OutputError) {
    var sink = sink
    try sink.finish()
    let last = entries.count - 1
    entries[last].checksum = sink.checksum
    entries[last].compressedCount = sink.compressedCount
    entries[last].count = sink.count
    let entry = entries[last]
    guard entry.isLarge || max(entry.count, entry.compressedCount) < Self.largest else {
      throw OutputError(path: path, reason: .tooLarge)
    }
    var descriptor = LittleEndian()
    descriptor.add(0x0807_4B50, bytes: 4)
    descriptor.add(Int(entry.checksum), bytes: 4)
    descriptor.add(entry.compressedCount, bytes: entry.isLarge ? 8 : 4)
    descriptor.add(entry.count, bytes: entry.isLarge ? 8 : 4)
    try file.write(descriptor.bytes)
  }

  /// Writes the central directory.
  func finish() throws(OutputError) {
    var directory = LittleEndian()
    for entry in entries { addDirectoryRecord(of: entry, to: &directory) }
    let start = file.count
    let length = directory.bytes.count
    if start >= Self.largest { addZip64End(start: start, length: length, to: &directory) }
    directory.add(0x0605_4B50, bytes: 4)
    directory.add(0, bytes: 4)
    directory.add(entries.count, bytes: 2)
    directory.add(entries.count, bytes: 2)
    directory.add(length, bytes: 4)
    directory.add(min(start, Self.largest), bytes: 4)
    directory.add(0, bytes: 2)
    try file.write(directory.bytes)
  }

  private func addCommonFields(
    of entry: Entry, checksum: UInt32, compressedCount: Int, count: Int,
    to header: inout LittleEndian
  ) {
    header.add(Self.hasDataDescriptor, bytes: 2)
    header.add(Self.deflated, bytes: 2)
    header.add(modified.time, bytes: 2)
    header.add(modified.date, bytes: 2)
    header.add(Int(checksum), bytes: 4)
    header.add(compressedCount, bytes: 4)
    header.add(count, bytes: 4)
    header.add(entry.name.count, bytes: 2)
  }

  private func addDirectoryRecord(of entry: Entry, to directory: inout LittleEndian) {
    var extra = LittleEndian()
    for value in [entry.count, entry.compressedCount, entry.offset] where value >= Self.largest {
      extra.add(value, bytes: 8)
    }
    let hasExtra = !extra.bytes.isEmpty
    directory.add(0x0201_4B50, bytes: 4)
    directory.add(3 << 8 | (entry.isLarge ? 45 : 20), bytes: 2)
    directory.add(hasExtra || entry.isLarge ? 45 : 20, bytes: 2)
    addCommonFields(
      of: entry, checksum: entry.checksum,
      compressedCount: min(entry.compressedCount, Self.largest),
      count: min(entry.count, Self.largest), to: &directory)
    directory.add(hasExtra ? extra.bytes.count + 4 : 0, bytes: 2)
    directory.add(0, bytes: 2)
    directory.add(0, bytes: 2)
    directory.add(0, bytes: 2)
    directory.add(0o100644 << 16, bytes: 4)
    directory.add(min(entry.offset, Self.largest), bytes: 4)
    directory.bytes += entry.name
    if hasExtra {
      directory.add(0x0001, bytes: 2)
      directory.add(extra.bytes.count, bytes: 2)
      directory.bytes += extra.bytes
    }
  }

  private func addZip64End(start: Int, length: Int, to directory: inout LittleEndian) {
    directory.add(0x0606_4B50, bytes: 4)
    directory.add(44, bytes: 8)
    directory.add(3 << 8 | 45, bytes: 2)
    directory.add(45, bytes: 2)
    directory.add(0, bytes: 8)
    directory.add(entries.count, bytes: 8)
    directory.add(entries.count, bytes: 8)
    directory.add(length, bytes: 8)
    directory.add(start, bytes: 8)
    directory.add(0x0706_4B50, bytes: 4)
    directory.add(0, bytes: 4)
    directory.add(start + length, bytes: 8)
    directory.add(1, bytes: 4)
  }
}

/// Numbers as a zip archive writes them, the lowest byte first.
private struct LittleEndian {
  var bytes: [UInt8] = []

  mutating func add(_ number: Int, bytes count: Int) {
    for place in 0..<count {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
    }
  }
}
