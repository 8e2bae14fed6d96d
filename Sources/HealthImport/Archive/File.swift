import Glibc

/// An open file with random access.
final class File {
  /// The path it was opened by.
  let path: String
  /// The number of bytes it had when it was opened.
  let byteCount: Int
  private let descriptor: Int32

  /// Opens a regular file.
  init(path: String) throws(ExportError) {
    // Without O_NONBLOCK, opening a named pipe blocks until it has a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw ExportError(errno == ENOENT ? .notFound : .notReadable(errno: errno), path: path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ExportError(.notAFile, path: path)
    }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    self.path = path
    self.descriptor = descriptor
    byteCount = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Reads bytes from `offset` into `buffer`; fewer only at the end of the file.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(ExportError) -> Int {
    var filled = 0
    while filled < buffer.count, let base = buffer.baseAddress {
      let count = pread(descriptor, base + filled, buffer.count - filled, offset + filled)
      if count > 0 {
        filled += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw ExportError(.notReadable(errno: errno), path: path, offset: offset + filled)
      }
    }
    return filled
  }

  /// The bytes of `range` that are in the file.
  func bytes(in range: Range<Int>) throws(ExportError) -> [UInt8] {
    let range = range.clamped(to: 0..<byteCount)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 1)
    defer { buffer.deallocate() }
    let count = try read(into: buffer, at: range.lowerBound)
    return Array(buffer.prefix(count))
  }
}

extension File {
  /// The names in a folder, at most `limit`; `nil` when it cannot be read, with the reason in
  /// `errno`.
  static func names(inFolder path: String, limit: Int) -> [String]? {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < limit, let record = readdir(stream) {
      let name = withUnsafePointer(to: &record.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
