import Foundation

/// Comma-separated text (RFC 4180), with a line feed after each record.
package struct CommaSeparated {
  /// Whether texts that a spreadsheet would take for a formula get an apostrophe before them.
  package var isSafe: Bool
  /// Whether a terminal shows the text, which control characters could steer.
  package var isForTerminal: Bool

  package init(isSafe: Bool = false, isForTerminal: Bool = false) {
    self.isSafe = isSafe
    self.isForTerminal = isForTerminal
  }

  /// One record; a field with a comma, a quote or a line break is quoted.
  package func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  private func field(_ written: String) -> String {
    let shown = isForTerminal ? written.printable : written
    let text = isSafe && Self.isFormula(shown) ? "'" + shown : shown
    let bytes = text.utf8
    let blank = UInt8(ascii: " ")
    let needsQuotes = bytes.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
    }
    guard needsQuotes || bytes.first == blank || bytes.last == blank else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted += "\"\"" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }

  /// Whether spreadsheets compute with a text: it begins with one of `= + - @`, a tab or a line
  /// break, and is no number.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return false }
    return text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?/) == nil
  }
}
