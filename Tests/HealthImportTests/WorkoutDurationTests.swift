import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("How long workouts of any format are")
struct WorkoutDurationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// One workout from ten o'clock on, in each format that tells durations.
  private func readings(seconds: String, end: String) throws -> [Reading] {
    let day = "2024-03-09"
    let apple = export(
      "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"\(seconds)\" "
        + "durationUnit=\"s\" sourceName=\"W\" startDate=\"\(day) 10:00:00 +0000\" "
        + "endDate=\"\(day) \(end) +0000\"><WorkoutActivity uuid=\"A\" duration=\"\(seconds)\" "
        + "durationUnit=\"s\" startDate=\"\(day) 10:00:00 +0000\" "
        + "endDate=\"\(day) \(end) +0000\"/></Workout>")
    let table = """
      type,sourceName,startDate,endDate,duration,durationUnit
      HKWorkoutActivityTypeRunning,W,\(day) 10:00:00 +0000,\(day) \(end) +0000,\(seconds),s
      """
    let json = """
      {"data":{"workouts":[{"name":"Outdoor Run","start":"\(day) 10:00:00 +0000",
      "end":"\(day) \(end) +0000","duration":\(seconds)}]}}
      """
    return [
      try Reading(path: try folder.write(apple, to: "export.xml")),
      try Reading(SimpleHealthExportReader(path: try folder.write(table, to: "workouts.csv"))),
      try Reading(HealthAutoExportReader(path: try folder.write(json, to: "export.json"))),
    ]
  }

  @Test(
    "A duration is at most from start to end and never negative, in every format",
    arguments: [
      ("1700", "10:30:00", 1700.0, false), ("0", "10:30:00", 0, false),
      ("1800.75", "10:30:00", 1800.75, false), ("1801.5", "10:30:00", 1800, true),
      ("-210", "10:30:00", 1800, true), ("324000", "11:30:00", 5400, true),
      ("1800", "09:30:00", 0, true), ("-1800", "09:30:00", 0, true), ("60", "10:00:00", 0, true),
    ])
  func bounded(seconds: String, end: String, wanted: Double, isOdd: Bool) throws {
    for reading in try readings(seconds: seconds, end: end) {
      let workout = try #require(reading.workouts.first)
      #expect(workout.duration == wanted && workout.activeSeconds == wanted)
      #expect(workout.activities.allSatisfy { $0.duration == wanted })
      #expect(reading.summary.impossibleDurations == (isOdd ? 1 : 0))
      #expect(reading.summary.elements[.workout] == TypeCount(read: 1))
    }
  }

  @Test("A workout that says nothing of its duration says nothing after that, and is no oddity")
  func missing() {
    var workout = Workouts.Row()
    (workout.facts.start, workout.facts.end) = (100, 400)
    workout.activities = [Workouts.Activity()]
    let isMended = workout.mendDurations()
    #expect(!isMended)
    #expect(workout.duration == nil && workout.activities[0].duration == nil)
    #expect(workout.activeSeconds == 300)
    // As a store of an earlier version has it.
    workout.duration = -210
    #expect(workout.activeSeconds == 300)
    workout.facts.end = 50
    #expect(workout.activeSeconds == 0)
  }
}
