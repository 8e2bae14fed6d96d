/// One element of a document type: what may stand in it, and its attributes.
struct ElementDeclaration {
  let versions: ClosedRange<ExportVersion>
  let name: String
  let contents: String
  /// The column in which attributes say what they are.
  let width: Int
  /// The attributes in their order; those with `!` are required.
  let attributes: String
  /// A note in front of the element.
  let note: String?
  /// Whether the `>` after the attributes is there.
  let isClosed: Bool

  init(
    _ versions: ClosedRange<ExportVersion>, _ name: String, _ contents: String, _ width: Int = 0,
    _ attributes: String = "", note: String? = nil, isClosed: Bool = true
  ) {
    self.versions = versions
    self.name = name
    self.contents = contents
    self.width = width
    self.attributes = attributes
    self.note = note
    self.isClosed = isClosed
  }

  var text: String {
    var text = note.map { "<!-- Note: \($0) -->\n" } ?? ""
    text += "<!ELEMENT \(name) \(contents)>\n"
    guard !attributes.isEmpty else { return text }
    text += "<!ATTLIST \(name)\n"
    for attribute in attributes.split(separator: " ") {
      let isRequired = attribute.hasSuffix("!")
      let name = isRequired ? attribute.dropLast() : attribute
      // A few attributes stand one column or two beside the others.
      let parts = name.split(separator: "+")
      let shift = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      let spaces = max(1, width - parts[0].count) + shift
      text += "  \(parts[0])\(String(repeating: " ", count: spaces))"
      text += "CDATA #\(isRequired ? "REQUIRED" : "IMPLIED")\n"
    }
    return text + (isClosed ? ">\n" : "")
  }
}
