import Foundation
import Testing
import _HealthTestSupport

@Suite("Workouts and rings in the units of stats, as a program")
final class ActivityUnitsProgramTests: ProgramSuite {
  /// Samples, rings and a workout of 5 mi and 1,500 kJ in half an hour.
  override init() throws {
    try super.init()
    var export = SmallExport(offset: 0)
    let (start, end) = ("2026-03-11T18:00:00", "2026-03-11T18:30:00")
    export.add(
      "HKQuantityTypeIdentifierActiveEnergyBurned", "2150", unit: "kJ", from: start, to: end)
    export.add(
      "HKQuantityTypeIdentifierDistanceWalkingRunning", "5", unit: "mi", from: start, to: end)
    export.add(
      lines: """
         <ActivitySummary dateComponents="2026-03-11" activeEnergyBurned="2150" \
        activeEnergyBurnedGoal="2000" activeEnergyBurnedUnit="kJ" appleExerciseTime="31" \
        appleExerciseTimeGoal="30" appleStandHours="12" appleStandHoursGoal="12"/>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" \
        durationUnit="min" sourceName="Watch" startDate="2026-03-11 18:00:00 +0000" \
        endDate="2026-03-11 18:30:00 +0000">
          <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="5" \
        startDate="2026-03-11 18:00:00 +0000" endDate="2026-03-11 18:30:00 +0000" unit="mi"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="1500" \
        startDate="2026-03-11 18:00:00 +0000" endDate="2026-03-11 18:30:00 +0000" unit="kJ"/>
         </Workout>
        """)
    try load(export)
  }

  private func answer(_ arguments: [String]) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(arguments + ["--store", store, "--timezone", "UTC"])
    try #require(run.exitCode == 0, "\(arguments): \(run.errors)")
    return run
  }

  /// The units of distance and energy that `stats` answers in.
  private func unitsOfStats() throws -> (distance: String, energy: String) {
    let found = try ["distanceWalkingRunning", "activeEnergyBurned"].map { type in
      try #require(try answer(["stats", type, "--format", "json"]).object()["unit"] as? String)
    }
    return (found[0], found[1])
  }

  /// Every answer has the units of `stats`, with the numbers in them.
  private func expect(
    distance: (Double, String), energy: (Double, String), rings: Double, options: [String] = []
  ) throws {
    let run = try answer(["workouts", "--format", "json"] + options)
    let units = try #require(try run.object()["units"] as? [String: String])
    #expect(units["distance"] == distance.1 && units["energy"] == energy.1)
    let workout = try #require(try run.rows("workouts").first)
    #expect(workout["distance"] as? Double == distance.0)
    #expect(workout["energy"] as? Double == energy.0)
    let line = try answer(["workouts", "--format", "ndjson"] + options).object()
    #expect(line["units"] as? [String: String] == units)
    #expect(line["distance"] as? Double == distance.0)
    let csv = CommaSeparatedRows.rows(
      of: try answer(["workouts", "--format", "csv"] + options).output)
    for (name, value) in [("distance_\(distance.1)", distance.0), ("energy_\(energy.1)", energy.0)]
    {
      let column = try #require(csv[0].firstIndex(of: name), "\(csv[0])")
      #expect(Double(csv[1][column]) == value)
    }
    let table = try answer(["workouts"] + options).lines
    #expect(table[0].contains(" \(distance.1) ") && table[0].contains(" \(energy.1) "))
    for command in [["workouts", "--by", "day"], ["stats", "workouts", "--by", "day"]] {
      let totals = try answer(command + ["--format", "json"] + options)
      let units = try #require(try totals.object()["units"] as? [String: String])
      #expect(units["distance"] == distance.1 && units["energy"] == energy.1)
      let day = try #require(try totals.rows("intervals").first)
      #expect(day["distance"] as? Double == distance.0 && day["energy"] as? Double == energy.0)
      #expect(try answer(command + options).output.contains(" \(energy.1)"))
    }
    let day = try #require(
      try answer(["summary", "--format", "json"] + options).rows("days").first)
    let move = try #require(day["move"] as? [String: Any])
    #expect(move["unit"] as? String == energy.1)
    #expect(abs((move["value"] as? Double ?? 0) - rings) <= 1e-12 * rings)
    #expect(move["share"] as? Double == 2150.0 / 2000)
    let summary = try answer(["summary"] + options).output
    #expect(summary.contains("move (\(energy.1))"))
    #expect(
      try answer(["summary", "--format", "csv"] + options).line(0)
        .hasPrefix("day,move_\(energy.1),move_goal_\(energy.1),"))
  }

  @Test("What was recorded in kilojoules and miles is told in them everywhere, as stats tells it")
  func recorded() throws {
    let units = try unitsOfStats()
    #expect(units.distance == "mi" && units.energy == "kJ")
    try expect(distance: (5, "mi"), energy: (1500, "kJ"), rings: 2150)
    #expect(try run("samples", "activitySummary").output.contains("2,150/2,000 kJ"))
  }

  @Test("A preferred unit is one for stats, workouts and rings")
  func preferred() throws {
    _ = try run("units", "prefer", "distanceWalkingRunning", "km")
    _ = try run("units", "prefer", "activeEnergyBurned", "kcal")
    let units = try unitsOfStats()
    #expect(units.distance == "km" && units.energy == "kcal")
    // A mile is 1.609344 km, a kilocalorie 4.184 kJ.
    try expect(
      distance: (8.04672, "km"), energy: (358.508604206501, "kcal"), rings: 513.8623326959847)
  }

  @Test("--unit is above what is preferred, for each of the two")
  func asked() throws {
    _ = try run("units", "prefer", "distanceWalkingRunning", "km")
    try expect(
      distance: (8046.72, "m"), energy: (358.508604206501, "kcal"), rings: 513.8623326959847,
      options: ["--unit", "m,kcal"])
    let wrong = try ProgramRun.hkstats(["workouts", "--unit", "kg", "--store", store])
    #expect(wrong.exitCode == 64 && wrong.output.isEmpty)
  }

  @Test("Paces, speeds and numbers without a unit are those of the table")
  func derived() throws {
    // Half an hour for 5 mi: 6:00 for a mile, 10 mi/h.
    let columns = ["--by", "day", "--stat", "pace,speed", "--format"]
    let miles = try answer(["workouts"] + columns + ["json"])
    #expect(try miles.object()["units"] as? [String: String] == ["pace": "s/mi", "speed": "mi/hr"])
    let day = try #require(try miles.rows("intervals").first)
    #expect(day["pace"] as? Double == 360 && day["speed"] as? Double == 10)
    let table = try answer(["workouts"] + columns.dropLast()).output
    #expect(table.contains("min/mi") && table.contains("mph") && table.contains("6:00"))
    let kilometres = ["--unit", "km"]
    for (condition, options, count) in [
      ("distance>4.9", [], 1), ("distance>5.1", [], 0), ("distance>5.1", kilometres, 1),
      ("distance>4 mi", kilometres, 1), ("pace<6:01", [], 1), ("pace<5:59", [], 0),
      ("pace<4:00", kilometres, 1), ("pace<3:00", kilometres, 0), ("energy>1499", [], 1),
      ("energy>400 kcal", [], 0), ("speed>9.9", [], 1), ("speed>15", kilometres, 1),
    ] as [(String, [String], Int)] {
      let found = try answer(["workouts", "--where", condition, "--format", "ndjson"] + options)
      #expect(found.lines.count == count, "\(condition) \(options)")
    }
  }
}
