/// What the sentence at the top of the page says; every number is written already.
struct SentenceFacts: Sendable {
  /// A measure whose last seven days lie outside its typical range.
  struct Outside: Sendable {
    let measure: Measure
    let isAbove: Bool
    /// The mean, by ``NumberWriter/amountInSentence(_:of:in:)``.
    let amount: String
  }

  /// A measure whose year differs from the last one.
  struct YearDifference: Sendable {
    let measure: Measure
    /// The magnitude of the difference, by ``NumberWriter/amountInSentence(_:of:in:)``.
    let amount: String
    let isLower: Bool
  }

  /// The measure of a page of one type.
  struct Single: Sendable {
    let measure: Measure
    /// The mean, by ``NumberWriter/amount(_:of:in:)``.
    let amount: String
  }

  /// How many measures lie outside beside the weeks before.
  enum MostWeeks: Sendable {
    case asInMost
    case fewerThanInMost
  }

  /// Up to three, the farthest first.
  var outside: [Outside] = []
  var outsideCount = 0
  /// Those whose typical range is known.
  var measureCount = 0
  /// `nil` for fewer than five measures.
  var mostWeeks: MostWeeks?
  /// Up to two, the greatest first.
  var yearAgainst: [YearDifference] = []
  /// The last year.
  var year = 0
  /// The weeks of data, if there are too few to say what is usual.
  var weeksSoFar: Int?
  var weeksNeeded = 14
  /// The last day with data, if it is long ago.
  var lastDataDay: String?
  /// The measure, on a page of one type.
  var single: Single?
}

/// Writes the sentence at the top of the page.
///
/// Two statements at most: what is outside its usual, and the year against the last one. Names that
/// are long push out the last item, so that no more than ``mostWords`` words stand there.
struct Sentence: Sendable {
  typealias Run = TextPattern.Run

  /// Numbers are not counted as words.
  static let mostWords = 45

  private let phrases: Words.Phrases
  private let patterns: Words.Patterns
  private let language: ReportLanguage.Base
  /// What is said of what is usual: to the person, or about her.
  private let thanUsual, usualWeekOfOne: String

  /// - Parameters:
  ///   - language: the language
  ///   - isOnPaper: whether a doctor reads it, and not the person
  init(_ language: ReportLanguage, isOnPaper: Bool = false) {
    self.language = language.base
    let words = Words.of(language.base)
    (phrases, patterns) = (words.phrases, words.patterns)
    (thanUsual, usualWeekOfOne) =
      isOnPaper
      ? (words.visit.thanUsual, words.visit.usualWeekOfOne)
      : (phrases.thanUsual, phrases.usualWeekOfOne)
  }

  /// The sentence as runs, bold on numbers; empty if there is nothing to say.
  func runs(_ facts: SentenceFacts) -> [Run] {
    var facts = facts
    facts.outsideCount = max(facts.outsideCount, facts.outside.count)
    facts.outside = Array(facts.outside.prefix(3))
    facts.yearAgainst = Array(facts.yearAgainst.prefix(2))
    var runs = written(facts)
    while Self.wordCount(of: runs) > Self.mostWords {
      if facts.outside.count > 2 {
        facts.outside.removeLast()
      } else if !facts.yearAgainst.isEmpty {
        facts.yearAgainst.removeLast()
      } else if facts.outside.count > 1 {
        facts.outside.removeLast()
      } else {
        break
      }
      runs = written(facts)
    }
    return Self.capitalized(runs)
  }

  /// The sentence as plain text.
  func text(_ facts: SentenceFacts) -> String { runs(facts).map(\.text).joined() }

  /// The words with a letter.
  static func wordCount(of runs: [Run]) -> Int {
    runs.map(\.text).joined().split(whereSeparator: \.isWhitespace)
      .count { $0.contains(where: \.isLetter) }
  }

  private func written(_ facts: SentenceFacts) -> [Run] {
    if let day = facts.lastDataDay { return plain(phrases.lastData, day) }
    if let weeks = facts.weeksSoFar {
      return plain(
        TextPattern.form(phrases.weeksSoFar, of: weeks), "\(weeks)", "\(facts.weeksNeeded)")
    }
    let statements = [usual(facts), year(facts)].filter { !$0.isEmpty }
    return Array(statements.joined(separator: [Run(text: phrases.space, isBold: false)]))
  }

  // MARK: What is outside its usual

