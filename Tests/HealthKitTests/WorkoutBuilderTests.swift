import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct WorkoutBuilderTests {
  static let steps = HKQuantityType(.stepCount)
  static let energy = HKQuantityType(.activeEnergyBurned)
  static let rate = HKQuantityType(.heartRate)
  static let perMinute = HKUnit.count().unitDivided(by: .minute())
  static let types: Set<HKSampleType> = [
    steps, energy, rate, HKQuantityType(.distanceCycling), HKObjectType.workoutType(),
    HKSeriesType.workoutRoute(), HKSeriesType.heartbeat(),
  ]

  func configuration(_ activity: HKWorkoutActivityType = .cycling) -> HKWorkoutConfiguration {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = activity
    return configuration
  }

  func store(_ file: HealthFile) async throws -> HKHealthStore {
    try await file.allowedStore("com.example.diary", Self.types)
  }

  func builder(
    _ store: HKHealthStore, _ activity: HKWorkoutActivityType = .cycling
  ) -> HKWorkoutBuilder {
    HKWorkoutBuilder(
      healthStore: store, configuration: configuration(activity), device: Trial.watch)
  }

  func quantity(
    _ type: HKQuantityType, _ number: Double, _ unit: HKUnit, at second: Double
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: type, quantity: HKQuantity(unit: unit, doubleValue: number),
      start: Trial.date(second), end: Trial.date(second + 1))
  }

  func event(_ type: HKWorkoutEventType, _ second: Double) -> HKWorkoutEvent {
    HKWorkoutEvent(
      type: type, dateInterval: DateInterval(start: Trial.date(second), duration: 0), metadata: nil)
  }

  func part(
    _ activity: HKWorkoutActivityType = .cycling, _ start: Double, _ end: Double?
  ) -> HKWorkoutActivity {
    HKWorkoutActivity(
      workoutConfiguration: configuration(activity), start: Trial.date(start),
      end: end.map(Trial.date), metadata: nil)
  }

  // MARK: Collecting

  @Test("The elapsed time is from the start to a date or the end, without pauses")
  func elapsedTime() async throws {
    let file = try HealthFile()
    let builder = builder(try await store(file))
    #expect(builder.elapsedTime(at: Trial.date(5)) == 0)
    try await builder.beginCollection(at: Trial.date(10))
    #expect(builder.elapsedTime(at: Trial.date(5)) == 0)
    #expect(builder.elapsedTime(at: Trial.date(25)) == 15)
    try await builder.addWorkoutEvents([event(.pause, 20), event(.resume, 24), event(.pause, 40)])
    #expect(builder.elapsedTime(at: Trial.date(22)) == 10)
    #expect(builder.elapsedTime(at: Trial.date(30)) == 16)
    #expect(builder.elapsedTime(at: Trial.date(60)) == 26)
    try await builder.endCollection(at: Trial.date(35))
    #expect(builder.elapsedTime(at: Trial.date(60)) == 21)
  }

  @Test("Samples are saved when they are added, and those that the store has are not saved again")
  func samplesAreSaved() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    let builder = builder(store)
    try await builder.beginCollection(at: Trial.date(0))
    let (known, new) = (Trial.steps(1, from: 1), Trial.steps(2, from: 2))
    try await store.save(known)
    try await builder.addSamples([known, new])
    #expect(Set(try file.rows(.stepCount).map(\.uuid)) == [known.uuid, new.uuid])
    try await builder.addSamples([known])
    #expect(
      builder.statistics(for: Self.steps)?.sumQuantity()?.doubleValue(for: .count()) == 3)
    builder.discardWorkout()
    #expect(try file.rows(.stepCount).count == 2)
    #expect(builder.allStatistics.isEmpty)
  }

  @Test("Additions before the start are refused as a whole, and a workout cannot be added")
  func early() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    let builder = builder(store)
    try await builder.beginCollection(at: Trial.date(10))
    let workout = HKWorkout(activityType: .cycling, start: Trial.date(11), end: Trial.date(12))
    for samples in [[Trial.steps(1, from: 11), Trial.steps(1, from: 9)], [workout]] {
      #expect(
        await healthError { try await builder.addSamples(samples) } == .errorInvalidArgument)
    }
    #expect(try file.rows(.stepCount).isEmpty && builder.allStatistics.isEmpty)
    #expect(
      await healthError {
        try await builder.addWorkoutEvents([event(.lap, 11), event(.lap, 9)])
      } == .errorInvalidArgument)
    #expect(builder.workoutEvents.isEmpty)
    #expect(
      await healthError { try await builder.addWorkoutActivity(part(.cycling, 9, 11)) }
        == .errorInvalidArgument)
    #expect(
      await healthError { try await builder.endCollection(at: Trial.date(9)) }
        == .errorInvalidArgument)
    try await builder.endCollection(at: Trial.date(10))
    #expect(builder.endDate == Trial.date(10))
  }

  @Test(
    "Activities do not overlap, and are of the workout's kind, or parts of a multisport workout")
  func activities() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    let builder = builder(store, .swimBikeRun)
    try await builder.beginCollection(at: Trial.date(0))
    let swim = part(.swimming, 0, 10)
    try await builder.addWorkoutActivity(swim)
    for activity in [swim, part(.cycling, 5, 20), part(.cycling, 0, nil)] {
      #expect(
        await healthError { try await builder.addWorkoutActivity(activity) }
          == .errorInvalidArgument)
    }
    try await builder.addWorkoutActivity(part(.transition, 10, 12))
    for activity in [part(.yoga, 20, 30), part(.swimBikeRun, 20, 30)] {
      #expect(
        await healthError { try await builder.addWorkoutActivity(activity) }
          == .errorWorkoutActivityNotAllowed)
    }
    let interval = self.builder(store, .running)
    try await interval.beginCollection(at: Trial.date(0))
    #expect(
      await healthError { try await interval.addWorkoutActivity(part(.cycling, 0, 1)) }
        == .errorWorkoutActivityNotAllowed)
    try await interval.addWorkoutActivity(part(.running, 0, 1))
  }

  @Test("An activity gets an end and metadata by its UUID; an unknown one fails")
  func updating() async throws {
    let file = try HealthFile()
    let builder = builder(try await store(file))
    try await builder.beginCollection(at: Trial.date(0))
    let open = part(.cycling, 5, nil)
    try await builder.addWorkoutActivity(open)
    try await builder.updateActivity(uuid: open.uuid, end: Trial.date(9))
    try await builder.updateActivity(uuid: open.uuid, adding: ["a": 1])
    try await builder.updateActivity(uuid: open.uuid, adding: ["b": 2])
    let updated = try #require(builder.workoutActivities.first)
    #expect(updated == open && updated.endDate == Trial.date(9))
    #expect(updated.metadata?["a"] as? Int == 1 && updated.metadata?["b"] as? Int == 2)
    for (uuid, end) in [(UUID(), 9.0), (open.uuid, 4)] {
      #expect(
        await healthError { try await builder.updateActivity(uuid: uuid, end: Trial.date(end)) }
          == .errorInvalidArgument)
    }
    #expect(
      await healthError { try await builder.updateActivity(uuid: UUID(), adding: ["a": 1]) }
        == .errorInvalidArgument)
  }

  // MARK: Series

  @Test(
    "A series builder is the same each time, for routes and heartbeats, until the workout is over")
  func seriesBuilders() async throws {
    let file = try HealthFile()
    let builder = builder(try await store(file))
    #expect(builder.seriesBuilder(for: .heartbeat()) == nil)
    let route = builder.seriesBuilder(for: .workoutRoute())
    #expect(route is HKWorkoutRouteBuilder)
    try await builder.beginCollection(at: Trial.date(0))
    #expect(builder.seriesBuilder(for: .workoutRoute()) === route)
    #expect(builder.seriesBuilder(for: .heartbeat()) is HKHeartbeatSeriesBuilder)
    builder.discardWorkout()
    #expect(builder.seriesBuilder(for: .workoutRoute()) == nil)
    let discarded = try #require(route as? HKWorkoutRouteBuilder)
    #expect(
      await healthError { try await discarded.insertRouteData([]) } == .errorInvalidArgument)
  }
}
