/// HTML and SVG as they are written: every text and every value of an attribute is escaped.
struct Markup {
  /// What is written so far.
  private(set) var text = ""
  /// Whether it is for paper: no figure is read by keys, and no table opens.
  let isOnPaper: Bool

  /// Makes an empty piece.
  init(isOnPaper: Bool = false) { self.isOnPaper = isOnPaper }

  /// Attributes in order; one whose value is `nil` is left out, one with an empty value has a name
  /// alone.
  typealias Attributes = KeyValuePairs<StaticString, String?>

  /// Writes a start tag.
  mutating func open(_ name: StaticString, _ attributes: Attributes = [:]) {
    tag(name, attributes)
    text += ">"
  }

  /// Writes an end tag.
  mutating func close(_ name: StaticString) { text += "</\(name)>" }

  /// Writes an element that has no content in HTML, and none in SVG.
  mutating func empty(_ name: StaticString, _ attributes: Attributes = [:]) {
    tag(name, attributes)
    text += "/>"
  }

  /// Writes an element with a text.
  mutating func element(
    _ name: StaticString, _ attributes: Attributes = [:], _ content: String
  ) {
    open(name, attributes)
    write(content)
    close(name)
  }

  /// Writes an element with what a function writes.
  mutating func element(
    _ name: StaticString, _ attributes: Attributes = [:],
    _ content: (inout Markup) throws -> Void
  ) rethrows {
    open(name, attributes)
    try content(&self)
    close(name)
  }

  /// Writes a text.
  mutating func write(_ content: String) { escape(content, quotes: false) }

  /// Writes what is markup already: the style, the script, another piece.
  mutating func raw(_ markup: String) { text += markup }

  /// Writes another piece.
  mutating func append(_ piece: Markup) { text += piece.text }

  // MARK: - Escaping

  private mutating func escape(_ content: String, quotes: Bool) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.utf8.count)
    for byte in content.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
      case UInt8(ascii: "\"") where quotes: bytes += Array("&quot;".utf8)
      default: bytes.append(byte)
      }
    }
    text += String(decoding: bytes, as: UTF8.self)
  }

  private mutating func tag(_ name: StaticString, _ attributes: Attributes) {
    text += "<\(name)"
    for case (let name, let value?) in attributes {
      text += " \(name)"
      guard !value.isEmpty else { continue }
      text += "=\""
      escape(value, quotes: true)
      text += "\""
    }
  }
}
