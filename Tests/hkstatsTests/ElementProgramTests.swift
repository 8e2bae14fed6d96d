import Foundation
import Testing
import _HealthTestSupport

@Suite("Workouts, rings and other files, as a program")
final class ElementProgramTests: ProgramSuite {
  /// An export with all its files, imported, and what its generator knows of it.
  private func generated(version: String) throws -> [String: Any] {
    let truth = scratch.path("truth.json")
    let made = try ProgramRun.run(
      "generate-export",
      [
        "--out", scratch.path("export.zip"), "--seed", "5", "--years", "0.06", "--dtd", version,
        "--zone", "Europe/Paris", "--truth", truth,
      ])
    try #require(made.exitCode == 0, "\(made.errors)")
    let imported = try ask("import", scratch.path("export.zip"))
    try #require(imported.exitCode == 0, "\(imported.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: scratch.url("truth.json")))
    return try #require(json as? [String: Any])
  }

  @Test(
    "Every workout is there with its totals, and every route with its places",
    arguments: ["8", "13", "ios27"])
  func workouts(version: String) throws {
    let truth = try generated(version: version)
    let known = try #require(truth["workouts"] as? [[String: Any]])
    let shown = try ask("workouts", "--format", "json").rows("workouts")
    try #require(shown.count == known.count && !known.isEmpty)
    func kilometres(_ workouts: [[String: Any]]) -> [Double] {
      workouts.compactMap { $0["kilometres"] as? Double }
    }
    let metres = shown.flatMap { workout in
      (workout["statistics"] as? [[String: Any]] ?? [])
        .filter { ($0["type"] as? String)?.contains("Distance") == true }
        .compactMap { $0["sum"] as? Double }
    }
    let total = kilometres(known).reduce(0, +)
    #expect(abs(metres.reduce(0, +) / 1000 - total) <= 1e-4 * total)
    let places = shown.flatMap { workout in
      (workout["routes"] as? [[String: Any]] ?? []).map { ($0["locations"] as? [Any])?.count ?? 0 }
    }
    #expect(places.reduce(0, +) == known.reduce(0) { $0 + ($1["points"] as? Int ?? 0) })
    #expect(places.contains { $0 > 0 })
    let csv = try ask("workouts", "--format", "csv", "--zones", "120,150")
    #expect(csv.lines.count == known.count + 1)
    #expect(
      try csv.line(0).contains(
        "route_count,places,zone1_s,zone2_s,zone3_s,source,entered_by_hand,metadata,timezone"))
    // The time in zones adds up in json, whose list of zones says the bounds.
    let zoned = try ask("workouts", "--format", "json", "--zones", "120,150").rows("workouts")
    for workout in zoned {
      let zones = try #require(workout["zones"] as? [[String: Any]])
      #expect(zones.compactMap { $0["rates"] as? String } == ["<120", "120–150", "≥150"])
      #expect(
        zones.compactMap { $0["duration"] as? Double }
          == ["zone1", "zone2", "zone3"].compactMap { workout[$0] as? Double })
      #expect(workout["routeCount"] as? Int == (workout["routes"] as? [Any])?.count ?? 0)
      #expect(workout["eventCount"] as? Int == (workout["events"] as? [Any])?.count ?? 0)
      #expect(workout["activityCount"] as? Int == (workout["activities"] as? [Any])?.count ?? 0)
    }
    let table = try ask("workouts")
    #expect(table.lines.count == known.count + 4)
  }

  @Test("A heart rate at the start of a workout counts, one at its end does not")
  func heartRates() throws {
    var export = SmallExport()
    for (rate, time) in [
      ("80", "08:59:59"), ("100", "09:00:00"), ("140", "09:29:59"), ("190", "09:30:00"),
    ] {
      export.add(
        "HKQuantityTypeIdentifierHeartRate", rate, unit: "count/min", from: "2024-03-05T\(time)",
        to: "2024-03-05T\(time)")
    }
    // Ends where the workout begins, and the next one reaches into it.
    for (rate, end) in [("60", "09:00:00"), ("120", "09:00:10")] {
      export.add(
        "HKQuantityTypeIdentifierHeartRate", rate, unit: "count/min", from: "2024-03-05T08:59:50",
        to: "2024-03-05T\(end)")
    }
    export.add(
      lines: """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="23.216666" \
        durationUnit="min" totalDistance="0" totalDistanceUnit="km" totalEnergyBurned="418.4" \
        totalEnergyBurnedUnit="kJ" sourceName="Watch" startDate="2024-03-05 09:00:00 +0000" \
        endDate="2024-03-05 09:30:00 +0000"/>
        <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="Watch" \
        startDate="2024-03-06 09:00:00 +0000" endDate="2024-03-06 09:30:00 +0000"/>
        """)
    let path = try scratch.file("workouts.xml", export.data)
    func listed(_ format: String) throws -> ProgramRun {
      try ProgramRun.hkstats([
        "workouts", "--zones", "110,150", "--format", format, "--export", path,
      ])
    }
    let json = try listed("json").rows("workouts")
    let run = try #require(json.first)
    let rates = try #require(run["heartRate"] as? [String: Double])
    #expect(rates == ["mean": 120, "max": 140])
    let zones = try #require(run["zones"] as? [[String: Any]])
    #expect(zones.compactMap { $0["duration"] as? Double } == [60, 1, 0])
    let rows = CommaSeparatedRows.rows(of: try listed("csv").output)
    #expect(run["energy"] as? Double == 418.4)
    #expect(json.compactMap { $0["duration"] as? Double } == [1392.99996, 1800])
    #expect(rows[1].contains("0") && !rows[1].contains("-0"))
    #expect(try listed("table").line(1).contains("0.00"))
  }

  @Test("Rings of every day are there with their goals")
  func rings() throws {
    let truth = try generated(version: "13")
    let known = try #require(truth["summaries"] as? [[String: Any]])
    let shown = try ask("summary", "--format", "json").rows("days")
    let days = shown.compactMap { $0["day"] as? String }
    // A date that stands in the file twice has the goals of the last.
    let dates = known.compactMap { $0["date"] as? String }
    #expect(days == Set(dates).sorted() && !days.isEmpty)
    for row in shown {
      let last = known.last { $0["date"] as? String == row["day"] as? String }
      let move = row["move"] as? [String: Any]
      #expect(move?["goal"] as? Double == last?["goal"] as? Double)
    }
    // Titles, a blank line, the days before the first sample, and the end of the data.
    let lines = try ask("summary").lines
    #expect(lines.count == days.count + 4)
    #expect(lines.suffix(2).first?.hasPrefix("Left out of means") == true)
    #expect(lines.last?.hasPrefix("The data end") == true)
    let day = try #require(days.last)
    let one = try ask("summary", "--from", day, "--format", "ndjson")
    #expect(one.lines.count == days.count { $0 == day })
    let titles = try ask("summary", "--format", "csv").line(0)
    #expect(titles.hasPrefix("day,move_kcal,move_goal_kcal,"))
    #expect(titles.hasSuffix(",stand_hr,stand_goal_hr,stand_share,stand_unit,timezone"))
  }

  @Test("A place of another kind of workout is refused, and zones must ascend")
  func options() throws {
    _ = try generated(version: "13")
    #expect(try ask("workouts", "--zones", "150,120").exitCode == 64)
    #expect(try ask("workouts", "--zones", "fast").exitCode == 64)
    #expect(try ask("workouts", "--from", "2024-01-02", "--to", "2024-01-01").exitCode == 64)
    let none = try ask("workouts", "--activity", "fencing")
    #expect(none.exitCode == 0 && none.output.hasPrefix("No workouts. The data end"))
  }

  @Test("Health Auto Export JSON and Simple Health Export CSV are imported once")
  func otherFiles() throws {
    let json = try scratch.file(
      "export.json",
      Data(
        """
        {"data":{"metrics":[{"name":"step_count","units":"count","data":[
        {"date":"2024-03-09 10:00:00 +0000","qty":25,"source":"Watch"},
        {"date":"2024-03-09 11:00:00 +0000","qty":30,"source":"Watch"}]}]}}
        """.utf8))
    let csv = try scratch.file(
      "steps.csv",
      Data(
        """
        sep=,
        type,sourceName,sourceVersion,productType,device,startDate,endDate,unit,value
        HKQuantityTypeIdentifierStepCount,Phone,17,,,2024-03-10 10:00:00 +0000,2024-03-10 10:05:00 +0000,count,7
        """.utf8))
    for (path, new) in [(json, 2), (csv, 1)] {
      #expect(try ask("import", path, "--json").object()["new"] as? Int == new)
      let again = try ask("import", path, "--json").object()
      #expect(again["new"] as? Int == 0 && again["known"] as? Int == new)
    }
    let sums = try ask(
      "stats", "steps", "--by", "day", "--timezone", "UTC", "--format", "csv"
    ).lines.dropFirst().map { $0.split(separator: ",")[2] }
    #expect(sums == ["55", "7"])
  }
}
