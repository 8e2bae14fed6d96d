import CFiles
import Foundation

/// An unlinked file for the sorted runs of an import: the system deletes it when the process ends.
///
/// For a sealed store its pieces are sealed with a key that is nowhere else. Thread-safe.
final class SpillFile: @unchecked Sendable {
  /// The bytes in memory before the file is created.
  private static let bufferBytes = 4 << 20

  private struct State {
    var descriptor: Int32 = -1
    var buffer: [UInt8] = []
    /// The number of bytes in the file.
    var written = 0
  }

  private let folder: String
  /// The thread sanitizer does not support `Mutex`.
  private let lock = NSLock()
  private var state = State()

  /// Seals the pieces; `nil` for a store in the clear.
  private let cipher: PieceCipher?

  /// The file is created in `folder` on demand.
  init(folder: String, isSealed: Bool) {
    self.folder = folder
    cipher = isSealed ? PieceCipher() : nil
  }

  deinit {
    if state.descriptor >= 0 { close(state.descriptor) }
  }

  /// Appends a piece and returns its range in the file.
  func append(_ bytes: [UInt8]) throws(StoreError) -> Range<Int> {
    let bytes = try sealed(bytes)
    return try withState { state throws(StoreError) in
      let start = state.written + state.buffer.count
      state.buffer += bytes
      if state.buffer.count >= Self.bufferBytes { try flush(&state) }
      return start..<start + bytes.count
    }
  }

  /// The piece with a range.
  func bytes(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
    try opened(stored(range))
  }

  private func stored(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
    try withState { state throws(StoreError) in
      if range.lowerBound >= state.written {
        return Array(
          state.buffer[range.lowerBound - state.written..<range.upperBound - state.written])
      }
      var bytes = [UInt8](repeating: 0, count: range.count)
      let descriptor = state.descriptor
      try transfer(range.count) { done in
        bytes.withUnsafeMutableBytes { room in
          pread(
            descriptor, room.baseAddress.map { $0 + done }, range.count - done,
            off_t(range.lowerBound + done))
        }
      }
      return bytes
    }
  }

  private func sealed(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    guard let cipher else { return bytes }
    var sealed = [UInt8](repeating: 0, count: bytes.count + PieceCipher.addedBytes)
    let isSealed = bytes.withUnsafeBytes { clear in
      sealed.withUnsafeMutableBytes { cipher.seal(clear, kind: 0, place: 0, into: $0) }
    }
    guard isSealed else { throw StoreError(.inputOutput, path: folder) }
    return sealed
  }

  private func opened(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    guard let cipher else { return bytes }
    var clear = [UInt8](repeating: 0, count: bytes.count - PieceCipher.addedBytes)
    let isOpened = bytes.withUnsafeBytes { sealed in
      clear.withUnsafeMutableBytes { cipher.open(sealed, kind: 0, place: 0, into: $0) }
    }
    guard isOpened else { throw StoreError(.inputOutput, path: folder) }
    return clear
  }

  private func withState<Value>(
    _ body: (inout State) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }

  private func flush(_ state: inout State) throws(StoreError) {
    if state.descriptor < 0 { state.descriptor = try open() }
    try transfer(state.buffer.count) { done in
      state.buffer.withUnsafeBytes { bytes in
        pwrite(
          state.descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done,
          off_t(state.written + done))
      }
    }
    state.written += state.buffer.count
    state.buffer.removeAll(keepingCapacity: true)
  }

  /// Repeats a system call until all bytes are transferred.
  private func transfer(_ count: Int, _ call: (_ done: Int) -> Int) throws(StoreError) {
    var done = 0
    while done < count {
      let moved = call(done)
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw StoreError(errorNumber: errno, path: folder) }
      done += moved
    }
  }

  private func open() throws(StoreError) -> Int32 {
    let descriptor = hk_nameless_file(folder)
    guard descriptor >= 0 else { throw StoreError(errorNumber: errno, path: folder) }
    return descriptor
  }
}
