import Foundation
import Testing
import _HealthTestSupport

@Suite("Workouts of impossible durations, as a program")
struct WorkoutDurationProgramTests {
  @Test("No impossible duration enters a total, and the import says how many there were")
  func totals() throws {
    let scratch = try Scratch()
    let store = scratch.path("store.sqlite")
    func run(_ arguments: String...) throws -> ProgramRun {
      try ProgramRun.hkstats(arguments + ["--store", store])
    }
    var export = SmallExport()
    // Half an hour each: as it is, negative, in a wrong unit; and one that ends before it starts.
    for (day, duration, end) in [
      (4, "25", "09:30"), (5, "-3.5", "09:30"), (6, "1800", "09:30"), (7, "30", "08:30"),
    ] {
      export.add(
        lines: """
           <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="\(duration)" \
          durationUnit="min" sourceName="W" startDate="2024-03-0\(day) 09:00:00 +0000" \
          endDate="2024-03-0\(day) \(end):00 +0000"/>
          """)
    }
    let path = try scratch.file("export.xml", export.data)
    let imported = try run("import", path)
    #expect(imported.exitCode == 0)
    #expect(imported.output.contains("3 workouts with a duration that is negative"))
    let minutes = [25.0, 30, 30, 0]
    let list = try run("workouts", "--format", "json").rows("workouts")
    #expect(list.map { $0["duration"] as? Double } == minutes.map { $0 * 60 })
    let month = try run("workouts", "--by", "month", "--format", "json").rows("intervals")
    #expect(month.map { $0["duration"] as? Double } == [85 * 60])
    let csv = CommaSeparatedRows.rows(of: try run("samples", "workouts", "--format", "csv").output)
    let place = try #require(csv[0].firstIndex(of: "duration_s"))
    #expect(csv.dropFirst().map { Double($0[place]) } == minutes.map { $0 * 60 })
  }
}
