/// Walks over JSON text (RFC 8259) in memory, one value at a time.
///
/// Damage ends the walk: ``damagedAt`` says where, and everything after it reads as the end.
struct JSONText {
  private let bytes: [UInt8]
  /// The place of the next byte.
  private(set) var position: Int
  private let end: Int
  /// Where the text stops to be JSON; `nil` while it does not.
  private(set) var damagedAt: Int?
  /// How many values may still be made by ``value()``, which bounds its memory.
  private var budget = 0

  private static let deepest = 64
  private static let mostValues = 1 << 21

  /// A value with all that stands in it.
  enum Value {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Value])
    case object([(key: String, value: Value)])
  }

  /// Walks over a part of a text, all of it without a range.
  init(_ bytes: [UInt8], range: Range<Int>? = nil) {
    self.bytes = bytes
    position = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
    if range == nil, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Goes to the first member of an object that begins here.
  mutating func enterObject() -> Bool { enter("{") }

  /// Goes to the first element of an array that begins here.
  mutating func enterArray() -> Bool { enter("[") }

  /// The key of the next member, its value next; `nil` behind the last one.
  mutating func nextKey() -> String? {
    skipSpace()
    if skip(",") { skipSpace() }
    if skip("}") { return nil }
    guard let key = string() else { return nil }
    skipSpace()
    guard skip(":") else { return damage() }
    skipSpace()
    return key
  }

  /// Whether another element of an array follows; goes to it, or behind the array.
  mutating func nextElement() -> Bool {
    skipSpace()
    if skip(",") { skipSpace() }
    if skip("]") { return false }
    if position < end { return true }
    let nothing: Bool? = damage()
    return nothing ?? false
  }

  /// Goes over a value; its place in the text.
  mutating func skipValue() -> Range<Int>? {
    skipSpace()
    let start = position
    var depth = 0
    repeat {
      guard position < end else { return damage() }
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
        if depth < 0 { return damage() }
      case .quote: if !skipString() { return damage() }
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
        if depth == 0 { return damage() }
        position += 1
      default: skipWord()
      }
    } while depth > 0
    return start..<position
  }

  /// The value that begins here; `nil` when it is damaged, too deep or too large.
  mutating func value() -> Value? {
    budget = Self.mostValues
    return value(depth: 0)
  }

  /// The string that begins here.
  mutating func string() -> String? {
    skipSpace()
    let start = position + 1
    guard position < end, bytes[position] == .quote, skipString() else { return damage() }
    let raw = bytes[start..<position - 1]
    guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
    return Self.unescaped(raw)
  }

  private mutating func value(depth: Int) -> Value? {
    skipSpace()
    budget -= 1
    guard position < end, budget > 0, depth < Self.deepest else { return damage() }
    switch bytes[position] {
    case UInt8(ascii: "{"):
      var members: [(key: String, value: Value)] = []
      position += 1
      while let key = nextKey() {
        guard let value = value(depth: depth + 1) else { return nil }
        members.append((key, value))
      }
      return damagedAt == nil ? .object(members) : nil
    case UInt8(ascii: "["):
      var elements: [Value] = []
      position += 1
      while nextElement() {
        guard let value = value(depth: depth + 1) else { return nil }
        elements.append(value)
      }
      return damagedAt == nil ? .array(elements) : nil
    case .quote: return string().map(Value.string)
    default: return word()
    }
  }

  private mutating func word() -> Value? {
    let start = position
    skipWord()
    let text = bytes[start..<position]
    if text.elementsEqual("null".utf8) { return .null }
    if text.elementsEqual("true".utf8) { return .bool(true) }
    if text.elementsEqual("false".utf8) { return .bool(false) }
    let number = text.withUnsafeBufferPointer { NumberScanner.number($0) }
    return number.map(Value.number) ?? damage()
  }

  private mutating func skipWord() {
    let start = position
    while position < end {
      switch bytes[position] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."):
        position += 1
      default:
        // A byte that belongs to no value must not be met for ever.
        if position == start { let _: Bool? = damage() }
        return
      }
    }
  }

  /// Goes over a string; false when it does not end.
  private mutating func skipString() -> Bool {
    position += 1
    while position < end {
      switch bytes[position] {
      case .quote:
        position += 1
        return true
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return false
  }

  private mutating func skipSpace() {
    while position < end, bytes[position].isSpace { position += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < end, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  private mutating func enter(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    if skip(character) { return true }
    let nothing: Bool? = damage()
    return nothing ?? false
  }

  private mutating func damage<Result>() -> Result? {
    damagedAt = damagedAt ?? min(position, end)
    position = end
    return nil
  }

  private static func unescaped(_ raw: ArraySlice<UInt8>) -> String {
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

extension JSONText.Value {
  /// The first member of a name, of an object.
  subscript(key: String) -> JSONText.Value? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// A number, also one that stands in a string.
  var number: Double? {
    switch self {
    case .number(let number): return number
    case .string(var text): return text.withUTF8 { NumberScanner.number($0) }
    default: return nil
    }
  }

  /// A string that is not empty.
  var text: String? {
    guard case .string(let text) = self, !text.isEmpty else { return nil }
    return text
  }

  /// The elements of an array; none of anything else.
  var elements: [JSONText.Value] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }
}
