/// Decodes the raw bytes of an attribute: resolves references and removes invalid characters.
enum TextDecoder {
  /// The text, and how many characters were removed or replaced.
  ///
  /// Control characters and references to invalid characters are removed. Invalid UTF-8 becomes
  /// U+FFFD. A raw tab or line break is a space, as XML requires; `\r\n` is one space. An `&`
  /// without a reference is kept.
  static func text(_ raw: Bytes) -> (text: String, replaced: Int) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var replaced = 0
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      index += 1
      switch byte {
      case UInt8(ascii: "&"):
        guard let (scalar, next) = reference(raw, index) else {
          bytes.append(byte)
          continue
        }
        index = next
        if let scalar { bytes.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
        if scalar == nil { replaced += 1 }
      case 0x0D where index < raw.count && raw[index] == 0x0A: break
      case 0x09, 0x0A, 0x0D: bytes.append(0x20)
      case 0..<0x20: replaced += 1
      default: bytes.append(byte)
      }
    }
    if let text = String(validating: bytes, as: UTF8.self) { return (text, replaced) }
    let text = String(decoding: bytes, as: UTF8.self)
    // U+FFFD may also be in the original text.
    let written = bytes.indices.count { bytes[$0...].starts(with: [0xEF, 0xBF, 0xBD]) }
    return (text, replaced + text.unicodeScalars.count { $0 == "\u{FFFD}" } - written)
  }

  /// The reference after an `&`: its character, `nil` if it is invalid in XML, and the next offset;
  /// `nil` if there is no reference.
  private static func reference(_ raw: Bytes, _ start: Int) -> (Unicode.Scalar?, next: Int)? {
    let longest = raw[start...].prefix(12)
    guard let end = longest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = raw[start..<end]
    for (known, scalar) in named where name.elementsEqual(known.utf8) { return (scalar, end + 1) }
    guard name.first == UInt8(ascii: "#"), let code = code(name.dropFirst()) else { return nil }
    let isText = code >= 0x20 || code == 0x09 || code == 0x0A || code == 0x0D
    return (isText ? Unicode.Scalar(code) : nil, end + 1)
  }

  private static let named: [(String, Unicode.Scalar)] = [
    ("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\""), ("apos", "'"),
  ]

  /// The number of a character reference: decimal digits, or `x` and hexadecimal ones.
  private static func code(_ name: Slice<Bytes>) -> UInt32? {
    let isHexadecimal = name.first == UInt8(ascii: "x") || name.first == UInt8(ascii: "X")
    let digits = isHexadecimal ? name.dropFirst() : name
    var code: UInt64 = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x41...0x46 where isHexadecimal: value = digit - 0x37
      case 0x61...0x66 where isHexadecimal: value = digit - 0x57
      default: return nil
      }
      // At most ten digits: no overflow.
      code = code * (isHexadecimal ? 16 : 10) + UInt64(value)
    }
    return digits.isEmpty ? nil : UInt32(clamping: code)
  }
}
