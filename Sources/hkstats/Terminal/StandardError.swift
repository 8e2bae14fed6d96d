import Foundation
import HealthExchange

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
    write(style.fitted("hkstats: \(shortened(text))").map { $0 + "\n" }.joined())
  }

  /// A sentence about what succeeded where stdout has no room for it: to a person at a terminal alone.
  static func tell(_ text: String) {
    if Terminal.isTerminal(STDERR_FILENO) { note(text) }
  }

  /// A message with the long arguments of this process truncated.
  static func shortened(
    _ message: String, arguments: [String] = CommandLine.arguments
  ) -> String {
    // Of thousands of arguments hardly any is long, as it is or with its escapes.
    let long = arguments.dropFirst().filter { argument in
      argument.utf8.count > shortestCut || !argument.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
    let pieces = long.flatMap { argument in
      // The parser mentions the value of --option=value separately, and a list has several.
      [argument] + argument.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
        + argument.split(separator: ",").map(String.init)
    }
    return Set(pieces + pieces.map(\.printable)).filter { $0.displayWidth > longestQuote(of: $0) }
      .sorted { $0.utf8.count > $1.utf8.count }
      .reduce(message) {
        $0.replacing($1, with: $1.printable.truncated(to: longestQuote(of: $1)))
      }
  }

  /// The most columns of an argument that a message quotes; a path is of use only as a whole.
  private static func longestQuote(of argument: String) -> Int {
    argument.contains("/") ? 200 : shortestCut
  }

  private static let shortestCut = 80
}
