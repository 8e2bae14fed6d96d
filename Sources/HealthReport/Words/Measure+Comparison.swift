extension Measure {
  /// The measure above or below its usual: `fewer steps`, `more sleep`, `a lower heart rate`.
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
    case .level:
      let pattern = isAbove ? phrases.higher : phrases.lower
      return TextPattern.filled(pattern[noun.gender], noun.phrase)
    }
  }
}

extension Noun {
  /// The noun after a word of amount: French has `de` there, and `d’` before a vowel.
  func amount(in language: ReportLanguage.Base) -> String {
    guard language == .french, let first = phrase.first else { return phrase }
    return "aàâeéèêiîïoôuyh".contains(first) ? "d’\(phrase)" : "de \(phrase)"
  }
}
