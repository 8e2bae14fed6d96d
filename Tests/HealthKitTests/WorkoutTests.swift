import Foundation
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@testable import HealthKit

private let start = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
private let end = start.addingTimeInterval(3600)

private func kilocalories(_ value: Double) -> HKQuantity {
  HKQuantity(unit: .kilocalorie(), doubleValue: value)
}

private func metres(_ value: Double) -> HKQuantity {
  HKQuantity(unit: .meter(), doubleValue: value)
}

private func event(_ type: HKWorkoutEventType, _ seconds: Double) -> HKWorkoutEvent {
  HKWorkoutEvent(
    type: type, dateInterval: DateInterval(start: start + seconds, duration: 0), metadata: nil)
}

/// A value that metadata cannot hold.
private struct Odd {}

@Suite struct WorkoutTests {
  @Test("every activity of the catalogue makes a workout that archives keep")
  func everyActivity() throws {
    let rows = try References.table("catalogue/workout_activity_types.tsv")
    #expect(rows.count > 80)
    for row in rows {
      let raw = try #require(row["raw"].flatMap(UInt.init))
      let type = try #require(HKWorkoutActivityType(rawValue: raw))
      let workout = HKWorkout(
        activityType: type, start: start, end: end, workoutEvents: [event(.lap, 60)],
        totalEnergyBurned: kilocalories(0.1 + Double(raw)), totalDistance: metres(1.0 / 3),
        totalSwimmingStrokeCount: HKQuantity(unit: .count(), doubleValue: 7), device: .local(),
        metadata: ["HKIndoorWorkout": true, "note": "x"])
      #expect(workout.workoutActivityType == type)
      #expect(type.constant == row["objc_constant"])
      #expect(HKWorkoutActivityType(constant: try #require(row["objc_constant"])) == type)
      let copy = try archivedObject(workout)
      #expect(copy == workout)
      expectSame(copy, workout)
    }
  }

  private func expectSame(
    _ copy: HKWorkout, _ workout: HKWorkout, _ location: SourceLocation = #_sourceLocation
  ) {
    let same: [Bool] = [
      copy.uuid == workout.uuid, copy.startDate == workout.startDate,
      copy.endDate == workout.endDate, copy.device == workout.device,
      copy.sampleType == workout.sampleType,
      copy.workoutActivityType == workout.workoutActivityType,
      copy.duration.bitPattern == workout.duration.bitPattern,
      copy.workoutEvents == workout.workoutEvents,
      copy.workoutActivities == workout.workoutActivities,
      copy.totalEnergyBurned?.value.bitPattern == workout.totalEnergyBurned?.value.bitPattern,
      copy.totalEnergyBurned?.unit == workout.totalEnergyBurned?.unit,
      copy.totalDistance == workout.totalDistance,
      copy.totalFlightsClimbed == workout.totalFlightsClimbed,
      copy.totalSwimmingStrokeCount == workout.totalSwimmingStrokeCount,
      copy.allStatistics == workout.allStatistics,
      NSDictionary(dictionary: copy.metadata ?? [:]).isEqual(to: workout.metadata ?? [:]),
    ]
    #expect(same.allSatisfy { $0 }, "\(same)", sourceLocation: location)
  }

