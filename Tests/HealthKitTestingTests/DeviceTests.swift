import Foundation
import HealthKit
import HealthKitTesting
import Synchronization
import Testing

private let steps = HKQuantityType(.stepCount)
private let mass = HKQuantityType(.bodyMass)
private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

private func walk(_ count: Double = 100, at minutes: Double = 0) -> HKQuantitySample {
  HKQuantitySample(
    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
    start: start + 60 * minutes, end: start + 60 * minutes + 60)
}

private func count() async throws -> Int {
  try await HKSampleQueryDescriptor(
    predicates: [.quantitySample(type: steps)], sortDescriptors: []
  ).result(for: HKHealthStore()).count
}

private func code(_ body: () async throws -> Void) async -> HKError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? HKError)?.code
  }
}

/// What an observer query tells, and what completes it.
private final class Updates: Sendable {
  private let state = Mutex((count: 0, completions: [@Sendable () -> Void]()))
  private let completes: Bool

  init(completes: Bool) { self.completes = completes }

  var count: Int { state.withLock { $0.count } }

  /// Begins to observe, as an app does when it is launched.
  func observe() {
    HKHealthStore().execute(
      HKObserverQuery(sampleType: steps, predicate: nil) { [self] _, completion, error in
        guard error == nil else { return }
        state.withLock { $0.count += 1 }
        if completes { completion() }
      })
  }
}

@Suite("A device in a test", .healthStore(.authorised.clock(.manual(start))))
struct DeviceTests {
  private var store: TestHealthStore { .current }

  @Test("A locked device reads nothing, and keeps what is saved until it is unlocked")
  func lock() async throws {
    let band = store.otherApp("com.example.band")
    try await HKHealthStore().save(walk())
    store.lock()
    #expect(await code { _ = try await count() } == .errorDatabaseInaccessible)
    try await band.save(walk(at: 5))
    #expect(await code { _ = try await count() } == .errorDatabaseInaccessible)
    store.unlock()
    #expect(try await count() == 2)
    store.lock()
    try await HKHealthStore().save(walk(at: 20))
    store.unlock()
    #expect(try await count() == 3)
  }

