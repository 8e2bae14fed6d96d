import Foundation

/// A word of a predicate format.
enum FormatToken: Hashable {
  /// A keyword or a key.
  case word(String)
  /// A key after `#`, or the argument of `%K`: never a keyword.
  case key(String)
  /// A number, a text or the argument of another placeholder.
  case value(Operand)
  /// An operator or a delimiter.
  case symbol(String)
  /// The letters in brackets behind an operator.
  case options(String)
  /// The end.
  case end
}

/// Reads the words of a predicate format, with arguments for its placeholders.
///
/// - Complexity: O(*n*) in the length of the format
struct FormatLexer {
  private let text: [Unicode.Scalar]
  private var place = 0
  private var arguments: ArraySlice<Any?>

  init(_ format: String, _ arguments: [Any?]) {
    text = Array(format.unicodeScalars)
    self.arguments = arguments[...]
  }

  /// The next word, and where it begins.
  mutating func next() throws(ObjectError) -> (token: FormatToken, offset: Int) {
    while let scalar = peek(), scalar.properties.isWhitespace { place += 1 }
    let start = place
    guard let scalar = peek() else { return (.end, start) }
    switch scalar {
    case "a"..."z", "A"..."Z", "_": return (.word(takeWord()), start)
    case "#":
      place += 1
      guard let first = peek(), Self.isOfWord(first) else { throw failure(start) }
      return (.key(takeWord()), start)
    case "0"..."9": return (.value(.number(try takeNumber())), start)
    case ".":
      guard let digit = peek(1), ("0"..."9").contains(digit) else { break }
      return (.value(.number(try takeNumber())), start)
    case "'", "\"": return (.value(.text(try takeText(until: scalar))), start)
    case "%": return (try takePlaceholder(), start)
    case "[": return (.options(try takeOptions()), start)
    default: break
    }
    for symbol in Self.symbols where text[place...].starts(with: symbol.unicodeScalars) {
      place += symbol.unicodeScalars.count
      return (.symbol(symbol), start)
    }
    throw failure(start)
  }

  /// The longer ones first.
  private static let symbols = [
    "==", "=>", "=<", "=", "!=", "!", "<>", "<=", "<", ">=", ">", "&&", "||", "(", ")", "{", "}",
    ",", ".", "-", "$", "@",
  ]

  private func failure(_ offset: Int) -> ObjectError { ObjectError(.invalidFormat(offset: offset)) }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    place + distance < text.count ? text[place + distance] : nil
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  private mutating func takeWord() -> String {
    var word = ""
    while let scalar = peek(), Self.isOfWord(scalar) {
      word.unicodeScalars.append(scalar)
      place += 1
    }
    return word
  }

  private mutating func takeNumber() throws(ObjectError) -> Double {
    let start = place
    var digits = ""
    while let scalar = peek() {
      let isSign = "+-".unicodeScalars.contains(scalar) && digits.lowercased().hasSuffix("e")
      guard Self.isOfWord(scalar) || scalar == "." || isSign && !digits.hasPrefix("0x") else {
        break
      }
      digits.unicodeScalars.append(scalar)
      place += 1
    }
    if digits.hasPrefix("0x"), let whole = UInt64(digits.dropFirst(2), radix: 16) {
      return Double(whole)
    }
    guard digits.allSatisfy({ "0123456789.eE+-".contains($0) }), let number = Double(digits) else {
      throw failure(start)
    }
    return number
  }

  private mutating func takeText(until quote: Unicode.Scalar) throws(ObjectError) -> String {
    let start = place
    place += 1
    var taken = ""
    while let scalar = peek() {
      place += 1
      if scalar == quote { return taken }
      taken.unicodeScalars.append(scalar == "\\" ? try takeEscape(start) : scalar)
    }
    throw failure(start)
  }

  private mutating func takeEscape(_ start: Int) throws(ObjectError) -> Unicode.Scalar {
    guard let scalar = peek() else { throw failure(start) }
    place += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "x", "u", "U":
      let length = scalar == "x" ? 2 : scalar == "u" ? 4 : 8
      let digits = String(String.UnicodeScalarView(text[place...].prefix(length)))
      guard digits.count == length, let value = UInt32(digits, radix: 16),
        let escaped = Unicode.Scalar(value)
      else { throw failure(start) }
      place += length
      return escaped
    default: return scalar
    }
  }

  private mutating func takeOptions() throws(ObjectError) -> String {
    let start = place
    place += 1
    let letters = takeWord()
    guard peek() == "]" else { throw failure(start) }
    place += 1
    return letters
  }

  /// A placeholder as printf has it, and its argument.
  private mutating func takePlaceholder() throws(ObjectError) -> FormatToken {
    let start = place
    place += 1
    while let scalar = peek(), "0123456789.-+ hlqLzjt".unicodeScalars.contains(scalar) {
      place += 1
    }
    guard let conversion = peek(), "@KdiuoxXcCfFeEgGaAsS".unicodeScalars.contains(conversion) else {
      throw failure(start)
    }
    place += 1
    guard let argument = arguments.popFirst() else { throw ObjectError(.missingFormatArgument) }
    guard let value = Operand(argument) else {
      throw ObjectError(.invalidFormatArgument(offset: start))
    }
    switch (conversion, value) {
    case ("@", _): return .value(value)
    case ("K", .text(let key)): return .key(key)
    case ("s", .text), ("S", .text): return .value(value)
    case ("K", _), ("s", _), ("S", _): break
    case (_, .number): return .value(value)
    default: break
    }
    throw ObjectError(.invalidFormatArgument(offset: start))
  }
}
