import Glibc

/// A JSON value in memory with all of its parts: parsed once, then accessed by name without copies.
///
/// Every value is a node with the range of its text and the index of the node after it, so that
/// values need no allocations. The memory is reused for the next one.
final class JSONTape {
  fileprivate enum Kind: UInt8 {
    case null, yes, no, number, string, array, object
  }

  fileprivate struct Node {
    let kind: Kind
    /// Whether the string, or the key, has escapes.
    var isEscaped = false
    var isKeyEscaped = false
    /// The text, without quotes; offsets fit into 32 bits because a value does.
    var start: UInt32 = 0
    var end: UInt32 = 0
    /// The key of a member.
    var keyStart: UInt32 = 0
    var keyEnd: UInt32 = 0
    /// The node after all parts of this one.
    var next: UInt32 = 0
  }

  private static let deepest = 64
  private static let mostNodes = 1 << 22

  fileprivate private(set) var bytes: [UInt8] = []
  fileprivate private(set) var nodes: [Node] = []
  private var place = 0

  init() {}

  /// The value of the whole `text`; `nil` if it is invalid, too deep, or has too many parts.
  func read(_ text: Bytes) -> JSONValue? {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: text)
    // A number needs a terminator.
    bytes.append(0)
    nodes.removeAll(keepingCapacity: true)
    place = 0
    guard readValue(depth: 0, key: nil) else { return nil }
    skipSpace()
    return place == text.count ? JSONValue(tape: self, node: 0) : nil
  }

  private func readValue(depth: Int, key: (text: Range<Int>, isEscaped: Bool)?) -> Bool {
    skipSpace()
    guard depth < Self.deepest, nodes.count < Self.mostNodes else { return false }
    let node = nodes.count
    switch bytes[place] {
    case UInt8(ascii: "{"):
      append(.object, key: key)
      guard readMembers(depth: depth) else { return false }
    case UInt8(ascii: "["):
      append(.array, key: key)
      guard readElements(depth: depth) else { return false }
    case .quote:
      guard let (text, isEscaped) = readString() else { return false }
      append(.string, text, isEscaped: isEscaped, key: key)
    default:
      guard let (kind, text) = readWord() else { return false }
      append(kind, text, key: key)
    }
    nodes[node].next = UInt32(nodes.count)
    return true
  }

  private func append(
    _ kind: Kind, _ text: Range<Int> = 0..<0, isEscaped: Bool = false,
    key: (text: Range<Int>, isEscaped: Bool)?
  ) {
    var node = Node(kind: kind)
    node.isEscaped = isEscaped
    (node.start, node.end) = (UInt32(text.lowerBound), UInt32(text.upperBound))
    if let key {
      (node.keyStart, node.keyEnd) = (UInt32(key.text.lowerBound), UInt32(key.text.upperBound))
      node.isKeyEscaped = key.isEscaped
    }
    nodes.append(node)
  }

  private func readMembers(depth: Int) -> Bool {
    place += 1
    if skip("}") { return true }
    repeat {
      skipSpace()
      guard bytes[place] == .quote, let key = readString(), skip(":"),
        readValue(depth: depth + 1, key: key)
      else { return false }
    } while skip(",")
    return skip("}")
  }

  private func readElements(depth: Int) -> Bool {
    place += 1
    if skip("]") { return true }
    repeat {
      guard readValue(depth: depth + 1, key: nil) else { return false }
    } while skip(",")
    return skip("]")
  }

  /// The text between quotes, the first of which is here.
  private func readString() -> (text: Range<Int>, isEscaped: Bool)? {
    let start = place + 1
    var isEscaped = false
    place = start
    let end = bytes.count - 1
    while place < end {
      switch bytes[place] {
      case .quote:
        place += 1
        return (start..<place - 1, isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        place += 2
      default: place += 1
      }
    }
    place = end
    return nil
  }

  private func readWord() -> (Kind, Range<Int>)? {
    let start = place
    while bytes[place].isJSONWord { place += 1 }
    let text = start..<place
    let kind: Kind? =
      switch bytes[start] {
      case UInt8(ascii: "n"): bytes[text].elementsEqual("null".utf8) ? .null : nil
      case UInt8(ascii: "t"): bytes[text].elementsEqual("true".utf8) ? .yes : nil
      case UInt8(ascii: "f"): bytes[text].elementsEqual("false".utf8) ? .no : nil
      default: number(in: text) == nil ? nil : .number
      }
    return kind.map { ($0, text) }
  }

  private func skipSpace() {
    while bytes[place].isSpace { place += 1 }
  }

  private func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard UInt32(bytes[place]) == character.value else { return false }
    place += 1
    return true
  }

  fileprivate func number(in text: Range<Int>) -> Double? {
    bytes.withUnsafeBufferPointer { NumberScanner.enclosed(Bytes(rebasing: $0[text])) }
  }

  /// A text without zero bytes, because databases end texts there.
  fileprivate func string(in text: Range<Int>, isEscaped: Bool) -> String {
    let string =
      isEscaped
      ? JSONValue.unescaped(bytes[text]) : String(decoding: bytes[text], as: UTF8.self)
    return string.utf8.contains(0) ? string.replacing("\0", with: "") : string
  }
}

