import ArgumentParser
import Foundation

/// When output is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// How lines for people look: terminal styles, or none, and the width that they keep to.
struct TextStyle: Sendable, Equatable {
  let isColored: Bool
  /// The width of the terminal; `nil` where lines may have any length.
  let width: Int?

  /// No styles, and lines of any length.
  static let plain = TextStyle(isColored: false)

  init(isColored: Bool, width: Int? = nil) { (self.isColored, self.width) = (isColored, width) }

  /// Colours for a file descriptor: if requested, or on a terminal unless `NO_COLOR` is set.
  init(_ choice: ColorChoice, descriptor: Int32) {
    let isColored =
      switch choice {
      case .always: true
      case .never: false
      case .auto:
        ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
          && Terminal.obeysEscapes(descriptor)
      }
    self.init(isColored: isColored, width: Terminal.width(descriptor))
  }

  /// A sentence in lines that fit, broken between words.
  func fitted(_ sentence: String) -> [String] {
    guard let width, sentence.displayWidth > width else { return [sentence] }
    return sentence.wrapped(to: width)
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
