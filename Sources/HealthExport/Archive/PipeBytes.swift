import Glibc
import Synchronization

/// The bytes that come through a pipe, such as the standard input.
final class PipeBytes: ByteSource {
  private let path: String
  private let limit: Int
  private let descriptor: Int32
  private var count = 0
  private let isStopped = Atomic(false)
  /// How often a read that waits asks whether it is still wanted.
  private static let milliseconds: Int32 = 100

  /// Opens the pipe at `path`, of which at most `limit` bytes are taken.
  ///
  /// The writer of a named pipe may come later.
  init(path: String, limit: Int) throws(ExportError) {
    // Opened this way it does not wait for a writer; `poll` does.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw ExportError(errno == ENOENT ? .notFound : .notReadable(errno: errno), path: path)
    }
    self.path = path
    self.limit = limit
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  var byteCount: Int { 0 }
  var endedEarly: Bool { false }
  func stop() { isStopped.store(true, ordering: .relaxed) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    while !isStopped.load(ordering: .relaxed) {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, Self.milliseconds)
      if ready == 0 { continue }
      let result = ready < 0 ? -1 : Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if result < 0, errno == EAGAIN { continue }
      // A signal that the program takes is a wish to stop: a pipe may never write again.
      guard result >= 0 else { throw ExportError(.notReadable(errno: errno), path: path) }
      count += result
      guard count <= limit else { throw ExportError(.tooLarge(limit: limit), path: path) }
      return result
    }
    throw ExportError(.notReadable(errno: EINTR), path: path)
  }
}