  private func usual(_ facts: SentenceFacts) -> [Run] {
    guard !facts.outside.isEmpty else {
      if let single = facts.single {
        return TextPattern.runs(usualWeekOfOne, [amount(of: single)])
      }
      return facts.measureCount > 0 ? plain(phrases.usualWeek, "\(facts.measureCount)") : []
    }
    let items = list(facts.outside.map(item))
    let outside = TextPattern.runs(thanUsual, [items])
    let inside = facts.measureCount - facts.outsideCount
    guard inside > 0, facts.single == nil else {
      return TextPattern.runs(phrases.outsideAlone, [outside])
    }
    let rest = TextPattern.filled(phrases.rest, "\(inside)", "\(facts.measureCount)")
    let compared =
      switch facts.mostWeeks {
      case .asInMost: TextPattern.filled(phrases.asInMostWeeks, rest)
      case .fewerThanInMost: TextPattern.filled(phrases.fewerThanInMostWeeks, rest)
      case nil: rest
      }
    return TextPattern.runs(
      phrases.outsideAndRest, [outside, [Run(text: compared, isBold: false)]])
  }

  private func item(_ outside: SentenceFacts.Outside) -> [Run] {
    let comparison = outside.measure.compared(isAbove: outside.isAbove, in: language)
    let amount = [Run(text: outside.amount, isBold: true)]
    let time =
      outside.measure.per == .day ? TextPattern.runs(patterns.perDay, [amount]) : amount
    return TextPattern.runs(phrases.item, [[Run(text: comparison, isBold: false)], time])
  }

  /// `8,920 steps a day`, `carbohydrates 224 g a day`, or `resting heart rate 56 bpm`.
  private func amount(of single: SentenceFacts.Single) -> [Run] {
    let amount = [Run(text: single.amount, isBold: true)]
    let time =
      switch single.measure.per {
      case .day: TextPattern.runs(patterns.perDay, [amount])
      case .night: TextPattern.runs(patterns.perNight, [amount])
      case .none: amount
      }
    if isNamedByUnit(single.measure) { return time }
    let noun = Run(text: single.measure.name(in: language).phrase, isBold: false)
    return TextPattern.runs(phrases.named, [[noun], time])
  }

  /// Whether the unit of a count says what is counted: `steps`, but not `g` or `回`.
  private func isNamedByUnit(_ measure: Measure) -> Bool {
    guard measure.comparison == .counted, measure.unit == "count" else { return false }
    // Japanese has a counter, not a noun, and writes it where a noun stands.
    return !TextPattern.places(of: patterns.countInSentence).contains(1)
      && !UnitNames.name(of: measure, language).other.isEmpty
  }

  // MARK: The year against the last one

  private func year(_ facts: SentenceFacts) -> [Run] {
    guard !facts.yearAgainst.isEmpty else { return [] }
    let year = [Run(text: "\(facts.year)", isBold: false)]
    return TextPattern.runs(phrases.yearAgainst, [year, list(facts.yearAgainst.map(clause))])
  }

  private func clause(_ difference: SentenceFacts.YearDifference) -> [Run] {
    let measure = difference.measure
    let pattern =
      switch measure.comparison {
      case .counted: difference.isLower ? phrases.yearFewer : phrases.yearMoreCounted
      case .mass: difference.isLower ? phrases.yearLess : phrases.yearMoreMass
      case .level, .length, .size: difference.isLower ? phrases.yearLower : phrases.yearHigher
      }
    let time = measure.per == .night ? phrases.aNight : phrases.aDay
    return TextPattern.runs(
      pattern,
      [measure.name(in: language).phrase, difference.amount, time]
        .map { [Run(text: $0, isBold: false)] })
  }

  // MARK: Parts

  private func plain(_ pattern: String, _ arguments: String...) -> [Run] {
    TextPattern.runs(pattern, arguments.map { [Run(text: $0, isBold: false)] })
  }

  private func list(_ items: [[Run]]) -> [Run] {
    var runs: [Run] = []
    for (index, item) in items.enumerated() {
      if index > 0 {
        let isLast = index == items.count - 1
        let last = Self.beginsWithI(item) ? phrases.andBeforeI : phrases.and
        TextPattern.append(Run(text: isLast ? last : phrases.comma, isBold: false), to: &runs)
      }
      for run in item { TextPattern.append(run, to: &runs) }
    }
    return runs
  }

  /// Whether Spanish says e, not y, before a text.
  private static func beginsWithI(_ runs: [Run]) -> Bool {
    let text = (runs.first?.text ?? "").lowercased()
    return ["i", "í", "hi"].contains { text.hasPrefix($0) } && !text.hasPrefix("hie")
  }

  private static func capitalized(_ runs: [Run]) -> [Run] {
    var merged: [Run] = []
    for run in runs { TextPattern.append(run, to: &merged) }
    guard let first = merged.first else { return [] }
    merged[0].text = first.text.prefix(1).uppercased() + first.text.dropFirst()
    return merged
  }
}
