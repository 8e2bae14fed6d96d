import Foundation
import Testing

/// What commands say of an export that goes on after now, which HKSTATS_NOW fixes.
@Suite("Now, and data that are later")
struct NowProgramTests {
  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch.path("store.sqlite")
    var export = SmallExport(offset: 0)
    for day in 10...16 {
      export.steps(day, from: "2024-03-\(day)T10:00:00", to: "2024-03-\(day)T10:10:00")
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
        unit: nil, from: "2024-03-\(day)T01:00:00", to: "2024-03-\(day)T07:00:00",
        source: SmallExport.phone)
    }
    // A walk over midnight.
    export.steps(100, from: "2024-03-14T23:50:00", to: "2024-03-15T00:10:00")
    let file = try scratch.file("export.xml", export.data)
    #expect(try run(["import", file]).exitCode == 0)
  }

  private func run(
    _ words: [String], now: String = "2024-03-14T12:00:00Z"
  ) throws -> ProgramRun {
    try ProgramRun.hkstats(words + ["--store", path], environment: ["HKSTATS_NOW": now])
  }

  /// The days of an answer in csv.
  private func days(_ words: [String], now: String = "2024-03-14T12:00:00Z") throws -> [String] {
    let run = try run(words + ["--format", "csv"], now: now)
    try #require(run.exitCode == 0, "\(words): \(run.errors)")
    let names = try #require(run.lines.first).split(separator: ",")
    let place = names.firstIndex { $0 == "night" || $0 == "start" } ?? 0
    return run.lines.dropFirst().map { line in
      String(line.split(separator: ",", omittingEmptySubsequences: false)[place].prefix(10))
    }
  }

  @Test("A period that is told back from now ends with today, in every command")
  func today() throws {
    let three = ["2024-03-12", "2024-03-13", "2024-03-14"]
    for time in ["00:00:00", "03:06:00", "23:59:59"] {
      let now = "2024-03-14T\(time)Z"
      #expect(try days(["stats", "steps", "--by", "day", "--from", "-3d"], now: now) == three)
      #expect(
        try days(["stats", "steps,sleep", "--by", "day", "--from", "-3d"], now: now)
          == three + three)
      #expect(try days(["sleep", "--from", "-3d"], now: now) == three)
      let samples = try run(["samples", "steps", "--from", "-3d", "--format", "ndjson"], now: now)
      #expect(samples.lines.count == 4)
      #expect(samples.lines.allSatisfy { !$0.contains("\"start\":\"2024-03-15") })
    }
    #expect(
      try days(["stats", "steps", "--by", "day", "--from", "yesterday"]) == Array(three[1...]))
    let week = try run(["stats", "steps", "--by", "week", "--from", "-3d", "--format", "csv"])
    let told = try run([
      "stats", "steps", "--by", "week", "--from", "-3d", "--format", "table",
    ])
    // The week is whole, and has the walk but nothing that begins after today.
    #expect(week.lines.count == 2 && week.output.contains("150"))
    #expect(told.output.contains("What begins after today is left out"))
    #expect(told.output.contains("2024-03-16"))
  }

  @Test("A period that begins with a date, or nowhere, ends with the data")
  func dates() throws {
    let all = (10...16).map { "2024-03-\($0)" }
    #expect(try days(["stats", "steps", "--by", "day"]) == all)
    #expect(
      try days(["stats", "steps", "--by", "day", "--from", "2024-03-13"]) == Array(all[3...]))
    #expect(try days(["sleep", "--from", "2024-03-13"]) == Array(all[3...]))
    // Where data end before today, no empty days follow.
    #expect(
      try days(["stats", "steps", "--by", "day", "--from", "-3d"], now: "2024-03-17T12:00:00Z")
        == ["2024-03-15", "2024-03-16"])
  }

  @Test("The page ends with today")
  func page() throws {
    let out = scratch.path("report.html")
    #expect(try run(["report", "--out", out]).exitCode == 0)
    let text = try scratch.text("report.html")
    // Ends of periods are named, but no day after today is asked for.
    #expect(text.contains("[start=2024-03-14]") && !text.contains("[start=2024-03-15]"))
  }

  @Test("Writes are of now; a text that is no moment is refused, and nothing is done")
  func moments() throws {
    #expect(try run(["add", "bodyMass", "71.4 kg"]).exitCode == 0)
    let added = try run(["samples", "bodyMass", "--format", "ndjson"])
    #expect(added.output.contains("2024-03-14T12:00:00"))
    for text in ["today", "2024-03-14", "2024-03-14T12:00:00", "1710417600", "é"] {
      let refused = try run(["add", "bodyMass", "72 kg"], now: text)
      #expect(refused.exitCode == 64 && refused.output.isEmpty)
      #expect(refused.errors.contains("$HKSTATS_NOW") && refused.errors.contains("offset"))
    }
    #expect(try run(["samples", "bodyMass", "--format", "ndjson"]).lines.count == 1)
    // An empty one is none, as of other variables.
    #expect(try run(["types"], now: "").exitCode == 0)
  }
}
