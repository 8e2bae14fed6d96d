import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthSamples
import Testing

@testable import hkstats

@Suite("Manners on a terminal")
struct TerminalProgramTests {
  private static let utf8 = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
  private static let longName = "Anna’s Apple Watch – the second one, of 2023, with a long name…"

  /// A store with two sources, one of which has a long name, and workouts, nights and rings.
  private static func store(in scratch: Scratch) throws -> String {
    var export = SmallExport(offset: 0)
    for day in 1...9 {
      let date = "2024-03-0\(day)"
      export.steps(day * 100, from: "\(date)T10:00:00", to: "\(date)T10:10:00", source: longName)
      export.steps(day * 90, from: "\(date)T10:05:00", to: "\(date)T11:00:00", source: "Phone")
      export.add(
        "HKQuantityTypeIdentifierHeartRate", "\(60 + day)", unit: "count/min",
        from: "\(date)T10:00:00", to: "\(date)T10:00:00", source: longName)
      export.add(
        "HKQuantityTypeIdentifierHeartRate", "\(90 + day)", unit: "count/min",
        from: "\(date)T11:00:00", to: "\(date)T11:00:00", source: longName)
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
        unit: nil, from: "\(date)T01:00:00", to: "\(date)T05:00:00", source: longName)
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepREM",
        unit: nil, from: "\(date)T05:00:00", to: "\(date)T06:00:00", source: longName)
      export.add(
        lines: """
           <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="10" \
          durationUnit="min" sourceName="\(longName)" startDate="\(date) 10:00:00 +0000" \
          endDate="\(date) 10:10:00 +0000"/>
           <ActivitySummary dateComponents="\(date)" activeEnergyBurned="300" \
          activeEnergyBurnedGoal="400" activeEnergyBurnedUnit="kcal" appleExerciseTime="20" \
          appleExerciseTimeGoal="30" appleStandHours="9" appleStandHoursGoal="12"/>
          """)
    }
    let path = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats(
      ["import", try scratch.file("export.xml", export.data), "--store", path])
    try #require(run.exitCode == 0, "\(run.errors)")
    return path
  }

  private static let questions = [
    ["sources"], ["types"], ["sources", "steps"], ["workouts", "--zones", "70,90"], ["summary"],
    ["samples", "steps"], ["samples", "workout"], ["stats", "steps", "--by", "day"],
    ["stats", "steps", "--by", "day", "--by-source"],
    ["stats", "steps", "--by", "12h", "--explain"], ["imports"], ["store"], ["verify"],
    ["sleep"], ["trend", "heartRate", "--by", "day"], ["sources", "compare", "steps"],
    ["stats", "sleepAnalysis", "--by", "day"],
  ]
  private static let charts = [
    ["stats", "steps", "--by", "day"], ["stats", "heartRate", "--by", "day"],
    ["stats", "steps", "--by", "hour"], ["stats", "sleepAnalysis", "--by", "day"],
    ["stats", "steps"], ["sleep"], ["sources", "compare", "steps"],
    ["sources", "compare", "steps", "--by", "hour"],
  ].map { $0 + ["--format", "chart"] }

  @Test("Tables and notes fit a terminal of 60 columns and more; only numbers are never cut")
  func fits() throws {
    let scratch = try Scratch()
    let store = try Self.store(in: scratch)
    for question in Self.questions {
      let whole = try ProgramRun.hkstats(
        question + ["--store", store], environment: ["COLUMNS": "500"]
      ).output
      for columns in [60, 100, 500] {
        let text = try ProgramRun.onTerminal(
          question + ["--store", store, "--color", "never"], columns: columns,
          environment: Self.utf8)
        // A path has no place to break it.
        let widest =
          text.split(separator: "\n").filter { !$0.contains(store) }
          .map { String($0).displayWidth }.max() ?? 0
        #expect(widest <= columns, "\(question) \(columns): \(text)")
        if columns == 500 { #expect(text == whole, "\(question)") }
        // The numbers of a table are those of the whole one.
        if question == ["sources", "compare", "steps"] || question[0] == "stats" {
          let missing = Self.numbers(whole).subtracting(Self.numbers(text))
          #expect(missing.allSatisfy { $0.hasPrefix("202") })
        }
      }
    }
  }

  private static func numbers(_ text: String) -> Set<String> {
    let pieces = text.split { !$0.isNumber && $0 != "," && $0 != "." }
    return Set(pieces.filter { $0.count > 3 }.map(String.init))
  }

  @Test("What is no terminal is not fitted, whatever COLUMNS says")
  func filesAreWhole() throws {
    let scratch = try Scratch()
    let store = try Self.store(in: scratch)
    let texts = try ["20", "500"].map {
      try ProgramRun.hkstats(
        ["samples", "steps", "--store", store], environment: ["COLUMNS": $0, "TERM": "dumb"]
      ).output
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0].contains("…"))
  }

  @Test("A message is broken between words where standard error is a terminal")
  func messagesWrap() throws {
    let text = try ProgramRun.onTerminal(
      ["types", "--store", "/nowhere/store.sqlite"], columns: 40, environment: Self.utf8,
      showsErrors: true)
    let lines = text.split(separator: "\n")
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { String($0).displayWidth <= 40 })
    let run = try ProgramRun.hkstats(["types", "--store", "/nowhere/store.sqlite"])
    #expect(lines.joined(separator: " ") == run.errors.dropLast())
  }

  @Test(
    "A name that steers terminals does not on one, in any format, and stays as it is elsewhere",
    arguments: ["table", "csv", "json", "ndjson"])
  func steeringNames(format: String) throws {
    let scratch = try Scratch()
    let name = "A\u{9B}31m\u{202E}B\u{2066}C\u{200E}D\u{2028}E\u{85}F"
    var export = SmallExport(offset: 0)
    export.steps(5, from: "2024-03-09T10:00:00", to: "2024-03-09T10:10:00", source: name)
    export.add(
      lines: """
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning\(name)" duration="10" \
        durationUnit="min" sourceName="\(name)" startDate="2024-03-09 10:00:00 +0000" \
        endDate="2024-03-09 10:10:00 +0000"/>
        """)
    let store = ["--store", scratch.path("store.sqlite")]
    let path = try scratch.file("export.xml", export.data)
    try #require(try ProgramRun.hkstats(["import", path] + store).exitCode == 0)
    var questions = [
      ["sources"], ["sources", "steps"], ["samples", "steps"], ["samples", "workout"],
      ["workouts"], ["stats", "steps", "--by", "day", "--by-source"],
    ]
    if format != "table" { questions += [["export"], ["export", "workouts"]] }
    for question in questions {
      let words = question + ["--format", format] + store
      let text = try ProgramRun.onTerminal(
        words + (question[0] == "export" ? [] : ["--color", "never"]), columns: 80,
        environment: Self.utf8)
      #expect(text.contains("31m"), "\(question)")
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControl }, "\(question)")
    }
    guard format == "csv" else { return }
    let file = try ProgramRun.hkstats(["samples", "steps", "--format", format] + store)
    #expect(file.output.contains(name))
  }

  @Test(
    "Escapes come on a terminal that obeys them, unless NO_COLOR is set",
    arguments: [
      (["TERM": "xterm"], true), (["TERM": "dumb"], false), ([:], false),
      (["TERM": ""], false), (["TERM": "xterm", "NO_COLOR": "1"], false),
    ] as [([String: String], Bool)])
  func escapes(environment: [String: String], isStyled: Bool) throws {
    let scratch = try Scratch()
    let store = try Self.store(in: scratch)
    let text = try ProgramRun.onTerminal(
      ["types", "--store", store], columns: 80, environment: environment)
    #expect(text.contains("\u{1B}") == isStyled)
    #expect(text.contains("stepCount"))
  }

  @Test(
    "A progress bar is drawn only where a line can be drawn again",
    arguments: [["TERM": "xterm"], ["TERM": "dumb"], [:], ["TERM": "xterm", "LC_ALL": "C"]])
  func progress(environment: [String: String]) throws {
    let scratch = try Scratch()
    var export = SmallExport()
    export.steps(1, from: "2024-03-09T10:00:00", to: "2024-03-09T10:10:00")
    let path = try scratch.file("export.xml", export.data)
    let text = try ProgramRun.onTerminal(
      ["import", path, "--store", scratch.path("store.sqlite")], columns: 80,
      environment: environment, showsErrors: true)
    #expect(text.contains("\u{1B}[K") == (environment["TERM"] == "xterm"))
    #expect(text.contains("\r") == (environment["TERM"] == "xterm"))
    #expect(text.utf8.allSatisfy { $0 < 0x80 } || environment == ["TERM": "xterm"])
  }

  @Test("A terminal that says it has ASCII alone gets marks of ASCII; names keep their characters")
  func asciiMarks() throws {
    let scratch = try Scratch()
    let store = try Self.store(in: scratch)
    // Longer than a column of names: cut, with dots.
    let name = try #require(Self.longName.split(separator: "…").first)
    func marks(_ text: String) -> String {
      // Without the name, however much of it there is.
      text.split(separator: "\n").map { line in
        var line = String(line)
        for length in stride(from: name.count, through: 5, by: -1) {
          line = line.replacing(name.prefix(length), with: "")
        }
        return line
      }.joined(separator: "\n")
    }
    for question in Self.questions + Self.charts {
      let arguments = question + ["--store", store, "--color", "never"]
      let text = try ProgramRun.onTerminal(
        arguments, columns: 90, environment: ["TERM": "xterm", "LC_ALL": "C"])
      #expect(marks(text).utf8.allSatisfy { $0 < 0x80 }, "\(question): \(text)")
      let flagged = try ProgramRun.hkstats(arguments + ["--ascii"])
      #expect(flagged.exitCode == 0, "\(flagged.errors)")
      #expect(marks(flagged.output).utf8.allSatisfy { $0 < 0x80 }, "\(flagged.output)")
    }
    for chart in Self.charts {
      let arguments = chart + ["--store", store, "--color", "never"]
      let text = try ProgramRun.onTerminal(arguments, columns: 100, environment: Self.utf8)
      let whole = try ProgramRun.hkstats(arguments, environment: ["COLUMNS": "100"])
      #expect(text == whole.output)
    }
    let sources = try ProgramRun.hkstats(["sources", "--ascii", "--store", store]).output
    #expect(sources.contains("Anna’s Apple Watch – the second one, ..."))
  }

  @Test(
    "A terminal or a locale says whether there is more than ASCII; without a locale there is",
    arguments: [
      (["TERM": "dumb", "LANG": "C.UTF-8"], true), (["TERM": "linux"], true), ([:], false),
      (["LANG": "C"], true), (["LANG": "POSIX"], true), (["LANG": "de_DE.ISO-8859-1"], true),
      (["LC_ALL": "en_US.utf8", "LANG": "C"], false), (["LC_ALL": "", "LANG": "C"], true),
      (["LC_CTYPE": "C.UTF-8", "LANG": "C"], false), (["LC_ALL": "C", "LANG": "C.UTF-8"], true),
    ] as [([String: String], Bool)])
  func wantsASCII(environment: [String: String], isASCII: Bool) {
    #expect(Terminal.wantsASCII(environment) == isASCII)
  }

  @Test("csv and json are the same with --ascii", arguments: ["csv", "json", "ndjson"])
  func machineFormats(format: String) throws {
    let scratch = try Scratch()
    let store = try Self.store(in: scratch)
    for question in [["sources"], ["workouts", "--zones", "70,90"], ["stats", "steps"]] {
      let arguments = question + ["--store", store, "--format", format]
      let runs = try [[], ["--ascii"]].map { try ProgramRun.hkstats(arguments + $0) }
      #expect(runs[0].output == runs[1].output)
      #expect(runs[0].exitCode == 0)
    }
  }

  @Test("A chart of ASCII says what the other says, mark by mark")
  func asciiCharts() {
    let bars = BarChart(
      bars: (0...16).map {
        .init(label: "\($0)", value: Double($0), text: "\($0)")
      })
    let charts = [false, true].map { isASCII in
      Marks.$isASCII.withValue(isASCII) { bars.lines(width: 40, style: .plain) }
    }
    for (drawn, plain) in zip(charts[0], charts[1]) {
      // Half a column more or less.
      let eighths = drawn.unicodeScalars.reduce(0) { sum, scalar in
        (0x2588...0x258F).contains(scalar.value) ? sum + Int(0x2590 - scalar.value) : sum
      }
      #expect(abs(plain.count { $0 == "#" } * 8 - eighths) <= 4)
    }
    let stages = (0..<8).map { ChartMark.numbered($0, name: "").glyph }
    let plain = Marks.$isASCII.withValue(true) {
      (0..<8).map { ChartMark.numbered($0, name: "").glyph }
    }
    #expect(Set(plain).count == Set(stages).count)
    #expect(plain.allSatisfy { $0.isASCII })
  }

  @Test(
    "A message quotes no more than 80 characters of an argument, whoever writes it; a path is whole",
    arguments: [
      ["stats", "LONG"], ["stats", "steps", "--by", "LONG"],
      ["stats", "steps", "--stat", "sum,LONG"],
      ["LONG"], ["stats", "steps", "--LONG"], ["stats", "steps", "--format=LONG"],
      ["units", "convert", "1", "LONG", "m"], ["units", "list", "LONG"], ["zones", "set", "LONG"],
      ["profile", "set", "LONG", "1"], ["delete", "--uuid", "LONG"],
      ["samples", "steps", "--limit", "LONG"],
      ["workouts", "--activity", "LONG"], ["samples", "steps", "--changed-since", "LONG"],
      ["sources", "prefer", "steps", "LONG"], ["stats", "steps", "--source", "LONG"],
    ])
  func longArguments(words: [String]) throws {
    let scratch = try Scratch()
    var export = SmallExport()
    export.steps(1, from: "2024-03-09T10:00:00", to: "2024-03-09T10:10:00")
    let path = try scratch.file("export.xml", export.data)
    let store = scratch.path("store.sqlite")
    #expect(try ProgramRun.hkstats(["import", path, "--store", store]).exitCode == 0)
    for mark in ["z", "导"] {
      let long = String(repeating: mark, count: 5000)
      let run = try ProgramRun.hkstats(
        words.map { $0.replacing("LONG", with: long) }, environment: ["HKSTATS_STORE": store])
      #expect(run.exitCode == 64)
      let runs = run.errors.split { $0 != Character(mark) }.map(\.count)
      #expect((1...80).contains(runs.max() ?? 0), "\(words): \(run.errors.prefix(300))")
    }
    let folder = scratch.path(String(repeating: "z", count: 90) + "/store.sqlite")
    #expect(try ProgramRun.hkstats(["types", "--store", folder]).errors.contains(folder))
  }

  @Test("Progress is told once a second, once a phase, and at the end")
  func progressLines() throws {
    var lines: [String] = []
    var time = ContinuousClock.now
    var progress = ProgressLines(
      path: "export.zip", write: { lines.append($0) }, now: { time })
    func told() throws -> [[String: Any]] {
      try lines.map {
        #expect($0.hasSuffix("}\n"))
        return try #require(
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
    progress.end("failed")
    #expect(try told().first?["bytesTotal"] is NSNull)
    lines = []
    for step in 1...35 {
      time += .milliseconds(100)
      progress.update(
        .init(
          phase: step < 30 ? .reading : .storing, format: .appleHealth, bytesRead: step * 10,
          byteCount: 350, sampleCount: step))
    }
    progress.end("done")
    let told = try told()
    #expect(told.compactMap { $0["samples"] as? Int } == [1, 11, 21, 30, 35])
    #expect(
      told.compactMap { $0["phase"] as? String }
        == ["reading", "reading", "reading", "storing", "done"])
    #expect(told.last?["seconds"] as? Double == 3.5)
    #expect(
      told.allSatisfy { $0["bytesTotal"] as? Int == 350 && $0["path"] as? String == "export.zip" })
  }

  @Test("import --progress ndjson ends with what was read; none and a file say nothing")
  func progressOfImport() throws {
    let scratch = try Scratch()
    let store = scratch.path("store.sqlite")
    var export = SmallExport()
    for day in 1...9 {
      export.steps(day, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:10:00")
    }
    let path = try scratch.file("export.xml", export.data)
    func lines(_ arguments: [String]) throws -> [[String: Any]] {
      let run = try ProgramRun.hkstats(["import"] + arguments + ["--store", store])
      return try run.errors.split(separator: "\n").compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }
    let told = try lines([path, "--progress", "ndjson"])
    let last = try #require(told.last)
    #expect(last["phase"] as? String == "done" && last["samples"] as? Int == 9)
    #expect(last["bytesRead"] as? Int == export.data.count)
    #expect(last["bytesTotal"] as? Int == export.data.count)
    #expect(told.count { $0["phase"] as? String == "done" } == 1)
    #expect(told.contains { $0["phase"] as? String == "storing" })
    for form in ["none", "bar"] {
      #expect(
        try ProgramRun.hkstats(["import", path, "--progress", form, "--store", store]).errors
          .isEmpty)
    }
    let missing = try ProgramRun.hkstats(
      ["import", scratch.path("missing.zip"), "--progress", "ndjson", "--store", store])
    #expect(missing.exitCode == 66)
    #expect(missing.errors.contains("\"phase\":\"failed\""))
  }

  @Test("trend and sources compare cut at the period, as stats does")
  func clips() throws {
    let scratch = try Scratch()
    let asked = ["--store", try Self.store(in: scratch), "--by", "day", "--timezone", "UTC"]
    let period = ["--from", "2024-03-02", "--to", "2024-03-07T10:05"]
    let sums = try ProgramRun.hkstats(
      ["stats", "steps", "--clip", "--format", "json"] + asked + period
    ).rows("intervals").map { $0["sum"] as? Double }
    let compared = try ProgramRun.hkstats(
      ["sources", "compare", "steps", "--clip", "--format", "json"] + asked + period
    ).rows("intervals").map { $0["merged"] as? Double }
    #expect(sums == compared && sums.count == 6)
    for question in [["trend", "steps"], ["sources", "compare", "steps"]] {
      let whole = try ProgramRun.hkstats(question + asked + period)
      let cut = try ProgramRun.hkstats(question + ["--clip"] + asked + period)
      #expect(whole.output.contains("--clip") && !cut.output.contains("--clip"))
      #expect(cut.exitCode == 0)
      #expect(try ProgramRun.hkstats(question + ["--clip"] + asked).exitCode == 64)
    }
  }

  @Test(
    "units list names units of everything that it says it lists", arguments: ["HealthKit", "ucum"])
  func unitsOfEverything(dialect: String) throws {
    let run = try ProgramRun.hkstats(
      ["units", "list", "--format", "json"] + (dialect == "ucum" ? ["--dialect", "ucum"] : []))
    let rows = try run.rows("units")
    let listed = Set(rows.compactMap { $0["measures"] as? String })
    if dialect == "HealthKit" {
      #expect(listed.isSuperset(of: DimensionName.all.map(\.name)))
      let speeds = rows.filter { $0["measures"] as? String == "speed" }
        .compactMap { $0["unit"] as? String }
      #expect(speeds.count >= 4 && Set(speeds).count == speeds.count)
    }
    for row in rows where row["measures"] as? String == "speed" {
      let unit = try #require(row["unit"] as? String)
      let parsed = try ProgramRun.hkstats(
        ["units", "parse", unit] + (dialect == "ucum" ? ["--dialect", "ucum"] : []))
      #expect(parsed.exitCode == 0, "\(unit): \(parsed.errors)")
    }
  }

  /// A command in the help that programs read.
  private struct Dump: Decodable {
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?
      let arguments: [Argument]?
    }
    struct Argument: Decodable {
      struct Name: Decodable {
        let kind: String
        let name: String
      }
      let kind: String
      let names: [Name]?
      let valueName: String?
      let abstract: String?
      let defaultValue: String?
    }
    let command: Command
  }

  /// Options whose names would say too little beside the others of their command.
  private static let optionNames = ["cycles gap": "flow-gap", "cycles longest": "longest-cycle"]
  /// Parameters that only plans have: a person who needs them writes a plan.
  private static let withoutOption: Set = [
    "anomalies warmUp", "changes factor", "typical share",
  ]
  /// Options with words of their own: esc for esc2024.
  private static let ownWords: Set = ["pressure guideline"]

  @Test("Each parameter of an analysis is an option of its command, with its default and meaning")
  func parametersAreOptions() throws {
    let run = try ProgramRun.hkstats(["--experimental-dump-help"])
    let root = try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command
    for method in AnalysisMethod.all {
      let command = try #require(root.subcommands?.first { $0.commandName == method.name })
      for facts in method.facts {
        let key = "\(method.name) \(facts.name)"
        let name =
          Self.optionNames[key]
          ?? AnswerField.words(of: facts.name).replacing("_", with: "-")
        let option = command.arguments?.first { $0.names?.contains { $0.name == name } ?? false }
        #expect((option == nil) == Self.withoutOption.contains(key), "\(key)")
        guard let option, !Self.ownWords.contains(key) else { continue }
        let text = option.abstract ?? ""
        #expect(text.hasPrefix(facts.about), "\(key): \(text)")
        guard let standard = facts.standard.text, facts.form != .truth, !standard.isEmpty else {
          continue
        }
        // Where the option must know whether it was given, its help says the default.
        let shown = option.defaultValue.flatMap { Double($0)?.plainText } ?? option.defaultValue
        #expect(
          shown == standard || text.contains("Else \(standard).")
            || key == "typical atLeast",
          "\(key): \(option.defaultValue ?? "") \(text)")
      }
    }
  }

  @Test("A method of analysis, its command, and what people read of it have one name")
  func analysesAreCommands() throws {
    func view<Command: AnalysisCommand>(of _: Command.Type) -> String { "\(Command.View.self)" }
    for method in AnalysisMethod.all {
      let command = try #require(
        Program.configuration.subcommands.first { $0.configuration.commandName == method.name })
      #expect("\(command)".lowercased() == method.name + "command")
      // A rhythm has two views: of types, and of rest, activity and sleep.
      guard let command = command as? any AnalysisCommand.Type else { continue }
      #expect(view(of: command).lowercased() == method.name + "view")
    }
  }

  @Test("An option takes a value of one name, whatever the command")
  func oneWordForOneThing() throws {
    let run = try ProgramRun.hkstats(["--experimental-dump-help"])
    var values: [String: Set<String>] = [:]
    func visit(_ command: Dump.Command) {
      for argument in command.arguments ?? [] where argument.kind == "option" {
        for name in argument.names ?? [] {
          values[name.name, default: []].insert(argument.valueName ?? "")
        }
      }
      for child in command.subcommands ?? [] { visit(child) }
    }
    visit(try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command)
    #expect(values.count > 30)
    // A store is unlocked for a time, a report is for a purpose.
    #expect(values.removeValue(forKey: "for") == ["duration", "form"])
    for (name, values) in values { #expect(values.count == 1, "--\(name): \(values)") }
  }
}
