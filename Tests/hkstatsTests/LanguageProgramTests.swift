import Foundation
import Testing
import _HealthTestSupport

@Suite("Languages of tables, charts and csv, as a program")
final class LanguageProgramTests: StoreSuite {
  private static let locales = ["de", "fr", "es", "ja"]

  override init() throws {
    try super.init()
    var export = SmallExport()
    for day in 1...9 {
      export.steps(
        10_000 + 1111 * day, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:10:00")
      export.add(
        "HKQuantityTypeIdentifierBodyMass", "\(80 - day).25", unit: "kg",
        from: "2024-03-0\(day)T08:00:00", to: "2024-03-0\(day)T08:00:00", source: "Scale; \"big\"\t"
      )
      export.add(
        "HKQuantityTypeIdentifierBodyTemperature", "36.\(day)", unit: "degC",
        from: "2024-03-0\(day)T08:00:00", to: "2024-03-0\(day)T08:00:00")
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepDeep",
        unit: nil,
        from: "2024-03-0\(day)T01:00:00", to: "2024-03-0\(day)T02:30:00")
    }
    try load(export)
  }

  private func ask(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try ProgramRun.hkstats(arguments + ["--store", store], environment: environment)
  }

  private static let questions = [
    ["types"], ["sources", "steps"], ["stats", "steps", "--by", "day"],
    ["stats", "bodyMass,bodyTemperature", "--by", "week"],
    ["stats", "steps", "--group", "weekday", "--by", "day"],
    ["stats", "sleepAnalysis", "--by", "day"], ["sleep"], ["samples", "bodyMass"],
    ["samples", "sleepAnalysis"], ["trend", "bodyMass", "--by", "day"], ["imports"],
    ["rhythm", "steps"],
  ]

  @Test("csv, tsv, json and ndjson are the same in every language", arguments: questions)
  func machines(question: [String]) throws {
    for format in ["csv", "tsv", "json", "ndjson"] {
      let question = question + ["--format", format]
      let english = try ask(question)
      #expect(english.exitCode == 0, "\(english.errors)")
      let german = try ask(question + ["--locale", "de"], environment: ["LANG": "fr_FR.UTF-8"])
      #expect(german.output == english.output)
    }
  }

  @Test("tables differ in words and marks of numbers alone", arguments: questions)
  func tables(question: [String]) throws {
    // Quartiles and the mean day have a number in Japanese.
    func digits(_ text: String) -> String {
      text.replacing("第1", with: "").replacing("第3", with: "").replacing("な1日", with: "")
        .filter { $0.isASCII && $0.isNumber }
    }
    let english = try ask(question).output
    for locale in Self.locales {
      let other = try ask(question + ["--locale", locale])
      #expect(other.exitCode == 0 && other.output != english, "\(other.errors)")
      #expect(digits(other.output) == digits(english))
      let fromEnvironment = try ask(question, environment: ["LC_ALL": "\(locale).UTF-8"])
      #expect(fromEnvironment.output == other.output)
      let chosen = try ask(
        question + ["--locale=en"], environment: ["LC_ALL": "\(locale).UTF-8"])
      #expect(chosen.output == english)
    }
  }

  @Test(
    "Titles have the page's names of types and units",
    arguments: [
      ("en", "Steps", "Body temperature, in °C", "Tue 2024-03-05"),
      ("de", "Schritte", "Körpertemperatur, in °C", "Di 2024-03-05"),
      ("fr", "Pas", "Température corporelle, en °C", "mar. 2024-03-05"),
      ("es", "Pasos", "Temperatura corporal, en °C", "mar 2024-03-05"),
      ("ja", "歩数", "体温, 単位：°C", "火 2024-03-05"),
    ])
  func titles(locale: String, steps: String, temperature: String, day: String) throws {
    for format in ["table", "chart"] {
      let options = ["--by", "day", "--locale", locale, "--format", format]
      let first = try ask(["stats", "steps"] + options).output
      #expect(first.hasPrefix(steps + ", ") && first.contains(day))
      #expect(try ask(["stats", "bodyTemperature"] + options).output.hasPrefix(temperature))
    }
  }

  @Test("Numbers have the marks of the language")
  func numbers() throws {
    for (locale, sum) in [
      ("en", "11,111"), ("de", "11.111"), ("fr", "11\u{202F}111"), ("es", "11.111"),
      ("ja", "11,111"),
    ] {
      let table = try ask(["stats", "steps", "--by", "day", "--locale", locale]).output
      #expect(table.contains(sum), "\(locale)")
    }
    let weights = try ask(["samples", "bodyMass", "--locale", "de"]).output
    #expect(weights.contains("79,25"))
  }

