import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

/// The zone updates of a live builder, in order.
private final class ZoneListener: NSObject, HKLiveWorkoutBuilderDelegate {
  struct Update: Equatable {
    let previous: Int?
    let current: Int?
    let second: Double?
    /// The time in each zone.
    let durations: [Double]?
  }

  private let stream: AsyncStream<Update>
  private let continuation: AsyncStream<Update>.Continuation
  private let collections: AsyncStream<Void>
  private let collected: AsyncStream<Void>.Continuation

  override init() {
    (stream, continuation) = AsyncStream<Update>.makeStream()
    (collections, collected) = AsyncStream<Void>.makeStream()
    super.init()
  }

  /// Waits until samples are collected once more.
  func collection() async { for await _ in collections { return } }

  func next(_ count: Int) async -> [Update] {
    var updates: [Update] = []
    for await update in stream {
      updates.append(update)
      if updates.count == count { break }
    }
    return updates
  }

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
  ) {
    collected.yield()
  }

  func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate
  ) {
    continuation.yield(
      Update(
        previous: zoneUpdate.previousZoneDuration?.zone.index,
        current: zoneUpdate.currentZoneDuration?.zone.index,
        second: zoneUpdate.lastSampleProcessedDate?.timeIntervalSinceReferenceDate,
        durations: zoneUpdate.zoneGroup?.zoneDurations.map(\.duration)))
  }
}

@Suite struct WorkoutZoneTests {
  private let rate = HKQuantityType(.heartRate)
  private let power = HKQuantityType(.cyclingPower)
  private let perMinute = HKUnit.count().unitDivided(by: .minute())
  private var types: Set<HKSampleType> { [rate, power, .workoutType()] }

  private func rates(_ numbers: [Double]) -> [HKQuantity] {
    numbers.map { HKQuantity(unit: perMinute, doubleValue: $0) }
  }

