import CPage

/// The table of words, `words.tsv`: a row for each text, a column for each language.
enum WordTable {
  private typealias Bytes = ArraySlice<UInt8>

  private static let rows = parts(of: Array(String(cString: hk_page_words()).utf8)[...], "\n")

  private static let groups = Dictionary(grouping: rows) { row in
    String(decoding: row.prefix { !".\t".utf8.contains($0) }, as: UTF8.self)
  }

  /// The texts of a group.
  static func group(_ group: String, in language: ReportLanguage.Base) -> WordGroup {
    let texts = texts(of: groups[group, default: []], in: language).map { key, text in
      (String(key.dropFirst(group.count + 1)), text)
    }
    return WordGroup(texts: Dictionary(texts) { first, _ in first })
  }

  /// The texts of a language by key, in the order of the table.
  static func texts(in language: ReportLanguage.Base) -> [(key: String, text: String)] {
    texts(of: Array(rows.dropFirst()), in: language)
  }

  private static func texts(
    of rows: [Bytes], in language: ReportLanguage.Base
  ) -> [(key: String, text: String)] {
    let head = parts(of: Self.rows[0], "\t")
    guard let column = head.firstIndex(where: { $0.elementsEqual(language.rawValue.utf8) })
    else { return [] }
    return rows.compactMap { row in
      let cells = parts(of: row, "\t")
      // The heads of groups have no text.
      guard cells[0].contains(UInt8(ascii: ".")) else { return nil }
      return (String(decoding: cells[0], as: UTF8.self), text(cells[column]))
    }
  }

  /// The parts between a separator; `split` takes ten times as long.
  private static func parts(of bytes: Bytes, _ separator: Unicode.Scalar) -> [Bytes] {
    var (parts, start) = ([Bytes](), bytes.startIndex)
    bytes.withUnsafeBufferPointer { buffer in
      for place in buffer.indices where buffer[place] == UInt8(ascii: separator) {
        let end = bytes.startIndex + place
        parts.append(bytes[start..<end])
        start = end + 1
      }
    }
    return parts + [bytes[start...]]
  }

  /// The text of a cell, whose invisible characters are escaped: `\u{A0}`.
  private static func text(_ cell: Bytes) -> String {
    let parts = parts(of: cell, "\\").map { String(decoding: $0, as: UTF8.self) }
    return parts.dropFirst().reduce(into: parts[0]) { text, part in
      let code = part.dropFirst("u{".count).prefix { $0 != "}" }
      let scalar = UInt32(code, radix: 16).flatMap(Unicode.Scalar.init)
      text.unicodeScalars.append(scalar ?? "\u{FFFD}")
      text += part.dropFirst(code.count + "u{}".count)
    }
  }
}

/// The texts of a group by their names.
struct WordGroup: Sendable {
  let texts: [String: String]

  /// The text of a name; the name, which a page shows, where Tools/words has not run since the table
  /// changed.
  func text(_ name: String) -> String { texts[name] ?? name }
}
