/// How lines for people look: terminal styles, or none, and the width that they keep to.
package struct TextStyle: Sendable, Equatable {
  let isColored: Bool
  /// The width of the terminal; `nil` where lines may have any length.
  package let width: Int?

  /// No styles, and lines of any length.
  package static let plain = TextStyle(isColored: false)

  package init(isColored: Bool, width: Int? = nil) {
    (self.isColored, self.width) = (isColored, width)
  }

  /// The style for lines of at most a width.
  package func within(_ width: Int) -> Self { Self(isColored: isColored, width: width) }

  /// A sentence in lines that fit, broken between words.
  package func fitted(_ sentence: String) -> [String] {
    guard let width, sentence.displayWidth > width else { return [sentence] }
    return sentence.wrapped(to: width)
  }

  /// Titles.
  package func strong(_ text: String) -> String { marked(text, "1") }
  /// Background text: notes, axes.
  package func faint(_ text: String) -> String { marked(text, "2") }
  /// Bars and lines of a chart.
  package func accent(_ text: String) -> String { marked(text, "36") }

  /// A text with the code of a terminal's style, or without where there are none.
  package func marked(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
