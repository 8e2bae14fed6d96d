/// The text of an attribute, decoded character by character.
public struct NaiveText {
  /// The decoded text.
  public private(set) var text = ""
  /// How many characters were left out or replaced.
  public private(set) var replaced = 0

  /// Decodes the bytes between two quotes.
  public init(_ raw: [UInt8]) {
    var bytes: [UInt8] = []
    var place = 0
    while place < raw.count {
      if raw[place] == UInt8(ascii: "&"), let end = raw[place...].firstIndex(of: 0x3B),
        end - place <= 12,
        let characters = Self.reference(String(decoding: raw[place + 1..<end], as: UTF8.self))
      {
        if characters.isEmpty { replaced += 1 }
        bytes += Array(characters.utf8)
        place = end + 1
        continue
      }
      let byte = raw[place]
      place += 1
      if byte == 0x0D, place < raw.count, raw[place] == 0x0A { continue }
      if byte == 0x09 || byte == 0x0A || byte == 0x0D {
        bytes.append(0x20)
      } else if byte < 0x20 {
        replaced += 1
      } else {
        bytes.append(byte)
      }
    }
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    decoding: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): text.unicodeScalars.append(scalar)
      case .error:
        text.unicodeScalars.append("\u{FFFD}")
        replaced += 1
      case .emptyInput: break decoding
      }
    }
  }

  /// What a reference stands for, empty when XML forbids it, `nil` when it is none.
  private static func reference(_ name: String) -> String? {
    let named = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
    if let known = named[name] { return known }
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.lowercased().hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    let allowed = isHexadecimal ? "0123456789abcdefABCDEF" : "0123456789"
    guard !digits.isEmpty, digits.allSatisfy(allowed.contains),
      let code = UInt64(digits, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    if code < 0x20, ![0x09, 0x0A, 0x0D].contains(code) { return "" }
    guard code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)) else { return "" }
    return String(Character(scalar))
  }

  /// A device without its address, and without the envelope around its fields.
  public static func device(_ text: String) -> String {
    let opening = "<<HKDevice: 0x"
    guard text.hasPrefix(opening) else { return text }
    var rest = String(text.dropFirst(opening.count))
    while let digit = rest.first, "0123456789abcdefABCDEF".contains(digit) { rest.removeFirst() }
    guard rest.hasPrefix(">") else { return opening + rest }
    rest.removeFirst()
    if rest.hasPrefix(", ") { rest = String(rest.dropFirst(2)) }
    if rest.hasSuffix(">") { rest = String(rest.dropLast()) }
    return rest
  }

  /// A decimal number, finite.
  public static func number(_ text: String) -> Double? {
    let parts = text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    guard (1...2).contains(parts.count), let value = Double(text), value.isFinite else {
      return nil
    }
    func unsigned(_ part: Substring) -> Substring {
      part.hasPrefix("-") || part.hasPrefix("+") ? part.dropFirst() : part
    }
    let isDigits = { (part: Substring) in part.allSatisfy("0123456789".contains) }
    let significand = unsigned(parts[0]).split(separator: ".", omittingEmptySubsequences: false)
    guard significand.count <= 2, significand.allSatisfy(isDigits),
      significand.last.map({ !$0.isEmpty }) ?? false
    else { return nil }
    if parts.count == 2 {
      guard isDigits(unsigned(parts[1])), !unsigned(parts[1]).isEmpty else { return nil }
    }
    return value
  }

  /// The seconds east of UTC of a date.
  static func offset(_ date: String) -> Double {
    let digits = date.suffix(5)
    guard let number = Double(digits.dropFirst()) else { return 0 }
    let hours = (number / 100).rounded(.down)
    return (hours * 3600 + (number - hours * 100) * 60) * (digits.hasPrefix("-") ? -1 : 1)
  }

  /// Seconds since 2001-01-01 UTC, counted year by year.
  public static func date(_ text: String) -> Double? {
    var characters = Array(text.unicodeScalars.map { Character($0) })
    if characters.count == 19 {
      for (place, character) in [(4, "-"), (7, "-"), (10, " "), (13, ":"), (16, ":"), (19, " ")] {
        characters.insert(Character(character), at: place)
      }
    }
    guard characters.count == 25 else { return nil }
    let pattern = Array("####-##-## ##:##:## ±####")
    var digits: [Int] = []
    for (character, expected) in zip(characters, pattern) {
      switch expected {
      case "#":
        guard "0123456789".contains(character), let digit = character.wholeNumberValue else {
          return nil
        }
        digits.append(digit)
      case "±": guard character == "+" || character == "-" else { return nil }
      default: guard character == expected else { return nil }
      }
    }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    let year = number(0..<4)
    let month = number(4..<6)
    let day = number(6..<8)
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
    let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year >= 1, (1...12).contains(month), day >= 1, day <= lengths[month - 1],
      number(8..<10) < 24,
      number(10..<12) < 60, number(12..<14) <= 60, number(14..<16) < 24, number(16..<18) < 60
    else { return nil }
    var days = lengths[..<(month - 1)].reduce(0, +) + day - 1
    if year >= 2001 {
      for other in 2001..<year { days += isLeap(other) ? 366 : 365 }
    } else {
      for other in year..<2001 { days -= isLeap(other) ? 366 : 365 }
    }
    let seconds = (number(8..<10) * 60 + number(10..<12)) * 60 + number(12..<14)
    let offset = (number(14..<16) * 60 + number(16..<18)) * 60
    return Double(days * 86_400 + seconds + (characters[20] == "-" ? offset : -offset))
  }
}