  @Test("What is saved while locked enters under the permissions at unlocking")
  func lockAndRevoke() async throws {
    store.lock()
    try await HKHealthStore().save(walk())
    try store.revoke(steps)
    store.unlock()
    #expect(HKHealthStore().authorizationStatus(for: steps) == .sharingDenied)
    #expect(await code { try await HKHealthStore().save(walk(at: 5)) } == .errorAuthorizationDenied)
    let all = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)], sortDescriptors: []
    ).result(for: store.otherApp("com.example.band"))
    #expect(all.isEmpty)
  }

  @Test("What the store has already keeps nothing else of a locked save out")
  func lockAndRepeat() async throws {
    let (known, new) = (walk(), walk(at: 5))
    try await HKHealthStore().save(known)
    store.lock()
    try await HKHealthStore().save([known, new])
    store.unlock()
    #expect(try await count() == 2)
  }

  @Test("No save is lost or fails beside locking and unlocking")
  func lockRace() async throws {
    let times = 200
    async let toggled: Void = {
      for _ in 0..<times {
        store.lock()
        store.unlock()
        await Task.yield()
      }
    }()
    for place in 0..<times { try await HKHealthStore().save(walk(at: Double(place))) }
    await toggled
    store.unlock()
    await store.idle()
    #expect(try await count() == times)
  }

  @Test("The next calls fail as often as a test says, and nothing is saved", arguments: 1...3)
  func faults(times: Int) async throws {
    store.fail(next: .save, times: times, with: .errorDatabaseInaccessible)
    for place in 0..<times {
      let found = await code { try await HKHealthStore().save(walk(at: Double(place))) }
      #expect(found == .errorDatabaseInaccessible)
    }
    #expect(try await count() == 0)
    try await HKHealthStore().save(walk())
    store.fail(next: .query, with: .errorNoData)
    #expect(await code { _ = try await count() } == .errorNoData)
    #expect(try await count() == 1)
    store.fail(next: .characteristics, with: .errorHealthDataRestricted)
    #expect(
      await code { _ = try HKHealthStore().biologicalSex() } == .errorHealthDataRestricted)
    store.fail(next: .requestAuthorization, with: .errorUserCanceled)
    #expect(
      await code { try await HKHealthStore().requestAuthorization(toShare: [], read: [steps]) }
        == .errorUserCanceled)
  }

  @Test("A call waits for the clock, and the others do not wait for it")
  func delays() async throws {
    store.delay(next: .save, by: .seconds(30))
    let saved = Mutex(false)
    await confirmation { done in
      HKHealthStore().save(walk()) { success, _ in
        saved.withLock { $0 = success }
        done()
      }
      try? await HKHealthStore().save(walk(at: 5))
      await store.clock.advance(by: .seconds(29))
      #expect(!saved.withLock { $0 })
      await store.clock.advance(by: .seconds(1))
      #expect(saved.withLock { $0 })
    }
    #expect(try await count() == 2)
    #expect(store.clock.now == start + 30)
  }

  @Test("Calls are recorded with their objects and types, in their order")
  func calls() async throws {
    let sample = walk()
    try await HKHealthStore().save([sample])
    _ = try await count()
    try await HKHealthStore().delete(sample)
    #expect(store.calls.map(\.call) == [.save, .query, .delete])
    #expect(store.calls[0].objects == [sample] && store.calls[0].types == [steps])
    #expect(store.calls[1].query is HKSampleQuery)
    #expect(store.calls.allSatisfy { $0.app == "com.example.app" && $0.date == start })
  }

  @Test("After idle() every live query has seen the last change")
  func idle() async throws {
    let updates = Updates(completes: true)
    updates.observe()
    await store.idle()
    #expect(updates.count == 1)
    for place in 1...20 {
      try await store.otherApp("com.example.band").save(walk(at: Double(place)))
      await store.idle()
      #expect(updates.count == place + 1)
    }
  }

  @Test("An update that was not completed holds back the next by the clock, or until deliver()")
  func delivery() async throws {
    let updates = Updates(completes: false)
    try await HKHealthStore().enableBackgroundDelivery(for: steps, frequency: .immediate)
    updates.observe()
    await store.idle()
    let band = store.otherApp("com.example.band")
    try await band.save(walk(at: 1))
    await store.idle()
    #expect(updates.count == 2)
    try await band.save(walk(at: 2))
    await store.clock.advance(by: .seconds(59))
    #expect(updates.count == 2)
    await store.clock.advance(by: .seconds(1))
    #expect(updates.count == 3)
    try await band.save(walk(at: 3))
    await store.idle()
    #expect(updates.count == 3)
    await store.deliver()
    #expect(updates.count == 4)
  }

  @Test("After a relaunch old queries answer no more, and new ones do")
  func relaunch() async throws {
    let (old, new) = (Updates(completes: true), Updates(completes: true))
    old.observe()
    await store.relaunch()
    #expect(old.count == 1)
    new.observe()
    try await store.otherApp("com.example.band").save(walk(at: 1))
    await store.idle()
    #expect(old.count == 1 && new.count == 2)
    #expect(try await count() == 1)
  }

  @Test("Hourly background delivery brings what another app saved")
  func hourly() async throws {
    let updates = Updates(completes: true)
    try await HKHealthStore().enableBackgroundDelivery(for: steps, frequency: .hourly)
    updates.observe()
    await store.idle()
    try await store.otherApp("com.example.band").save(walk())
    await store.clock.advance(by: .seconds(3_600))
    #expect(updates.count == 2)
    #expect(store.clock.now == start + 3_600)
  }

  @Test("A limited history begins at its date, until it is shown in full")
  func history() async throws {
    try await store.otherApp("com.example.band").save([walk(), walk(at: 60)])
    try store.limitHistory(of: [steps], from: start + 1_800)
    #expect(try await count() == 1)
    #expect(
      try await HKHealthStore().earliestAuthorizedSampleDate(for: [steps, mass])
        == [steps: start + 1_800])
    try store.limitHistory(of: [steps], from: nil)
    #expect(try await count() == 2)
  }

  @Test("Medications and zones are what the person has now")
  func medications() async throws {
    let query = HKUserAnnotatedMedicationQueryDescriptor()
    #expect(try await query.result(for: HKHealthStore()).isEmpty)
    store.medications = [HealthHost.medication(named: "Aspirin")]
    try await HKHealthStore().requestPerObjectReadAuthorization(
      for: HKObjectType.userAnnotatedMedicationType(), predicate: nil)
    let found = try await query.result(for: HKHealthStore())
    #expect(found.map(\.medication.displayText) == ["Aspirin"])
    let heart = HKQuantityType(.heartRate)
    let unit = HKUnit.count().unitDivided(by: .minute())
    let zones = try HKWorkoutZoneConfiguration(
      quantityType: heart,
      zoneBoundaries: [120, 150].map { HKQuantity(unit: unit, doubleValue: $0) })
    store.workoutZones = [zones]
    let preferred = try await HKHealthStore().preferredWorkoutZoneConfiguration(for: heart)
    #expect(preferred?.zones.count == 3)
  }

  @Test("A live builder's own queries are no calls of the app")
  func liveBuilder() async throws {
    store.fail(next: .query, with: .errorNoData)
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    let session = try HKWorkoutSession(
      healthStore: HKHealthStore(), configuration: configuration)
    let builder = session.associatedWorkoutBuilder()
    builder.dataSource = HKLiveWorkoutDataSource(
      healthStore: HKHealthStore(), workoutConfiguration: configuration)
    session.startActivity(with: start)
    try await builder.beginCollection(at: start)
    await store.idle()
    #expect(!store.calls.contains { $0.call == .query })
    #expect(await code { _ = try await count() } == .errorNoData)
  }

  @Test("A query that waits is not ended by a delivery, and answers in its time")
  func delayedQuery() async throws {
    let updates = Updates(completes: true)
    store.delay(next: .query, by: .seconds(5))
    updates.observe()
    await store.deliver()
    #expect(updates.count == 0)
    await store.clock.advance(by: .seconds(5))
    #expect(updates.count == 1)
  }

  @Test("Time does not go back, and a year passes soon")
  func year() async throws {
    let updates = Updates(completes: false)
    try await HKHealthStore().enableBackgroundDelivery(for: steps, frequency: .immediate)
    updates.observe()
    await store.idle()
    for place in 1...4 {
      try await store.otherApp("com.example.band").save(walk(at: Double(place)))
      await store.clock.advance(by: .seconds(3_600))
    }
    await store.clock.advance(by: .seconds(365 * 86_400))
    let now = store.clock.now
    await store.clock.advance(by: .seconds(-60))
    #expect(store.clock.now == now && now == start + 365 * 86_400 + 4 * 3_600)
  }

  @Test("A workout session has the dates of the clock")
  func session() async throws {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    let session = try HKWorkoutSession(
      healthStore: HKHealthStore(), configuration: configuration)
    session.startActivity(with: nil)
    await store.clock.advance(by: .seconds(600))
    session.end()
    await store.idle()
    #expect(session.startDate == start && session.endDate == start + 600)
  }

  @Test(
    "2.14: A guest reads, and nothing is asked, saved or deleted",
    .healthStore(.denyingAll.device(.visionGuest)))
  func guest() async throws {
    try await HKHealthStore().requestAuthorization(toShare: [mass], read: [mass])
    #expect(HKHealthStore().authorizationStatus(for: mass) == .notDetermined)
    let sample = walk()
    #expect(
      await code { try await HKHealthStore().save(sample) } == .errorNotPermissibleForGuestUserMode)
    #expect(
      await code { try await HKHealthStore().delete(sample) }
        == .errorNotPermissibleForGuestUserMode)
  }

  @Test(
    "Of objects that need permission one by one the person shows none who denies",
    .healthStore(.denyingAll))
  func objects() async throws {
    let store = HKHealthStore()
    let type = HKObjectType.visionPrescriptionType()
    let lens = HKGlassesLensSpecification(
      sphere: HKQuantity(unit: .diopter(), doubleValue: 1), cylinder: nil, axis: nil, addPower: nil,
      vertexDistance: nil, prism: nil, farPupillaryDistance: nil, nearPupillaryDistance: nil)
    try await TestHealthStore.current.otherApp("com.example.optician").save(
      HKGlassesPrescription(
        rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: start,
        expirationDate: nil, device: nil, metadata: nil))
    try await store.requestPerObjectReadAuthorization(for: type, predicate: nil)
    let found = try? await HKSampleQueryDescriptor(
      predicates: [.sample(type: type)], sortDescriptors: []
    ).result(for: store)
    #expect(found?.isEmpty ?? true)
  }

  @Test("An iPad of iPadOS 16 has no health data", .healthStore(.authorised.device(.iPad16)))
  func iPad() async throws {
    #expect(!HKHealthStore.isHealthDataAvailable())
    #expect(await code { _ = try await count() } == .errorHealthDataUnavailable)
  }

  @Test(
    "K8: Without its entitlement a request fails",
    .healthStore(.allowingAll.entitlements(["com.apple.developer.healthkit"])))
  func entitlements() async throws {
    let store = HKHealthStore()
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    #expect(
      await code { try await store.enableBackgroundDelivery(for: steps, frequency: .hourly) }
        == .errorAuthorizationDenied)
    #expect(
      await code {
        try await store.requestAuthorization(toShare: [], read: [HKClinicalType(.labResultRecord)])
      } == .errorAuthorizationDenied)
  }

  @Test(
    "K8: Without the entitlement nothing can be asked", .healthStore(.allowingAll.entitlements([])))
  func noEntitlement() async throws {
    #expect(
      await code { try await HKHealthStore().requestAuthorization(toShare: [], read: [steps]) }
        == .errorAuthorizationDenied)
    #expect(HKHealthStore().authorizationStatus(for: steps) == .notDetermined)
  }

  @Test(
    "2.14: A required clinical type that is denied is an error",
    .healthStore(
      .allowing(share: [], read: [HKClinicalType(.allergyRecord)])
        .requiring([HKClinicalType(.allergyRecord), HKClinicalType(.labResultRecord)])))
  func required() async throws {
    let store = HKHealthStore()
    try await store.requestAuthorization(toShare: [], read: [HKClinicalType(.allergyRecord)])
    #expect(
      await code {
        try await store.requestAuthorization(
          toShare: [], read: [HKClinicalType(.allergyRecord), HKClinicalType(.labResultRecord)])
      } == .errorRequiredAuthorizationDenied)
  }

  @Test(
    "A request with its usage texts is asked",
    .healthStore(.allowingAll.infoPlist(["NSHealthShareUsageDescription": "Shows steps"])))
  func usage() async throws {
    try await HKHealthStore().requestAuthorization(toShare: [], read: [steps])
    #expect(throws: (any Error).self) {
      var host = HealthHost(environment: [:])
      host.usageTexts = ["NSHealthShareUsageDescription": "Shows steps"]
      try AuthorisationRequest.check(share: [steps], read: [], by: host)
    }
  }
}
