import Foundation
import HealthKit
import HealthKitTesting
import Training

/// The calendar of the person.
let calendar: Calendar = {
  var calendar = Calendar(identifier: .iso8601)
  calendar.timeZone = TimeZone(identifier: "Europe/Paris") ?? .gmt
  return calendar
}()

func date(_ month: Int, _ day: Int, _ hour: Int = 12, _ minute: Int = 0) -> Date {
  let parts = DateComponents(year: 2026, month: month, day: day, hour: hour, minute: minute)
  return calendar.date(from: parts) ?? .distantPast
}

extension HKQuantitySample {
  convenience init(
    _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, at start: Date,
    seconds: Double = 0
  ) {
    self.init(
      type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
      start: start, end: start.addingTimeInterval(seconds))
  }
}

extension HKUnit {
  static var beats: HKUnit { .count().unitDivided(by: .minute()) }
}

/// Where another app's work is done: the band of the person.
var band: HKHealthStore { TestHealthStore.current.otherApp("com.example.band") }

/// Saves a workout of another app.
@discardableResult
func saveWorkout(
  _ activity: HKWorkoutActivityType = .running, by store: HKHealthStore = band, from start: Date,
  minutes: Double = 30, meters: Double? = nil
) async throws -> HKWorkout? {
  let configuration = HKWorkoutConfiguration()
  configuration.activityType = activity
  let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
  try await builder.beginCollection(at: start)
  if let meters {
    try await builder.addSamples([
      HKQuantitySample(
        .distanceWalkingRunning, meters, .meter(), at: start, seconds: minutes * 60)
    ])
  }
  try await builder.endCollection(at: start + minutes * 60)
  return try await builder.finishWorkout()
}

/// A server that the test is, as the network stays one that a test makes up.
actor Server: TrainingServer {
  private struct Unreachable: Error {}

  /// The workouts that it has.
  private(set) var workouts: [UUID: SyncedWorkout] = [:]
  /// How many workouts each request brought.
  private(set) var sizes: [Int] = []
  private(set) var removed: [UUID] = []
  private var failures = 0

  func fail(_ times: Int) { failures = times }

  func add(_ workouts: [SyncedWorkout]) throws {
    try answer()
    sizes.append(workouts.count)
    for workout in workouts { self.workouts[workout.id] = workout }
  }

  func remove(_ ids: [UUID]) throws {
    try answer()
    removed += ids
    for id in ids { workouts[id] = nil }
  }

  private func answer() throws {
    guard failures == 0 else {
      failures -= 1
      throw Unreachable()
    }
  }
}

/// The file of an app's bookmark, which goes with the test.
final class Bookmark: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("training-\(UUID().uuidString)")
  deinit { try? FileManager.default.removeItem(at: url) }
}
