import Foundation

/// The database of an archive, unpacked to a file of its own that is gone with the value.
final class UnpackedFile: Sendable {
  let path: String

  /// The largest database that is unpacked, in bytes.
  private static let mostBytes = 1 << 34
  private static let blockBytes = 1 << 20

  /// Unpacks the largest entry that is a database.
  init(archive file: File) throws(ExportError) {
    let archive = try ZipArchive(file: file)
    let candidates = archive.entries.filter { $0.name.lowercased().hasSuffix(".db") }
    guard let entry = candidates.max(by: { $0.byteCount < $1.byteCount }) else {
      throw ExportError(.notAnExport, path: file.path)
    }
    guard entry.byteCount <= Self.mostBytes else {
      throw ExportError(.tooLarge(limit: Self.mostBytes), path: file.path, entry: entry.name)
    }
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    path = folder + "/hkstats-\(UUID().uuidString).db"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ExportError(.notReadable(errno: errno), path: path) }
    defer { close(descriptor) }
    do throws(ExportError) {
      try Self.copy(try archive.bytes(of: entry), to: descriptor, path: path)
    } catch {
      unlink(path)
      throw error
    }
  }

  deinit { unlink(path) }

  private static func copy(
    _ source: any ByteSource, to descriptor: Int32, path: String
  ) throws(ExportError) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 1)
    defer { block.deallocate() }
    while case let count = try source.read(into: block), count > 0 {
      var written = 0
      while written < count {
        let result = write(descriptor, block.baseAddress?.advanced(by: written), count - written)
        if result < 0, errno != EINTR { throw ExportError(.notReadable(errno: errno), path: path) }
        written += max(0, result)
      }
    }
  }
}