extension UInt8 {
  /// Whether the byte may be in a number or in `null`, `true` or `false`.
  var isJSONWord: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// A value of a ``JSONTape``.
struct JSONValue {
  fileprivate let tape: JSONTape
  fileprivate let node: Int

  /// The first member with a key, for an object.
  subscript(key: StaticString) -> JSONValue? {
    let object = tape.nodes[node]
    guard object.kind == .object else { return nil }
    var place = node + 1
    while place < object.next {
      let member = tape.nodes[place]
      if isKey(key, of: member) { return JSONValue(tape: tape, node: place) }
      place = Int(member.next)
    }
    return nil
  }

  private func isKey(_ key: StaticString, of member: JSONTape.Node) -> Bool {
    let text = Int(member.keyStart)..<Int(member.keyEnd)
    if member.isKeyEscaped {
      return tape.string(in: text, isEscaped: true) == key.description
    }
    return tape.bytes.withUnsafeBufferPointer { Bytes(rebasing: $0[text]).equals(key) }
  }

  /// A number, even as a string.
  var number: Double? {
    let value = tape.nodes[node]
    return value.kind == .number || value.kind == .string ? tape.number(in: text(of: value)) : nil
  }

  /// A non-empty string.
  var text: String? {
    let value = tape.nodes[node]
    guard value.kind == .string, value.start < value.end else { return nil }
    return tape.string(in: text(of: value), isEscaped: value.isEscaped)
  }

  /// A Boolean.
  var flag: Bool? {
    switch tape.nodes[node].kind {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  /// A string, a number or a Boolean as text; otherwise `nil`.
  var plainText: String? {
    let value = tape.nodes[node]
    switch value.kind {
    case .string: return text
    case .number: return tape.string(in: text(of: value), isEscaped: false)
    case .yes, .no: return String(value.kind == .yes)
    case .null, .array, .object: return nil
    }
  }

  /// The members of an object; otherwise empty.
  var members: [(key: String, value: JSONValue)] {
    let object = tape.nodes[node]
    guard object.kind == .object else { return [] }
    var members: [(key: String, value: JSONValue)] = []
    var place = node + 1
    while place < object.next {
      let member = tape.nodes[place]
      let key = tape.string(
        in: Int(member.keyStart)..<Int(member.keyEnd), isEscaped: member.isKeyEscaped)
      members.append((key, JSONValue(tape: tape, node: place)))
      place = Int(member.next)
    }
    return members
  }

  /// Parses the text of a string without a copy.
  func withText<Result>(_ body: (Bytes) -> Result?) -> Result? {
    let value = tape.nodes[node]
    guard value.kind == .string else { return nil }
    if value.isEscaped {
      var text = tape.string(in: text(of: value), isEscaped: true)
      return text.withUTF8(body)
    }
    return tape.bytes.withUnsafeBufferPointer { body(Bytes(rebasing: $0[text(of: value)])) }
  }

  /// The elements of an array; otherwise `nil`.
  var elements: Elements? {
    let array = tape.nodes[node]
    guard array.kind == .array else { return nil }
    return Elements(tape: tape, place: node + 1, end: Int(array.next))
  }

  /// A sequence of the elements of an array.
  struct Elements: Sequence, IteratorProtocol {
    fileprivate let tape: JSONTape
    fileprivate var place: Int
    fileprivate let end: Int

    mutating func next() -> JSONValue? {
      guard place < end else { return nil }
      defer { place = Int(tape.nodes[place].next) }
      return JSONValue(tape: tape, node: place)
    }
  }

  private func text(of value: JSONTape.Node) -> Range<Int> { Int(value.start)..<Int(value.end) }

  /// Resolves the escapes of a text.
  static func unescaped(_ raw: ArraySlice<UInt8>) -> String {
    var units: [UInt16] = []
    var text = ""
    func flush() {
      text += String(decoding: units, as: UTF16.self)
      units.removeAll()
    }
    var rest = raw
    while let byte = rest.first {
      guard byte == UInt8(ascii: "\\") else {
        flush()
        let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
        text += String(decoding: plain, as: UTF8.self)
        rest = rest.dropFirst(plain.count)
        continue
      }
      let escaped = rest.dropFirst().first ?? byte
      rest = rest.dropFirst(2)
      switch escaped {
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "u"):
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(4)
      default: units.append(UInt16(escaped))
      }
    }
    flush()
    return text
  }
}
