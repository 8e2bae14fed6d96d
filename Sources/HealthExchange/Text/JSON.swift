package import HealthSamples

/// A JSON value whose keys stay in the order in which they were given.
///
/// Foundation's encoder sorts keys or leaves them to the hash seed; scripts and people want the
/// order of the contract.
package indirect enum JSON: Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])
  /// JSON text on one line.
  case written(String)

  /// One key with its value.
  package struct Member: Equatable {
    package let key: String
    package let value: JSON

    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// A number, or null when there is none.
  package static func optional(_ value: Double?) -> JSON { value.map(JSON.number) ?? .null }

  /// A text, or null when there is none.
  package static func optional(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }

  /// The value as text on one line.
  package var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  /// Appends the value as text on one line.
  package func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    // JSON has no infinity, which a sum of the largest numbers can be.
    case .number(let value): text += value.isFinite ? NumberText.exact(value) : "null"
    case .string(let value): Self.append(quoted: value, to: &text)
    case .written(let value): text += value
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.append(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.append(quoted: member.key, to: &text)
        text += ":"
        member.value.append(to: &text)
      }
      text += "}"
    }
  }

  /// Appends a string with everything escaped that JSON asks for (RFC 8259 §7).
  ///
  /// What ends a line in JavaScript (U+2028, U+2029) and what steers a terminal (controls above
  /// U+007E, marks of writing direction) is escaped as well.
  private static func append(quoted value: String, to text: inout String) {
    text += "\""
    guard value.needsEscapes else {
      text += value
      text += "\""
      return
    }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControl: text += escape(UInt16(truncatingIfNeeded: scalar.value))
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  /// An escape of a unit of UTF-16: `\u001b`.
  package static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension JSON {
  /// Metadata as a list of pairs, since keys may repeat.
  package init(pairsOf metadata: Metadata) {
    self = .array(
      metadata.entries.map {
        .object([.init("key", .string($0.key)), .init("value", .string($0.value))])
      })
  }
}

extension String {
  /// Whether JSON asks for an escape somewhere in the text; most texts need none, and then they are
  /// copied whole.
  fileprivate var needsEscapes: Bool {
    var isPerhapsControl = false
    for byte in utf8 {
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F {
        return true
      }
      // The first byte of what is escaped above U+007F, and of ’ as well.
      if byte == 0xC2 || byte == 0xD8 || byte == 0xE2 { isPerhapsControl = true }
    }
    return isPerhapsControl && unicodeScalars.contains(where: \.isControl)
  }
}

extension TextOutput {
  /// Writes an object whose last member is a list with a line for each entry.
  package func write(
    _ members: [JSON.Member], list key: String, of entries: some Sequence<JSON>
  ) throws(OutputError) {
    try write(JSON.object(members).text.dropLast() + ",\n \(JSON.string(key).text):[")
    for (place, entry) in entries.enumerated() {
      try write((place == 0 ? "\n  " : ",\n  ") + entry.text)
    }
    try write("]}\n")
  }

  /// Writes one array, an object a line.
  package func write(array objects: some Sequence<JSON>) throws(OutputError) {
    try write("[")
    var separator = "\n  "
    for object in objects {
      try write(separator + object.text)
      separator = ",\n  "
    }
    try write("]\n")
  }
}
