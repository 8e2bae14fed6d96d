import Glibc
import Synchronization

/// The bytes of a pipe, such as the standard input.
final class PipeBytes: ByteSource {
  private let path: String
  private let limit: Int
  private let descriptor: Int32
  private var count = 0
  private let isStopped = Atomic(false)
  /// The interval at which a blocked read checks whether it was stopped.
  private static let milliseconds: Int32 = 100

  /// Opens the pipe at `path`, and reads at most `limit` bytes.
  ///
  /// The writer of a named pipe may connect later.
  init(path: String, limit: Int) throws(ExportError) {
    // Does not block without a writer; `poll` waits for it.
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
      // A signal that the program handles is a request to stop: the pipe may never deliver data.
      guard result >= 0 else { throw ExportError(.notReadable(errno: errno), path: path) }
      count += result
      guard count <= limit else { throw ExportError(.tooLarge(limit: limit), path: path) }
      return result
    }
    throw ExportError(.notReadable(errno: EINTR), path: path)
  }
}
