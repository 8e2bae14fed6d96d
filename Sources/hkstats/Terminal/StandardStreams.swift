import Foundation

/// Text on its way out, gathered into large writes.
///
/// A write that fails is an error of the command: results that did not arrive are no results.
class TextOutput {
  private var buffer: [UInt8] = []
  private let descriptor: Int32
  private let csv: CommaSeparated

  /// Writes to an open file.
  init(descriptor: Int32, csv: CommaSeparated = CommaSeparated()) {
    self.descriptor = descriptor
    self.csv = csv
  }

  /// Adds text; writes when enough has gathered.
  final func write(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Adds a line.
  final func line(_ text: String) throws(Failure) { try write(text + "\n") }

  /// Adds a record of comma-separated text.
  final func record(_ fields: [String]) throws(Failure) { try write(csv.line(fields)) }

  /// What a write that failed means.
  func failure(_ errorNumber: Int32) -> Failure { .outputFailed(errorNumber) }

  /// Makes sure that all has arrived.
  func finish() throws(Failure) { try flush() }

  /// Writes what has gathered.
  final func flush() throws(Failure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        Foundation.write(
          descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        // Whoever read has enough, as `head` has: the way in which every program ends then.
        if errno == EPIPE {
          signal(SIGPIPE, SIG_DFL)
          raise(SIGPIPE)
        }
        throw failure(errno)
      }
      written += count
    }
  }
}

/// Text to stdout.
final class StandardOutput: TextOutput {
  init(isCSVSafe: Bool = false) {
    super.init(
      descriptor: STDOUT_FILENO,
      csv: CommaSeparated(
        isSafe: isCSVSafe, isForTerminal: Terminal.isTerminal(STDOUT_FILENO)))
  }
}

/// Text to stderr: notes, warnings, progress.
enum StandardError {
  /// Writes text as it is.
  ///
  /// What cannot be written is lost: there is nowhere left to say so.
  static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
      guard count > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }

  /// A line that begins with the program's name, as every message does.
  static func note(_ text: String) { write("hkstats: \(text)\n") }
}
