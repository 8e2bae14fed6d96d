import HealthSamples
import Testing

@testable import HealthReport

@Suite("Words of a report")
struct WordsTests {
  /// The groups that hold the customs of a language, not sentences.
  private static let customs = ["patterns.", "dates."]

  @Test("have the same places and bold parts in every language")
  func places() {
    let english = WordTable.texts(in: .english)
    #expect(english.count > 400)
    for base in ReportLanguage.Base.allCases {
      let texts = WordTable.texts(in: base)
      #expect(texts.map(\.key) == english.map(\.key))
      for (text, model) in zip(texts, english)
      where !Self.customs.contains(where: { text.key.hasPrefix($0) }) {
        #expect(
          TextPattern.places(of: text.text) == TextPattern.places(of: model.text),
          "\(base) \(text.key)")
        // Each form has the bold parts of the others.
        let marks = TextPattern.form(text.text, of: 2).count { $0 == "*" }
        #expect(
          marks == TextPattern.form(model.text, of: 2).count { $0 == "*" }, "\(base) \(text.key)")
        #expect(marks == TextPattern.form(text.text, of: 1).count { $0 == "*" })
        #expect(marks.isMultiple(of: 2))
      }
    }
  }

  @Test("are there, plain and untouched by markup", arguments: ReportLanguage.Base.allCases)
  func plain(base: ReportLanguage.Base) {
    for (key, text) in WordTable.texts(in: base) {
      #expect(!text.isEmpty || key == "phrases.space", "\(key)")
      #expect(!text.contains(where: { "!¡！<>&\\\n\t".contains($0) }), "\(key)")
      #expect(text == text.trimmingSpaces || key.hasPrefix("p"), "\(key)")
      #expect(!text.contains("  "), "\(key)")
    }
  }

  @Test("praise and advise nobody")
  func forbidden() {
    let words: Set<String> = [
      "better", "worse", "good", "bad", "great", "best", "worst", "normal", "healthy", "unhealthy",
      "should", "must", "improve", "improved", "improvement", "decline", "poor", "excellent", "try",
      "recommended", "target", "please", "sorry", "congratulations", "alert", "warning",
    ]
    for (key, text) in WordTable.texts(in: .english) where !key.hasPrefix("pressure.") {
      let found = text.lowercased().split { !$0.isLetter }.map(String.init)
      #expect(words.isDisjoint(with: found), "\(key): \(text)")
    }
  }

  @Test("of the other languages are not English", arguments: ReportLanguage.Base.allCases)
  func translated(base: ReportLanguage.Base) {
    guard base != .english else { return }
    let same = zip(WordTable.texts(in: base), WordTable.texts(in: .english))
      .filter {
        $0.text == $1.text && $0.text.split(separator: " ").filter { !$0.contains("{") }.count > 2
      }
    #expect(same.isEmpty, "\(same.map(\.0.key))")
  }

  @Test("have for each key the text of the table", arguments: ReportLanguage.Base.allCases)
  func keys(base: ReportLanguage.Base) throws {
    let (words, rows) = (Words.of(base), WordTable.texts(in: base))
    let texts = Dictionary(rows.map { ($0.key, $0.text) }) { first, _ in first }
    #expect(texts.count == rows.count)
    #expect(texts["explorer.hour"] == words.explorer.hour)
    #expect(texts["sections.sleep.head"] == words.sections.sleep.head)
    #expect(texts["phrases.lower.feminine"] == words.phrases.lower[.feminine])
    #expect(WordTable.group("activities", in: base).texts == words.activities)
    for list in [words.dates.months, words.dates.monthsInDates, words.dates.shortMonths] {
      #expect(list.split(separator: "|").count == 12)
    }
    for list in [words.dates.weekdays, words.dates.weekdaysInDates, words.dates.narrowWeekdays] {
      #expect(list.split(separator: "|").count == 7)
    }
  }

  @Test("name each kind of workout of the catalogue, and spell out any other")
  func activities() {
    let known = Catalogue.workoutActivities.map(\.swiftName)
    for base in ReportLanguage.Base.allCases {
      #expect(Set(Words.of(base).activities.keys) == Set(known), "\(base)")
      let names = Catalogue.workoutActivities.map { Words.of(base).name(ofWorkout: $0.constant) }
      #expect(Set(names).count == names.count, "\(base): \(names)")
      #expect(base != .japanese || names.allSatisfy { !$0.contains { $0.isASCII } })
    }
    #expect(Words.german.name(ofWorkout: "HKWorkoutActivityTypeWaterPolo") == "Wasserball")
    #expect(Words.german.name(ofWorkout: "HKWorkoutActivityTypeSkyWalking") == "Sky walking")
    #expect(Words.german.name(ofWorkout: "HKWorkoutActivityType") == "Andere")
    #expect(Words.german.name(ofWorkout: nil) == "andere")
  }

  @Test("have no case of a noun that a number brings, and no space between Japanese sentences")
  func cases() {
    let german = TextPattern.filled(
      Words.german.figure.description, "1 Schritt", "2 Schritte", "", "")
    #expect(german.hasPrefix("Kleinster Wert 1 Schritt, größter 2 Schritte,"))
    #expect(Words.japanese.phrases.space.isEmpty && Words.english.phrases.space == " ")
  }

  @Test("have a form for one and a form for others, where they differ")
  func forms() {
    #expect(TextPattern.counted("last day|last {0} days", 1, "1") == "last day")
    #expect(TextPattern.counted("last day|last {0} days", 28, "28") == "last 28 days")
    #expect(TextPattern.counted("{0}|{1}", 2, "|", "a|b") == "a|b")
    #expect(TextPattern.counted("直近{0}日間", 1, "1") == "直近1日間")
    for base in ReportLanguage.Base.allCases {
      for (text, model) in zip(WordTable.texts(in: base), WordTable.texts(in: .english))
      where !text.key.hasPrefix("dates.") {
        let bars = text.text.count { $0 == "|" }
        #expect(bars == (base == .japanese ? 0 : model.text.count { $0 == "|" }), "\(text.key)")
        #expect(
          TextPattern.places(of: TextPattern.form(text.text, of: 2))
            == TextPattern.places(of: text.text), "\(base) \(text.key)")
      }
    }
  }

  @Test("have the punctuation of their language")
  func punctuation() {
    func labelled(_ base: ReportLanguage.Base) -> String {
      TextPattern.filled(Words.of(base).patterns.labelled, "A", "1")
    }
    #expect(labelled(.english) == "A: 1" && labelled(.french) == "A\u{A0}: 1")
    #expect(labelled(.japanese) == "A：1")
  }

  @Test("end with one full stop after a date that ends in one")
  func fullStop() {
    let figure = Words.french.figure
    #expect(
      figure.readable("La nuit jusqu’au sam. 31 oct.").hasPrefix(
        "La nuit jusqu’au sam. 31 oct. Les"))
    #expect(figure.readable("Pas").hasPrefix("Pas. Les"))
    #expect(Words.japanese.figure.readable("歩数").hasPrefix("歩数。"))
  }

  @Test("are filled in their places, whatever is put in")
  func patterns() {
    #expect(TextPattern.filled("{1} of {0}", "{1}", "*") == "* of {1}")
    #expect(TextPattern.filled("{0}{", "a") == "a{")
    #expect(TextPattern.filled("{x} {9}") == "{x} ")
    let runs = TextPattern.runs("*{0} a* b", [[.init(text: "*x*", isBold: false)]])
    #expect(runs == [.init(text: "*x* a", isBold: true), .init(text: " b", isBold: false)])
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    let kept = drop { $0 == " " }
    let last = kept.lastIndex { $0 != " " }
    return last.map { String(kept[...$0]) } ?? ""
  }
}
