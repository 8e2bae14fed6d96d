import ArgumentParser
import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("What people type first")
struct FirstWordsTests {
  /// A store with the data of the questions below.
  private struct Questions {
    static let shared = Result { try Questions() }

    let scratch: Scratch
    let environment: [String: String]

    init() throws {
      scratch = try Scratch()
      let export = scratch.path("export.zip")
      let made = try ProgramRun.run(
        "generate-export",
        [
          "--out", export, "--seed", "57", "--years", "0.7", "--zone", "Europe/Paris",
          "--density", "0.02",
        ])
      try #require(made.exitCode == 0, "\(made.errors)")
      environment = ["HKSTATS_STORE": scratch.path("store.sqlite")]
      let imported = try ProgramRun.hkstats(["import", export], environment: environment)
      try #require(imported.exitCode == 0, "\(imported.errors)")
    }

    func run(_ words: [String]) throws -> ProgramRun {
      try ProgramRun.hkstats(words, environment: environment)
    }
  }

  /// The words of a line as a shell has them.
  private static func words(_ line: String) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .flatMap { place, part in
        place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
      }
  }

  private static func isAccepted(_ arguments: [String]) -> Bool {
    (try? Program.parseAsRoot(FirstWords.spelled(arguments))) != nil
  }

  // MARK: - The table

  @Test("The table has some two hundred words in five languages, each of them once")
  func table() throws {
    let rows = FirstWords.rows
    #expect(rows.count >= 200)
    #expect(Set(rows.map(\.words)).count == rows.count)
    let sections = FirstWords.table.components(separatedBy: "# ").dropFirst()
    let counts = Dictionary(
      uniqueKeysWithValues: sections.map { section in
        let lines = section.split(separator: "\n")
        return (String(lines[0]), lines.count { $0.contains("|") })
      })
    for language in ["en", "de", "fr", "es", "ja"] {
      #expect(try #require(counts[language]) >= 20, "\(language)")
    }
    #expect(counts.values.reduce(0, +) == rows.count)
    let names = Program.configuration.subcommands.flatMap {
      [$0.configuration.commandName ?? ""] + $0.configuration.aliases
    }
    #expect(Set(names).isDisjoint(with: rows.map(\.words)))
  }

  @Test("Every command of the table is one that the program takes, also those within a hint")
  func commands() throws {
    let examples = ["N": "1", "SOURCE": "Watch", "FILE": "copy", "FOLDER": "copy", "STORE": "copy"]
    var hinted = 0
    for row in FirstWords.rows {
      guard row.isHint else {
        #expect(Self.isAccepted(row.command + row.defaults), "\(row.words): \(row.command)")
        continue
      }
      let parts = row.command.joined(separator: " ").split(
        separator: "`", omittingEmptySubsequences: false)
      #expect(!parts.count.isMultiple(of: 2), "\(row.words)")
      for (place, part) in parts.enumerated() where !place.isMultiple(of: 2) {
        hinted += 1
        let words = Self.words(part.components(separatedBy: " > ")[0]).map { examples[$0] ?? $0 }
        #expect(words.first == "hkstats")
        guard words != ["hkstats", "help"], words != ["hkstats", "--version"] else { continue }
        #expect(Self.isAccepted(Array(words.dropFirst())), "\(row.words): \(part)")
      }
    }
    #expect(hinted > 60)
  }

  @Test("A command that is run for other words only reads")
  func reads() throws {
    let reading: Set<String> = [
      "anomalies", "correlate", "cycles", "glucose", "pressure", "profile", "samples", "sleep",
      "sources", "stats", "store", "summary", "training", "types", "typical", "verify", "workouts",
      "zones",
    ]
    let found = Set(FirstWords.rows.filter { !$0.isHint }.map { $0.command[0] })
    #expect(found.isSubset(of: reading), "\(found.subtracting(reading))")
    let all = FirstWords.rows.filter { !$0.isHint }.map { Set($0.command) }
    #expect(
      all.allSatisfy { $0.isDisjoint(with: ["set", "prefer", "compact", "backup", "--repair"]) })
  }

  // MARK: - Reading

  @Test(
    "Words become the command that they mean",
    arguments: [
      ("steps", "stats steps --by day --from -7d"),
      ("Steps", "stats steps --by day --from -7d"),
      ("steps yesterday", "stats steps --from yesterday --to today"),
      ("steps --by month", "stats steps --by month"),
      ("steps --locale de", "stats steps --locale de --by day --from -7d"),
      ("steps --from=-30d", "stats steps --from=-30d"),
      ("schritte letzte Woche", "stats steps --from last week --to this week"),
      ("pas la semaine dernière", "stats steps --from last week --to this week"),
      ("歩数 先月", "stats steps --from last month --to this month"),
      ("heart rate today", "stats heartRate --from today"),
      ("Rückgängig", nil),
      ("FRÉQUENCE CARDIAQUE hier", "stats heartRate --from yesterday --to today"),
      ("frequence cardiaque", "stats heartRate --by day --from -7d"),
      ("sueno", "sleep --from -14d"),
      ("歩数 昨日", "stats steps --from yesterday --to today"),
      ("bodyMass,steps 2025", "stats bodyMass,steps --from 2025-01-01 --to 2026-01-01"),
      ("water 2024-02", "stats dietaryWater --from 2024-02-01 --to 2024-03-01"),
      ("water 2024-02-29", "stats dietaryWater --from 2024-02-29 --to 2024-03-01"),
      ("running last month", "workouts --activity running --from last month --to this month"),
      ("today", "summary --from today"),
    ] as [(String, String?)])
  func meaning(typed: String, meant: String?) throws {
    let meaning = try #require(FirstWords.meaning(of: Self.words(typed)))
    switch meaning {
    case .command(let arguments): #expect(arguments.joined(separator: " ") == meant)
    case .hint(let text): #expect(meant == nil && text.contains("hkstats imports undo"))
    }
  }

  @Test("Words that begin with a command's name mean what the table says, too")
  func behindCommands() throws {
    let names = Set(
      Program.configuration.subcommands.compactMap { $0.configuration.commandName })
    let rows = FirstWords.rows.filter { row in
      row.words.split(separator: " ").first.map { names.contains(String($0)) } ?? false
        && !row.words.contains(" --")
    }
    #expect(Set(rows.compactMap { Self.words($0.words).first }) == FirstWords.commands)
    for row in rows {
      let words = Self.words(row.words)
      #expect(words.count > 1, "\(row.words)")
      #expect(
        FirstWords.meaning(of: words, least: 2) == .command(row.command + row.defaults),
        "\(row.words)")
    }
    #expect(FirstWords.meaning(of: ["summary", "yesterday"], least: 2) == nil)
    let run = try ProgramRun.hkstats(
      ["course", "à", "pied"], environment: Questions.shared.get().environment)
    #expect(run.errors.contains("is read as: hkstats workouts --activity running"))
  }

  @Test("Words that mean nothing here keep what they had: the names that are near")
  func nothing() throws {
    for typed in ["frobnicate", "stat steps", "water 2024-02-30x", ""] {
      let meaning = FirstWords.meaning(of: Self.words(typed))
      if case .command = meaning { Issue.record("\(typed)") }
    }
    for typed in ["water 2024-02-30", "steps foo", "water 2024-13"] {
      guard case .hint(let text) = FirstWords.meaning(of: Self.words(typed)) else {
        Issue.record("\(typed)")
        continue
      }
      #expect(text.contains("is no time") && text.contains("Did you mean: hkstats stats"))
    }
    let run = try ProgramRun.hkstats(["stat", "steps"])
    #expect(run.exitCode == 64 && run.errors.contains("Did you mean: hkstats stats"))
  }

  @Test(
    "A file in the place of a command is shown the first commands for it, and is not touched",
    arguments: [
      ("export.zip", "hkstats report export.zip"), ("export.zip day", "hkstats report export.zip"),
      ("./export", "hkstats import ./export "), ("\"My Export.ZIP\"", "report 'My Export.ZIP' "),
      ("open export.zip", "hkstats report export.zip"), ("page", "hkstats report export.zip"),
      ("view export.zip", "hkstats report export.zip"), ("öffnen", "hkstats report export.zip"),
    ])
  func files(typed: String, shown: String) throws {
    let run = try ProgramRun.hkstats(Self.words(typed))
    #expect(run.exitCode == 64 && run.output.isEmpty)
    #expect(run.errors.contains(shown), "\(run.errors)")
  }

  @Test(
    "The slash of a unit makes no file of a type",
    arguments: [
      ("walkingSpeed:km/h --by month", "stats walkingSpeed:km/h --by month"),
      ("restingHeartRate:count/min", "stats restingHeartRate:count/min --by day --from -30d"),
      ("steps,heartRate:count/min", "stats steps,heartRate:count/min --by day --from -30d"),
    ])
  func unitWithSlash(typed: String, meant: String) throws {
    let run = try Questions.shared.get().run(Self.words(typed))
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.errors.contains("is read as: hkstats \(meant)"), "\(run.errors)")
    // As a suffix makes no part of one.
    #expect(try ProgramRun.hkstats(["steps.csv"]).errors.contains("hkstats report steps.csv "))
  }

  @Test("A name that cannot be typed, or is too long to be shown whole, is shown as FILE")
  func oddNames() throws {
    for name in ["a\nb.zip", "a\u{1B}[2J.zip", String(repeating: "long ", count: 50) + ".zip"] {
      let hint = try #require(FirstWords.hint(forFile: name))
      #expect(hint.contains("report FILE ") && hint.contains("import FILE "), "\(hint)")
    }
  }

  @Test("A word that is no name of a file keeps what it had")
  func noFiles() throws {
    for word in ["steps", "stat", "sleep.deep", "zip", "heartRate.max", "歩数"] {
      #expect(FirstWords.hint(forFile: word) == nil, "\(word)")
    }
  }

  @Test(
    "Words after a command are its types, a kind of workout, or a time",
    arguments: [
      ("stats steps yesterday", "stats steps --from yesterday --to today"),
      ("stats steps sleep", "stats steps,sleep"),
      (
        "stats steps sleep 2025-03 --by day",
        "stats steps,sleep --from 2025-03-01 --to 2025-04-01 --by day"
      ),
      ("trend steps", "trend steps"), ("stats today", "stats today"),
      ("correlate sleep steps", "correlate sleep,steps"),
      ("workouts running", "workouts --activity running"),
      ("workouts running this year", "workouts --activity running --from this year"),
      ("sleep yesterday", "sleep --from yesterday --to today"),
      ("sleep --below 7h", "stats sleep --below 7h"),
      ("sleep --below=7h", "stats sleep --below=7h"),
      ("sleep 2026-10 --below 7h", "stats sleep --from 2026-10-01 --to 2026-11-01 --below 7h"),
      ("sleep last week --top=3", "stats sleep --from last week --to this week --top=3"),
      ("stats steps --by=weekday", "stats steps --group=weekday"),
      ("stats steps --by=day", "stats steps --by=day"),
      ("stats steps last 7 days", "stats steps --from -7d"),
      ("sleep last 2 weeks", "sleep --from -2w"),
      ("workouts last 3 months", "workouts --from -3mo"),
      ("stats steps last 0 days", "stats steps,last,0,days"),
      ("stats steps --by weekday", "stats steps --group weekday"),
      ("stats steps --by day --from -7d", "stats steps --by day --from -7d"),
      ("samples steps today", "samples steps --from today"),
    ])
  func spelled(typed: String, meant: String) {
    #expect(FirstWords.spelled(Self.words(typed)).joined(separator: " ") == meant)
  }

  @Test("Every time in words that gets an option is one that dates have")
  func lastUnits() throws {
    let asked = try Questions.shared.get()
    for time in ["last 7 days", "last 2 weeks", "last 3 months", "last 1 year"] {
      let run = try asked.run(["stats", "steps"] + Self.words(time))
      #expect(run.exitCode == 0, "\(time): \(run.errors)")
    }
    let unknown = try asked.run(["stats", "last"])
    #expect(unknown.exitCode == 64 && !unknown.errors.contains("Ballast"), "\(unknown.errors)")
  }

  @Test(
    "A hint is about the option that is refused, and not what was typed",
    arguments: [
      ("training --by day --from nodate", nil), ("workouts --zones 120,5,140", nil),
      ("workouts --zones", "hkstats training"), ("workouts --longest --from nodate", "distance"),
      ("training --by month", "training --by day"), ("training --by=year", "training --by week"),
      ("stats labs --by day", "labResultRecord"),
      ("report --pdf", "report.pdf"), ("stats steps --last 7", "--from -7d"),
    ])
  func hints(typed: String, hint: String?) throws {
    let run = try Questions.shared.get().run(Self.words(typed))
    #expect(run.exitCode == 64)
    if let hint {
      #expect(run.errors.contains(hint), "\(run.errors)")
    } else {
      #expect(
        !run.errors.contains("hkstats training") && !run.errors.contains("Hint:"), "\(run.errors)")
    }
  }

  @Test(
    "Who saves or deletes by another name gets the type, and no question",
    arguments: [
      ("add Blutdruck 135/85", "hkstats add bloodPressure 135/85?"),
      ("add bp 135/85", "hkstats add bloodPressure 135/85?"),
      ("add tension 135/85", "hkstats add bloodPressure 135/85?"),
      ("add Puls 62", "hkstats add heartRate 62?"),
      ("delete Puls --dry-run", "hkstats delete heartRate --dry-run?"),
      ("delete cgm --from -1d", "hkstats delete bloodGlucose --from -1d?"),
    ])
  func namesToSave(typed: String, meant: String) throws {
    let asked = try Questions.shared.get()
    let run = try asked.run(Self.words(typed))
    #expect(run.exitCode == 64 && run.errors.contains("Did you mean: \(meant)"), "\(run.errors)")
    let words = Self.words(String(meant.dropFirst("hkstats ".count).dropLast()))
    #expect(Self.isAccepted(words))
    let question = try asked.run(["stats", words[1]])
    #expect(question.exitCode != 64, "\(question.errors)")
  }

  @Test("A file to add names the type, too")
  func namesInFiles() throws {
    let asked = try Questions.shared.get()
    let file = try asked.scratch.file("puls.csv", Data("type,value,start\nPuls,62,today\n".utf8))
    let run = try asked.run(["add", "--csv", file])
    #expect(run.exitCode == 65 && run.errors.contains("Did you mean: heartRate?"), "\(run.errors)")
  }

  @Test(
    "What is made of intervals is about days, and by the hour of hours, unless --by says otherwise")
  func implied() throws {
    // Tests beside this one add samples to the shared store, which may lengthen its last gap.
    let asked = try Questions()
    for (made, interval) in [
      ("--group weekday", "day"), ("--group weekend", "day"), ("--group month", "day"),
      ("--group hour", "hour"), ("--top 3", "day"), ("--above 5000", "day"),
      ("--below 5000 --streaks", "day"), ("--rolling 3", "day"), ("--gaps", "day"),
      ("--spread", "day"),
    ] {
      let question = ["stats", "steps"] + Self.words(made) + ["--format", "json"]
      let (without, with) = (try asked.run(question), try asked.run(question + ["--by", interval]))
      #expect(without.exitCode == 0 && without.output == with.output, "\(made)")
    }
  }

  // MARK: - The questions of the trials

  /// What a new user types first, and the words of the hint where it is not answered.
  private static let fifty: [(String, hint: String?)] = [
    ("stats steps --from today", nil), ("stats restingHeartRate --by year", nil),
    ("trend vo2Max", nil), ("stats water --by day", nil), ("stats steps --by month --top 1", nil),
    ("sleep --by month", nil), ("workouts --limit 1", nil),
    ("trend bodyMass --from 2026-01-01", nil), ("sleep --from -7d", nil),
    ("stats sleep.deep --by week", nil), ("stats hrv --format chart", nil),
    ("stats steps --from 2026-10 --compare year --by month", nil),
    ("stats steps --from -7d --by day", nil), ("workouts --zones", "--zones 120,140,155,170"),
    ("stats noise --by week", nil), ("stats wristTemperature", nil),
    ("stats caffeine --by day", nil), ("stats protein --by month --per day", nil),
    ("samples ecg --limit 1", nil), ("profile", nil), ("stats distance", nil),
    ("samples audiogram --limit 1", nil),
    ("stats oxygenSaturation --during sleep --from -14d", nil), ("stats standHours --by day", nil),
    ("stats mindfulMinutes --by month", nil), ("changes sleep --from 2026-03", nil),
    ("pressure", nil), ("stats totalEnergy", nil), ("stats heartRate --during sleep", nil),
    ("stats food --from -7d --by day", "stats food --from -7d"), ("stats labs", nil),
    ("stats steps --group weekday", nil), ("workouts --longest", "--sort distance --limit 1"),
    ("stats steps,sleep --by day", nil), ("stats steps --top 10", nil),
    ("stats steps --group hour", nil), ("workouts running --by month", nil),
    ("stats steps --above 10000", nil), ("summary --streaks", nil), ("samples ecg", nil),
    ("workouts --by week", nil), ("stats runningSpeed --by month", nil),
    ("stats steps --above 10000 --streaks", nil), ("stats hrv --rolling 7", nil),
    ("glucose", nil), ("cycles", nil), ("unusual --from -7d", nil),
    ("export --format gpx --out gpxdir", nil), ("correlate sleep hrv", nil),
    ("workouts --fastest 5km", "--sort best5k"),
  ]

  private static let further: [(String, hint: String?)] = [
    ("stats steps --from 2026-10-25 --to 2026-10-26", nil),
    ("workouts --by week --stat distance,elevation", nil),
    ("stats restingHeartRate --from 2026-06 --to 2026-09 --compare year", nil),
    ("stats steps --by day --format csv", nil),
    ("stats steps,restingHeartRate,sleep --by day --format csv", nil),
    ("pressure --format chart", nil), ("trend pace", "workouts --by month --stat"),
    ("sleep --below 7h", nil), ("sql \"select 1\"", "export --format sqlite"),
    ("stats bloodPressure --above 135", "stats bloodPressureSystolic --above 135"),
    ("stats bloodGlucose --above 10", nil), ("stats bloodGlucose --group hour", nil),

    ("steps", nil),
    ("stats steps yesterday", nil), ("undo", "imports undo N"),
    ("training --by week", nil),
    ("export --format parquet", "Python"),

    ("today", nil), ("stats steps --from 21.10.2026", nil), ("add bodyMass 71,4 kg", nil),
    ("report --language deutsch --out r.html", nil), ("add bloodPressure 135/85", nil),
    ("stats steps --by day --format tsv", nil), ("stats schritte", nil),
    ("stats steps --by day --format csv --decimal-comma", nil),
  ]

  @Test(
    "Of the fifty questions at least 46 are answered by what is typed first, the others by one hint"
  )
  func fiftyQuestions() throws {
    try check(Self.fifty, least: 46)
  }

  @Test("Of the 25 further ones at least 18 are, and every other leads to its answer")
  func furtherQuestions() throws {
    try check(Self.further, least: 18)
  }

  private func check(_ questions: [(String, hint: String?)], least: Int) throws {
    let asked = try Questions.shared.get()
    var answered = 0
    for (typed, hint) in questions {
      let words = Self.words(typed).map { word in
        ["r.html", "gpxdir"].contains(word)
          ? asked.scratch.path(word) : word
      }
      let run = try asked.run(words)
      // An answer may be that there are no such data.
      let isAnswer =
        run.exitCode == 0 || run.exitCode == 1 && run.errors.contains("there are no")
      if let hint {
        #expect(!isAnswer && run.errors.contains(hint), "\(typed): \(run.errors)")
      } else {
        #expect(isAnswer, "\(typed): \(run.errors)")
        answered += isAnswer ? 1 : 0
      }
    }
    #expect(answered >= least, "\(answered) of \(questions.count)")
  }

  // MARK: - Help

  @Test("Help shows the commands under six headings, and the help of an analysis is brief")
  func help() throws {
    #expect(Program.configuration.groupedSubcommands.count == 6)
    let all = try ProgramRun.hkstats(["help"]).output
    for group in Program.configuration.groupedSubcommands {
      #expect(all.contains("\n\(group.name.uppercased()):\n"))
      for command in group.subcommands {
        let name = try #require(command.configuration.commandName)
        #expect(all.contains("\n  \(name)"))
        let help = try ProgramRun.hkstats(["help", name]).output
        #expect(try ProgramRun.hkstats([name, "--help"]).output == help)
        if group.name == "Analyse" {
          #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 46)
        }
      }
    }
  }

  @Test("Every option that a help leaves out is explained by hkstats help options")
  func sharedOptions() throws {
    let shared = try ProgramRun.hkstats(["help", "options"]).output
    for command in Program.configuration.subcommands {
      let name = try #require(command.configuration.commandName)
      let brief = try ProgramRun.hkstats(["help", name]).output
      let whole = Program.helpMessage(for: command, includeHidden: false, columns: 80)
      for line in whole.split(separator: "\n") where line.hasPrefix("  --") {
        let option = line.dropFirst(2).prefix { $0 != " " && $0 != "," }
        guard option != "--version" else { continue }
        #expect(brief.contains(option), "\(name) \(option)")
        let isOwn = brief.contains("\n" + line)
        #expect(isOwn || shared.contains("\n  \(option)"), "\(name) \(option)")
      }
    }
  }

  @Test("hkstats help analyses names every analysis")
  func analyses() throws {
    let text = try ProgramRun.hkstats(["help", "analyses"]).output
    let group = try #require(
      Program.configuration.groupedSubcommands.first { $0.name == "Analyse" })
    for command in group.subcommands {
      let name = try #require(command.configuration.commandName)
      #expect(text.contains(name), "\(name)")
    }
  }
}
