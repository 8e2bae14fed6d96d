import Foundation
import HealthSamples
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

/// Relations between objects: correlations, versions of one object, effort of workouts.
@Suite struct StoreRelationTests {
  // MARK: Correlations

  private func correlations(
    _ predicate: NSPredicate?, _ samplePredicates: [HKSampleType: NSPredicate]?,
    in store: HKHealthStore
  ) async throws -> [HKCorrelation] {
    try await withCheckedThrowingContinuation { continuation in
      store.execute(
        HKCorrelationQuery(
          type: HKCorrelationType(.bloodPressure), predicate: predicate,
          samplePredicates: samplePredicates
        ) { _, found, error in
          if let found {
            continuation.resume(returning: found)
          } else {
            continuation.resume(throwing: error ?? HKError(.unknownError))
          }
        })
    }
  }

  @Test("Correlation queries give what a scan gives, with predicates for each type")
  func correlationQueries() async throws {
    var random = RandomObjects(seed: 41)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let all = (0..<40).map { _ in random.bloodPressure() }
    try await store.save(all + [random.meal()])
    let unit = HKUnit.millimeterOfMercury()
    let (high, low) = (
      HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)
    )
    func value(_ one: HKCorrelation, _ type: HKQuantityType) -> Double {
      (one.objects(for: type).first as? HKQuantitySample)?.quantity.doubleValue(for: unit) ?? .nan
    }
    for _ in 0..<20 {
      let bounds = (Double(random.number(90..<180)), Double(random.number(60..<100)))
      let times = HKQuery.predicateForSamples(
        withStart: Trial.date(Double(random.number(0..<20))), end: nil, options: [])
      var chosen: [HKSampleType: NSPredicate] = [:]
      if random.truth() {
        chosen[high] = HKQuery.predicateForQuantitySamples(
          with: .greaterThan, quantity: HKQuantity(unit: unit, doubleValue: bounds.0))
      }
      if random.truth() {
        chosen[low] = HKQuery.predicateForQuantitySamples(
          with: .lessThan, quantity: HKQuantity(unit: unit, doubleValue: bounds.1))
      }
      let predicate = random.truth() ? times : nil
      let expected = try all.filter {
        try predicate?.matches($0) ?? true && (chosen[high] == nil || value($0, high) > bounds.0)
          && (chosen[low] == nil || value($0, low) < bounds.1)
      }
      let found = try await correlations(predicate, chosen.isEmpty ? nil : chosen, in: store)
      #expect(Set(found) == Set(expected) && found.count == expected.count)
      #expect(!zip(found, found.dropFirst()).contains { $1.startDate < $0.startDate })
    }
    let query = HKCorrelationQuery(
      type: HKCorrelationType(.food), predicate: nil, samplePredicates: nil
    ) { _, _, _ in }
    #expect(query.correlationType == HKCorrelationType(.food) && query.samplePredicates == nil)
    #expect(
      await healthError {
        _ = try await correlations(nil, nil, in: file.store("com.example.b"))
      } == .errorAuthorizationNotDetermined)
  }

  @Test("An app finds a correlation only if it may read all of its samples")
  func permissionOfMembers() async throws {
    var random = RandomObjects(seed: 42)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    try await store.save(random.bloodPressure())
    let systolic = HKQuantityType(.bloodPressureSystolic)
    let both: Set<HKSampleType> = [systolic, HKQuantityType(.bloodPressureDiastolic)]
    let half = file.store("com.example.b") { request in
      AuthorisationAnswer(share: [], read: request.read.filter { $0 == systolic })
    }
    try await half.requestAuthorization(toShare: [], read: both)
    #expect(try await correlations(nil, nil, in: half).isEmpty)
    #expect(try await half.samples([systolic]).count == 1)
    let whole = file.store("com.example.c")
    try await whole.requestAuthorization(toShare: [], read: both)
    #expect(try await correlations(nil, nil, in: whole).first?.objects.count == 2)
  }

  // MARK: Sync identifiers

  private func synced(
    _ value: Double, _ version: Int, _ identifier: String = "x"
  ) -> HKQuantitySample {
    Trial.steps(
      value, from: 5,
      metadata: [HKMetadataKeySyncIdentifier: identifier, HKMetadataKeySyncVersion: version])
  }

  @Test("A higher sync version replaces the object of the same identifier; others are ignored")
  func syncVersions() async throws {
    let file = try HealthFile()
    let steps = HKQuantityType(.stepCount)
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let first = synced(1, 3)
    try await store.save(first)
    for version in [3, 2, -1] { try await store.save(synced(2, version)) }
    #expect(try await store.samples([steps]) == [first])
    let anchor = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: nil
    ).result(for: store).newAnchor
    let second = synced(4, 4)
    try await store.save(second)
    #expect(try await store.samples([steps]) == [second])
    let changes = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: anchor
    ).result(for: store)
    #expect(changes.addedSamples == [second])
    #expect(changes.deletedObjects.map(\.uuid) == [first.uuid])
    // Another identifier, type or app makes another object.
    let other = try await file.allowedStore("com.example.b", RandomObjects.permitted)
    let sleep = HKCategorySample(
      type: HKCategoryType(.sleepAnalysis), value: 0, start: Trial.date(0), end: Trial.date(1),
      metadata: [HKMetadataKeySyncIdentifier: "x", HKMetadataKeySyncVersion: 1])
    try await store.save([synced(5, 1, "y"), sleep])
    try await other.save(synced(6, 1))
    #expect(try await store.samples([steps, sleep.sampleType]).count == 4)
    // Of several versions in one save the highest stays.
    let most = synced(8, 9, "z")
    try await store.save([synced(7, 8, "z"), most, synced(9, 2, "z")])
    #expect(try await store.samples([steps]).count == 4)
    #expect(try await store.samples([steps]).contains(most))
    // After a deletion the identifier is free again.
    try await store.delete(second)
    let third = synced(1, 1)
    try await store.save(third)
    #expect(try await store.samples([steps]).contains(third))
    try file.verify()
  }

  @Test("A save that fails replaces nothing")
  func failedReplacement() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let (first, known) = (synced(1, 1), Trial.steps(3))
    try await store.save([first, known])
    #expect(
      await healthError { try await store.save([synced(2, 2), known]) } == .errorInvalidArgument)
    #expect(try await Set(store.samples([HKQuantityType(.stepCount)])) == [first, known])
    try await store.save(synced(3, 2))
    #expect(try await store.samples([HKQuantityType(.stepCount)]).count == 2)
  }

  @Test(
    "After many saves the store has the highest version of each identifier",
    arguments: [1, 2] as [UInt64])
  func randomVersions(seed: UInt64) async throws {
    var random = RandomObjects(seed: seed &+ 60)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    var model: [String: (version: Int, value: Double)] = [:]
    for step in 0..<40 {
      let batch = (0..<random.number(1..<4)).map { index in
        (
          identifier: "n\(random.number(0..<4))", version: random.number(0..<9),
          value: Double(step * 10 + index)
        )
      }
      try await store.save(batch.map { synced($0.value, $0.version, $0.identifier) })
      for one in batch where one.version > model[one.identifier]?.version ?? -1 {
        model[one.identifier] = (one.version, one.value)
      }
    }
    let found = try await store.samples([HKQuantityType(.stepCount)])
      .compactMap { ($0 as? HKQuantitySample)?.value }
    #expect(found.sorted() == model.values.map(\.value).sorted())
    try file.verify()
  }

  @Test("A sample that is replaced is replaced in its workout and its correlation as well")
  func replacedMembers() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    func workout(_ version: Int) -> HKWorkout {
      HKWorkout(
        activityType: .running, start: Trial.date(0), end: Trial.date(60), workoutEvents: nil,
        totalEnergyBurned: nil, totalDistance: nil,
        metadata: [HKMetadataKeySyncIdentifier: "run", HKMetadataKeySyncVersion: version])
    }
    func pressure(
      _ type: HKQuantityTypeIdentifier, _ value: Double, _ version: Int
    ) -> HKQuantitySample {
      HKQuantitySample(
        type: HKQuantityType(type),
        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value),
        start: Trial.date(1), end: Trial.date(1),
        metadata: [HKMetadataKeySyncIdentifier: "bp", HKMetadataKeySyncVersion: version])
    }
    let first = workout(1)
    try await store.save(first)
    try await store.addSamples([synced(1, 1)], to: first)
    let steps = synced(2, 2)
    try await store.save(steps)
    let type = HKQuantityType(.stepCount)
    #expect(try await store.samples([type], HKQuery.predicateForObjects(from: first)) == [steps])
    // A workout that is replaced keeps its samples.
    let second = workout(2)
    try await store.save(second)
    #expect(try await store.samples([.workoutType()]) == [second])
    #expect(try await store.samples([type], HKQuery.predicateForObjects(from: second)) == [steps])

    let low = pressure(.bloodPressureDiastolic, 80, 1)
    try await store.save(
      HKCorrelation(
        type: HKCorrelationType(.bloodPressure), start: Trial.date(1), end: Trial.date(1),
        objects: [pressure(.bloodPressureSystolic, 120, 1), low]))
    let high = pressure(.bloodPressureSystolic, 130, 2)
    try await store.save(high)
    #expect(try await correlations(nil, nil, in: store).first?.objects == [high, low])
  }

  // MARK: Effort

  private func effort(_ score: Double) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(.workoutEffortScore),
      quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: score), start: Trial.date(0),
      end: Trial.date(60))
  }

  /// A store that records the last executed query, without retaining it.
  private final class WatchedStore: HKHealthStore, @unchecked Sendable {
    private struct Executed {
      weak var query: HKQuery?
    }

    private let last = Mutex(Executed())

    var executed: HKQuery? { last.withLock { $0.query } }

    override func execute(_ query: HKQuery) {
      last.withLock { $0 = Executed(query: query) }
      super.execute(query)
    }
  }

  @Test("A query stops observing after its first result was awaited", .timeLimit(.minutes(1)))
  func awaited() async throws {
    let file = try HealthFile()
    let store = WatchedStore(host: file.host())
    let score = HKQuantityType(.workoutEffortScore)
    try await store.requestAuthorization(toShare: [], read: [.workoutType(), score])
    let answer = try await HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: nil, anchor: nil, option: .default
    ).result(for: store)
    #expect(answer.relationships.isEmpty)
    while store.executed != nil { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test("Samples of effort are related to workouts and activities, and found by them")
  func efforts() async throws {
    let file = try HealthFile()
    let score = HKQuantityType(.workoutEffortScore)
    let estimate = HKQuantityType(.estimatedWorkoutEffortScore)
    let store = file.store("com.example.a")
    try await store.requestAuthorization(
      toShare: [.workoutType(), score], read: [.workoutType(), score, estimate])
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .cycling
    let activity = HKWorkoutActivity(
      workoutConfiguration: configuration, start: Trial.date(0), end: Trial.date(30), metadata: nil)
    let workout = HKWorkout(
      .init(activity: .swimBikeRun, duration: 60, activities: [activity]), start: Trial.date(0),
      end: Trial.date(60), facts: ObjectFacts())
    let (whole, part) = (effort(5), effort(8))
    #expect(
      await healthError {
        _ = try await store.relateWorkoutEffortSample(whole, with: workout, activity: nil)
      } == .errorInvalidArgument)
    try await store.save([workout, whole])
    let results = HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: nil, anchor: nil, option: .default
    ).results(for: store)
    var iterator = results.makeAsyncIterator()
    #expect(try await iterator.next()?.relationships.isEmpty == true)
    #expect(try await store.relateWorkoutEffortSample(whole, with: workout, activity: nil))
    let first = try #require(try await iterator.next()?.relationships.first)
    #expect(first.workout == workout && first.samples == [whole] && first.activity == nil)
    #expect(try await store.relateWorkoutEffortSample(part, with: workout, activity: activity))
    #expect(
      await healthError {
        _ = try await store.relateWorkoutEffortSample(
          Trial.steps(), with: workout, activity: nil)
      } == .errorInvalidArgument)
    func found(_ activity: HKWorkoutActivity?) async throws -> [HKSample] {
      try await store.samples(
        [score],
        HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: activity))
    }
    #expect(try await found(nil) == [whole])
    #expect(try await found(activity) == [part])
    let better = effort(7)
    #expect(try await store.relateWorkoutEffortSample(better, with: workout, activity: nil))
    let relevant = try await HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: HKQuery.predicateForObject(with: workout.uuid), anchor: nil, option: .mostRelevant
    ).result(for: store)
    #expect(relevant.relationships.map(\.samples) == [[better], [part]])
    #expect(relevant.relationships.map(\.activity) == [nil, activity])
    let later = try await HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: nil, anchor: relevant.newAnchor, option: .default
    ).result(for: store)
    #expect(later.relationships.isEmpty)
    #expect(try await store.unrelateWorkoutEffortSample(whole, from: workout, activity: nil))
    #expect(try await found(nil) == [better])
    #expect(
      await healthError {
        _ = try await store.unrelateWorkoutEffortSample(whole, from: workout, activity: nil)
      } == .errorInvalidArgument)
    #expect(try await store.samples([score]).count == 3)
  }
}
