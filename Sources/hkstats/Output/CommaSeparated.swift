/// Comma-separated text (RFC 4180), with a line feed after each record.
enum CommaSeparated {
  /// One record; a field with a comma, a quote or a line break is quoted.
  static func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  private static func field(_ text: String) -> String {
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
}