  @Test(
    "A number that the language shown reads as another one is refused, with how to write both",
    arguments: ["de", "fr", "es"])
  func ambiguous(locale: String) throws {
    let environment = ["LANG": "\(locale)_XX.UTF-8"]
    let store = scratch.path("typed.sqlite")
    func run(_ words: [String]) throws -> ProgramRun {
      try ProgramRun.hkstats(words + ["--store", store], environment: environment)
    }
    let made = try ProgramRun.hkstats(["add", "steps", "5", "--store", store])
    #expect(made.exitCode == 0, "\(made.errors)")
    for (typed, fraction, whole, written) in [
      ("1,125", "1.125", "1125", "1,1250"), ("12.717", "12.717", "12717", "12,7170"),
      ("100.000", "100.000", "100000", "100,0000"),
    ] {
      let sentence = "write 1125 for the one, 1,1250 for the other."
      for words in [
        ["add", "activeEnergyBurned", typed, "kcal"],
        ["add", "activeEnergyBurned", "\(typed) kcal"],
        ["edit", made.output.filter { !$0.isNewline }, typed],
        ["stats", "steps", "--above", typed], ["stats", "steps", "--below=\(typed)"],
        ["samples", "steps", "--where", "value>\(typed)"],
        ["delete", "steps", "--where", "value=\(typed) count", "--dry-run"],
        ["workouts", "--where", "distance>\(typed) km"],
      ] {
        let refused = try run(words)
        #expect(
          refused.exitCode == 64 && refused.errors.contains(sentence), "\(words): \(refused.errors)"
        )
        // It is a measured value.
        #expect(!refused.errors.contains(typed) || typed == "1,125" || words[0] != "add")
      }
      // Both of what it says to write are read as it says.
      for (text, number) in [(whole, whole), (written, fraction)] {
        let saved = try run(
          ["add", "activeEnergyBurned", text, "kcal", "--yes", "--format", "json"])
        let object = try saved.object()
        #expect((object["value"] as? Double) == Double(number), "\(saved.errors)")
        for words in [
          ["stats", "steps", "--above", text], ["samples", "steps", "--where", "value<\(text)"],
          ["workouts", "--where", "distance>\(text) km"],
        ] {
          #expect(try run(words).exitCode != 64, "\(words)")
        }
      }
    }
  }

  @Test("Other numbers, English, programs and files do not depend on the language")
  func unambiguous() throws {
    let german = ["LANG": "de_DE.UTF-8"]
    let store = scratch.path("typed.sqlite")
    func value(_ words: [String], _ environment: [String: String]) throws -> Double? {
      let run = try ProgramRun.hkstats(
        ["add", "activeEnergyBurned"] + words + ["kcal", "--yes", "--store", store],
        environment: environment)
      #expect(run.exitCode == 0, "\(words): \(run.errors)")
      let listed = try ProgramRun.hkstats(
        ["samples", "activeEnergyBurned", "--uuid", "--format", "csv", "--store", store])
      let uuid = run.output.filter { !$0.isNewline }
      let row = listed.output.split(separator: "\n").first { $0.contains(uuid) } ?? ""
      return row.split(separator: ",").compactMap { Double($0) }.first
    }
    for (typed, number) in [
      ("0,125", 0.125), ("71,4", 71.4), ("1.25", 1.25), ("1,234,567", 1_234_567), ("1125", 1125),
      ("1,1250", 1.125), ("1234.567", 1234.567),
    ] {
      #expect(try value([typed], german) == number, "\(typed)")
    }
    #expect(try value(["1,125"], ["LANG": "en_GB.UTF-8"]) == 1125)
    #expect(try value(["12.717"], ["LANG": "ja_JP.UTF-8"]) == 12.717)
    let file = try scratch.file(
      "typed.csv",
      Data("type,value,start\nsteps,12.717,2024-03-09\nsteps,\"1,125\",2024-03-09\n".utf8))
    let saved = try ProgramRun.hkstats(
      ["add", "--csv", file, "--store", store], environment: german)
    #expect(saved.exitCode == 0, "\(saved.errors)")
    let question = ["stats", "steps", "--above", "10.000", "--format", "json"]
    #expect(try ask(question, environment: german).output == ask(question).output)
  }

  @Test("ASCII alone is English")
  func ascii() throws {
    let table = try ask(["stats", "bodyTemperature", "--locale", "ja", "--ascii"]).output
    #expect(table.allSatisfy(\.isASCII) && table.hasPrefix("Body temperature, in degC"))
  }

  @Test("An unknown language is refused; a name is one", arguments: ["klingon", "nl", ""])
  func unknown(name: String) throws {
    let run = try ask(["types", "--locale", name])
    #expect(run.exitCode == 64 && run.output.isEmpty)
    #expect(try ask(["types", "--locale", "deutsch"]).output.contains("Schritte"))
  }

  @Test("types shows what is typed beside the name, and both are typed", arguments: locales)
  func typed(locale: String) throws {
    let rows = try ask(["types", "--locale", locale]).lines.dropFirst().prefix(4)
    try #require(rows.count == 4)
    for row in rows {
      let cells = row.split(separator: /[ ]{2,}/)
      let typed = try ask(["stats", String(cells[0]), "--format", "json"])
      let spoken = try ask(["stats", String(cells[1]), "--format", "json"])
      try #require(typed.exitCode == 0 && spoken.exitCode == 0, "\(spoken.errors)")
      if cells[0] != "sleepAnalysis" {
        #expect(try typed.object()["type"] as? String == spoken.object()["type"] as? String)
      }
    }
  }

  @Test("Names in any language are types, alone and in lists, with parts and units")
  func spoken() throws {
    func json(_ arguments: String...) throws -> String {
      let run = try ask(arguments + ["--format", "json"])
      #expect(run.exitCode == 0, "\(run.errors)")
      return run.output
    }
    let steps = try json("stats", "stepCount")
    for name in ["schritte", "SCHRITTE", "pas", "Pasos", "歩数"] {
      #expect(try json("stats", name) == steps, "\(name)")
    }
    #expect(
      try json("stats", "gewicht.max:lb,korpertemperatur", "--by", "day")
        == json("stats", "bodyMass.max:lb,bodyTemperature", "--by", "day"))
    #expect(try json("stats", "schlaf", "--by", "day") == json("stats", "sleep", "--by", "day"))
    #expect(try json("samples", "Gewicht") == json("samples", "bodyMass"))
    #expect(try json("sources", "poids") == json("sources", "bodyMass"))
    #expect(try json("trend", "peso", "--by", "day") == json("trend", "bodyMass", "--by", "day"))
    let unknown = try ask(["stats", "gewichtt"])
    #expect(unknown.exitCode == 64 && unknown.errors.contains("Did you mean: Gewicht"))
  }

  // MARK: - csv

  @Test("Decimal commas and tab stops separate the same fields", arguments: questions)
  func separators(question: [String]) throws {
    let csv = try ask(question + ["--format", "csv"]).output
    let commas = try ask(question + ["--format", "csv", "--decimal-comma"]).output
    let tabs = try ask(question + ["--format", "tsv"]).output
    let rows = CommaSeparatedRows.rows(of: csv)
    #expect(rows.count > 1 && Set(rows.map(\.count)).count == 1)
    #expect(CommaSeparatedRows.rows(of: tabs, separator: "\t") == rows)
    let others = CommaSeparatedRows.rows(of: commas, separator: ";")
    try #require(others.map(\.count) == rows.map(\.count))
    let titles = rows.flatMap { _ in rows[0] }
    for ((field, other), title) in zip(zip(rows.joined(), others.joined()), titles) {
      // A version is a text.
      let isNumber = Double(field) != nil && title != "source_version"
      #expect(other == (isNumber ? field.replacing(".", with: ",") : field))
    }
  }

  @Test("Exports have decimal commas and tab stops, too, and import refuses them by name")
  func exports() throws {
    let csv = CommaSeparatedRows.rows(of: try ask(["export", "bodyMass"]).output)
    for (options, separator, name) in [
      (["--decimal-comma"], Character(";"), "out.csv"), (["--format", "tsv"], "\t", "out.tsv"),
      (["--format", "tsv", "--decimal-comma"], "\t", "both.tsv"),
    ] {
      let text = try ask(["export", "bodyMass"] + options).output
      let rows = CommaSeparatedRows.rows(of: text, separator: separator)
      let isComma = options.contains("--decimal-comma")
      #expect(
        rows.map { $0.map { $0.replacing(",", with: ".") } }
          == csv.map { $0.map { $0.replacing(",", with: ".") } })
      #expect(text.contains("79,25") == isComma)
      let path = scratch.path(name)
      #expect(try ask(["export", "bodyMass", "--out", path] + options).exitCode == 0)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      let back = try ask(["import", path])
      #expect(back.exitCode != 0 && back.errors.contains("hkstats"))
    }
    let folder = scratch.path("folder")
    #expect(try ask(["export", "--out", folder, "--format", "tsv"]).exitCode == 0)
    #expect(FileManager.default.fileExists(atPath: folder + "/samples.tsv"))
    #expect(try ask(["export", "--format", "json", "--decimal-comma"]).exitCode == 64)
  }
}
