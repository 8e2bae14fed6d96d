extension UnitSuggestion {
  /// Repairs what is not a name: a leading number, a foreign sign.
  func replacingCharacter(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    (isReading ? nil : withoutNumber(text)) ?? sign(at: offset, in: text)
      ?? separator(at: offset, in: text)
  }

  /// `5 kg` is a quantity: the unit starts after the number.
  private func withoutNumber(_ text: [UInt8]) -> [UInt8]? {
    let number = text.prefix { Self.isDigit($0) || ".,+- ".utf8.contains($0) }
    guard number.contains(where: Self.isDigit), number.count < text.count,
      number.contains(UInt8(ascii: " ")), !"/*^·".utf8.contains(text[number.count])
    else { return nil }
    return Array(text[number.count...])
  }

  /// Signs that people write and no dialect reads, with their spelling in each dialect.
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
    // The signs of a raised `⁻¹` are replaced together, after one caret.
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
    // `m^1.5` is not a product.
    let digits = rest.drop { $0 == UInt8(ascii: "-") }.drop(while: Self.isDigit)
    if text[offset] == UInt8(ascii: "^"), digits.first == UInt8(ascii: "."),
      digits.dropFirst().first.map(Self.isDigit) == true
    {
      return nil
    }
    // A raised digit after a number is its power, which UCUM has only for ten.
    let isPower = offset > 0 && Self.isDigit(text[offset - 1])
    if isPower, dialect == .ucum,
      replacement.utf8.allSatisfy({ Self.isDigit($0) || $0 == UInt8(ascii: "-") })
    {
      guard text[..<offset].suffix(2).elementsEqual("10".utf8),
        offset == 2 || !Self.isDigit(text[offset - 3])
      else { return nil }
      replacement = "*" + replacement
    }
    return text[..<offset] + Array(replacement.utf8) + rest
  }

  private func separator(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    guard offset > 0, offset < text.count else { return nil }
    let product = dialect == .healthKit ? UInt8(ascii: "*") : UInt8(ascii: ".")
    if ",;".utf8.contains(text[offset]), offset + 1 < text.count, !Self.isDigit(text[offset - 1]),
      !Self.isDigit(text[offset + 1])
    {
      return text[..<offset] + [product] + text[(offset + 1)...]
    }
    // `12h` in UCUM is `12.h`; after a slash both divide.
    guard dialect == .ucum, Self.isDigit(text[offset - 1]), !Self.isOperator(at: offset, in: text)
    else { return nil }
    let word = word(around: offset, in: text)
    let number = text[word].prefix(while: Self.isDigit)
    // Digits after a decimal point are not a UCUM number.
    guard number.endIndex == offset,
      word.lowerBound == 0 || text[word.lowerBound - 1] != UInt8(ascii: ".")
    else { return nil }
    let joined = number + [product] + text[offset..<word.upperBound]
    let isBelow = word.lowerBound > 0 && text[word.lowerBound - 1] == UInt8(ascii: "/")
    let inner =
      isBelow ? [UInt8(ascii: "(")] + joined + [UInt8(ascii: ")")] : Array(joined)
    return text[..<word.lowerBound] + inner + text[word.upperBound...]
  }

  /// A point on a temperature scale is not allowed in a product; an interval is.
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
    let isDivided = text[..<range.lowerBound].contains(UInt8(ascii: "/"))
    let hasPower = range.upperBound < text.count && text[range.upperBound] == UInt8(ascii: "^")
    // A quotient in place of a name would divide only by its first unit.
    if name.contains("/"), isDivided || hasPower { return nil }
    return text[..<range.lowerBound] + Array(name.utf8) + text[range.upperBound...]
  }

  /// The name that was meant by a word, with its power; nil when it is ambiguous.
  private func replacement(for word: String) -> String? {
    if let name = name(for: word) { return name }
    let digits = word.utf8.reversed().prefix(while: Self.isDigit).count
    guard digits > 0, digits < word.utf8.count, let name = name(for: String(word.dropLast(digits))),
      name.utf8.allSatisfy({ !Self.isDigit($0) && !"/{*".utf8.contains($0) })
    else { return nil }
    return name + (dialect == .healthKit ? "^" : "") + word.suffix(digits)
  }

  private func name(for word: String) -> String? {
    let synonyms = UnitSynonyms.standard(dialect)
    if let name = synonyms[word] { return name }
    let names = UnitNames.standard(dialect)
    // The prefix micro is spelled differently.
    let (theirs, ours) = dialect == .healthKit ? ("u", "mc") : ("mc", "u")
    if word.hasPrefix(theirs), names.prefixed.contains(ours + word.dropFirst(theirs.count)) {
      return ours + word.dropFirst(theirs.count)
    }
    // A calorie in capitals may be a kilocalorie.
    guard word.utf8.count >= 3, word.lowercased() != "cal" else { return nil }
    return named(names.byLowercase[word.lowercased()] ?? [], word: word)
      ?? (isReading ? nil : misprint(word))
  }

  /// The one unit of names that differ from a word in case only.
  ///
  /// Mixed case decides the prefix where both cases have a meaning.
  private func named(_ candidates: [String], word: String) -> String? {
    if let name = theOnlyUnit(of: candidates) { return name }
    guard word != word.lowercased(), word != word.uppercased() else { return nil }
    return theOnlyUnit(of: candidates.filter { $0.first == word.first })
  }

  /// The one unit of the words of which this is a misprint: one letter more, less or
  /// different, or two exchanged.
  private func misprint(_ word: String) -> String? {
    guard word.utf8.count >= 5 else { return nil }
    let synonyms = UnitSynonyms.standard(dialect)
    // `kcount` has a prefix, not a letter too many.
    for count in 1...2 where synonyms[String(word.dropFirst(count))] != nil { return nil }
    let lower = word.lowercased()
    let found = synonyms.long.filter {
      // A different first letter may be another prefix.
      $0.key.first == lower.first && EditDistance.between($0.key, lower) <= 1
    }
    return theOnlyUnit(of: found.sorted { $0.key.precedes($1.key) }.map(\.value))
  }

  /// The first name if all are the same unit of the same size.
  private func theOnlyUnit(of names: [String]) -> String? {
    guard let first = names.first,
      let unit = try? UnitExpression.parse(first, dialect: dialect)
    else { return nil }
    let areOne = names.dropFirst().allSatisfy { name in
      (try? UnitExpression.parse(name, dialect: dialect)).flatMap {
        try? UnitConversion(from: $0, to: unit)
      }?.isIdentity == true
    }
    return areOne ? first : nil
  }

  /// The bytes between operators around the offset.
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

/// The names of a dialect, for finding the one that was meant.
private struct UnitNames: Sendable {
  /// The names with every prefix that they take.
  let prefixed: Set<String>

  /// The names by their lower-case spelling, short ones first.
  let byLowercase: [String: [String]]

  private init(_ dialect: UnitDialect) {
    let prefixes = UnitPrefix.all.compactMap { $0.name(in: dialect) }
    prefixed = Set(
      UnitTable.standard.definitions.flatMap { definition -> [String] in
        guard let name = definition.name(in: dialect) else { return [] }
        return definition.takesPrefix(in: dialect) ? prefixes.map { $0 + name } : [name]
      })
    byLowercase = Dictionary(grouping: prefixed.sorted { $0.precedes($1) }) { $0.lowercased() }
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
