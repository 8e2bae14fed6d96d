import CFiles
import Foundation

/// The bytes of an SQLite database: a copy in an unlinked file, mapped into memory.
///
/// SQLite reads the bytes and opens no file, so it writes nothing next to the original, and nothing
/// remains when the process ends. The original may change meanwhile.
final class DatabaseBytes: Sendable {
  /// The first byte; read-only.
  nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let count: Int
  /// The entry of the archive; `nil` for a database file.
  let entry: String?

  /// The largest database, in bytes.
  private static let mostBytes = 1 << 34
  /// The largest compression ratio that is accepted for a database above ``smallBytes``.
  private static let mostRatio = 200
  private static let smallBytes = 1 << 26
  private static let blockBytes = 1 << 20
  private static let headerBytes = 100

  /// Copies a database or the largest one in an archive.
  ///
  /// - Throws: ``ExportError``, with ``ExportError/Reason/notAnExport`` before anything is written
  ///   if the first bytes are not those of a database
  init(_ probe: FileProbe) throws(ExportError) {
    let path = probe.path
    let archive: ZipArchive
    switch probe.contents {
    case .pipe, .folder: throw ExportError(.notAFile, path: path)
    case .file(let file):
      try Self.checkIsWhole(path)
      let source = try PeekedBytes(StoredBytes(file: file), count: Self.headerBytes)
      (start, count) = try Self.mapped(source, limit: Self.mostBytes, path: path, entry: nil)
      entry = nil
      return
    case .archive(let opened): archive = opened
    }
    let candidates = archive.entries.filter { $0.name.lowercased().hasSuffix(".db") }
    guard let entry = candidates.max(by: { $0.byteCount < $1.byteCount }) else {
      throw ExportError(.notAnExport, path: path)
    }
    let (most, overflow) = entry.compressedByteCount
      .multipliedReportingOverflow(by: Self.mostRatio)
    let limit = overflow ? Self.mostBytes : min(Self.mostBytes, max(most, Self.smallBytes))
    let source = try PeekedBytes(try archive.bytes(of: entry), count: Self.headerBytes)
    (start, count) = try Self.mapped(source, limit: limit, path: path, entry: entry.name)
    self.entry = entry.name
  }

  deinit { munmap(start, count) }

  /// Allows the system to evict the pages that have been read.
  func forget() { madvise(start, count, MADV_DONTNEED) }

  /// Throws if a part of the database is in a separate file.
  private static func checkIsWhole(_ path: String) throws(ExportError) {
    for suffix in ["-wal", "-journal"] {
      var status = stat()
      if stat(path + suffix, &status) == 0, status.st_size > 0 {
        throw ExportError(.unfinishedDatabase(suffix: suffix), path: path)
      }
    }
  }

  /// Copies a database into an unlinked file, and maps it.
  private static func mapped(
    _ source: PeekedBytes, limit: Int, path: String, entry: String?
  ) throws(ExportError) -> (UnsafeMutableRawPointer, Int) {
    guard source.head.count == headerBytes, isDatabase(source.head) else {
      throw ExportError(.notAnExport, path: path)
    }
    guard source.byteCount <= limit else {
      throw ExportError(.tooLarge(limit: limit), path: path, entry: entry)
    }
    let pages = pageBytes(source.head)
    guard pages == nil || pages == source.byteCount else {
      throw ExportError(.damagedArchive, path: path, entry: entry)
    }
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    let descriptor = hk_nameless_file(folder)
    guard descriptor >= 0 else { throw ExportError(.notReadable(errno: errno), path: folder) }
    defer { close(descriptor) }
    let count = try copy(source, to: descriptor, limit: limit, path: path, entry: entry)
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      start != MAP_FAILED
    else { throw ExportError(.notReadable(errno: errno), path: path, entry: entry) }
    return (start, count)
  }

  /// Whether the first bytes of a file are those of a database.
  static func isDatabase(_ head: [UInt8]) -> Bool {
    head.starts(with: Array("SQLite format 3\0".utf8))
  }

  /// The size of all pages by the header; `nil` if not stated.
  private static func pageBytes(_ head: [UInt8]) -> Int? {
    func number(_ place: Int, _ count: Int) -> Int {
      head[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }
    // Versions before 3.7.0 do not update the page count; it is valid if the change counters match.
    guard number(24, 4) == number(92, 4), number(28, 4) > 0 else { return nil }
    return (number(16, 2) == 1 ? 1 << 16 : number(16, 2)) * number(28, 4)
  }

  private static func copy(
    _ source: PeekedBytes, to descriptor: Int32, limit: Int, path: String, entry: String?
  ) throws(ExportError) -> Int {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 1)
    defer { block.deallocate() }
    var done = 0
    while case let count = try source.readAll(into: block), count > 0 {
      // Two bytes mark a database in WAL mode; without a WAL file it reads like any other.
      if done == 0 { (block[18], block[19]) = (1, 1) }
      guard done + count <= limit else {
        throw ExportError(.tooLarge(limit: limit), path: path, entry: entry)
      }
      var written = 0
      while written < count {
        let result = write(descriptor, block.baseAddress?.advanced(by: written), count - written)
        if result < 0, errno == EINTR { continue }
        guard result > 0 else {
          throw ExportError(.notReadable(errno: result < 0 ? errno : ENOSPC), path: path)
        }
        written += result
      }
      done += count
    }
    return done
  }
}
