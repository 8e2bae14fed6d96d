import HealthSamples
import Testing

@testable import HealthReport

@Suite("Names that people type")
struct SpokenNamesTests {
  /// Names that several types share, and that therefore name none.
  private static let shared: Set<String> = []

  @Test("of types are those of the page: each resolves to exactly its type, in every language")
  func types() throws {
    #expect(SpokenTypeNames.ambiguous == Self.shared)
    var others: [String] = []
    for name in SpokenTypeNames.names where !Self.shared.contains(name.key) {
      let type = try Catalogue.type(named: name.type)
      #expect(SpokenTypeNames.type(of: name.text) == name.type, "\(name)")
      for spelling in [name.text.uppercased(), name.text.lowercased(), name.key] {
        let found = try Catalogue.$spokenNames.withValue(SpokenTypeNames.forCommands) {
          try Catalogue.type(named: spelling)
        }
        if found != type { others.append("\(spelling): \(found.identifier)") }
      }
    }
    // A name of the catalogue wins.
    #expect(others == [], "\(others)")
  }

  @Test("of types are no names without them, and the catalogue's own stay")
  func catalogue() throws {
    #expect(throws: CatalogueError.self) { try Catalogue.type(named: "Schritte") }
    for type in Catalogue.types {
      let name = Catalogue.swiftName(of: type)
      let found = try Catalogue.$spokenNames.withValue(SpokenTypeNames.forCommands) {
        try Catalogue.type(named: name)
      }
      #expect(found == (try Catalogue.type(named: name)))
    }
  }

  @Test("of types are suggested where the catalogue has nothing similar")
  func suggestions() {
    Catalogue.$spokenNames.withValue(SpokenTypeNames.forCommands) {
      let error = #expect(throws: CatalogueError.self) { try Catalogue.type(named: "Ruhepulls") }
      #expect(error?.suggestions.contains("Ruhepuls") == true)
    }
  }

  @Test("of activities name one of them, as a Swift name does")
  func activities() {
    for language in ReportLanguage.Base.allCases {
      let names = Words.of(language).activities
      for (activity, name) in names where names.values.count(where: { $0 == name }) == 1 {
        let found = Vocabulary.activity(named: name)
        #expect(found == nil || found == activity, "\(name)")
      }
    }
    #expect(Vocabulary.activity(named: "schwimmen") == "swimming")
    #expect(Vocabulary.activity(named: "running") == nil)
    #expect(Vocabulary.activity(named: "nothing") == nil)
  }

  @Test("of languages are their names in each of them, and identifiers")
  func languages() {
    let names: [ReportLanguage.Base: [String]] = [
      .english: ["en", "English", "anglais", "英語"], .german: ["de", "deutsch", "GERMAN", "aleman"],
      .french: ["fr", "français", "francais", "Französisch"],
      .spanish: ["es", "español", "spanisch"], .japanese: ["ja", "日本語", "japonais"],
    ]
    for (language, names) in names {
      for name in names { #expect(ReportLanguage(named: name)?.base == language, "\(name)") }
    }
    #expect(ReportLanguage(named: "de-AT")?.region == "AT")
    for name in ["", "klingon", "C", "nl"] { #expect(ReportLanguage(named: name) == nil) }
  }

  @Test("of languages in an environment come in the order of setlocale")
  func environments() {
    func base(_ environment: [String: String]) -> ReportLanguage.Base {
      ReportLanguage(environment: environment).base
    }
    #expect(base([:]) == .english)
    #expect(base(["LANG": "de_DE.UTF-8"]) == .german)
    #expect(base(["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR"]) == .french)
    #expect(base(["LC_ALL": "ja_JP.UTF-8", "LC_MESSAGES": "fr_FR"]) == .japanese)
    #expect(base(["LC_ALL": "", "LANG": "es_ES"]) == .spanish)
    for name in ["C", "POSIX", "C.UTF-8", "nl_NL"] {
      #expect(base(["LC_ALL": name, "LANG": "de_DE"]) == .english)
    }
  }
}

@Suite("Words of tables")
struct TableWordsTests {
  @Test("stand in lines of all languages, each once, with the same places")
  func rows() {
    var seen: Set<String> = []
    for row in TableWords.rows {
      #expect(row.count == TableWords.languages.count + 1, "\(row)")
      #expect(row.allSatisfy { !$0.isEmpty }, "\(row)")
      #expect(seen.insert(row.first ?? "").inserted, "\(row)")
      func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{[0-9]\}/).map { String($0.output) })
      }
      #expect(Set(row.map(places)).count == 1, "\(row)")
    }
  }

  @Test("are those of the page where it has them", arguments: TableWords.languages)
  func page(language: ReportLanguage.Base) {
    let (english, other) = (Words.of(.english), Words.of(language))
    for path: KeyPath<Words.Table, String> in [
      \.hour, \.day, \.week, \.month, \.year, \.night, \.sum, \.mean, \.median, \.lowerQuarter,
      \.upperQuarter,
    ] {
      let word = TableWords.word(english.table[keyPath: path].lowercased(), in: language)
      #expect(word.lowercased() == other.table[keyPath: path].lowercased())
    }
    for path: KeyPath<Words.Pressure, String> in [\.elevated, \.nonElevated, \.hypertension] {
      let word = TableWords.word(english.pressure[keyPath: path].lowercased(), in: language)
      #expect(word.lowercased() == other.pressure[keyPath: path].lowercased())
    }
  }

  @Test("keep units, and join words; others stay as they are", arguments: TableWords.languages)
  func composed(language: ReportLanguage.Base) {
    func word(_ english: String) -> String { TableWords.word(english, in: language) }
    #expect(word("climb (m)") == word("climb") + " (m)")
    #expect(word("day max").hasPrefix(word("day")) && word("day max").hasSuffix(word("max")))
    #expect(word("Anna’s iPhone") == "Anna’s iPhone")
    #expect(word("") == "")
    #expect(Vocabulary(.english).word("day max") == "day max")
  }
}
