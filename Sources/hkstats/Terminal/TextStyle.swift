import ArgumentParser
import Foundation

/// When output is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// Terminal styles, or none.
struct TextStyle: Sendable, Equatable {
  let isColored: Bool

  /// No styles.
  static let plain = TextStyle(isColored: false)

  init(isColored: Bool) { self.isColored = isColored }

  /// Colours for a file descriptor: if requested, or on a terminal unless `NO_COLOR` is set.
  init(_ choice: ColorChoice, descriptor: Int32) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      isColored =
        environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        && Terminal.isTerminal(descriptor)
    }
  }

  /// Titles.
  func strong(_ text: String) -> String { marked(text, "1") }
  /// Background text: notes, axes.
  func faint(_ text: String) -> String { marked(text, "2") }
  /// Bars and lines of a chart.
  func accent(_ text: String) -> String { marked(text, "36") }

  /// A part of a chart in its own colour.
  func mark(_ text: String, _ color: ChartMark.Color) -> String {
    marked(text, "38;5;\(color.rawValue)")
  }

  private func marked(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
