import Foundation
import HealthExchange

/// The messages of a descriptor: its lines, in memory that does not grow with them.
struct MessageLines {
  /// The most bytes of a line.
  static let longest = 1 << 20

  enum Line {
    case message([UInt8])
    /// The line has more bytes than ``longest``; it was skipped.
    case oversized
  }

  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var unread = 0..<0

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next line, or `nil` at the end; the last one need not end with a line feed.
  mutating func next() throws(Failure) -> Line? {
    var line: [UInt8] = []
    var isOversized = false
    var isEmpty = true
    while true {
      if unread.isEmpty, try !fill() {
        return isEmpty ? nil : isOversized ? .oversized : .message(line)
      }
      isEmpty = false
      let end = buffer[unread].firstIndex(of: UInt8(ascii: "\n"))
      let piece = unread.lowerBound..<(end ?? unread.upperBound)
      if line.count + piece.count > Self.longest {
        isOversized = true
        line = []
      }
      if !isOversized { line += buffer[piece] }
      unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
      if end != nil { return isOversized ? .oversized : .message(line) }
    }
  }

  /// Reads more; `false` at the end.
  private mutating func fill() throws(Failure) -> Bool {
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure(
          "Standard input cannot be read: \(String(cString: strerror(errno))).", .inputOutput)
      }
      unread = 0..<count
      return count > 0
    }
  }
}

/// A value of a message, and where its text stands.
struct MessageValue {
  enum Content {
    case null
    case truth(Bool)
    case number
    case text(String)
    /// The elements are not kept: no message of the protocol needs them.
    case list
    case object([String: MessageValue])
  }

  let content: Content
  /// The bytes of its text.
  let range: Range<Int>

  /// The members of an object; `nil` for any other value.
  var members: [String: MessageValue]? {
    if case .object(let members) = content { members } else { nil }
  }

  var text: String? { if case .text(let text) = content { text } else { nil } }
  var isNull: Bool { if case .null = content { true } else { false } }
}

/// Reads a message: one JSON value (RFC 8259) with bounded nesting, every key of an object once.
struct MessageReader {
  enum Problem: Error {
    case notUTF8
    case notJSON(byte: Int)
    case tooDeep
    case repeatedMember
  }

  /// Questions have four levels, in a message of four.
  static let deepest = 64

  private let bytes: [UInt8]
  private var place = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func value(of bytes: [UInt8]) throws(Problem) -> MessageValue {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    var reader = MessageReader(bytes)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.place == bytes.count else { throw reader.problem }
    return value
  }

  private var problem: Problem { .notJSON(byte: place) }

  private mutating func value(depth: Int) throws(Problem) -> MessageValue {
    skipBlanks()
    guard depth <= Self.deepest else { throw .tooDeep }
    guard place < bytes.count else { throw problem }
    let start = place
    let content: MessageValue.Content
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
    return MessageValue(content: content, range: start..<place)
  }

  private mutating func members(depth: Int) throws(Problem) -> [String: MessageValue] {
    var members: [String: MessageValue] = [:]
    place += 1
    skipBlanks()
    if take("}") { return members }
    repeat {
      skipBlanks()
      let key = try text()
      skipBlanks()
      guard take(":") else { throw problem }
      guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
        throw .repeatedMember
      }
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
    _ word: String, _ content: MessageValue.Content
  ) throws(Problem) -> MessageValue.Content {
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
