import Foundation

extension JSON {
  /// A document of JSON as it stood in a file, on one line: white space between its parts is left
  /// out, every digit stays, and what could steer a terminal is escaped.
  ///
  /// `nil` when the bytes are no JSON that every reader takes (RFC 8259): in another encoding than
  /// UTF-8 or with its mark, with a comma too many, nested deeper than readers go, or with halves
  /// of characters.
  package init?(document: [UInt8]) {
    guard let text = String(validating: document, as: UTF8.self) else { return nil }
    var grammar = JSONGrammar(document)
    guard grammar.isDocument(),
      (try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)) != nil
    else { return nil }
    var kept = ""
    kept.reserveCapacity(document.count)
    var isQuoted = false
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isQuoted {
        isQuoted = isEscaped || scalar != "\""
        isEscaped = !isEscaped && scalar == "\\"
        if scalar.isControl {
          kept += Self.escape(UInt16(truncatingIfNeeded: scalar.value))
          continue
        }
      } else if scalar == "\"" {
        isQuoted = true
      } else if [" ", "\t", "\n", "\r"].contains(scalar) {
        continue
      }
      kept.unicodeScalars.append(scalar)
    }
    self = .written(kept)
  }

  /// A document: JSON where it is some, else its text.
  package static func documentOrText(_ document: [UInt8]) -> JSON {
    JSON(document: document) ?? .string(text(of: document))
  }

  /// The text of a document in whichever encoding its first bytes name.
  package static func text(of document: [UInt8]) -> String {
    let units = [[0xFE, 0xFF], [0xFF, 0xFE]].firstIndex { document.starts(with: $0) }
    guard let units, document.count.isMultiple(of: 2) else {
      return String(decoding: document, as: UTF8.self)
    }
    return String(
      decoding: stride(from: 0, to: document.count, by: 2).map { place -> UInt16 in
        let pair = (UInt16(document[place]), UInt16(document[place + 1]))
        return units == 0 ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
      }, as: UTF16.self)
  }
}

/// The grammar of RFC 8259, with a bound for nesting.
private struct JSONGrammar {
  private let bytes: [UInt8]
  private var place = 0

  /// Readers differ in how deep they go; many stop at 512.
  private static let deepest = 200

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all of the bytes are one value.
  mutating func isDocument() -> Bool {
    guard value(depth: 0) else { return false }
    skipBlanks()
    return place == bytes.count
  }

  private mutating func value(depth: Int) -> Bool {
    skipBlanks()
    guard place < bytes.count, depth <= Self.deepest else { return false }
    switch bytes[place] {
    case UInt8(ascii: "{"): return list(until: "}", depth: depth, isObject: true)
    case UInt8(ascii: "["): return list(until: "]", depth: depth, isObject: false)
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  private mutating func list(until end: Unicode.Scalar, depth: Int, isObject: Bool) -> Bool {
    place += 1
    skipBlanks()
    if take(end) { return true }
    repeat {
      if isObject {
        skipBlanks()
        guard string() else { return false }
        skipBlanks()
        guard take(":") else { return false }
      }
      guard value(depth: depth + 1) else { return false }
      skipBlanks()
    } while take(",")
    return take(end)
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case ..<0x20: return false
      case UInt8(ascii: "\\"):
        guard place < bytes.count else { return false }
        place += 1
        if bytes[place - 1] == UInt8(ascii: "u") {
          guard let unit = escapedUnit() else { return false }
          if UTF16.isTrailSurrogate(unit) { return false }
          if UTF16.isLeadSurrogate(unit) {
            guard take("\\"), take("u"), let other = escapedUnit(), UTF16.isTrailSurrogate(other)
            else { return false }
          }
        } else if !"\"\\/bfnrt".utf8.contains(bytes[place - 1]) {
          return false
        }
      default: break
      }
    }
    return false
  }

  private mutating func escapedUnit() -> UInt16? {
    guard place + 4 <= bytes.count else { return nil }
    let digits = bytes[place..<place + 4]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    place += 4
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0"), !digits() { return false }
    if take("."), !digits() { return false }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      return digits()
    }
    return true
  }

  private mutating func digits() -> Bool {
    let first = place
    while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
    return place > first
  }

  private mutating func word(_ word: String) -> Bool {
    guard bytes[place...].starts(with: word.utf8) else { return false }
    place += word.utf8.count
    return true
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
