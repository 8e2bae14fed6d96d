/// A value of JSON without whitespace, for a payload of many numbers.
enum JSONText {
  case text(String)
  case number(Int)
  case flag(Bool)
  case texts([String])
  case numbers([Int?])
  /// Names with texts, in order.
  case words([(String, String)])

  /// Writes JSON.
  struct Writer {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Writes an object.
    mutating func object(_ members: (inout Writer) -> Void) {
      bytes.append(UInt8(ascii: "{"))
      needsComma = false
      members(&self)
      bytes.append(UInt8(ascii: "}"))
      needsComma = true
    }

    /// Writes a member of an object.
    mutating func member(_ name: String, _ value: (inout Writer) -> Void) {
      separate()
      put(name)
      bytes.append(UInt8(ascii: ":"))
      value(&self)
      needsComma = true
    }

    /// Writes a member of an object.
    mutating func member(_ name: String, _ value: JSONText) { member(name) { $0.write(value) } }

    /// Writes an array.
    mutating func array<Element>(
      _ elements: [Element], _ write: (Element, inout Writer) -> Void
    ) {
      bytes.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element, &self)
      }
      bytes.append(UInt8(ascii: "]"))
    }

    /// Writes a value.
    mutating func write(_ value: JSONText) {
      switch value {
      case .text(let text): put(text)
      case .number(let number): bytes += Array("\(number)".utf8)
      case .flag(let flag): bytes += Array((flag ? "true" : "false").utf8)
      case .texts(let texts): array(texts) { $1.put($0) }
      case .numbers(let numbers):
        array(numbers) { $1.bytes += Array(($0.map { "\($0)" } ?? "null").utf8) }
      case .words(let words):
        object { json in
          for (name, text) in words { json.member(name, .text(text)) }
        }
      }
    }

    private mutating func separate() {
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      needsComma = false
    }

    private mutating func put(_ text: String) {
      bytes.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          bytes += [UInt8(ascii: "\\"), byte]
        case 0..<0x20:
          let digits = String(byte, radix: 16)
          bytes += Array("\\u00\(digits.count < 2 ? "0" : "")\(digits)".utf8)
        default: bytes.append(byte)
        }
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }
}
