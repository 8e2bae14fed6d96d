/// Finds a text close to a wrong one that parses.
///
/// Each step repairs the first error of the text; the suggestion is the first text without one. So a
/// suggestion always parses, and there is none when a step does not know what to do.
struct UnitSuggestion {
  let dialect: UnitDialect

  /// More repairs than this make a different text, not a corrected one.
  private static let maximumRepairs = 6

  /// The error with a suggestion and a hint, where they were found.
  func complete(_ error: UnitError, for text: String) -> UnitError {
    var completed = error
    let bytes = Array(text.utf8)
    if error.reason == .tooLong || error.reason == .tooDeep { return completed }
    completed.hint = hint(for: error, in: bytes)
    var repaired = bytes
    var current = error
    for _ in 0..<Self.maximumRepairs {
      guard let next = repair(repaired, after: current), next != repaired,
        next.count <= UnitExpression.maximumByteCount
      else { return completed }
      repaired = next
      let suggestion = String(decoding: repaired, as: UTF8.self)
      switch UnitExpression.parse(suggestion, dialect: dialect) {
      case .success:
        if !suggestion.isEmpty { completed.suggestion = suggestion }
        return completed
      case .failure(let next):
        current = next
      }
    }
    return completed
  }

  private func hint(for error: UnitError, in text: [UInt8]) -> UnitError.Hint? {
    if let first = text.first, Self.isDigit(first), error.offset <= 1 { return .quantity }
    let other: UnitDialect = dialect == .healthKit ? .ucum : .healthKit
    guard
      error.reason == .unknownUnit || error.reason == .unexpectedCharacter
        || error.reason == .missingUnit
    else { return nil }
    let word = String(decoding: text[word(around: error.offset, in: text)], as: UTF8.self)
    let names = word.utf8.count <= 16 && UnitSpellings.standard(other)[UnitSpelling(word)] != nil
    return names ? .spelling(of: other) : nil
  }

  private func repair(_ text: [UInt8], after error: UnitError) -> [UInt8]? {
    switch error.reason {
    case .secondSlash: joiningDenominators(of: text)
    case .unclosedParenthesis: text + [UInt8(ascii: ")")]
    case .unclosedBracket: closingBracket(of: text)
    case .missingExponent: removingOperator(before: error.offset, in: text)
    case .missingUnit: removingEmptyFactor(at: error.offset, in: text)
    case .unknownUnit, .unexpectedCharacter: replacingWord(at: error.offset, in: text)
    default: nil
    }
  }

  // MARK: Operators

  /// `a/b/c` becomes `a/(b*c)`, and `a/b/b` becomes `a/b^2`.
  private func joiningDenominators(of text: [UInt8]) -> [UInt8]? {
    let parts = text.split(separator: UInt8(ascii: "/")).map(Array.init)
    guard parts.count > 1, !text.contains(UInt8(ascii: "(")) else { return nil }
    let denominators = parts.dropFirst()
    guard denominators.count > 1 else {
      return Array(parts.joined(separator: [UInt8(ascii: "/")]))
    }
    let isOneName = Set(denominators).count == 1 && Self.isName(denominators[1])
    let below: [UInt8] =
      isOneName
      ? denominators[1] + Array("^\(denominators.count)".utf8)
      : Array("(".utf8) + denominators.joined(separator: [UInt8(ascii: "*")]) + Array(")".utf8)
    return parts[0] + [UInt8(ascii: "/")] + below
  }

