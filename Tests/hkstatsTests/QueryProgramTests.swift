import Foundation
import Testing
import _HealthTestSupport

@Suite("Questions to a store, as a program")
final class QueryProgramTests: ProgramSuite {
  override init() throws {
    try super.init()
    var export = SmallExport()
    for day in 1...9 {
      export.steps(100 + day, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:10:00")
      export.steps(
        200, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:20:00",
        source: SmallExport.phone)
      export.add(
        "HKQuantityTypeIdentifierBodyMass", "\(80 - day)", unit: "kg",
        from: "2024-03-0\(day)T08:00:00", to: "2024-03-0\(day)T08:00:00", source: "Scale, \"big\"",
        metadata: day == 1 ? ["HKWasUserEntered": "1"] : [:])
    }
    export.add(
      "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepREM", unit: nil,
      from: "2024-03-01T01:00:00", to: "2024-03-01T02:00:00")
    try load(export)
  }

  @Test("types counts everything, with shares that add up to one")
  func types() throws {
    let json = try ask("types", "--format", "json").rows("types")
    try #require(json.count == 3)
    #expect(json[0]["type"] as? String == "HKQuantityTypeIdentifierStepCount")
    #expect(json[0]["count"] as? Int == 18)
    #expect(json[0]["unit"] as? String == "count")
    #expect(json[0]["first"] as? String == "2024-03-01T10:00:00+00:00")
    #expect(json[0]["last"] as? String == "2024-03-09T10:20:00+00:00")
    #expect(json.last?["unit"] is NSNull)
    let shares: Double = json.compactMap { $0["share"] as? Double }.reduce(0, +)
    #expect(abs(shares - 1) < 1e-12)
    let table = try ask("types").output
    #expect(table.contains("sleepAnalysis") && table.contains("64.3 %"))
    #expect(try ask("types", "--format", "ndjson").lines.count == 3)
  }

  @Test("sources ranks those of a type, and counts those of all")
  func sources() throws {
    let answer = try ask("sources", "steps", "--format", "json")
    let ranked = try answer.rows("sources")
    #expect(try answer.object()["type"] as? String == "HKQuantityTypeIdentifierStepCount")
    #expect(ranked.compactMap { $0["rank"] as? Int } == [1, 2])
    #expect(ranked[0]["source"] as? String == SmallExport.watch)
    #expect(ranked[0]["device"] as? String == "Watch7,2")
    let all = try ask("sources", "--format", "csv")
    #expect(all.lines.count == 5)
    #expect(all.output.contains("\"Scale, \"\"big\"\" (entered by hand)\",by hand"))
    let some = try ask("sources", "steps,bodyMass", "--format", "json").rows("sources")
    #expect(some.compactMap { $0["count"] as? Int } == [9, 9, 8, 1])
    #expect(some.allSatisfy { $0["types"] as? Int == 1 && $0["rank"] == nil })
    let mass = try ask("sources", "bodyMass", "--format", "csv")
    #expect(try mass.line(1).hasPrefix("1,,\"Scale, \"\"big\"\" (entered by hand)\""))
  }

  @Test("prefer changes what counts until reset, for a type or for all")
  func preferring() throws {
    func sum() throws -> Double? {
      let run = try ask("stats", "steps", "--by", "day", "--to", "2024-03-02", "--format", "ndjson")
      return try run.object()["sum"] as? Double
    }
    #expect(try sum() == 201)
    let refused = try ask("sources", "prefer", "steps", "Anna's iPhone", "Nobody")
    #expect(refused.exitCode == 64 && refused.errors.contains("Nobody"))
    #expect(!refused.errors.contains("iPhone"))
    #expect(try sum() == 201)
    let prefer = try ask("sources", "prefer", "steps", "Anna's iPhone", "Nobody", "--force")
    #expect(prefer.exitCode == 0 && prefer.errors == "")
    #expect(try sum() == 200)
    #expect(try ask("sources", "steps", "--format", "csv").line(1).hasPrefix("1,1,Anna’s iPhone"))
    #expect(try ask("sources", "reset", "steps").exitCode == 0)
    #expect(try sum() == 201)
    #expect(try ask("sources", "prefer", "--all", "Anna's iPhone").exitCode == 0)
    #expect(try sum() == 200)
    #expect(try ask("sources", "reset", "--all").exitCode == 0)
    #expect(try sum() == 201)
  }

  @Test(
    "Wrong usage of sources ends with code 64",
    arguments: [
      ["prefer", "steps"], ["prefer", "--all"], ["prefer", "stepz", "x"], ["reset"],
      ["reset", "steps", "bodyMass"], ["reset", "--all", "steps"], ["stepz"],
    ])
  func wrongUsage(arguments: [String]) throws {
    let before = try scratch.storeFiles()
    let run = try ProgramRun.hkstats(["sources"] + arguments + ["--store", store])
    #expect(run.exitCode == 64, "\(run.errors)")
    #expect(try scratch.storeFiles() == before)
  }

  @Test("Setting an order makes no store")
  func preferWithoutStore() throws {
    let run = try ProgramRun.hkstats([
      "sources", "prefer", "steps", "x", "--store", scratch.path("none.sqlite"),
    ])
    #expect(run.exitCode == 66)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("none.sqlite")))
  }

  @Test("samples gives every sample with all that is known of it, in the order of time")
  func samples() throws {
    let json = try #require(
      try ask("samples", "bodyMass", "--format", "json").json() as? [[String: Any]])
    try #require(json.count == 9)
    let values = json.compactMap { $0["value"] as? Double }
    #expect(values == [79, 78, 77, 76, 75, 74, 73, 72, 71])
    #expect(json[0]["enteredByHand"] as? Bool == true)
    #expect(json[1]["enteredByHand"] as? Bool == false)
    #expect(json[0]["source"] as? String == "Scale, \"big\"")
    let metadata = try #require(json[0]["metadata"] as? [[String: String]])
    #expect(metadata == [["key": "HKWasUserEntered", "value": "1"]])
    #expect((json[1]["device"] as? String)?.contains("0x") == false)
    let csv = try ask("samples", "bodyMass", "--format", "csv", "--unit", "g")
    #expect(csv.lines.count == 10)
    #expect(try csv.line(1).contains(",79000,g,\"Scale, \"\"big\"\"\",true,"))
    let sleep = try ask("samples", "sleep", "--format", "ndjson").object()
    #expect(sleep["constant"] as? String == "HKCategoryValueSleepAnalysisAsleepREM")
    #expect(try ask("samples", "sleep").output.contains("  REM  "))
  }

