/// The characters that the program itself draws and writes: of Unicode, or of ASCII alone where a
/// terminal has no others.
///
/// Only tables and charts ask; csv and json never do. Texts of the data, such as names of sources,
/// keep their characters.
package enum Marks {
  /// Whether tables and charts have marks of ASCII alone.
  @TaskLocal package static var isASCII = false

  /// What stands for the end of a text that was cut.
  package static var ellipsis: String { drawn("…") }

  /// A text of the program's own: a bar, an axis, a title.
  package static func drawn(_ text: String) -> String { isASCII ? ascii(text) : text }

  /// A mark of one column.
  package static func glyph(_ mark: Character) -> Character { drawn(String(mark)).first ?? mark }

  /// A cell of a table or a chart: only one that says that there is nothing is the program's own.
  package static func cell(_ text: String) -> String { isASCII && text == "–" ? "-" : text }

  /// A text with each mark written in ASCII.
  private static func ascii(_ text: String) -> String {
    text.reduce(into: "") { $0 += ascii[$1] ?? (isDots($1) ? "*" : String($1)) }
  }

  /// Whether a character is a Braille pattern, of which curves consist.
  private static func isDots(_ character: Character) -> Bool {
    ("\u{2800}"..."\u{28FF}").contains(character)
  }

  private static let ascii: [Character: String] = [
    "–": "-", "−": "-", "×": "x", "…": "...", "≥": ">=", "²": "2", "₂": "2", "°": "deg", "·": ".",
    "’": "'", "♥": "heart", "µ": "u", "α": "alpha",
    "█": "#", "▒": "=", "▞": "%", "▄": "+", "░": ".", "▀": "~", "●": "*",
    "│": "|", "┤": "|", "├": "|", "┼": "+", "─": "-",
    // The last column of a bar is there from a half of it on.
    "▏": "", "▎": "", "▍": "", "▌": "#", "▋": "#", "▊": "#", "▉": "#",
  ]
}
