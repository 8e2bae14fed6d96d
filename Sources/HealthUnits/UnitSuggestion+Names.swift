extension UnitSuggestion {
  /// Repairs what is no name: a number in front, a fraction as power, a sign of another alphabet.
  func replacingCharacter(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    withoutNumber(text) ?? wholeNumberPower(at: offset, in: text)
      ?? sign(at: offset, in: text) ?? separator(at: offset, in: text)
  }

  /// `5 kg` is a quantity: the unit begins behind the number.
  private func withoutNumber(_ text: [UInt8]) -> [UInt8]? {
    let number = text.prefix { Self.isDigit($0) || ".,+- ".utf8.contains($0) }
    guard number.contains(where: Self.isDigit), number.count < text.count,
      number.contains(UInt8(ascii: " ")), !"/*^·".utf8.contains(text[number.count])
    else { return nil }
    return Array(text[number.count...])
  }

  /// `m^1.5` becomes `m^2`.
  private func wholeNumberPower(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    guard offset >= 3, offset < text.count, Self.isDigit(text[offset]),
      text[offset - 1] == UInt8(ascii: "."), Self.isDigit(text[offset - 2]),
      let caret = text[..<offset].lastIndex(of: UInt8(ascii: "^"))
    else { return nil }
    let end = text[offset...].firstIndex { !Self.isDigit($0) } ?? text.count
    let digits = String(decoding: text[(caret + 1)..<end], as: UTF8.self)
    guard let power = Double(digits), power.magnitude < 100 else { return nil }
    let whole = Int(power.rounded(.toNearestOrAwayFromZero))
    return text[..<caret] + Array("^\(whole)".utf8) + text[end...]
  }

  /// Signs that people write and no dialect reads, with what each dialect writes instead.
  private static let signs: [(sign: String, healthKit: String, ucum: String)] = [
    ("µ", "mc", "u"), ("μ", "mc", "u"), ("×", "*", "."), ("⋅", "*", "."), ("∙", "*", "."),
    ("÷", "/", "/"), ("⁰", "0", "0"), ("¹", "1", "1"), ("²", "2", "2"), ("³", "3", "3"),
    ("⁴", "4", "4"), ("⁵", "5", "5"), ("⁶", "6", "6"), ("⁷", "7", "7"), ("⁸", "8", "8"),
    ("⁹", "9", "9"), ("⁻", "-", "-"), ("·", "·", "."), ("*", "*", "."), ("^", "^", ""),
    ("℃", "degC", "Cel"), ("℉", "degF", "[degF]"), ("Ω", "Ω", "Ohm"),
  ]

  private func sign(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    var rest = text[min(offset, text.count)...]
    var replacement = ""
    // The signs of a raised `⁻¹` go together, behind one caret.
    while let found = Self.signs.first(where: { rest.starts(with: $0.sign.utf8) }) {
      let isRaised = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".contains(found.sign)
      if isRaised, replacement.isEmpty, dialect == .healthKit { replacement = "^" }
      let plain = dialect == .healthKit ? found.healthKit : found.ucum
      guard plain != found.sign else { break }
      replacement += plain
      rest = rest.dropFirst(found.sign.utf8.count)
      if !isRaised { break }
    }
    guard rest.startIndex > offset else { return nil }
    return text[..<offset] + Array(replacement.utf8) + rest
  }

  private func separator(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    guard offset > 0, offset < text.count else { return nil }
    let product = dialect == .healthKit ? UInt8(ascii: "*") : UInt8(ascii: ".")
    if " ,;".utf8.contains(text[offset]), offset + 1 < text.count {
      return text[..<offset] + [product] + text[(offset + 1)...]
    }
    // `12h` in UCUM is `12.h`; behind a slash both divide.
    guard dialect == .ucum, Self.isDigit(text[offset - 1]), !Self.isOperator(at: offset, in: text)
    else { return nil }
    let word = word(around: offset, in: text)
    let number = text[word].prefix(while: Self.isDigit)
    guard number.endIndex == offset else { return nil }
    let joined = number + [product] + text[offset..<word.upperBound]
    let isBelow = word.lowerBound > 0 && text[word.lowerBound - 1] == UInt8(ascii: "/")
    let inner =
      isBelow ? [UInt8(ascii: "(")] + joined + [UInt8(ascii: ")")] : Array(joined)
    return text[..<word.lowerBound] + inner + text[word.upperBound...]
  }

  /// A point on a temperature scale has no place in a product: the interval has.
  func replacingPoint(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    for (point, interval) in [("Cel", "K"), ("[degF]", "[degR]")] {
      if text[offset...].starts(with: point.utf8) {
        return text[..<offset] + Array(interval.utf8) + text[(offset + point.utf8.count)...]
      }
    }
    return nil
  }

  func replacingWord(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    let range = word(around: offset, in: text)
    let word = String(decoding: text[range], as: UTF8.self)
    guard !word.isEmpty, word.utf8.count <= 32, let name = replacement(for: word), name != word
    else { return nil }
    return text[..<range.lowerBound] + Array(name.utf8) + text[range.upperBound...]
  }

  /// A name that a person may have meant by a word.
  private func replacement(for word: String) -> String? {
    let synonyms = UnitSynonyms.table(of: dialect)
    if let name = synonyms[word] ?? synonyms[word.lowercased()] { return name }
    let names = UnitNames.standard(dialect)
    if dialect == .healthKit, word.hasPrefix("u"),
      names.prefixed.contains("mc" + word.dropFirst())
    {
      return "mc" + word.dropFirst()
    }
    // A prefix where the unit takes none.
    for prefix in names.prefixes where word.hasPrefix(prefix) {
      let rest = String(word.dropFirst(prefix.count))
      if names.plain.contains(rest) { return rest }
    }
    if let name = names.byLowercase[word.lowercased()] { return name }
    guard word.utf8.count >= 4 else { return nil }
    let bytes = Array(word.utf8)
    // The list begins with the short names, so the first is the best.
    return names.ordered.first { $0.isOneEdit(from: bytes) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The run of bytes between operators that holds the offset.
  private func word(around offset: Int, in text: [UInt8]) -> Range<Int> {
    var start = min(offset, text.count)
    var end = start
    while start > 0, !Self.isOperator(at: start - 1, in: text) { start -= 1 }
    while end < text.count, !Self.isOperator(at: end, in: text) { end += 1 }
    return start..<end
  }

  private static func isOperator(at index: Int, in text: [UInt8]) -> Bool {
    if "*./^()<>{} ,;".utf8.contains(text[index]) { return true }
    return text[index] == 0xB7 && index > 0 && text[index - 1] == 0xC2
      || text[index] == 0xC2 && index + 1 < text.count && text[index + 1] == 0xB7
  }
}

/// The names of a dialect, ordered for finding the one that was meant.
private struct UnitNames: Sendable {
  /// Names without prefix, and with every prefix that they take.
  let plain: Set<String>
  let prefixed: Set<String>
  let prefixes: [String]

  /// The names with prefixes as bytes, short ones first.
  let ordered: [[UInt8]]

  /// The shortest name that has the same letters when case does not count.
  let byLowercase: [String: String]

  private init(_ dialect: UnitDialect) {
    let definitions = UnitTable.standard.definitions
    let prefixes = UnitPrefix.all.compactMap { $0.name(in: dialect) }
    plain = Set(definitions.compactMap { $0.name(in: dialect) })
    prefixed = Set(
      definitions.flatMap { definition -> [String] in
        guard let name = definition.name(in: dialect) else { return [] }
        return definition.takesPrefix(in: dialect) ? prefixes.map { $0 + name } : [name]
      })
    ordered = prefixed.sorted { $0.precedes($1) }.map { Array($0.utf8) }
    self.prefixes = prefixes.filter { !$0.isEmpty }
    byLowercase = Dictionary(
      prefixed.map { ($0.lowercased(), $0) }, uniquingKeysWith: { $0.precedes($1) ? $0 : $1 })
  }

  private static let healthKit = UnitNames(.healthKit)
  private static let ucum = UnitNames(.ucum)

  static func standard(_ dialect: UnitDialect) -> UnitNames {
    switch dialect {
    case .healthKit: healthKit
    case .ucum: ucum
    }
  }
}

extension String {
  /// A stable order: short names first.
  fileprivate func precedes(_ other: String) -> Bool {
    (utf8.count, self) < (other.utf8.count, other)
  }
}

extension [UInt8] {
  /// Whether one letter more, less or other, or two letters exchanged, makes the other text.
  fileprivate func isOneEdit(from other: [UInt8]) -> Bool {
    guard abs(count - other.count) <= 1, count >= 3 else { return false }
    var head = 0
    while head < Swift.min(count, other.count), self[head] == other[head] { head += 1 }
    let (x, y) = (dropFirst(head), other.dropFirst(head))
    if x.dropFirst().elementsEqual(y.dropFirst()) || x.dropFirst().elementsEqual(y)
      || x.elementsEqual(y.dropFirst())
    {
      return true
    }
    return x.count == y.count && x.count >= 2 && x.first == y.dropFirst().first
      && y.first == x.dropFirst().first && x.dropFirst(2).elementsEqual(y.dropFirst(2))
  }
}
