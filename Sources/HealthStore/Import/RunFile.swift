import Foundation

/// A nameless file for the sorted runs of an import: gone with the process, whatever ends it.
final class RunFile {
  /// What stays in memory before the file is made.
  private static let bufferBytes = 4 << 20

  private let folder: String
  private var descriptor: Int32 = -1
  private var buffer: [UInt8] = []
  /// The bytes that stand in the file.
  private var written = 0

  /// Makes the file, when it is needed, in `folder`.
  init(folder: String) { self.folder = folder }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Appends bytes and gives their place.
  func append(_ bytes: [UInt8]) throws(StoreError) -> Range<Int> {
    let start = written + buffer.count
    buffer += bytes
    if buffer.count >= Self.bufferBytes { try flush() }
    return start..<start + bytes.count
  }

  /// The bytes at a place.
  func bytes(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
    if range.lowerBound >= written {
      return Array(buffer[range.lowerBound - written..<range.upperBound - written])
    }
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < range.count {
      let count = bytes.withUnsafeMutableBytes { room in
        pread(
          descriptor, room.baseAddress.map { $0 + done }, range.count - done,
          off_t(range.lowerBound + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw StoreError(errorNumber: errno, path: folder) }
      done += count
    }
    return bytes
  }

  private func flush() throws(StoreError) {
    if descriptor < 0 { try open() }
    var done = 0
    while done < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        pwrite(
          descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
          off_t(written + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw StoreError(errorNumber: errno, path: folder) }
      done += count
    }
    written += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private func open() throws(StoreError) {
    var template = Array((folder + "/.hkstats-XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw StoreError(errorNumber: errno, path: folder) }
    unlink(&template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }
}

/// Sorted rows of one type and one source in a run file.
struct Run {
  /// The start of the first row.
  var firstStart: Double
  var core: Range<Int>
  var detail: Range<Int>
}
