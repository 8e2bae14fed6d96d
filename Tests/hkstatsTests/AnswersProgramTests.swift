import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Answers to what was done and asked") final class AnswersProgramTests: ProgramSuite {
  override var environment: [String: String] { ["HKSTATS_NOW": "2024-05-01T12:00:00Z"] }

  /// Imports an export of steps on some days of March, exported on another.
  private func importSteps(_ days: ClosedRange<Int>, exported day: Int) throws -> ProgramRun {
    var export = SmallExport(offset: 0)
    export.exported = String(format: "2024-04-%02dT08:00:00", day)
    for day in days {
      let date = String(format: "2024-03-%02d", day)
      export.steps(100 + day, from: "\(date)T10:00:00", to: "\(date)T10:10:00")
      export.steps(
        50, from: "\(date)T12:00:00", to: "\(date)T12:10:00", source: SmallExport.phone)
    }
    let file = try scratch.file("export-\(day).xml", export.data)
    return try run("import", file)
  }

  // MARK: - Deletions

  @Test("deletions say what each was: its types, sources, time and condition")
  func deletions() throws {
    _ = try importSteps(1...9, exported: 1)
    _ = try run("add", "bodyMass", "71", "kg", "--at", "2024-03-05")
    _ = try run(
      "delete", "steps", "--source", SmallExport.phone, "--from", "2024-03-02", "--to",
      "2024-03-04", "--yes")
    _ = try run("delete", "steps", "--where", "value>107 count", "--yes")
    _ = try run("delete", "bodyMass", "--yes")
    let listed = try run("deletions", "--format", "json").rows("deletions")
    try #require(listed.count == 3)
    let steps = "HKQuantityTypeIdentifierStepCount"
    #expect(listed[0]["types"] as? String == steps)
    #expect(listed[0]["sources"] as? String == SmallExport.phone)
    #expect(listed[0]["from"] as? String == "2024-03-02T00:00:00+00:00")
    #expect(listed[0]["to"] as? String == "2024-03-04T00:00:00+00:00")
    #expect(listed[1]["where"] as? String == "value>107 count")
    #expect((listed[1]["from"] as? String)?.hasPrefix("2024-03-08T10:00") == true)
    #expect(listed[2]["types"] as? String == "HKQuantityTypeIdentifierBodyMass")
    let table = try run("deletions").output
    for words in [
      "stepCount 2", SmallExport.phone, "2024-03-02 to 2024-03-03", "value>107 count", "bodyMass 1",
    ] {
      #expect(table.contains(words), "\(words): \(table)")
    }
    // A copy of the store knows as much.
    let other = scratch.path("other.sqlite")
    _ = try run("sync", other, "--create")
    let there = try ProgramRun.hkstats(["deletions", "--store", other, "--format", "json"])
    #expect(
      try there.rows("deletions").map { $0["where"] as? String } == ["", "value>107 count", ""])
  }

  @Test("a restored deletion is called so, and one whose import is undone is not")
  func restored() throws {
    _ = try importSteps(1...9, exported: 1)
    _ = try run("delete", "steps", "--from", "2024-03-02", "--to", "2024-03-04", "--yes")
    _ = try run("delete", "steps", "--where", "value>107 count", "--yes")
    func states() throws -> [Bool?] {
      try run("deletions", "--format", "json").rows("deletions").map { $0["restored"] as? Bool }
    }
    func numbers() throws -> [Int] {
      try run("deletions", "--format", "json").rows("deletions").compactMap { $0["id"] as? Int }
    }
    #expect(try states() == [false, false])
    let number = try #require(try run("imports", "--format", "json").rows("imports").first?["id"])
    _ = try run("imports", "undo", "\(number)", "--yes")
    #expect(try states() == [false, false])
    #expect(try run("deletions").output.contains("stepCount: nothing at present"))
    _ = try importSteps(1...9, exported: 1)
    for (place, number) in try numbers().enumerated() {
      _ = try run("restore", "\(number)", "--yes")
      #expect(try states() == [true, place > 0])
    }
    let table = try run("deletions")
    #expect(table.lines.filter { $0.contains("restored") }.count == 2, "\(table.output)")
  }

  @Test("each import says what deletions keep out of it, also of what was there before")
  func keptOut() throws {
    _ = try importSteps(1...5, exported: 1)
    _ = try run("delete", "steps", "--from", "2024-03-02", "--to", "2024-03-04", "--yes")
    // Two days with two sources each, in a later export and in the same one again.
    for report in [
      try importSteps(1...6, exported: 2), try importSteps(1...5, exported: 1),
      try importSteps(1...6, exported: 2),
    ] {
      let lines = report.lines.filter { $0.contains("Kept out by your deletion") }
      #expect(lines.count == 1 && lines[0].contains(": 4."), "\(report.output)")
    }
    let number = try #require(
      try run("deletions", "--format", "json").rows("deletions").first?["id"])
    _ = try run("restore", "\(number)", "--yes")
    #expect(try !importSteps(1...6, exported: 2).output.contains("Kept out"))
  }

  @Test("an import after an undo has a number of its own")
  func numbers() throws {
    func number() throws -> Int? {
      try run("imports", "--format", "json").rows("imports").last?["id"] as? Int
    }
    _ = try importSteps(1...2, exported: 1)
    let first = try #require(try number())
    _ = try run("imports", "undo", "\(first)", "--yes")
    _ = try importSteps(1...2, exported: 1)
    #expect(try number() != first)
    #expect(try ask("imports", "undo", "\(first)", "--yes").exitCode == 64)
  }

  // MARK: - Blood pressure

  @Test("pressure says how many samples lack their mate, and no value of them")
  func lone() throws {
    for day in ["01", "02", "03"] {
      _ = try run("add", "bloodPressureSystolic", "137", "--at", "2024-04-\(day)T08:00")
    }
    let none = try ask("pressure")
    #expect(none.exitCode == 1 && none.errors.contains("3 systolic samples without a diastolic"))
    #expect(!none.errors.contains("137"))
    #expect(try run("stats", "bloodPressure").output.contains("3 systolic samples"))
    _ = try run("add", "bloodPressureDiastolic", "85", "--at", "2024-04-01T08:00")
    let one = try run("pressure", "--format", "json").object()
    #expect(one["loneSystolic"] as? Int == 2 && one["loneDiastolic"] as? Int == 0)
    #expect(try run("pressure").output.contains("2 systolic samples without a diastolic"))
  }

  @Test("a blood pressure is added, counted and deleted as one, in each way of writing it")
  func pressures() throws {
    let ways = [
      ["131/81"], ["132/82", "mmHg"], ["133 over 83"], ["134 / 84mmHg"], ["135,5/85,5"],
    ]
    var uuids: [String] = []
    for (day, words) in ways.enumerated() {
      let added = try ProgramRun.hkstats(
        ["add", "bloodPressure"] + words
          + ["--at", "2024-04-0\(day + 1)T08:00", "--store", store])
      #expect(added.exitCode == 0, "\(words): \(added.errors)")
      uuids.append(added.output.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    func readings() throws -> [Double] {
      try run("stats", "bloodPressure", "--by", "day", "--format", "json").rows("intervals")
        .compactMap { $0["systolic"] as? Double }
    }
    #expect(try readings() == [131, 132, 133, 134, 135.5])
    #expect(try run("pressure", "--format", "json").object()["loneSystolic"] as? Int == 0)
    // A phone has a correlation and both samples.
    let pair = try run("samples", "bloodPressure", "--limit", "1", "--format", "ndjson").object()
    #expect(
      (pair["members"] as? [[String: Any]])?.compactMap { $0["value"] as? Double } == [135.5, 85.5])
    let edited = try ask("edit", uuids[1], "120")
    #expect(edited.exitCode == 64 && edited.errors.contains("belong together"))
    _ = try run("delete", "--uuid", uuids[1])
    #expect(try readings() == [131, 133, 134, 135.5])
    #expect(try run("samples", "bloodPressureDiastolic", "--format", "ndjson").lines.count == 4)
    let number = try #require(
      try run("deletions", "--format", "json").rows("deletions").first?["id"])
    _ = try run("restore", "\(number)", "--yes")
    #expect(try readings().count == 5)
    // A number that is deleted by itself is told by nothing.
    _ = try run("delete", "bloodPressureSystolic", "--from", "2024-04-01", "--to", "2024-04-02")
    #expect(try readings() == [132, 133, 134, 135.5])
    #expect(try run("pressure", "--format", "json").object()["loneDiastolic"] as? Int == 1)
    _ = try run("restore", "bloodPressureSystolic")
    #expect(try readings().count == 5)
    // One of its samples is no sample by itself.
    let rows = CommaSeparatedRows.rows(
      of: try run("samples", "bloodPressureSystolic", "--uuid", "--format", "csv").output)
    let place = try #require(rows.first?.firstIndex(of: "uuid"))
    #expect(try ask("edit", rows[1][place], "120").errors.contains(uuids[0]))
  }

  @Test("both numbers of a blood pressure are in one unit")
  func oneUnit() throws {
    _ = try run("add", "bodyMass", "70", "kg")
    _ = try run("units", "prefer", "bloodPressureSystolic", "kPa")
    let added = try run("add", "bloodPressure", "18/11", "--format", "json").object()
    let samples = try #require(added["samples"] as? [[String: Any]])
    #expect(samples.map { $0["unit"] as? String } == ["kPa", "kPa"])
    #expect(samples.map { $0["value"] as? Double } == [18, 11])
    let own = try run(
      "add", "bloodPressure", "131 mmHg/81", "--at", "2024-04-01", "--format", "json"
    ).object()
    #expect(
      (own["samples"] as? [[String: Any]])?.map { $0["unit"] as? String } == ["mmHg", "mmHg"])
    let two = try ask("add", "bloodPressure", "131 mmHg/11 kPa")
    #expect(two.exitCode == 64 && two.errors.contains("one unit"))
  }

  @Test("what is no blood pressure is refused, without its numbers")
  func refusedPressures() throws {
    for value in ["83/129", "129/129", "129", "129/", "/83", "129/83/61", "a/b", "129/0", "610/83"]
    {
      let run = try ask("add", "bloodPressure", value)
      #expect(run.exitCode == 64 && run.output.isEmpty, "\(value): \(run)")
    }
    #expect(try ask("add", "bloodPressure", "83/129").errors.contains("upper one first"))
    #expect(try !ask("add", "bloodPressure", "83/129").errors.contains("129"))
    #expect(try ask("add", "bloodPressure", "/83").errors.contains("Give both numbers"))
    #expect(try ask("samples", "bloodPressureSystolic").output.hasPrefix("No samples"))
    let wrong = try scratch.file(
      "wrong.csv", Data("type,value,start\nbloodPressure,83/129,2024-04-01\n".utf8))
    #expect(try ask("add", "--csv", wrong).errors.components(separatedBy: "Nothing was").count == 2)
    let table = try scratch.file(
      "own.csv",
      Data("type,value,start\nbloodPressure,128/82,2024-04-01\nbodyMass,\"70,5\",2024-04-01\n".utf8)
    )
    #expect(try run("add", "--csv", table).lines.count == 2)
    #expect(try run("stats", "bodyMass", "--format", "json").output.contains("70.5"))
  }

  // MARK: - Limits

  @Test("--limit takes the newest, the newest first, of samples of every kind and of workouts")
  func limits() throws {
    let store = try GeneratedStore(seed: 11, version: "14")
    func lines(_ words: String...) throws -> [Substring] {
      try ProgramRun.hkstats(words + ["--format", "ndjson", "--store", store.path]).lines
    }
    for kind in ["steps", "sleepAnalysis", "workout", "bloodPressure"] {
      let all = try lines("samples", kind)
      #expect(try lines("samples", kind, "--limit", "3") == all.suffix(3).reversed(), "\(kind)")
      #expect(
        try lines("samples", kind, "--limit", "3", "--oldest-first") == Array(all.prefix(3)))
      #expect(try lines("samples", kind, "--oldest-first") == all)
    }
    let workouts = try lines("workouts")
    #expect(try lines("workouts", "--limit", "2") == workouts.suffix(2).reversed())
    #expect(
      try lines("workouts", "--sort", "start", "--ascending", "--limit", "2")
        == Array(workouts.prefix(2)))
  }

  // MARK: - Suggestions

  @Test("a name that is not there leads to the one that is meant")
  func suggestions() throws {
    _ = try importSteps(1...9, exported: 1)
    for command in [
      ["stats", "steps", "--by", "day"], ["stats", "steps,stepCount.count", "--by", "day"],
      ["trend", "steps", "--by", "day"],
    ] {
      let words = command + ["--store", store]
      let preferring = try ProgramRun.hkstats(words + ["--prefer", "Bnna"])
      let plain = try ProgramRun.hkstats(words)
      #expect(preferring.output == plain.output && preferring.exitCode == plain.exitCode)
      #expect(preferring.errors.contains("Did you mean: Anna’s"), "\(preferring.errors)")
      #expect(preferring.errors.contains("\"Bnna\""))
    }
    for (said, meant) in [
      ("Paris", "Europe/Paris"), ("new york", "America/New_York"), ("Tokyo", "Asia/Tokyo"),
    ] {
      let run = try ask("stats", "steps", "--timezone", said)
      #expect(run.exitCode == 64 && run.errors.contains("Did you mean: \(meant)?"), "\(run.errors)")
    }
  }

  @Test("a folder that is not there is named, and a file that cannot be one is told what to be")
  func places() throws {
    _ = try importSteps(1...2, exported: 1)
    let missing = scratch.path("missing")
    for words in [
      ["store", "backup", missing + "/copy.sqlite"],
      ["export", "steps", "--out", missing + "/a.csv"],
    ] {
      let run = try ProgramRun.hkstats(words + ["--store", store])
      #expect(run.exitCode == 66 && run.errors.contains("there is no folder \(missing)"), "\(run)")
    }
    for format in ["gpx", "json", "sqlite"] {
      let run = try ask("export", "--format", format, "--out", missing + "/")
      #expect(run.exitCode == 64 && run.errors.contains("give a name in it"), "\(run.errors)")
      #expect(run.errors.contains("--each") == (format == "gpx"))
    }
    // csv makes the folder.
    _ = try run("export", "steps", "--out", missing + "/")
    #expect(FileManager.default.fileExists(atPath: missing + "/samples.csv"))
  }

  // MARK: - What is needed to compute it again

  @Test("json has the version of the program, and the period in words and in moments")
  func asked() throws {
    let store = try GeneratedStore(seed: 5, version: "14")
    let types = ["stats", "steps", "--by", "day"]
    let all = try ProgramRun.hkstats(types + ["--format", "json", "--store", store.path])
    let days = try all.rows("intervals").compactMap { $0["start"] as? String }.map { $0.prefix(10) }
    let (from, to) = (String(days[2]), String(days[5]))
    let version = try ProgramRun.hkstats(["--version"]).output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    for command in [
      types, ["stats", "steps.sum", "--by", "day", "--rolling", "2"], ["stats", "sleepAnalysis"],
      ["stats", "workouts"], ["stats", "bloodPressure"], ["sleep"], ["workouts"], ["summary"],
      ["sources", "compare", "steps"], ["glucose"], ["anomalies", "steps"], ["cycles"],
    ] {
      func answer(_ period: [String]) throws -> [String: Any]? {
        let run = try ProgramRun.hkstats(
          command + ["--format", "json", "--store", store.path] + period)
        return run.exitCode == 0 ? try run.object() : nil
      }
      guard var told = try answer(["--from", from, "--to", to]) else { continue }
      #expect(told["version"] as? String == version, "\(command)")
      let asked = try #require(told["asked"] as? [String: Any], "\(command)")
      #expect(asked["from"] as? String == from && asked["to"] as? String == to, "\(command)")
      let (start, end) = (asked["start"] as? String ?? "", asked["end"] as? String ?? "")
      #expect(start.hasPrefix(from) && end.hasPrefix(to), "\(command)")
      // The moments ask for the same.
      var again = try #require(try answer(["--from", start, "--to", end]), "\(command)")
      told["asked"] = nil
      again["asked"] = nil
      #expect(told as NSDictionary == again as NSDictionary, "\(command)")
    }
    let open = try all.object()["asked"] as? [String: Any]
    #expect(open?["start"] is NSNull && open?["to"] is NSNull)
    let several = try ProgramRun.hkstats(
      ["stats", "steps,heartRate", "--by", "day", "--format", "json", "--store", store.path]).json()
    #expect((several as? [[String: Any]])?.allSatisfy { $0["asked"] != nil } == true)
    // A default beginning has its moment, and no words.
    for command in [
      ["correlate", "steps,heartRate"], ["typical", "steps"], ["changes", "steps"],
      ["anomalies", "steps"], ["glucose"], ["rhythm", "steps"],
    ] {
      let run = try ProgramRun.hkstats(command + ["--format", "json", "--store", store.path])
      guard run.exitCode == 0 else { continue }
      let asked = try #require(try run.object()["asked"] as? [String: Any], "\(command)")
      #expect(asked["from"] is NSNull && asked["to"] is NSNull, "\(command)")
    }
  }

  /// A store of 120 days of steps, of which some measures follow.
  private func days() throws -> String {
    var random = SplitMix64(seed: 3)
    var export = SmallExport(offset: 0)
    var last = 0.0
    let first = SmallExport.instant("2024-01-01T12:00:00")
    for day in 0..<120 {
      let date = Date(timeIntervalSinceReferenceDate: first + Double(day) * 86_400)
      let time = String(ISO8601DateFormatter().string(from: date).prefix(19))
      let steps = Double.random(in: 4000...12_000, using: &random)
      let mass = 70 + Double.random(in: -1...1, using: &random) + (day < 60 ? 0 : 4)
      let rate = 60 + last / 1500 + Double.random(in: -1...1, using: &random)
      for (type, unit, value) in [
        ("StepCount", "count", steps.rounded()), ("BodyMass", "kg", mass),
        ("RestingHeartRate", "count/min", rate),
      ] {
        export.add("HKQuantityTypeIdentifier\(type)", "\(value)", unit: unit, from: time, to: time)
      }
      last = steps
    }
    return try scratch.file("days.xml", export.data)
  }

  @Test("changes has its penalty, which is the factor times the variance times ln n")
  func penalty() throws {
    let run = try ProgramRun.hkstats(
      ["changes", "bodyMass", "--format", "json", "--export", try days(), "--timezone", "UTC"])
    let answer = try run.object()
    let levels = try run.rows("levels")
    #expect(levels.count == 2)
    let count = levels.compactMap { $0["count"] as? Int }.reduce(0, +)
    let factor = try #require(answer["factor"] as? Double)
    for level in levels {
      let deviation = try #require(level["longRunDeviation"] as? Double)
      let penalty = try #require(level["penalty"] as? Double)
      let expected = factor * deviation * deviation * log(Double(count))
      #expect(abs(penalty - expected) <= 1e-12 * expected)
      #expect(level["autocorrelation"] is Double)
    }
  }

  @Test("components --scores has a row for a day and component, and --wide a column for each")
  func scores() throws {
    let words = [
      "components", "steps,bodyMass,bodyMass.max,restingHeartRate", "--export", try days(),
      "--timezone", "UTC", "--from", "2024-01-01", "--format",
    ]
    func rows(_ more: String...) throws -> [[String: Any]] {
      try ProgramRun.hkstats(words + ["json", "--scores"] + more).rows("scores")
    }
    let (tall, wide) = (try rows("--all"), try rows("--all", "--wide"))
    #expect(tall.count == 4 * wide.count && wide.count >= 118)
    for (place, row) in tall.enumerated() {
      let component = place % 4 + 1
      let other = wide[place / 4]
      #expect(row["component"] as? Int == component && row.count == 4)
      #expect(try #require(other["component\(component)"] as? Double) == row["score"] as? Double)
      #expect(other["start"] as? String == row["start"] as? String)
    }
    // Two types are one, so that three components hold all of four types.
    let few = try rows()
    #expect(few.count == 3 * wide.count && few.allSatisfy { $0["component"] as? Int != 4 })
    let weights = try ProgramRun.hkstats(words + ["json"]).rows("weights")
    #expect(weights.count == 12 && weights.last?["component"] as? Int == 3)
    let csv = try ProgramRun.hkstats(words + ["csv", "--scores", "--wide"])
    #expect(try csv.line(0) == "start,end,component1,component2,component3,timezone")
    #expect(try ProgramRun.hkstats(words + ["csv", "--wide"]).exitCode == 64)
  }

  @Test("correlate --all-tests has each test, from which its corrections follow")
  func allTests() throws {
    let words = [
      "correlate", "steps,bodyMass,restingHeartRate", "--format", "json", "--export", try days(),
      "--timezone", "UTC", "--from", "2024-01-01",
    ]
    let answer = try ProgramRun.hkstats(words + ["--all-tests"])
    let tests = try answer.rows("relations")
    #expect(try answer.object()["tested"] as? Int == tests.count)
    let lags = try #require(try answer.object()["lags"] as? Int)
    let pairs = try #require(try answer.object()["pairs"] as? Int)
    #expect(tests.count == pairs * (2 * lags + 1))
    // Benjamini and Hochberg (1995), step up.
    let values = try tests.map { try #require($0["pValue"] as? Double) }
    var least = 1.0
    for (rank, row) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated()
      .reversed()
    {
      least = min(least, values[row] * Double(values.count) / Double(rank + 1))
      let told = try #require(tests[row]["qValue"] as? Double)
      #expect(abs(told - least) <= 1e-12)
    }
    // What holds among all is what is told without them.
    let held = try ProgramRun.hkstats(words).rows("relations")
    #expect(!held.isEmpty)
    #expect(tests.count { $0["holds"] as? Bool == true } == held.count)
  }
}