  @Test("each initializer sets what it takes, and nothing else")
  func initializers() {
    let plain = HKWorkout(activityType: .yoga, start: start, end: end)
    #expect(plain.duration == 3600)
    #expect(plain.workoutEvents == nil)
    #expect(plain.totalEnergyBurned == nil && plain.totalDistance == nil)
    #expect(plain.allStatistics.isEmpty && plain.workoutActivities.isEmpty)
    #expect(plain.statistics(for: HKQuantityType(.heartRate)) == nil)
    #expect(plain.sampleType == HKObjectType.workoutType())
    #expect(plain.sourceRevision.source == .default())

    let timed = HKWorkout(
      activityType: .running, start: start, end: end, duration: 1234.5,
      totalEnergyBurned: kilocalories(1), totalDistance: nil, metadata: nil)
    #expect(timed.duration == 1234.5)
    #expect(timed.workoutEvents == nil)
    let untimed = HKWorkout(
      activityType: .running, start: start, end: end, duration: 0, totalEnergyBurned: nil,
      totalDistance: metres(5), device: .local(), metadata: nil)
    #expect(untimed.duration == 3600)
    #expect(untimed.device == .local())
    #expect(untimed.totalDistance == metres(5))

    let paused = HKWorkout(
      activityType: .running, start: start, end: end,
      workoutEvents: [event(.pause, 600), event(.resume, 900)], totalEnergyBurned: nil,
      totalDistance: nil, metadata: ["a": "b"])
    #expect(paused.duration == 3300)
    #expect(paused.metadata?["a"] as? String == "b")
    let climbed = HKWorkout(
      activityType: .stairs, start: start, end: end, workoutEvents: nil, totalEnergyBurned: nil,
      totalDistance: nil, totalFlightsClimbed: HKQuantity(unit: .count(), doubleValue: 12),
      device: nil, metadata: nil)
    #expect(climbed.totalFlightsClimbed?.doubleValue(for: .count()) == 12)
    #expect(climbed.totalSwimmingStrokeCount == nil)
    #expect(plain != climbed)
  }

  /// The seconds in which a workout is active, by walking through them.
  private func slowSeconds(_ seconds: Int, _ events: [(type: HKWorkoutEventType, at: Int)]) -> Int {
    var isActive = true
    var count = 0
    for second in 0..<seconds {
      for event in events where event.at == second || second == 0 && event.at < 0 {
        switch event.type {
        case .pause, .motionPaused: isActive = false
        case .resume, .motionResumed: isActive = true
        default: break
        }
      }
      if isActive { count += 1 }
    }
    return count
  }

  @Test("the duration is the time of a workout without its pauses", arguments: [UInt64](1...200))
  func duration(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let types: [HKWorkoutEventType] = [
      .pause, .resume, .lap, .marker, .motionPaused, .motionResumed, .pauseOrResumeRequest,
    ]
    let seconds = Int.random(in: 1...90, using: &random)
    let events = (0..<Int.random(in: 0...9, using: &random)).map { _ in
      (
        type: types[Int.random(in: 0..<types.count, using: &random)],
        at: Int.random(in: -5...100, using: &random)
      )
    }.sorted { $0.at < $1.at }
    let workout = HKWorkout(
      activityType: .other, start: start, end: start + Double(seconds),
      workoutEvents: events.map { event($0.type, Double($0.at)) }, totalEnergyBurned: nil,
      totalDistance: nil, metadata: nil)
    #expect(workout.duration == Double(slowSeconds(seconds, events)))
  }

  @Test("events have a type, an interval and metadata, and are equal by value")
  func events() throws {
    let kinds = try References.table("catalogue/enums_all.tsv").filter {
      $0["enum"] == "HKWorkoutEventType"
    }
    #expect(kinds.count == 8)
    for kind in kinds {
      let type = try #require(kind["raw"].flatMap(Int.init).flatMap(HKWorkoutEventType.init))
      #expect(type.constant == kind["objc_case"])
      let event = HKWorkoutEvent(type: type, date: start, metadata: ["lap": 3])
      #expect(event.date == start)
      #expect(event.dateInterval == DateInterval(start: start, duration: 0))
      let copy = try archived(event)
      #expect(copy == event && copy.hash == event.hash)
      #expect(copy !== event)
      #expect(event.copy() as? HKWorkoutEvent == event)
      #expect(copy != HKWorkoutEvent(type: type, date: start))
      #expect(copy != HKWorkoutEvent(type: type, date: end, metadata: ["lap": 3]))
      #expect(copy != HKWorkoutEvent(type: type, date: start, metadata: ["lap": 4]))
    }
    let lap = HKWorkoutEvent(
      type: .lap, dateInterval: DateInterval(start: start, duration: 1 / 3), metadata: nil)
    #expect(try archived(lap).dateInterval.duration.bitPattern == (1.0 / 3).bitPattern)
    #expect(lap.metadata == nil)
  }

