import HealthAnswers
package import HealthSamples

/// A JSON value whose keys stay in the order in which they were given.
///
/// Foundation's encoder sorts keys or leaves them to the hash seed; scripts and people want the
/// order of the contract.
package indirect enum JSON: Equatable, Sendable {
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
  package struct Member: Equatable, Sendable {
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
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value as text on one line.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(text: "null")
    case .bool(let value): bytes.append(text: value ? "true" : "false")
    case .integer(let value): bytes.append(integer: value)
    case .number(let value): Self.append(value, to: &bytes)
    case .string(let value): Self.append(value, to: &bytes)
    case .written(let value): bytes.append(text: value)
    case .array(let values):
      bytes.append(mark: "[")
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(mark: ",") }
        value.append(to: &bytes)
      }
      bytes.append(mark: "]")
    case .object(let members):
      bytes.append(mark: "{")
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(mark: ",") }
        Self.append(key: member.key, to: &bytes)
        member.value.append(to: &bytes)
      }
      bytes.append(mark: "}")
    }
  }

  /// Appends a number.
  package static func append(_ value: Double, to bytes: inout [UInt8]) {
    // JSON has no infinity, which a sum of the largest numbers can be.
    if value.isFinite { bytes.append(exact: value) } else { bytes.append(text: "null") }
  }

  /// Appends the key of a member.
  package static func append(key: String, to bytes: inout [UInt8]) {
    append(key, to: &bytes)
    bytes.append(mark: ":")
  }

  /// Appends a string with everything escaped that JSON asks for (RFC 8259 §7).
  ///
  /// What ends a line in JavaScript (U+2028, U+2029) and what steers a terminal (controls above
  /// U+007E, marks of writing direction) is escaped as well.
  package static func append(_ value: String, to bytes: inout [UInt8]) {
    bytes.append(mark: "\"")
    defer { bytes.append(mark: "\"") }
    guard value.hasControls || value.hasByte({ $0 == 0x22 || $0 == 0x5C }) else {
      return bytes.append(text: value)
    }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": bytes.append(text: "\\\"")
      case "\\": bytes.append(text: "\\\\")
      case "\n": bytes.append(text: "\\n")
      case "\r": bytes.append(text: "\\r")
      case "\t": bytes.append(text: "\\t")
      case _ where scalar.isControl:
        bytes.append(text: escape(UInt16(truncatingIfNeeded: scalar.value)))
      default: bytes.append(contentsOf: scalar.utf8)
      }
    }
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

extension TextOutput {
  /// Adds a value on a line of its own.
  package func line(_ value: JSON) throws(OutputError) {
    try append { bytes in
      value.append(to: &bytes)
      bytes.append(mark: "\n")
    }
  }
}

extension JSON: Encodable {
  /// Encodes the value: null for a number that JSON cannot have; JSON that is written already is a text.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: AnyKey.self)
      for member in members { try container.encode(member.value, forKey: AnyKey(member.key)) }
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    // JSON has no infinity, which a sum of the largest numbers can be.
    case .number(let value):
      try value.isFinite ? value.encode(to: encoder) : Self.null.encode(to: encoder)
    case .string(let value), .written(let value): try value.encode(to: encoder)
    }
  }
}