  private func sample(
    _ number: Double, from start: Double, to end: Double? = nil
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: rate, quantity: HKQuantity(unit: perMinute, doubleValue: number),
      start: Trial.date(start), end: Trial.date(end ?? start))
  }

  private func configuration() -> HKWorkoutConfiguration {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .cycling
    return configuration
  }

  private func numbers(_ configuration: HKWorkoutZoneConfiguration) -> [Double] {
    configuration.zones.dropFirst().compactMap { $0.minimum?.doubleValue(for: perMinute) }
  }

  // MARK: Configurations

  @Test("Bounds make zones without gaps, open below and above, of an app")
  func configurations() throws {
    for count in 2...8 {
      let bounds = (1...count).map { Double(40 + 20 * $0) }
      let zones = try HKWorkoutZoneConfiguration(quantityType: rate, zoneBoundaries: rates(bounds))
      #expect(zones.quantityType == rate && zones.source == .app)
      #expect(zones.zones.map(\.index) == Array(0...count))
      #expect(zones.zones.first?.minimum == nil && zones.zones.last?.maximum == nil)
      #expect(numbers(zones) == bounds)
      for (lower, upper) in zip(zones.zones, zones.zones.dropFirst()) {
        #expect(lower.maximum == upper.minimum)
      }
    }
    let watts = [100.0, 150, 200].map { HKQuantity(unit: .watt(), doubleValue: $0) }
    let zones = try HKWorkoutZoneConfiguration(quantityType: power, zoneBoundaries: watts)
    #expect(zones.zones[1].maximum == watts[1])
  }

  @Test("Bounds that make no zones are refused")
  func wrongConfigurations() async {
    let nine = (1...9).map { Double($0 * 20) }
    let cases: [(HKQuantityType, [HKQuantity])] = [
      (rate, []), (rate, rates([100])), (rate, rates(nine)), (rate, rates([100, 100])),
      (rate, rates([120, 100])), (rate, rates([0, 100])), (rate, rates([-5, 100])),
      (rate, rates([100, .nan])), (rate, rates([100, .infinity])),
      (rate, [100, 150].map { HKQuantity(unit: .watt(), doubleValue: $0) }),
      (power, rates([100, 150])),
      (
        HKQuantityType(.stepCount), [1, 2].map { HKQuantity(unit: .count(), doubleValue: $0) }
      ),
    ]
    for (type, bounds) in cases {
      #expect(
        await healthError {
          _ = try HKWorkoutZoneConfiguration(quantityType: type, zoneBoundaries: bounds)
        } == .errorInvalidArgument, "\(type) \(bounds)")
    }
  }

  @Test("A source is coded by its name")
  func sources() throws {
    for source in [HKWorkoutZoneConfiguration.Source.system, .user, .app] {
      let data = try JSONEncoder().encode([source])
      #expect(
        try JSONDecoder().decode([HKWorkoutZoneConfiguration.Source].self, from: data) == [source])
    }
  }

  @Test(
    "The zones of the system divide the way from the resting heart rate to 220 less the age, as in Apple's example"
  )
  func systemZones() async throws {
    let file = try HealthFile()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let resting = HKQuantityType(.restingHeartRate)
    let birth = HKCharacteristicType(.dateOfBirth)
    let store = file.store()
    #expect(
      await healthError { _ = try await store.preferredWorkoutZoneConfiguration(for: rate) }
        == .errorAuthorizationNotDetermined)
    try await store.requestAuthorization(toShare: [resting], read: [rate, power, resting, birth])
    let blind = file.store("com.example.blind") { request in
      AuthorisationAnswer(share: [], read: [HKQuantityType(.heartRate)])
    }
    try await blind.requestAuthorization(toShare: [], read: [rate, power, resting, birth])
    let unknown = try #require(try await blind.preferredWorkoutZoneConfiguration(for: rate))
    try await store.save(
      HKQuantitySample(
        type: resting, quantity: HKQuantity(unit: perMinute, doubleValue: 72),
        start: Trial.date(0), end: Trial.date(0)))
    // The clock of the test is at the beginning of 2001: the person is 40.
    try owner.setCharacteristic(
      "1960-06-01", of: HKCharacteristicTypeIdentifier.dateOfBirth.rawValue)
    let zones = try #require(try await store.preferredWorkoutZoneConfiguration(for: rate))
    #expect(zones.source == .system && zones.zones.count == 5)
    for (found, published) in zip(numbers(zones), [136.8, 147.6, 158.4, 169.2]) {
      #expect(abs(found - published) < 1e-9)
    }
    // What an app may not read does not show in its zones.
    let still = try #require(try await blind.preferredWorkoutZoneConfiguration(for: rate))
    #expect(numbers(still) == numbers(unknown) && numbers(still) != numbers(zones))
    #expect(try await store.preferredWorkoutZoneConfiguration(for: power) == nil)
    #expect(
      await healthError {
        _ = try await store.preferredWorkoutZoneConfiguration(for: HKQuantityType(.stepCount))
      } == .errorInvalidArgument)
  }

  @Test(
    "The zones of the person come before those of the system, and those of a workout before both")
  func preference() async throws {
    let file = try HealthFile()
    var host = file.host()
    let own = try HKWorkoutZoneConfiguration(
      quantityType: rate, zoneBoundaries: rates([100, 130, 160]))
    let watts = [100.0, 200].map { HKQuantity(unit: .watt(), doubleValue: $0) }
    host.workoutZones = [
      own, try HKWorkoutZoneConfiguration(quantityType: power, zoneBoundaries: watts),
    ]
    let store = HKHealthStore(host: host)
    try await store.requestAuthorization(toShare: types, read: types.union([]))
    let preferred = try #require(try await store.preferredWorkoutZoneConfiguration(for: rate))
    #expect(preferred.source == .user && numbers(preferred) == [100, 130, 160])
    #expect(try await store.preferredWorkoutZoneConfiguration(for: power)?.zones.count == 3)

    let builder = HKWorkoutBuilder(
      healthStore: store, configuration: configuration(), device: nil)
    #expect(try await builder.zoneConfiguration(for: rate)?.source == .user)
    let custom = try HKWorkoutZoneConfiguration(
      quantityType: rate, zoneBoundaries: rates([90, 120]))
    try await builder.setCustomZoneConfiguration(custom, for: rate)
    #expect(try await builder.zoneConfiguration(for: rate)?.source == .app)
    try await builder.setCustomZoneConfiguration(nil, for: rate)
    #expect(try await builder.zoneConfiguration(for: rate)?.source == .user)
    try await builder.setCustomZoneConfiguration(custom, for: rate)
    for type in [power, HKQuantityType(.stepCount)] {
      #expect(
        await healthError { try await builder.setCustomZoneConfiguration(custom, for: type) }
          == .errorInvalidArgument)
    }
    #expect(builder.zoneGroup(for: rate) == nil)
    try await builder.beginCollection(at: Trial.date(0))
    #expect(builder.zoneGroup(for: rate) == nil)
    for configuration in [custom, nil] {
      #expect(
        await healthError {
          try await builder.setCustomZoneConfiguration(configuration, for: rate)
        } == .errorInvalidArgument)
    }
    try await builder.addSamples([sample(100, from: 1)])
    #expect(builder.zoneGroup(for: rate)?.configuration.source == .app)
    try await builder.endCollection(at: Trial.date(10))
    let workout = try #require(try await builder.finishWorkout())
    #expect(workout.zoneGroup(for: rate)?.configuration.source == .app)
    // The next workout has the zones of the person again.
    let next = HKWorkoutBuilder(healthStore: store, configuration: configuration(), device: nil)
    #expect(try await next.zoneConfiguration(for: rate)?.source == .user)
    next.discardWorkout()
    #expect(
      await healthError { try await next.setCustomZoneConfiguration(custom, for: rate) }
        == .errorInvalidArgument)
  }

  // MARK: Durations

  @Test("A value counts until the next one, a minute at most; a bound belongs to the zone above")
  func durations() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", types)
    let builder = HKWorkoutBuilder(
      healthStore: store, configuration: configuration(), device: nil)
    try await builder.setCustomZoneConfiguration(
      try HKWorkoutZoneConfiguration(quantityType: rate, zoneBoundaries: rates([100, 150])),
      for: rate)
    try await builder.beginCollection(at: Trial.date(0))
    try await builder.addSamples([
      sample(99, from: 10), sample(100, from: 30), sample(149, from: 40), sample(150, from: 200),
    ])
    #expect(builder.zoneGroup(for: rate)?.zoneDurations.map(\.duration) == [20, 70, 0])
    // 160 lasts from 210 to 300 by itself.
    try await builder.addSamples([sample(160, from: 210, to: 300)])
    #expect(builder.zoneGroup(for: rate)?.zoneDurations.map(\.duration) == [20, 70, 100])
    try await builder.addWorkoutEvents([
      HKWorkoutEvent(
        type: .pause, dateInterval: DateInterval(start: Trial.date(20), duration: 0), metadata: nil),
      HKWorkoutEvent(
        type: .resume, dateInterval: DateInterval(start: Trial.date(35), duration: 0), metadata: nil
      ),
    ])
    #expect(builder.zoneGroup(for: rate)?.zoneDurations.map(\.duration) == [10, 65, 100])
    try await builder.endCollection(at: Trial.date(290))
    #expect(builder.zoneGroup(for: rate)?.zoneDurations.map(\.duration) == [10, 65, 90])
  }

  /// The time in zones by asking each second of a workout for the sample that counts then.
  private func slow(
    _ samples: [(start: Int, end: Int, rate: Double)], _ bounds: [Double], _ seconds: Range<Int>,
    _ pauses: [Range<Int>]
  ) -> [Double] {
    var durations = [Double](repeating: 0, count: bounds.count + 1)
    for second in seconds where !pauses.contains(where: { $0.contains(second) }) {
      var last: (start: Int, end: Int, rate: Double)?
      for sample in samples where sample.start <= second && sample.start >= last?.start ?? .min {
        last = sample
      }
      guard let last, second < max(last.end, last.start + 60) else { continue }
      durations[bounds.filter { $0 <= last.rate }.count] += 1
    }
    return durations
  }

  @Test(
    "Computed durations are those of each second, of workouts and of activities, and are saved",
    arguments: 1...10)
  func randomDurations(seed: Int) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", types)
    let end = Int.random(in: 60..<600, using: &random)
    var rows: [(start: Int, end: Int, rate: Double)] = []
    for _ in 0..<Int.random(in: 1..<40, using: &random) {
      let start = Int.random(in: 0..<end, using: &random)
      let length = Bool.random(using: &random) ? 0 : Int.random(in: 0..<120, using: &random)
      rows.append((start, start + length, Double(Int.random(in: 8..<18, using: &random) * 10)))
    }
    let bounds = [100.0, 120, 150].prefix(Int.random(in: 2...3, using: &random))
    var marks: [Int] = (0..<2 * Int.random(in: 0..<3, using: &random)).map { _ in
      Int.random(in: 0..<end, using: &random)
    }
    marks.sort()
    let pauses = stride(from: 0, to: marks.count, by: 2).map { marks[$0]..<marks[$0 + 1] }
    let middle = Int.random(in: 1..<end, using: &random)

    let builder = HKWorkoutBuilder(
      healthStore: store, configuration: configuration(), device: nil)
    try await builder.setCustomZoneConfiguration(
      try HKWorkoutZoneConfiguration(quantityType: rate, zoneBoundaries: rates(Array(bounds))),
      for: rate)
    try await builder.beginCollection(at: Trial.date(0))
    try await builder.addSamples(
      rows.map { sample($0.rate, from: Double($0.start), to: Double($0.end)) })
    try await builder.addWorkoutEvents(
      pauses.flatMap { pause in
        [(HKWorkoutEventType.pause, pause.lowerBound), (.resume, pause.upperBound)].map {
          HKWorkoutEvent(
            type: $0, dateInterval: DateInterval(start: Trial.date(Double($1)), duration: 0),
            metadata: nil)
        }
      })
    for (start, end) in [(0, middle), (middle, end)] {
      try await builder.addWorkoutActivity(
        HKWorkoutActivity(
          workoutConfiguration: configuration(), start: Trial.date(Double(start)),
          end: Trial.date(Double(end)), metadata: nil))
    }
    try await builder.endCollection(at: Trial.date(Double(end)))
    _ = try await builder.finishWorkout()
    // As another app reads it.
    let reader = try await file.allowedStore("com.example.reader", types)
    let workout = try #require(try await reader.samples([.workoutType()]).first as? HKWorkout)
    func check(_ group: HKWorkoutZoneGroup?, _ seconds: Range<Int>) throws -> Double {
      let group = try #require(group)
      #expect(numbers(group.configuration) == Array(bounds) && group.configuration.source == .app)
      #expect(group.zoneDurations.map(\.zone.index) == Array(0...bounds.count))
      #expect(
        group.zoneDurations.map(\.duration) == slow(rows, Array(bounds), seconds, pauses))
      return group.zoneDurations.reduce(0) { $0 + $1.duration }
    }
    #expect(workout.zoneGroupsByType?.keys.map(\.identifier) == [rate.identifier])
    #expect(try check(workout.zoneGroup(for: rate), 0..<end) <= workout.duration)
    #expect(workout.workoutActivities.count == 2)
    for (activity, seconds) in zip(workout.workoutActivities, [0..<middle, middle..<end]) {
      #expect(try check(activity.zoneGroupsByType?[rate], seconds) <= activity.duration)
    }
    try file.verify()
  }

  @Test("A workout without samples of a type has no zones of it")
  func withoutSamples() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", types)
    let builder = HKWorkoutBuilder(
      healthStore: store, configuration: configuration(), device: nil)
    try await builder.beginCollection(at: Trial.date(0))
    try await builder.endCollection(at: Trial.date(60))
    let workout = try #require(try await builder.finishWorkout())
    #expect(workout.zoneGroupsByType == nil && workout.zoneGroup(for: rate) == nil)
    let plain = HKWorkout(activityType: .yoga, start: Trial.date(0), end: Trial.date(1))
    #expect(plain.zoneGroupsByType == nil)
  }

  // MARK: Live

  @Test("A live builder tells of each change of the zone, with the time so far")
  func updates() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", types)
    let other = try await file.allowedStore("com.example.band", types)
    let session = try HKWorkoutSession(healthStore: store, configuration: configuration())
    let builder = session.associatedWorkoutBuilder()
    builder.dataSource = HKLiveWorkoutDataSource(
      healthStore: store, workoutConfiguration: session.workoutConfiguration)
    let listener = ZoneListener()
    builder.delegate = listener
    try await builder.setCustomZoneConfiguration(
      try HKWorkoutZoneConfiguration(quantityType: rate, zoneBoundaries: rates([100, 150])),
      for: rate)
    session.startActivity(with: Trial.date(0))
    try await builder.beginCollection(at: Trial.date(0))
    let high = sample(160, from: 20)
    try await other.save([sample(90, from: 5), sample(95, from: 10), high])
    #expect(
      await listener.next(2) == [
        .init(previous: nil, current: 0, second: 5, durations: [0, 0, 0]),
        .init(previous: 0, current: 2, second: 20, durations: [15, 0, 0]),
      ])
    await listener.collection()
    // Neither a sample in the same zone nor an earlier one is a change.
    try await other.save([sample(170, from: 30), sample(120, from: 12)])
    await listener.collection()
    try await builder.addSamples([sample(120, from: 40)])
    #expect(
      await listener.next(1) == [
        .init(previous: 2, current: 1, second: 40, durations: [7, 8, 20])
      ])
    // Without its last sample the one before it counts again.
    let last = sample(80, from: 50)
    try await other.save(last)
    #expect(await listener.next(1).map(\.current) == [0])
    try await other.delete(last)
    #expect(await listener.next(1).map(\.current) == [1])
    session.stopActivity(with: Trial.date(60))
    try await builder.endCollection(at: Trial.date(60))
    let workout = try #require(try await builder.finishWorkout())
    #expect(workout.zoneGroup(for: rate)?.zoneDurations.map(\.duration) == [7, 28, 20])
    session.end()
  }

  // MARK: Rows and archives

  private func row(_ group: Workouts.ZoneGroup...) -> Workouts.Row {
    var row = Workouts.Row()
    row.activity = "HKWorkoutActivityTypeRunning"
    (row.facts.source, row.facts.start, row.facts.end) = (Source(name: "Watch"), 0, 600)
    row.zoneGroups = group
    return row
  }

  private func group(
    _ type: String, _ source: String, _ unit: String, _ zones: (Double?, Double?, Double?)...
  ) -> Workouts.ZoneGroup {
    var group = Workouts.ZoneGroup()
    (group.type, group.source, group.unit) = (type, source, unit)
    group.zones = zones.map { bounds in
      var zone = Workouts.Zone()
      (zone.minimum, zone.maximum, zone.duration) = bounds
      return zone
    }
    return group
  }

  @Test("Zones of an export are objects, in order, and the same rows again")
  func rows() throws {
    let row = row(
      group("heartRate", "user", "count/min", (120, nil, nil), (nil, 90, 60), (90, 120, 30)),
      group("HKQuantityTypeIdentifierCyclingPower", "system", "W", (nil, nil, 5)),
      group("heartRate", "app", "count/min", (nil, nil, 7)), group("mood", "user", "count"),
      group("heartRate", "user", "furlong", (nil, nil, 7)))
    let workout = row.object()
    #expect(Workouts.Row(workout) == row)
    let zones = try #require(workout.zoneGroupsByType)
    #expect(Set(zones.keys) == [rate, power])
    let heart = try #require(workout.zoneGroup(for: rate))
    #expect(heart.configuration.source == .user && numbers(heart.configuration) == [90, 120])
    #expect(heart.configuration.zones.map(\.index) == [0, 1, 2])
    #expect(
      heart.configuration.zones.map { $0.maximum?.doubleValue(for: perMinute) } == [90, 120, nil])
    #expect(heart.zoneDurations.map(\.duration) == [60, 30, 0])
    #expect(zones[power]?.configuration.source == .system)
    #expect(zones[power]?.zoneDurations.map(\.duration) == [5])
  }

  @Test("Zones of an import are shown to who may read workouts and the type")
  func imported() async throws {
    let file = try HealthFile()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let session = try owner.beginImport()
    let zones = group("heartRate", "user", "count/min", (nil, 100, 60), (100, nil, 30))
    try session.add(.workouts(Workouts([row(zones)])))
    _ = try session.finish()
    let all = try await file.allowedStore("com.example.all", [rate, .workoutType()])
    let some = try await file.allowedStore("com.example.some", [.workoutType()])
    let workout = try #require(try await all.samples([.workoutType()]).first as? HKWorkout)
    #expect(workout.zoneGroup(for: rate)?.zoneDurations.map(\.duration) == [60, 30])
    let bare = try #require(try await some.samples([.workoutType()]).first as? HKWorkout)
    #expect(bare.zoneGroupsByType == nil)
  }

  @Test("An archive keeps the zones of workouts and activities")
  func archives() throws {
    var source = row(
      group("heartRate", "app", "count/min", (nil, 90, 60), (90, 120, 30.25), (120, nil, 0)))
    var part = Workouts.Activity()
    (part.identifier, part.activity) = (UUID().uuidString, source.activity)
    (part.start, part.end, part.duration) = (0, 5, 5)
    part.zoneGroups = [group("cyclingPower", "user", "W", (nil, 200, 5), (200, nil, 0))]
    source.activities = [part]
    let workout = source.object()
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: workout, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKWorkout.self, from: data))
    #expect(Workouts.Row(read).zoneGroups == source.zoneGroups)
    #expect(Workouts.Row(read).activities.map(\.zoneGroups) == [part.zoneGroups])
    #expect(read.zoneGroup(for: rate)?.configuration.source == .app)
    #expect(read.workoutActivities.first?.zoneGroup(for: power)?.zoneDurations.count == 2)
  }
}
