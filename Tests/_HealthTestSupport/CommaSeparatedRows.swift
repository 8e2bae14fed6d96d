/// Comma-separated text, or one with another separator, read by the letter of RFC 4180, character by character.
public enum CommaSeparatedRows {
  /// The records of a text; a quote that is never closed takes all that follows, and a carriage
  /// return outside of quotes ends a record, as spreadsheets have it.
  public static func rows(of text: String, separator: Character = ",") -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      if isQuoted {
        if scalar != "\"" {
          field.unicodeScalars.append(scalar)
        } else if scalars.first == "\"" {
          field.unicodeScalars.append("\"")
          scalars.removeFirst()
        } else {
          isQuoted = false
        }
        continue
      }
      switch scalar {
      case "\"": isQuoted = true
      case _ where Character(scalar) == separator:
        row.append(field)
        field = ""
      case "\n", "\r":
        if scalar == "\r", scalars.first == "\n" { scalars.removeFirst() }
        rows.append(row + [field])
        row = []
        field = ""
      default: field.unicodeScalars.append(scalar)
      }
    }
    return rows
  }
}
