/// Comma-separated text (RFC 4180), with a line feed after each record; or its twins, with semicolons
/// and decimal commas, or with tab stops.
package struct CommaSeparated {
  /// Whether texts that a spreadsheet would take for a formula get an apostrophe before them.
  package var isSafe: Bool
  /// Whether a terminal shows the text, which control characters could steer.
  package var isForTerminal: Bool

  /// What stands between fields.
  let separator: Unicode.Scalar
  /// What stands before the decimals of a number.
  let decimalMark: Unicode.Scalar

  /// - Parameters:
  ///   - isSafe: whether texts that a spreadsheet would take for a formula get an apostrophe
  ///   - isForTerminal: whether a terminal shows the text
  ///   - hasTabs: whether tab stops separate the fields
  ///   - hasDecimalCommas: whether numbers have commas before their decimals, and semicolons or tab
  ///     stops separate the fields
  package init(
    isSafe: Bool = false, isForTerminal: Bool = false, hasTabs: Bool = false,
    hasDecimalCommas: Bool = false
  ) {
    self.isSafe = isSafe
    self.isForTerminal = isForTerminal
    separator = hasTabs ? "\t" : hasDecimalCommas ? ";" : ","
    decimalMark = hasDecimalCommas ? "," : "."
  }

  /// Appends one record of texts.
  package func append(record fields: [String], to bytes: inout [UInt8]) {
    for (place, field) in fields.enumerated() {
      if place > 0 { append(separatorTo: &bytes) }
      append(field, to: &bytes)
    }
    bytes.append(mark: "\n")
  }

  /// Appends what stands between two fields.
  package func append(separatorTo bytes: inout [UInt8]) { bytes.append(mark: separator) }

  /// Appends a number with the shortest digits that read back to it, without marks between thousands.
  package func append(_ number: Double, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(exact: number)
    guard decimalMark != "." else { return }
    for place in start..<bytes.count where bytes[place] == UInt8(ascii: ".") {
      bytes[place] = UInt8(ascii: decimalMark)
    }
  }

  /// A number as ``append(_:to:)-(Double,_)`` writes it.
  package func field(_ number: Double) -> String {
    var bytes: [UInt8] = []
    append(number, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a field; one with a separator, a quote or a line break is quoted.
  package func append(_ written: String, to bytes: inout [UInt8]) {
    let shown = isForTerminal ? written.printable : written
    let text = isSafe && Self.isFormula(shown) ? "'" + shown : shown
    let quote = UInt8(ascii: "\"")
    let needsQuotes =
      text.hasByte { $0 == UInt8(ascii: separator) || $0 == quote || $0 == 0x0A || $0 == 0x0D }
      || text.utf8.first == Self.blank || text.utf8.last == Self.blank
    guard needsQuotes else { return bytes.append(text: text) }
    bytes.append(quote)
    for byte in text.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  private static let blank = UInt8(ascii: " ")

  /// Whether spreadsheets compute with a text: it begins with one of `= + - @`, a tab or a line
  /// break, and is no number.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.utf8.first, "=+-@\t\r\n".utf8.contains(first) else { return false }
    return text.wholeMatch(of: /[+-]?[0-9]+([.,][0-9]+)?(e[+-]?[0-9]+)?/) == nil
  }
}

extension JSON {
  /// Appends the value as a csv field: a string without quotes, nothing for null.
  package func append(to bytes: inout [UInt8], as csv: CommaSeparated) {
    switch self {
    case .null: break
    case .number(let number): csv.append(number, to: &bytes)
    case .string(let text): csv.append(text, to: &bytes)
    default: csv.append(text, to: &bytes)
    }
  }
}
