import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

/// What an app sees of types whose history the owner limited.
@Suite struct LimitedHistoryTests {
  private let steps = HKQuantityType(.stepCount)
  private let rate = HKQuantityType(.heartRate)
  private let perMinute = HKUnit.count().unitDivided(by: .minute())
  private let app = "com.example.diary"

  private func days(_ samples: [HKSample]) -> [Double] {
    samples.map(\.startDate.timeIntervalSinceReferenceDate).sorted()
  }

  @Test("2.18: An app sees what ends at the date or later, and its own; owner and others see all")
  func boundary() async throws {
    let file = try HealthFile()
    let (store, other) = (
      try await file.allowedStore(app, [steps, rate]),
      try await file.allowedStore("com.example.band", [steps, rate])
    )
    try await other.save([
      Trial.steps(1, from: 10), Trial.steps(2, from: 20, to: 40), Trial.steps(4, from: 40, to: 50),
      Trial.steps(8, from: 50, to: 60), Trial.steps(16, from: 70),
    ])
    try await store.save(Trial.steps(32, from: 5))
    #expect(try await store.earliestAuthorizedSampleDate(for: [steps]).isEmpty)
    try file.host(app).limitHistory(of: [steps], from: Trial.date(50))
    #expect(days(try await store.samples([steps])) == [5, 40, 50, 70])
    func sum(_ store: HKHealthStore) async throws -> Double? {
      try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: steps), options: .cumulativeSum
      ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }
    #expect(try await sum(store) == 60)
    #expect(try await sum(other) == 63)
    #expect(days(try await other.samples([steps])).count == 6)
    #expect(try file.rows(.stepCount).count == 6)
    // What the app asks for does not reach before it.
    let early = HKQuery.predicateForSamples(withStart: nil, end: Trial.date(30))
    #expect(days(try await store.samples([steps], early)) == [5])
    let negated = NSCompoundPredicate(
      notPredicateWithSubpredicate: HKQuery.predicateForSamples(
        withStart: Trial.date(30), end: nil))
    #expect(days(try await store.samples([steps], negated)) == [5])
    #expect(
      try await store.earliestAuthorizedSampleDate(for: [steps, rate]) == [steps: Trial.date(50)])
    #expect(try await other.earliestAuthorizedSampleDate(for: [steps]).isEmpty)
    try file.host(app).limitHistory(of: [steps], from: Trial.date(50.5))
    #expect(days(try await store.samples([steps])) == [5, 50, 70])
    // Lifted, and limited again.
    try file.host(app).limitHistory(of: [steps], from: nil)
    #expect(try await sum(store) == 63)
    #expect(try await store.earliestAuthorizedSampleDate(for: [steps]).isEmpty)
    try file.host(app).limitHistory(of: [steps], from: Trial.date(1000))
    #expect(days(try await store.samples([steps])) == [5])
    // An app that sees nothing but its own is no source of others.
    let sources = try await HKSourceQueryDescriptor(predicate: .sample(type: steps))
      .result(for: store)
    #expect(sources.map(\.bundleIdentifier) == [app])
  }

  @Test("A block of the app does not see what is hidden")
  func blocks() async throws {
    let file = try HealthFile()
    let (store, other) = (
      try await file.allowedStore(app), try await file.allowedStore("com.example.band")
    )
    try await other.save([Trial.steps(1, from: 10), Trial.steps(2, from: 60)])
    try file.host(app).limitHistory(of: [steps], from: Trial.date(50))
    let predicate = NSPredicate { object, _ in
      #expect((object as? HKSample)?.startDate == Trial.date(60))
      return true
    }
    #expect(days(try await store.samples([steps], predicate)) == [60])
  }

  @Test("The date is left out for types that the app may read in full, or not at all")
  func dates() async throws {
    let file = try HealthFile()
    let store = file.store { request in
      AuthorisationAnswer(
        share: [], read: [HKQuantityType(.stepCount), HKQuantityType(.heartRate)],
        earliest: [
          HKQuantityType(.stepCount): Trial.date(50), HKQuantityType(.bodyMass): Trial.date(7),
        ])
    }
    let asked: Set<HKObjectType> = [
      steps, rate, HKQuantityType(.bodyMass), HKCharacteristicType(.dateOfBirth),
    ]
    #expect(try await store.earliestAuthorizedSampleDate(for: asked).isEmpty)
    try await store.requestAuthorization(toShare: [], read: asked)
    #expect(try await store.earliestAuthorizedSampleDate(for: asked) == [steps: Trial.date(50)])
    #expect(try await store.earliestAuthorizedSampleDate(for: []).isEmpty)
    // The completion form says the same.
    let dates = try await withCheckedThrowingContinuation { continuation in
      store.getEarliestAuthorizedSampleDate(for: asked) { dates, error in
        if let dates {
          continuation.resume(returning: dates)
        } else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
        }
      }
    }
    #expect(dates == [steps: Trial.date(50)])
    // A correlation begins with the later of its types.
    let pressures: Set<HKSampleType> = [
      HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
    ]
    let all = try await file.allowedStore("com.example.all", pressures)
    let correlation = HKCorrelationType(.bloodPressure)
    try file.host("com.example.all").limitHistory(of: [correlation], from: Trial.date(3))
    try file.host("com.example.all").limitHistory(
      of: [HKQuantityType(.bloodPressureDiastolic)], from: Trial.date(4))
    #expect(
      try await all.earliestAuthorizedSampleDate(for: [correlation]) == [correlation: Trial.date(4)]
    )
    for (availability, code) in HealthFile.unavailable {
      let none = file.store(availability: availability)
      #expect(
        await healthError { _ = try await none.earliestAuthorizedSampleDate(for: asked) } == code)
    }
  }

  @Test("Anchored queries give what the limit lets through, and what it lets through later")
  func anchors() async throws {
    let file = try HealthFile()
    let (store, other) = (
      try await file.allowedStore(app), try await file.allowedStore("com.example.band")
    )
    let (old, new) = (Trial.steps(1, from: 10), Trial.steps(2, from: 60))
    try await other.save([old, new])
    try file.host(app).limitHistory(of: [steps], from: Trial.date(50))
    func changes(
      _ anchor: HKQueryAnchor?
    ) async throws -> HKAnchoredObjectQueryDescriptor<HKSample>.Result {
      try await HKAnchoredObjectQueryDescriptor(
        predicates: [.sample(type: steps)], anchor: anchor
      ).result(for: store)
    }
    let first = try await changes(nil)
    #expect(first.addedSamples == [new] && first.deletedObjects.isEmpty)
    let late = Trial.steps(3, from: 70)
    try await other.save([Trial.steps(4, from: 20), late])
    let second = try await changes(first.newAnchor)
    #expect(second.addedSamples == [late])
    // A deletion of the type is told as such, whether or not the app saw the sample.
    try await other.delete([old, new])
    #expect(
      Set(try await changes(second.newAnchor).deletedObjects.map(\.uuid)) == [old.uuid, new.uuid])
    try file.host(app).limitHistory(of: [steps], from: nil)
    #expect(days(try await changes(nil).addedSamples) == [20, 70])
  }

  @Test("Workouts, correlations and the statistics of workouts are limited, too")
  func elements() async throws {
    let file = try HealthFile()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let session = try owner.beginImport()
    func workout(_ start: Double) -> Workouts.Row {
      var row = Workouts.Row()
      row.activity = "HKWorkoutActivityTypeRunning"
      (row.facts.source, row.facts.start, row.facts.end) = (Source(name: "Watch"), start, start + 9)
      var statistics = Workouts.Statistics()
      (statistics.type, statistics.unit, statistics.average) = (rate.identifier, "count/s", 2)
      row.statistics = [statistics]
      return row
    }
    try session.add(.workouts(Workouts([workout(10), workout(45), workout(80)])))
    _ = try session.finish()
    let types: Set<HKSampleType> = [.workoutType(), rate]
    let store = try await file.allowedStore(app, types)
    func seen() async throws -> [[Double: Bool]] {
      try await store.samples([.workoutType()]).compactMap { $0 as? HKWorkout }.map {
        [$0.startDate.timeIntervalSinceReferenceDate: $0.statistics(for: rate) != nil]
      }
    }
    #expect(try await seen() == [[10: true], [45: true], [80: true]])
    try file.host(app).limitHistory(of: [rate], from: Trial.date(60))
    #expect(try await seen() == [[10: false], [45: false], [80: true]])
    try file.host(app).limitHistory(of: [.workoutType()], from: Trial.date(50))
    #expect(try await seen() == [[45: false], [80: true]])
    try file.host(app).limitHistory(of: types, from: nil)
    #expect(try await seen().count == 3)
  }

  @Test("A view that does not leave out rows itself shows none of a limited type")
  func otherViews() async throws {
    let file = try HealthFile()
    let (store, other) = (
      try await file.allowedStore(app), try await file.allowedStore("com.example.band")
    )
    try await other.save([Trial.steps(1, from: 10), Trial.steps(2, from: 60)])
    try await store.save(Trial.steps(4, from: 5))
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let view = try owner.reading(as: app)
    func count() throws -> Int { try view.types().reduce(0) { $0 + $1.count } }
    #expect(try count() == 3)
    try owner.limitHistory(of: app, types: [steps.identifier], from: Trial.date(50))
    #expect(try count() == 1 && owner.historyLimits(of: app) == [steps.identifier: Trial.date(50)])
    // A bundle identifier that begins like the app's is another app.
    #expect(try owner.historyLimits(of: app + "2").isEmpty)
    #expect(throws: StoreError.self) {
      try view.limitHistory(of: app, types: [steps.identifier], from: nil)
    }
    #expect(throws: StoreError.self) { try view.historyLimits(of: app) }
    try owner.limitHistory(of: app, types: [steps.identifier], from: nil)
    #expect(try count() == 3)
    try owner.verify()
  }
}
