import Foundation
import HealthMerge
import Testing
import _HealthTestSupport

@Suite("Questions about extreme data")
final class ExtremeInputTests: StoreSuite {
  private func importing(_ export: SmallExport) throws -> ProgramRun {
    try ProgramRun.hkstats([
      "import", try scratch.file("export.xml", export.data), "--store", store, "--json",
    ])
  }

  private func stats(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(["stats"] + arguments + ["--store", store])
  }

  /// An export with copies of one record, each with words of it replaced.
  private func copies(
    of type: String, unit: String, from start: String, to end: String, count: Int,
    _ replace: (Int) -> (value: Int, source: String)
  ) throws -> [String] {
    var template = SmallExport()
    template.add(type, "VALUE", unit: unit, from: start, to: end, source: "SOURCE")
    let line = try #require(template.lines.first)
    return (0..<count).map { index in
      let (value, source) = replace(index)
      return line.replacing("VALUE", with: "\(value)").replacing("SOURCE", with: source)
    }
  }

  @Test("Values that are no finite number are skipped and told, the others are counted")
  func notFinite() throws {
    var export = SmallExport()
    for (hour, value) in ["nan", "inf", "-Infinity", "1e999", "0x10", "7", "1e308"].enumerated() {
      export.add(
        "HKQuantityTypeIdentifierStepCount", value, unit: "count",
        from: "2024-03-05T1\(hour):00:00", to: "2024-03-05T1\(hour):30:00")
    }
    let imported = try importing(export)
    #expect(imported.exitCode == 0)
    let counts = try imported.object()
    #expect(counts["read"] as? Int == 7 && counts["new"] as? Int == 2)
    let run = try stats("steps", "--format", "ndjson")
    #expect(try run.object()["sum"] as? Double == 1e308 + 7)
    #expect(run.errors == "")
  }

