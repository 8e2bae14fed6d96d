import Foundation

/// Properties of the terminal of a file descriptor.
enum Terminal {
  /// Whether the descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The number of columns: that of the terminal, else `COLUMNS`, else 80.
  static func columns(
    _ descriptor: Int32,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Int {
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return min(max(Int(size.ws_col), fewest), most)
    }
    guard let stated = environment["COLUMNS"].flatMap({ Int($0) }), stated > 0 else { return 80 }
    return min(max(stated, fewest), most)
  }

  /// The width into which text for people has to fit; `nil` unless the descriptor is a terminal.
  static func width(_ descriptor: Int32) -> Int? {
    isTerminal(descriptor) ? columns(descriptor) : nil
  }

  /// Whether the descriptor is a terminal that obeys escape sequences, by its name.
  static func obeysEscapes(
    _ descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    isTerminal(descriptor) && !["", "dumb"].contains(environment["TERM", default: ""])
  }

  /// Whether the descriptor is a terminal that shows ASCII alone, by its name or by the locale.
  static func isASCII(
    _ descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    isTerminal(descriptor) && wantsASCII(environment)
  }

  /// Whether an environment says that its terminal shows ASCII alone.
  ///
  /// As in systemd, one that has no locale at all says nothing.
  static func wantsASCII(_ environment: [String: String]) -> Bool {
    if ["dumb", "linux"].contains(environment["TERM", default: ""]) { return true }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale else { return false }
    return !locale.lowercased().replacing("-", with: "").contains("utf8")
  }

  /// Asks a question, and returns whether the answer is yes; without a terminal it is no.
  static func confirms(_ question: String) -> Bool {
    guard isInteractive else { return false }
    StandardError.write("\(question)? [y/N] ")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return ["y", "yes"].contains(answer)
  }

  /// Whether questions can be asked and answered.
  static var isInteractive: Bool { isTerminal(STDIN_FILENO) && isTerminal(STDERR_FILENO) }

  /// The limits of the width: charts need the lower bound.
  private static let fewest = 20
  private static let most = 1000
}