  @Test("a configuration changes, and its copy does not change with it")
  func configuration() throws {
    let configuration = HKWorkoutConfiguration()
    #expect(configuration.activityType == .other)
    #expect(configuration.locationType == .unknown && configuration.lapLength == nil)
    configuration.activityType = .swimming
    configuration.locationType = .indoor
    configuration.swimmingLocationType = .pool
    configuration.lapLength = metres(25)
    let copy = try #require(configuration.copy() as? HKWorkoutConfiguration)
    #expect(copy == configuration)
    #expect(try archived(configuration) == configuration)
    copy.lapLength = metres(50)
    #expect(copy != configuration)
    #expect(configuration.lapLength == metres(25))
  }

  @Test("an activity keeps a copy of its configuration, and has a duration")
  func activity() throws {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .cycling
    let activity = HKWorkoutActivity(
      workoutConfiguration: configuration, start: start, end: end, metadata: ["k": 1.5])
    configuration.activityType = .running
    #expect(activity.workoutConfiguration.activityType == .cycling)
    activity.workoutConfiguration.activityType = .rowing
    #expect(activity.workoutConfiguration.activityType == .cycling)
    #expect(activity.duration == 3600)
    #expect(activity.workoutEvents.isEmpty && activity.allStatistics.isEmpty)
    let copy = try archived(activity)
    #expect(copy == activity && copy.hash == activity.hash)
    #expect(copy.workoutConfiguration.activityType == .cycling)
    #expect(copy.startDate == start && copy.endDate == end)
    #expect(copy.metadata?["k"] as? Double == 1.5)
    let open = HKWorkoutActivity(
      workoutConfiguration: configuration, start: Trial.date(0) - 10, end: nil, metadata: nil)
    #expect(open.endDate == nil)
    #expect(open.duration > 0)
    #expect(open != activity)
  }

