/// The elements of a published XML file as a flat list of names and attributes.
///
/// It reads the files of UCUM, which have no document type, and no more.
public enum UnitXML {
  /// One start tag.
  public struct Element: Sendable {
    public let name: String
    public let attributes: [String: String]
  }

  /// The start tags in the order of the text, without those in comments.
  public static func elements(of text: String) -> [Element] {
    var elements: [Element] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...]
      if rest.hasPrefix("<!--") {
        rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
        continue
      }
      let close = rest.firstIndex(of: ">") ?? rest.endIndex
      let tag = rest[..<close].dropFirst()
      if let first = tag.first, first.isLetter { elements.append(element(tag)) }
      rest = rest[close...].dropFirst()
    }
    return elements
  }

  private static func element(_ tag: Substring) -> Element {
    let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
    var attributes: [String: String] = [:]
    var rest = tag.dropFirst(name.count)
    while let equals = rest.firstIndex(of: "=") {
      let key = rest[..<equals].filter { !$0.isWhitespace }
      let quoted = rest[equals...].dropFirst().drop { $0.isWhitespace }
      guard let quote = quoted.first else { break }
      let value = quoted.dropFirst().prefix { $0 != quote }
      attributes[String(key)] = unescaped(value)
      rest = quoted.dropFirst(value.count + 2)
    }
    return Element(name: String(name), attributes: attributes)
  }

  private static func unescaped(_ text: Substring) -> String {
    var text = String(text)
    for (entity, character) in [("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">")] {
      text = text.replacing(entity, with: character)
    }
    return text.replacing("&amp;", with: "&")
  }
}
