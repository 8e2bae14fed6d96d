/// A unit as a person writes it, normalised: blanks, words and capitals replaced by the notation of
/// the dialect.
struct PlainUnitText {
  private let dialect: UnitDialect

  /// The text with one operator between words.
  private(set) var text: String

  /// The meaning of the whole text, where its parts would mean something else.
  private(set) var wholeMeaning: String?

  init(_ text: String, dialect: UnitDialect) {
    self.dialect = dialect
    self.text = text
    collapseBlanks()
    if dialect == .ucum { replaceNumbers() }
    replaceWords()
    if dialect == .ucum { replaceFeet() }
    if text.hasSuffix("."), let whole = meaningOfAbbreviation { wholeMeaning = whole }
    if let area = meaningOfClearance { wholeMeaning = area }
    if let plain = meaningOfCapitals { wholeMeaning = plain }
  }

  private static let invisible: Set<Unicode.Scalar> = [
    "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}",
  ]

  /// Removes blanks at the ends and around operators, and keeps one between words.
  private mutating func collapseBlanks() {
    var result = String.UnicodeScalarView()
    var isAfterBlank = false
    for scalar in text.unicodeScalars where !Self.invisible.contains(scalar) {
      if scalar.properties.isWhitespace {
        isAfterBlank = true
        continue
      }
      let isJoined =
        result.last.map { "/*·(^[<{".unicodeScalars.contains($0) } ?? true
        || "/*·)^>{[⁻¹²³".unicodeScalars.contains(scalar)
      if isAfterBlank, !isJoined { result.append(" ") }
      isAfterBlank = false
      result.append(scalar)
    }
    text = String(result)
  }

  /// `x10E3/uL` is thousands: how laboratories write a power of ten.
  private mutating func replaceNumbers() {
    if let first = text.first, "xX×".contains(first) {
      let rest = text.dropFirst().drop { $0 == " " }
      if rest.hasPrefix("10") { text = String(rest) }
    }
    guard text.hasPrefix("10E") || text.hasPrefix("10e") || text.hasPrefix("10 *") else { return }
    let power = text.dropFirst(3)
    if let digit = power.first(where: { $0 != "+" && $0 != "-" }), digit.isWholeNumber {
      text = "10*" + (power.hasPrefix("+") ? power.dropFirst() : power)
    }
  }

  /// `ft` is a foot; UCUM would read a femtotonne.
  private mutating func replaceFeet() {
    let letters: Set<Character> = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_[")
    var start = text.startIndex
    while let found = text[start...].firstRange(of: "ft") {
      let isWord =
        (found.lowerBound == text.startIndex
          || !letters.contains(text[text.index(before: found.lowerBound)]))
        && (found.upperBound == text.endIndex || !letters.contains(text[found.upperBound]))
      guard isWord else {
        start = found.upperBound
        continue
      }
      let offset = text.distance(from: text.startIndex, to: found.lowerBound)
      text.replaceSubrange(found, with: "[ft_i]")
      start = text.index(text.startIndex, offsetBy: offset + 6)
    }
  }

  /// A word with a full stop is an abbreviation, where a leading capital has no meaning: empty
  /// where the small letter would be another unit.
  private var meaningOfAbbreviation: String? {
    let word = String(text.dropLast())
    if let name = UnitSynonyms.standard(dialect)[word] { return name }
    guard let first = word.first, first.isUppercase else { return nil }
    let small = first.lowercased() + word.dropFirst()
    guard let unit = try? UnitExpression.parse(word, dialect: dialect),
      let other = try? UnitExpression.parse(small, dialect: dialect)
    else { return nil }
    return (try? UnitConversion(from: unit, to: other))?.isIdentity == true ? word : ""
  }

  /// Words between operators: `per` divides, and some unit names have several words.
  private mutating func replaceWords() {
    guard text.contains(" ") else { return }
    let words = text.split(separator: " ")
    text = words.map { $0.lowercased() == "per" ? "/" : String($0) }.joined(separator: " ")
      .replacing(" / ", with: "/")
    let separators: Set<Character> = ["/", "*", "·", "(", ")"]
    var result = ""
    var part = ""
    for character in text + "/" {
      guard separators.contains(character) else {
        part.append(character)
        continue
      }
      result += meaning(of: part)
      result.append(character)
      part = ""
    }
    text = String(result.dropLast())
  }

  /// The meaning of a part with blanks: a name of several words, a number and a unit, a unit and a
  /// note, or a product that its negative powers mark as one.
  private func meaning(of part: String) -> String {
    guard part.contains(" ") else { return part }
    if let name = UnitSynonyms.standard(dialect).phrases[part.lowercased()] { return name }
    let words = part.split(separator: " ")
    guard words.count == 2 else {
      return isProductOfPowers(words) ? words.joined(separator: product) : part
    }
    let isNumber = words[0].utf8.allSatisfy(UnitSuggestion.isDigit)
    if dialect == .ucum, isNumber, text.contains("/" + part) { return words.joined() }
    if dialect == .ucum, Self.substances.contains(words[1].lowercased()) {
      return "\(words[0]){\(words[1])}"
    }
    return isProductOfPowers(words) ? words.joined(separator: product) : part
  }

  private var product: String { dialect == .healthKit ? "*" : "." }

  private func isProductOfPowers(_ words: [Substring]) -> Bool {
    words.dropFirst().contains { $0.contains("-") || $0.contains("⁻") }
      && words.allSatisfy { $0.first?.isLetter == true }
  }

  /// Substances that UCUM writes as a note after the unit of their amount.
  private static let substances: Set<String> = [
    "creat", "creatinine", "crea", "hb", "hgb", "hemoglobin", "haemoglobin", "protein", "prot",
  ]

  /// `mL/min/1.73 m2`: the area is a convention, which UCUM writes as a note.
  private var meaningOfClearance: String? {
    let letters = text.lowercased().filter { $0 != " " && $0 != "^" }
      .replacing("²", with: "2").replacing(",", with: ".").replacing("sqm", with: "m2")
      .replacing("(", with: "").replacing(")", with: "")
    guard letters == "ml/min/1.73m2" || letters == "ml/min/1.73" else { return nil }
    return dialect == .ucum ? "mL/min/{1.73_m2}" : ""
  }

  /// `MG/DL`: in capitals the case of a prefix has no meaning, so every word must be a known one.
  private var meaningOfCapitals: String? {
    let words = text.split { !($0.isLetter && $0.isASCII) }
    guard words.allSatisfy({ $0 == $0.uppercased() }), text.contains("/"), words.count > 1,
      text.utf8.allSatisfy({ $0 < 128 && !"[{<".utf8.contains($0) })
    else { return nil }
    var result = ""
    var word = ""
    for character in text + "/" {
      if character.isLetter {
        word.append(character)
        continue
      }
      if !word.isEmpty {
        guard let name = UnitSynonyms.standard(dialect).capitals[word] else { return "" }
        result += name
        if character.isWholeNumber, dialect == .healthKit { result += "^" }
      }
      result.append(character)
      word = ""
    }
    return String(result.dropLast())
  }
}
