/// Finds a similar text that parses.
///
/// Each step repairs the first error of the text; the suggestion is the first text without errors.
/// So a suggestion always parses, and there is none when no step applies. A step only changes how a
/// unit is written: what could be a unit of another quantity or size is not changed, because
/// following a wrong suggestion gives a wrong number.
struct UnitSuggestion {
  let dialect: UnitDialect

  /// Only other spellings of the same unit, without guessing at missing or misprinted parts.
  var isReading = false

  /// A text with more repairs than this is a different text.
  private static let maximumRepairs = 6

  /// The error with a suggestion and a hint, where they were found.
  func complete(_ error: UnitError, for text: String) -> UnitError {
    var completed = error
    if error.reason == .tooLong || error.reason == .tooDeep { return completed }
    let bytes = Array(text.utf8)
    let translation = translation(of: text)
    if let first = bytes.first, Self.isDigit(first), error.offset <= 1 {
      completed.hint = .quantity
    } else if translation != nil {
      completed.hint = .spelling(of: otherDialect)
    }
    completed.suggestion = suggestion(for: text)
    return completed
  }

  /// The unit that was probably meant by a text that does not parse.
  func suggestion(for text: String) -> String? {
    let plain = PlainUnitText(text, dialect: dialect)
    if let meant = plain.wholeMeaning { return !meant.isEmpty && parses(meant) ? meant : nil }
    guard !plain.text.isEmpty else {
      return text.isEmpty && dialect == .ucum ? "1" : nil
    }
    do {
      _ = try UnitExpression.parse(plain.text, dialect: dialect)
      return plain.text
    } catch {
      let bytes = Array(plain.text.utf8)
      if let found = repaired(bytes, after: error, mayCut: false) ?? translation(of: plain.text) {
        return found
      }
      return isReading ? nil : repaired(bytes, after: error, mayCut: true)
    }
  }

  private var otherDialect: UnitDialect { dialect == .healthKit ? .ucum : .healthKit }

  /// The text in the other dialect, if it means the same values here.
  private func translation(of text: String) -> String? {
    guard !text.isEmpty,
      let unit = try? UnitExpression.parse(text, dialect: otherDialect),
      let mapping = try? UnitMapping(of: unit, to: dialect), mapping.conversion.isIdentity
    else { return nil }
    let translated = unit.text(in: dialect)
    return parses(translated) ? translated : nil
  }

  private func parses(_ text: String) -> Bool {
    (try? UnitExpression.parse(text, dialect: dialect)) != nil
  }

  /// The text after its repairs; the end is cut off only as the last resort.
  private func repaired(_ text: [UInt8], after error: UnitError, mayCut: Bool) -> String? {
    var (text, error) = (text, error)
    for _ in 0..<Self.maximumRepairs {
      guard let next = repair(text, after: error, mayCut: mayCut), next != text, !next.isEmpty,
        next.count <= UnitExpression.maximumByteCount
      else { return nil }
      text = next
      let suggestion = String(decoding: text, as: UTF8.self)
      do {
        _ = try UnitExpression.parse(suggestion, dialect: dialect)
        return suggestion
      } catch let next {
        error = next
      }
    }
    return nil
  }

  private func repair(_ text: [UInt8], after error: UnitError, mayCut: Bool) -> [UInt8]? {
    switch error.reason {
    case .unclosedParenthesis, .unclosedBracket, .missingExponent: if isReading { return nil }
    case .missingUnit: if isReading, error.offset > 0 { return nil }
    default: break
    }
    return switch error.reason {
    case .secondSlash: joiningDenominators(of: text)
    case .unclosedParenthesis: text + [UInt8(ascii: ")")]
    case .unclosedBracket: closingBracket(of: text, error.expected)
    case .missingExponent: removingOperator(before: error.offset, in: text)
    case .missingUnit: removingEmptyFactor(at: error.offset, in: text)
    case .unknownUnit, .unexpectedCharacter:
      replacingCharacter(at: error.offset, in: text)
        ?? replacingWord(at: error.offset, in: text)
        ?? (mayCut ? removingTail(at: error.offset, in: text) : nil)
    case .notInCompound: replacingPoint(at: error.offset, in: text)
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

  private func closingBracket(of text: [UInt8], _ expected: UnitError.Expectation) -> [UInt8]? {
    guard case .closing(let bracket) = expected else { return nil }
    guard bracket == ">" else { return text + Array(String(bracket).utf8) }
    guard let open = text.lastIndex(of: UInt8(ascii: "<")) else { return nil }
    let number = text[(open + 1)...].prefix { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
    return text[..<number.endIndex] + [UInt8(ascii: ">")] + text[number.endIndex...]
  }

  private func removingOperator(before offset: Int, in text: [UInt8]) -> [UInt8]? {
    guard offset > 0, offset <= text.count else { return nil }
    return Array(text[..<(offset - 1)] + text[offset...])
  }

  /// A leading `/` is `count/`; a doubled or trailing operator is removed.
  private func removingEmptyFactor(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    if offset == 0 { return text.first == UInt8(ascii: "/") ? Array("count".utf8) + text : nil }
    // The offset may be inside the two bytes of `·`.
    let start = offset >= 2 && text[offset - 1] == 0xB7 ? offset - 2 : offset - 1
    guard "*./".utf8.contains(text[offset - 1]) || text[offset - 1] == 0xB7 else { return nil }
    return Array(text[..<start] + text[offset...])
  }

  /// The text before the offset, if that is a unit and the rest has no meaning.
  private func removingTail(at offset: Int, in text: [UInt8]) -> [UInt8]? {
    guard offset > 0, offset < text.count,
      text[offset...].allSatisfy({ $0 < 32 || "\\0.,;:!?".utf8.contains($0) })
    else { return nil }
    let head = Array(text[..<offset])
    return parses(String(decoding: head, as: UTF8.self)) ? head : nil
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isName(_ text: [UInt8]) -> Bool {
    text.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }
  }
}