  @Test("statistics and parts of a workout are in its archive")
  func parts() throws {
    let type = HKQuantityType(.heartRate)
    let unit = HKUnit.count().unitDivided(by: .minute())
    let table = StatisticsTable(
      type: type, unit: unit,
      intervals: StatisticsColumns(
        start: 1, end: 2, count: 3, values: [.mean: 1.0 / 3, .min: 0.1, .max: 0.7],
        recent: (start: 1.5, end: 1.75)))
    let statistics = HKStatistics(table, row: 0)
    let part = HKWorkoutActivity(
      facts: .init(
        configuration: HKWorkoutConfiguration(), start: start, end: end, duration: 12,
        events: [event(.lap, 1)], statistics: [type: statistics]))
    let workout = HKWorkout(
      HKWorkout.Content(
        activity: .swimBikeRun, duration: 99, activities: [part],
        statistics: [type: statistics]), start: start, end: end, facts: ObjectFacts())
    let copy = try archivedObject(workout)
    expectSame(copy, workout)
    #expect(copy.statistics(for: type)?.averageQuantity()?.value == 1.0 / 3)
    #expect(copy.workoutActivities.first?.duration == 12)
    #expect(copy.workoutActivities.first?.workoutEvents == [event(.lap, 1)])
    #expect(copy.workoutActivities.first?.statistics(for: type) == statistics)
    let sample = HKQuantitySample(
      type: HKQuantityType(.workoutEffortScore),
      quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 4), start: start, end: end)
    let relationship = HKWorkoutEffortRelationship(
      workout: workout, activity: part, samples: [sample])
    let read = try archived(relationship)
    #expect(read == relationship && read.hash == relationship.hash)
    #expect(read.samples == [sample] && read.activity == part && read.workout == workout)
  }

  @Test("throwing twins say why a workout, an event or an activity cannot be")
  func errors() throws {
    func reason(_ body: () throws -> Any) -> ObjectError.Reason? {
      do {
        _ = try body()
        return nil
      } catch { return (error as? ObjectError)?.reason }
    }
    #expect(
      reason { try HKWorkout.validated(activityType: .golf, start: end, end: start) }
        == .endBeforeStart)
    #expect(
      reason { try HKWorkout.validated(activityType: .golf, start: start, end: end, duration: -1) }
        == .negativeDuration)
    let wrong = metres(1)
    #expect(
      reason {
        try HKWorkout.validated(
          activityType: .golf, start: start, end: end, totalEnergyBurned: wrong)
      } == .unitOfProperty(objectClass: "HKWorkout", dimension: "Energy", unit: "m"))
    #expect(
      reason {
        try HKWorkout.validated(
          activityType: .golf, start: start, end: end, totalDistance: kilocalories(1))
      } == .unitOfProperty(objectClass: "HKWorkout", dimension: "Length", unit: "kcal"))
    for body in [
      {
        try HKWorkout.validated(
          activityType: .golf, start: start, end: end, totalFlightsClimbed: wrong)
      },
      {
        try HKWorkout.validated(
          activityType: .golf, start: start, end: end, totalSwimmingStrokeCount: wrong)
      },
    ] as [() throws -> Any] {
      #expect(
        reason(body) == .unitOfProperty(objectClass: "HKWorkout", dimension: "Count", unit: "m"))
    }
    #expect(
      reason {
        try HKWorkoutEvent.validated(
          type: .pause, dateInterval: DateInterval(start: start, duration: 1))
      } == .eventWithDuration)
    #expect(
      reason {
        try HKWorkoutActivity.validated(
          workoutConfiguration: HKWorkoutConfiguration(), start: end, end: start)
      } == .endBeforeStart)
    for body in [
      {
        try HKWorkoutEvent.validated(
          type: .lap, dateInterval: DateInterval(start: start, duration: 0), metadata: ["k": Odd()])
      },
      {
        try HKWorkoutActivity.validated(
          workoutConfiguration: HKWorkoutConfiguration(), start: start, end: nil,
          metadata: ["k": Odd()])
      },
      {
        try HKWorkout.validated(
          activityType: .golf, start: start, end: end, metadata: ["k": Odd()])
      },
    ] as [() throws -> Any] {
      guard case .invalidMetadata(key: "k", expected: _)? = reason(body) else {
        Issue.record("metadata of any class were taken")
        continue
      }
    }
    let valid = try HKWorkout.validated(
      activityType: .golf, start: start, end: end, workoutEvents: [event(.pause, 3000)],
      totalDistance: metres(3))
    #expect(valid.duration == 3000 && valid.totalDistance == metres(3))
    #expect(
      try HKWorkoutEvent.validated(
        type: .segment, dateInterval: DateInterval(start: start, duration: 1)
      )
      .dateInterval.duration == 1)
  }

  @Test("the initializers trap with the words of the errors")
  func traps() async throws {
    let dates = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKWorkout(activityType: .golf, start: Trial.date(0), end: Trial.date(0) - 10)
    }
    expectWords("startDate must be equal to or earlier than endDate", dates)
    let duration = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKWorkout(
        activityType: .golf, start: Trial.date(0) - 10, end: Trial.date(0), duration: -1,
        totalEnergyBurned: nil, totalDistance: nil, metadata: nil)
    }
    expectWords("duration must be zero or more seconds", duration)
    let energy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKWorkout(
        activityType: .golf, start: Trial.date(0) - 10, end: Trial.date(0), duration: 1,
        totalEnergyBurned: HKQuantity(unit: .meter(), doubleValue: 1), totalDistance: nil,
        metadata: nil)
    }
    expectWords("HKWorkout requires unit of type Energy. Incompatible unit: m", energy)
    let pause = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKWorkoutEvent(
        type: .pause, dateInterval: DateInterval(start: Trial.date(0), duration: 1), metadata: nil)
    }
    expectWords("Only HKWorkoutEventTypeLap and HKWorkoutEventTypeSegment", pause)
    let part = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKWorkoutActivity(
        workoutConfiguration: HKWorkoutConfiguration(), start: Trial.date(0),
        end: Trial.date(0) - 1,
        metadata: nil)
    }
    expectWords("startDate must be equal to or earlier than endDate", part)
  }
}
