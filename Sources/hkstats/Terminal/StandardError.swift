import Foundation

/// Text to stderr: notes, warnings, progress.
enum StandardError {
  /// Writes raw text.
  ///
  /// Failures are ignored: there is no other place to report them.
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

  /// A sentence with the program's name, as in every message, in lines that fit a terminal.
  static func note(_ text: String) {
    let style = TextStyle(isColored: false, width: Terminal.width(STDERR_FILENO))
    write(style.fitted("hkstats: \(text)").map { $0 + "\n" }.joined())
  }
}