  private func closingBracket(of text: [UInt8]) -> [UInt8]? {
    guard let open = text.lastIndex(of: UInt8(ascii: "<")) else { return nil }
    let number = text[(open + 1)...].prefix { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
    return text[..<number.endIndex] + [UInt8(ascii: ">")] + text[number.endIndex...]
  }

  private func removingOperator(before offset: Int, in text: [UInt8]) -> [UInt8]? {
    guard offset > 0, offset <= text.count else { return nil }
    return Array(text[..<(offset - 1)] + text[offset...])
  }

  /// A leading `/` counts; a doubled or trailing operator goes.
  private func removingEmptyFactor(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    if offset == 0 { return text.first == UInt8(ascii: "/") ? Array("count".utf8) + text : nil }
    // A byte of `·` may end before the offset.
    let start = offset >= 2 && text[offset - 1] == 0xB7 ? offset - 2 : offset - 1
    guard "*./".utf8.contains(text[offset - 1]) || text[offset - 1] == 0xB7 else { return nil }
    return Array(text[..<start] + text[offset...])
  }

  // MARK: Names

  private func replacingWord(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    if let rest = withoutNumber(text) { return rest }
    if let whole = wholeNumberPower(at: offset, in: text) { return whole }
    if offset > 0, offset + 1 < text.count, " ,;".utf8.contains(text[offset]) {
      return text[..<offset] + [UInt8(ascii: "*")] + text[(offset + 1)...]
    }
    let range = word(around: offset, in: text)
    let word = String(decoding: text[range], as: UTF8.self)
    if let name = replacement(for: word), name != word {
      return text[..<range.lowerBound] + Array(name.utf8) + text[range.upperBound...]
    }
    guard offset < text.count else { return nil }
    if let power = superscript(at: offset, in: text) { return power }
    let head = Array(text[..<offset])
    let isComplete =
      (try? UnitExpression.parse(
        String(decoding: head, as: UTF8.self), dialect: dialect
      ).get()) != nil
    return isComplete && offset > 0 ? head : nil
  }

  /// `5 kg` is a quantity: the unit begins behind the number.
  private func withoutNumber(_ text: [UInt8]) -> [UInt8]? {
    let number = text.prefix { Self.isDigit($0) || ".,+- ".utf8.contains($0) }
    guard number.contains(where: Self.isDigit), number.count < text.count,
      number != [UInt8(ascii: "1")], !"/*^·".utf8.contains(text[number.count])
    else { return nil }
    return Array(text[number.count...])
  }

  /// `m^1.5` becomes `m^2`.
  private func wholeNumberPower(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    guard offset >= 3, offset < text.count, Self.isDigit(text[offset]),
      text[offset - 1] == UInt8(ascii: "."), Self.isDigit(text[offset - 2])
    else { return nil }
    guard let caret = text[..<offset].lastIndex(of: UInt8(ascii: "^")) else { return nil }
    let end = text[offset...].firstIndex { !Self.isDigit($0) } ?? text.count
    let digits = String(decoding: text[(caret + 1)..<end], as: UTF8.self)
    guard let power = Double(digits), power.magnitude < 100 else { return nil }
    let whole = Int(power.rounded(.toNearestOrAwayFromZero))
    return text[..<caret] + Array("^\(whole)".utf8) + text[end...]
  }

  private func superscript(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    let marks: [Character: Character] = [
      "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8",
      "⁹": "9", "⁻": "-",
    ]
    let tail = String(decoding: text[offset...], as: UTF8.self)
    let raised = tail.prefix { marks[$0] != nil }
    guard !raised.isEmpty else { return nil }
    let plain = String(raised.compactMap { marks[$0] })
    let caret = dialect == .healthKit ? "^" : ""
    return text[..<offset] + Array((caret + plain + tail.dropFirst(raised.count)).utf8)
  }

  /// A name that a person may have meant by a word.
  private func replacement(for word: String) -> String? {
    if let name = UnitSynonyms.healthKit[word] ?? UnitSynonyms.healthKit[word.lowercased()],
      dialect == .healthKit
    {
      return name
    }
    let definitions = UnitTable.standard.definitions
    let names = definitions.compactMap { $0.name(in: dialect) }
    // A prefix where the unit takes none.
    if let name = names.first(where: { name in
      name.utf8.count > 1 || name == "%" || name == "d"
        ? word.hasSuffix(name)
          && UnitPrefix.all.dropFirst().contains { $0.name(in: dialect).map { $0 + name } == word }
        : false
    }) {
      return name
    }
    let candidates = definitions.flatMap { $0.spellings(in: dialect) }
    let sameLetters = candidates.filter { $0.lowercased() == word.lowercased() }
    if let name = sameLetters.sorted(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }).first {
      return name
    }
    guard word.utf8.count >= 4 else { return nil }
    return names.filter { word.isOneEdit(from: $0) }.min()
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
    if "*./^()<> ,;".utf8.contains(text[index]) { return true }
    return text[index] == 0xB7 && index > 0 && text[index - 1] == 0xC2
      || text[index] == 0xC2 && index + 1 < text.count && text[index + 1] == 0xB7
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isName(_ text: [UInt8]) -> Bool {
    text.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }
  }
}

extension UnitDefinition {
  /// The name with every prefix that it takes.
  fileprivate func spellings(in dialect: UnitDialect) -> [String] {
    guard let name = name(in: dialect) else { return [] }
    return UnitPrefix.all.prefix(takesPrefix(in: dialect) ? UnitPrefix.all.count : 1)
      .compactMap { prefix in prefix.name(in: dialect).map { $0 + name } }
  }
}

extension String {
  /// Whether one letter more, less or other, or two letters exchanged, makes the other text.
  fileprivate func isOneEdit(from other: String) -> Bool {
    let (a, b) = (Array(utf8), Array(other.utf8))
    guard abs(a.count - b.count) <= 1, b.count >= 3 else { return false }
    let head = zip(a, b).prefix { $0 == $1 }.count
    let (x, y) = (a.dropFirst(head), b.dropFirst(head))
    if x.dropFirst().elementsEqual(y.dropFirst()) || x.dropFirst().elementsEqual(y)
      || x.elementsEqual(y.dropFirst())
    {
      return true
    }
    return x.count == y.count && x.count >= 2 && x.first == y.dropFirst().first
      && y.first == x.dropFirst().first && x.dropFirst(2).elementsEqual(y.dropFirst(2))
  }
}
