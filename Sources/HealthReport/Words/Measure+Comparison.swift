extension Measure {
  /// The measure above or below its usual: `fewer steps`, `more sleep`, `a lower heart rate`,
  /// `a longer step length`.
  func compared(isAbove: Bool, in language: ReportLanguage.Base) -> String {
    let phrases = Words.of(language).phrases
    let noun = name(in: language)
    switch comparison {
    case .counted:
      return TextPattern.filled(
        isAbove ? phrases.moreCounted : phrases.fewer, noun.amount(in: language))
    case .mass:
      return TextPattern.filled(
        isAbove ? phrases.moreMass : phrases.less, noun.amount(in: language))
    case .level: return (isAbove ? phrases.higher : phrases.lower).filled(noun)
    case .length: return (isAbove ? phrases.longer : phrases.shorter).filled(noun)
    case .size: return (isAbove ? phrases.larger : phrases.smaller).filled(noun)
    }
  }
}

extension Words.Agreement {
  /// The pattern with a noun in its place.
  fileprivate func filled(_ noun: Noun) -> String {
    TextPattern.filled(self[noun.gender], noun.phrase)
  }
}

extension Noun {
  /// The noun after a word of amount: French has `de` there, and `d’` before a vowel.
  func amount(in language: ReportLanguage.Base) -> String {
    guard language == .french, let first = phrase.first else { return phrase }
    return "aàâeéèêiîïoôuyh".contains(first) ? "d’\(phrase)" : "de \(phrase)"
  }
}