  @Test("A period and a limit choose samples as HealthKit's predicate does")
  func sampleChoice() throws {
    func count(_ options: String...) throws -> Int {
      let run = try ProgramRun.hkstats(
        ["samples", "steps", "--format", "ndjson", "--store", store] + options)
      #expect(run.exitCode == 0)
      return run.lines.count
    }
    #expect(try count("--from", "2024-03-03", "--to", "2024-03-05") == 4)
    // The end of a sample may be the start of the period, its start not the end.
    #expect(try count("--from", "2024-03-09T10:10:00") == 2)
    #expect(try count("--from", "2024-03-09T10:10:01") == 1)
    #expect(try count("--to", "2024-03-01T10:00:00") == 0)
    #expect(try count("--limit", "3") == 3)
    #expect(try count("--from", "-30d") == 0)
    #expect(
      try ask("samples", "steps", "--from", "today").output.hasPrefix("No samples. The data end"))
    let sleep = try ask("samples", "sleep", "--unit", "kg")
    #expect(sleep.exitCode == 64)
    #expect(sleep.errors.contains("sleepAnalysis has categories"))
  }

  @Test("trend finds the slope that the data were made with")
  func trend() throws {
    let run = try ask("trend", "bodyMass", "--by", "day", "--format", "json")
    let json = try run.object()
    #expect(json["count"] as? Int == 9)
    #expect(abs(try #require(json["slopePerDay"] as? Double) + 1) < 1e-12)
    #expect(abs(try #require(json["rSquared"] as? Double) - 1) < 1e-12)
    let slope = try #require(json["slopePerDay"] as? Double)
    #expect(json["slopePerYear"] as? Double == slope * 365.2425)
    // Nine days have no range that would hold.
    #expect(json["slopePerDayLow"] is NSNull && json["slopePerYearHigh"] is NSNull)
    #expect(json["statistic"] as? String == "mean")
    // One type has the columns of several, and then the rules that decide its numbers.
    let header = try ask("trend", "bodyMass", "--by", "day", "--format", "csv").line(0)
    #expect(header.hasSuffix(",tested,refusal,timezone,method,style_version"))
    let twice = try ask("trend", "bodyMass,steps", "--by", "day", "--format", "csv").line(0)
    #expect(header.hasPrefix(twice) && twice.hasSuffix(",refusal,timezone"))
    #expect(json["name"] as? String == "bodyMass" && json["unit"] as? String == "kg")
    #expect(try ask("trend", "bodyMass", "--by", "day").output.contains("9 days are too few"))
    // Several types, one of which has too few.
    let several = try ask("trend", "bodyMass,steps.sum,height", "--by", "day", "--format", "json")
    let rows = try several.rows("trends")
    #expect(rows.map { $0["name"] as? String } == ["bodyMass", "steps.sum", "height"])
    #expect(rows[0]["slopePerDay"] as? Double == json["slopePerDay"] as? Double)
    #expect((rows[2]["refusal"] as? String)?.contains("at least 3") ?? false)
    #expect(rows[2]["slopePerDay"] is NSNull && rows[0]["tested"] as? Int == 3)
    // The data begin inside the first day; the file is of a day after the last.
    let steps = try ask("trend", "steps", "--by", "day", "--merge", "none", "--format", "json")
    #expect(try steps.object()["count"] as? Int == 8)
    #expect(try steps.object()["partial"] as? Int == 1)
    #expect(abs(try #require(try steps.object()["slopePerDay"] as? Double) - 1) < 1e-9)
  }

  @Test("Too little data for a trend is a failure of the job, said in words")
  func trendRefused() throws {
    let run = try ask("trend", "bodyMass", "--by", "year")
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("at least 3"))
    #expect(try ask("trend", "bodyMass", "--by", "day", "--confidence", "1").exitCode == 1)
  }

  @Test("An export answers as the store that it was imported into")
  func exportAnswersAlike() throws {
    let export = scratch.path("export.xml")
    for question in [
      ["types", "--format", "json"], ["sources", "steps"],
      ["samples", "bodyMass", "--format", "csv"],
      ["stats", "steps", "--by", "day", "--format", "json"], ["trend", "bodyMass", "--by", "day"],
    ] {
      let one = try ProgramRun.hkstats(question + ["--store", store])
      let two = try ProgramRun.hkstats(question + ["--export", export])
      #expect(one.output == two.output, "\(question)")
      #expect(two.exitCode == 0)
    }
  }

  @Test(
    "Help is there on every level, with examples",
    arguments: [
      [], ["import"], ["types"], ["sources"], ["sources", "prefer"], ["sources", "reset"],
      ["stats"],
      ["samples"], ["trend"], ["units"], ["units", "convert"], ["units", "parse"],
      ["units", "list"],
    ])
  func help(command: [String]) throws {
    let run = try ProgramRun.hkstats(command + ["--help"])
    #expect(run.exitCode == 0)
    #expect(run.output.contains("USAGE: hkstats"))
    #expect(run.output.contains("EXAMPLES:"))
  }

  @Test("Shell completions and the version are there")
  func completions() throws {
    for shell in ["bash", "zsh", "fish"] {
      let run = try ProgramRun.hkstats(["--generate-completion-script", shell])
      #expect(run.exitCode == 0)
      #expect(run.output.contains("hkstats"))
    }
    #expect(try ProgramRun.hkstats(["--version"]).exitCode == 0)
    #expect(try ProgramRun.hkstats(["--frobnicate"]).exitCode == 64)
  }

  @Test("A path with control characters does not reach the terminal as it is")
  func hidesControlCharactersOfPaths() throws {
    let run = try ProgramRun.hkstats(["types", "--store", scratch.path("a\u{1B}[31mb")])
    #expect(run.exitCode == 66)
    #expect(run.errors.contains("a\u{FFFD}[31mb"))
  }
}
