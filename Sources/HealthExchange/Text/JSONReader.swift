/// A value of JSON that was read, and where its text stands.
package struct JSONValue {
  package enum Content {
    case null
    case truth(Bool)
    case number
    case text(String)
    /// The elements are not kept: nothing that reads this way needs them.
    case list
    case object([String: JSONValue])
  }

  package let content: Content
  /// The bytes of its text.
  package let range: Range<Int>

  /// The members of an object; `nil` for any other value.
  package var members: [String: JSONValue]? {
    if case .object(let members) = content { members } else { nil }
  }

  package var text: String? { if case .text(let text) = content { text } else { nil } }
  package var isNull: Bool { if case .null = content { true } else { false } }
}

/// Reads one JSON value (RFC 8259), whose nesting is bounded.
package struct JSONReader {
  package enum Problem: Error {
    case notUTF8
    case notJSON(byte: Int)
    case tooDeep
    case repeatedMember
  }

  private let bytes: [UInt8]
  private let deepest: Int
  private let refusesRepeated: Bool
  private var place = 0

  private init(_ bytes: [UInt8], deepest: Int, refusesRepeated: Bool) {
    (self.bytes, self.deepest, self.refusesRepeated) = (bytes, deepest, refusesRepeated)
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - bytes: all of the text
  ///   - deepest: how many lists and objects may lie in one another
  ///   - refusesRepeated: whether an object may have a key once only
  /// - Returns: the value
  /// - Throws: ``Problem``
  package static func value(
    of bytes: [UInt8], deepest: Int, refusesRepeated: Bool
  ) throws(Problem) -> JSONValue {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    var reader = JSONReader(bytes, deepest: deepest, refusesRepeated: refusesRepeated)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.place == bytes.count else { throw reader.problem }
    return value
  }

  private var problem: Problem { .notJSON(byte: place) }

  private mutating func value(depth: Int) throws(Problem) -> JSONValue {
    skipBlanks()
    guard depth <= deepest else { throw .tooDeep }
    guard place < bytes.count else { throw problem }
    let start = place
    let content: JSONValue.Content
    switch bytes[place] {
    case UInt8(ascii: "{"): content = .object(try members(depth: depth))
    case UInt8(ascii: "["):
      try skipElements(depth: depth)
      content = .list
    case UInt8(ascii: "\""): content = .text(try text())
    case UInt8(ascii: "t"): content = try word("true", .truth(true))
    case UInt8(ascii: "f"): content = try word("false", .truth(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    default:
      try skipNumber()
      content = .number
    }
    return JSONValue(content: content, range: start..<place)
  }

  private mutating func members(depth: Int) throws(Problem) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    place += 1
    skipBlanks()
    if take("}") { return members }
    repeat {
      skipBlanks()
      let key = try text()
      skipBlanks()
      guard take(":") else { throw problem }
      let isNew = members.updateValue(try value(depth: depth + 1), forKey: key) == nil
      guard isNew || !refusesRepeated else { throw .repeatedMember }
      skipBlanks()
    } while take(",")
    guard take("}") else { throw problem }
    return members
  }

  private mutating func skipElements(depth: Int) throws(Problem) {
    place += 1
    skipBlanks()
    if take("]") { return }
    repeat {
      _ = try value(depth: depth + 1)
      skipBlanks()
    } while take(",")
    guard take("]") else { throw problem }
  }

  private mutating func text() throws(Problem) -> String {
    guard take("\"") else { throw problem }
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        place += 1
        return String(decoding: text, as: UTF8.self)
      case ..<0x20: throw problem
      case UInt8(ascii: "\\"):
        place += 1
        text += try escaped().utf8
      default:
        text.append(byte)
        place += 1
      }
    }
    throw problem
  }

  /// What an escape stands for, after its backslash.
  private mutating func escaped() throws(Problem) -> String {
    guard place < bytes.count else { throw problem }
    place += 1
    switch bytes[place - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try unit()
      guard UTF16.isLeadSurrogate(unit) else {
        // Half of a character is none.
        guard let scalar = Unicode.Scalar(unit) else { throw problem }
        return String(scalar)
      }
      guard take("\\"), take("u") else { throw problem }
      let other = try self.unit()
      guard UTF16.isTrailSurrogate(other) else { throw problem }
      return String(decoding: [unit, other], as: UTF16.self)
    default: throw problem
    }
  }

  private mutating func unit() throws(Problem) -> UInt16 {
    guard place + 4 <= bytes.count else { throw problem }
    var unit: UInt16 = 0
    for byte in bytes[place..<place + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw problem }
      unit = unit << 4 | UInt16(digit)
    }
    place += 4
    return unit
  }

  private mutating func skipNumber() throws(Problem) {
    _ = take("-")
    if !take("0") { try skipDigits() }
    if take(".") { try skipDigits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(Problem) {
    let first = place
    while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
    guard place > first else { throw problem }
  }

  private mutating func word(
    _ word: String, _ content: JSONValue.Content
  ) throws(Problem) -> JSONValue.Content {
    guard bytes[place...].starts(with: word.utf8) else { throw problem }
    place += word.utf8.count
    return content
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(ascii: scalar) else { return false }
    place += 1
    return true
  }

  private mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }
}