  @Test(
    "A date that no question can reach is refused, and its type answers; the farthest others do")
  func distantDates() throws {
    let template = SmallExport.self
    for (place, date) in [
      "0000-06-01 08:00:00 +0000", "0001-01-01 00:00:00 +2359", "9999-12-31 23:59:60 -2359",
    ].enumerated() {
      var export = template.init()
      export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:30:00")
      let start = export.lines[0].split(separator: "startDate=\"")[1].prefix(25)
      export.add(lines: [export.lines[0].replacing(start, with: date)])
      let path = scratch.path("store\(place).sqlite")
      let imported = try ProgramRun.hkstats([
        "import", try scratch.file("export.xml", export.data), "--store", path,
      ])
      #expect(imported.exitCode == 0, "\(imported.errors)")
      #expect(
        imported.output.contains("a date outside of the years 1 to 9999")
          == date.hasPrefix("0000"))
      for arguments in [
        [], ["--by", "year", "--from", "2024-01-01", "--to", "2025-01-01"],
        ["--by", "day", "--from", "2024-03-05", "--to", "2024-03-06"],
      ] {
        let run = try ProgramRun.hkstats(
          ["stats", "steps", "--store", path, "--format", "json"] + arguments)
        #expect(run.exitCode == 0, "\(date) \(arguments): \(run.errors)")
        let intervals = try #require(try run.object()["intervals"] as? [[String: Any]])
        #expect(intervals.count == 1)
        #expect(arguments.isEmpty || (intervals[0]["sum"] as? Double ?? 0) > 99)
      }
    }
  }

  @Test(
    "Workouts, rings and routes of numbers without measure are listed, in every form",
    arguments: ["1e308", "-1e308", "1e-308", "-0", "99999999999999999999"])
  func elements(number: String) throws {
    let facts =
      "sourceName=\"W\" startDate=\"0001-01-01 00:00:00 +0000\" endDate=\"9999-12-31 23:59:59 +0000\""
    let steps = "type=\"HKQuantityTypeIdentifierStepCount\""
    var export = SmallExport()
    export.add(lines: [
      "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"\(number)\" "
        + "durationUnit=\"hr\" totalDistance=\"\(number)\" totalDistanceUnit=\"km\" \(facts)>",
      "<WorkoutEvent type=\"Pause\" date=\"0001-01-01 00:00:00 +0000\" duration=\"\(number)\"/>",
      "<WorkoutStatistics \(steps) sum=\"\(number)\" average=\"\(number)\" unit=\"count\" \(facts)/>",
      "<WorkoutRoute \(facts)><Location date=\"0001-01-01 00:00:00 +0000\" latitude=\"1\" "
        + "longitude=\"1\" altitude=\"\(number)\" speed=\"\(number)\"/></WorkoutRoute></Workout>",
      "<ActivitySummary dateComponents=\"0001-01-01\" activeEnergyBurned=\"\(number)\" "
        + "activeEnergyBurnedGoal=\"\(number)\" activeEnergyBurnedUnit=\"kcal\" "
        + "appleExerciseTime=\"\(number)\" appleExerciseTimeGoal=\"1\" appleStandHours=\"\(number)\"/>",
      "<ActivitySummary dateComponents=\"9999-12-31\" appleMoveTime=\"\(number)\"/>",
    ])
    let imported = try importing(export)
    #expect(imported.exitCode == 0, "\(imported.errors)")
    for command in ["workouts", "summary"] {
      for format in ["table", "csv", "json", "ndjson"] {
        let run = try ProgramRun.hkstats([command, "--format", format, "--store", store])
        #expect(run.exitCode == 0, "\(command) \(format): \(run.errors)")
        #expect(!run.output.isEmpty)
      }
    }
  }

  @Test("A sum beyond all doubles is null in JSON, infinite in csv and in a table")
  func overflow() throws {
    var export = SmallExport()
    for hour in 0..<3 {
      export.add(
        "HKQuantityTypeIdentifierStepCount", "1.5e308", unit: "count",
        from: "2024-03-05T1\(hour):00:00", to: "2024-03-05T1\(hour):30:00")
    }
    #expect(try importing(export).exitCode == 0)
    for options in [[], ["--exact"]] {
      let run = try ProgramRun.hkstats(
        ["stats", "steps", "--format", "json", "--store", store] + options)
      #expect(run.exitCode == 0)
      let intervals = try #require(try run.object()["intervals"] as? [[String: Any]])
      #expect(intervals.first?["sum"] is NSNull)
    }
    let csv = CommaSeparatedRows.rows(
      of: try ProgramRun.hkstats(["stats", "steps", "--format", "csv", "--store", store]).output)
    let place = try #require(csv[0].firstIndex(of: "sum"))
    #expect(csv[1][place] == "1e999")
    #expect(try stats("steps").output.contains("∞"))
  }

  @Test("Ten thousand sources are merged; what cannot be explained is refused")
  func manySources() throws {
    var export = SmallExport()
    for hour in 10..<20 {
      export.add(
        lines: try copies(
          of: "HKQuantityTypeIdentifierStepCount", unit: "count",
          from: "2024-03-05T\(hour):00:00", to: "2024-03-05T\(hour):59:00", count: 1000
        ) { (3, "app \(hour) \($0)") })
    }
    #expect(try importing(export).exitCode == 0)
    for (policy, sums) in [("hk", 30.0...30), ("none", 30_000...30_000)] {
      let run = try stats("steps", "--by", "day", "--merge", policy, "--format", "ndjson")
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(sums.contains(try #require(try run.object()["sum"] as? Double)), "\(policy)")
    }
    let explained = try stats("steps", "--by", "day", "--explain")
    #expect(explained.exitCode == 64)
    #expect(explained.errors.contains("too many sources"))
    let separate = try stats(
      "steps", "--by", "1min", "--from", "2024-03-05", "--to", "2024-03-07", "--by-source")
    #expect(separate.exitCode == 64)
    #expect(separate.errors.contains("10,000,000 intervals"))
  }

  @Test("A sample of two centuries is shared out over its days, and over no more than is allowed")
  func twoCenturies() throws {
    var export = SmallExport()
    export.steps(73_049, from: "1900-01-01T00:00:00", to: "2100-01-01T00:00:00")
    export.steps(
      5, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00", source: SmallExport.phone)
    #expect(try importing(export).exitCode == 0)
    // A step a day, of which 1/144 falls to the walk that the phone counted.
    let sums: [MergePolicy: Double] = [.highest: 5, .subtractive: 6 - 1 / 144, .unmerged: 6]
    for policy in MergePolicy.allCases {
      let day = try stats(
        "steps", "--by", "day", "--from", "2024-03-05", "--to", "2024-03-06", "--merge",
        policy.rawValue, "--format", "ndjson")
      #expect(day.exitCode == 0)
      let sum = try #require(try day.object()["sum"] as? Double)
      #expect(abs(sum - (sums[policy] ?? 1)) < 1e-9, "\(policy)")
    }
    let years = try stats("steps", "--by", "year", "--format", "csv")
    #expect(years.lines.count == 201)
    let minutes = try stats("steps", "--by", "1min")
    #expect(minutes.exitCode == 64)
    #expect(minutes.errors.contains("10,000,000 intervals"))
  }

  @Test("Very many samples at one instant have an answer by every policy")
  func oneInstant() throws {
    var export = SmallExport()
    let instant = "2024-03-05T10:00:00"
    export.add(
      lines: try copies(
        of: "HKQuantityTypeIdentifierStepCount", unit: "count", from: instant, to: instant,
        count: 6000
      ) { ($0, $0 % 2 == 0 ? SmallExport.watch : SmallExport.phone) })
    export.add(
      lines: try copies(
        of: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", from: instant, to: instant,
        count: 6000
      ) { (50 + $0 % 100, "app \($0 % 9)") })
    #expect(try importing(export).exitCode == 0)
    let evens = Double(stride(from: 0, to: 6000, by: 2).reduce(0, +))
    let odds = Double(stride(from: 1, to: 6000, by: 2).reduce(0, +))
    for (policy, expected) in [
      ("hk", evens), ("hc", 5998), ("subtractive", evens), ("drop", evens), ("highest", odds),
      ("none", evens + odds),
    ] {
      let run = try stats("steps", "--by", "hour", "--merge", policy, "--format", "ndjson")
      #expect(try run.object()["sum"] as? Double == expected, "\(policy)")
    }
    let rate = try stats("heartRate", "--by", "hour", "--exact", "--format", "ndjson")
    #expect(try rate.object()["mean"] as? Double == 99.5)
  }
}
