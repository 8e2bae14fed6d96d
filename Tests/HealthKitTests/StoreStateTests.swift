import Foundation
import HealthQuery
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

/// A host without health data, and a store that is locked.
@Suite struct StoreStateTests {
  private static let steps = HKQuantityType(.stepCount)
  private static let mass = HKQuantityType(.bodyMass)
  private static let passphrase = "between us"

  private typealias Call = @Sendable (HKHealthStore) async throws -> Void

  /// Executes a query whose handler gets an error.
  private static func ask(
    _ store: HKHealthStore,
    _ make: (@escaping @Sendable ((any Error)?) -> Void) -> HKQuery
  ) async throws {
    let isDone = Atomic(false)
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      store.execute(
        make { error in
          guard !isDone.exchange(true, ordering: .relaxed) else { return }
          if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        })
    }
  }

  /// Calls that need the store, by the name of the method or query.
  private static let calls: [(name: String, call: Call)] = [
    ("requestAuthorization", { try await $0.requestAuthorization(toShare: [], read: [steps]) }),
    (
      "statusForAuthorizationRequest",
      { _ = try await $0.statusForAuthorizationRequest(toShare: [], read: [steps]) }
    ),
    ("delete", { try await $0.delete(Trial.steps()) }),
    ("delete several", { try await $0.delete([Trial.steps(), Trial.mass(70)]) }),
    ("delete none", { try await $0.delete([]) }),
    (
      "deleteObjects",
      { _ = try await $0.deleteObjects(of: steps, predicate: NSPredicate(value: true)) }
    ),
    ("biologicalSex", { _ = try $0.biologicalSex() }),
    ("bloodType", { _ = try $0.bloodType() }),
    ("fitzpatrickSkinType", { _ = try $0.fitzpatrickSkinType() }),
    ("wheelchairUse", { _ = try $0.wheelchairUse() }),
    ("activityMoveMode", { _ = try $0.activityMoveMode() }),
    ("dateOfBirthComponents", { _ = try $0.dateOfBirthComponents() }),
    ("preferredUnits", { _ = try await $0.preferredUnits(for: [steps]) }),
    (
      "enableBackgroundDelivery",
      { try await $0.enableBackgroundDelivery(for: steps, frequency: .daily) }
    ),
    ("disableBackgroundDelivery", { try await $0.disableBackgroundDelivery(for: steps) }),
    ("disableAllBackgroundDelivery", { try await $0.disableAllBackgroundDelivery() }),
    ("handleAuthorizationForExtension", { try await $0.handleAuthorizationForExtension() }),
    (
      "recalibrateEstimates",
      { try await $0.recalibrateEstimates(sampleType: steps, date: Trial.date(0)) }
    ),
    ("startWatchApp", { try await $0.startWatchApp(toHandle: HKWorkoutConfiguration()) }),
    (
      "splitTotalEnergy",
      { store in
        try await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<Void, any Error>) in
          store.splitTotalEnergy(
            HKQuantity(unit: .kilocalorie(), doubleValue: 1), start: Trial.date(0),
            end: Trial.date(1)
          ) { _, _, error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
          }
        }
      }
    ),
    (
      "HKSampleQuery",
      { store in
        try await ask(store) { answer in
          HKSampleQuery(
            sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil
          ) { _, _, error in answer(error) }
        }
      }
    ),
    (
      "HKSourceQuery",
      { store in
        try await ask(store) { answer in
          HKSourceQuery(sampleType: steps, samplePredicate: nil) { _, _, error in answer(error) }
        }
      }
    ),
    (
      "HKStatisticsQuery",
      { store in
        try await ask(store) { answer in
          HKStatisticsQuery(quantityType: steps, quantitySamplePredicate: nil) { _, _, error in
            answer(error)
          }
        }
      }
    ),
    (
      "HKStatisticsCollectionQuery",
      { store in
        try await ask(store) { answer in
          let query = HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: nil, anchorDate: Trial.date(0),
            intervalComponents: DateComponents(day: 1))
          query.initialResultsHandler = { _, _, error in answer(error) }
          query.statisticsUpdateHandler = { _, _, _, _ in }
          return query
        }
      }
    ),
    (
      "HKAnchoredObjectQuery",
      { store in
        try await ask(store) { answer in
          HKAnchoredObjectQuery(type: steps, predicate: nil, anchor: nil, limit: 1) {
            _, _, _, _, error in answer(error)
          }
        }
      }
    ),
    (
      "HKObserverQuery",
      { store in
        try await ask(store) { answer in
          HKObserverQuery(sampleType: steps, predicate: nil) { _, _, error in answer(error) }
        }
      }
    ),
  ]

  /// More of them, about summaries, series, documents and workouts.
  private static let moreCalls: [(name: String, call: Call)] = [
    (
      "HKActivitySummaryQueryDescriptor",
      { _ = try await HKActivitySummaryQueryDescriptor(predicate: nil).result(for: $0) }
    ),
    (
      "HKQuantitySeriesSampleQueryDescriptor",
      { store in
        let descriptor = HKQuantitySeriesSampleQueryDescriptor(
          predicate: .quantitySample(type: steps))
        for try await _ in descriptor.results(for: store) {}
      }
    ),
    (
      "HKDocumentQuery",
      { store in
        try await ask(store) { answer in
          HKDocumentQuery(
            documentType: HKDocumentType(.CDA), predicate: nil, limit: 1, sortDescriptors: nil,
            includeDocumentData: false
          ) { _, _, _, error in answer(error) }
        }
      }
    ),
    (
      "finishWorkout",
      { store in
        let builder = HKWorkoutBuilder(
          healthStore: store, configuration: HKWorkoutConfiguration(), device: nil)
        try await builder.beginCollection(at: Trial.date(0))
        try await builder.endCollection(at: Trial.date(1))
        _ = try await builder.finishWorkout()
      }
    ),
  ]

  private static let saves: [(name: String, call: Call)] = [
    ("save", { try await $0.save(Trial.steps()) }),
    ("save several", { try await $0.save([Trial.steps(), Trial.mass(70)]) }),
    ("save none", { try await $0.save([]) }),
  ]

  @Test(
    "Every method and query fails if the host makes health data unavailable or restricted",
    arguments: HealthFile.unavailable)
  func states(_ availability: HealthHost.Availability, _ code: HKError.Code) async throws {
    let file = try HealthFile()
    let store = file.store(availability: availability)
    for (name, call) in Self.calls + Self.moreCalls + Self.saves {
      #expect(await healthError { try await call(store) } == code, "\(name)")
    }
    #expect(store.authorizationStatus(for: Self.steps) == .notDetermined)
    #expect(!store.supportsHealthRecords())
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  /// Encrypts a file, uses a store of it, and locks it; `false` on a machine that cannot keep keys.
  private func locked(
    _ file: HealthFile, _ used: HKHealthStore, _ types: Set<HKSampleType> = [steps, mass]
  ) async throws -> Bool {
    try SampleStore.encrypt(path: file.path, passphrase: Self.passphrase)
    do throws(StoreError) {
      try SampleStore.unlock(path: file.path, key: .passphrase(Self.passphrase))
    } catch {
      #expect(error.reason == .noKeyPlace)
      return false
    }
    try await used.requestAuthorization(
      toShare: types, read: types.filter { !($0 is HKPrescriptionType) })
    try SampleStore.lock(path: file.path)
    return true
  }

  @Test("While the store is locked every method and query except save fails: inaccessible")
  func inaccessible() async throws {
    let file = try HealthFile()
    let used = file.store()
    guard try await locked(file, used) else { return }
    for store in [used, file.store(), file.store("com.example.other")] {
      for (name, call) in Self.calls + Self.moreCalls {
        #expect(
          await healthError { try await call(store) } == .errorDatabaseInaccessible, "\(name)")
      }
    }
    // What the app may do is what the process knew before; another one does not know it.
    #expect(used.authorizationStatus(for: Self.steps) == .sharingAuthorized)
    #expect(file.store().authorizationStatus(for: Self.steps) == .notDetermined)
  }

  @Test("Samples that are saved while the store is locked have their UUIDs when it is unlocked")
  func journal() async throws {
    let file = try HealthFile()
    let used = file.store()
    guard try await locked(file, used) else { return }
    let other = file.store()
    let samples = [
      Trial.steps(1, from: 10),
      Trial.steps(2, from: 20, metadata: [HKMetadataKeyWasUserEntered: true]),
      Trial.steps(3, from: 30),
    ]
    try await used.save(samples[0])
    try await other.save(Array(samples.suffix(2)))
    let journal = try Data(contentsOf: URL(fileURLWithPath: file.path + "-saved"))
    #expect(journal.range(of: Data(samples[0].uuid.uuidString.utf8)) == nil)
    try SampleStore.unlock(path: file.path, key: .passphrase(Self.passphrase))
    defer { try? SampleStore.lock(path: file.path) }
    let read = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: Self.steps)], sortDescriptors: []
    ).result(for: used)
    #expect(read.map(\.uuid) == samples.map(\.uuid) && read == samples)
    #expect(read.allSatisfy { $0.sourceRevision.source.bundleIdentifier == "com.example.diary" })
    #expect(read[1].metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
    #expect(!FileManager.default.fileExists(atPath: file.path + "-saved"))
  }

  @Test(
    "Samples of every class that are saved while the store is locked are in it when it is unlocked")
  func journalOfObjects() async throws {
    let file = try HealthFile()
    let used = file.store()
    guard try await locked(file, used, RandomObjects.permitted) else { return }
    var random = RandomObjects(seed: 21)
    let objects = (0..<40).map { _ in random.object() }
    for place in stride(from: 0, to: 40, by: 10) {
      try await used.save(Array(objects[place..<place + 10]))
    }
    // The journal twice, as after a crash before its deletion: each sample is saved once.
    let journal = try Data(contentsOf: URL(fileURLWithPath: file.path + "-saved"))
    for _ in 0..<2 {
      try SampleStore.unlock(path: file.path, key: .passphrase(Self.passphrase))
      let found = try await used.samples(RandomObjects.types)
      #expect(found.map(\.words).sorted() == objects.map(\.words).sorted())
      #expect(Set(found.map(\.uuid)) == Set(objects.map(\.uuid)))
      try file.verify()
      try SampleStore.lock(path: file.path)
      try journal.write(to: URL(fileURLWithPath: file.path + "-saved"))
    }
  }

  @Test("A series is saved while the store is locked, and a workout can be finished afterwards")
  func builders() async throws {
    let file = try HealthFile()
    let used = file.store()
    guard try await locked(file, used) else { return }
    let series = HKQuantitySeriesSampleBuilder(
      healthStore: used, quantityType: Self.steps, startDate: Trial.date(0), device: nil)
    for second in [1.0, 2] {
      try series.insert(HKQuantity(unit: .count(), doubleValue: second), at: Trial.date(second))
    }
    let samples = try await series.finishSeries(metadata: nil)
    let builder = HKWorkoutBuilder(
      healthStore: used, configuration: HKWorkoutConfiguration(), device: nil)
    try await builder.beginCollection(at: Trial.date(0))
    let added = Trial.steps(5, from: 3)
    try await builder.addSamples([added])
    try await builder.endCollection(at: Trial.date(10))
    #expect(
      await healthError { _ = try await builder.finishWorkout() } == .errorDatabaseInaccessible)
    try SampleStore.unlock(path: file.path, key: .passphrase(Self.passphrase))
    defer { try? SampleStore.lock(path: file.path) }
    #expect(Set(try file.rows(.stepCount)) == Set(samples + [added]))
    try await used.requestAuthorization(
      toShare: [HKObjectType.workoutType()], read: [HKObjectType.workoutType()])
    let workout = try #require(try await builder.finishWorkout())
    #expect(
      workout.statistics(for: Self.steps)?.sumQuantity()?.doubleValue(for: .count()) == 5)
  }

  @Test("Heartbeats of a finished workout wait for the store to be unlocked, and are saved once")
  func heartbeats() async throws {
    let file = try HealthFile()
    let used = file.store()
    let types: Set<HKSampleType> = [.workoutType(), HKSeriesType.heartbeat()]
    guard try await locked(file, used, types) else { return }
    try SampleStore.unlock(path: file.path, key: .passphrase(Self.passphrase))
    let builder = HKWorkoutBuilder(
      healthStore: used, configuration: HKWorkoutConfiguration(), device: nil)
    try await builder.beginCollection(at: Trial.date(0))
    let series = try #require(
      builder.seriesBuilder(for: .heartbeat()) as? HKHeartbeatSeriesBuilder)
    try await series.addHeartbeat(at: 1, precededByGap: false)
    try await builder.endCollection(at: Trial.date(10))
    let workout = try #require(try await builder.finishWorkout())
    try SampleStore.lock(path: file.path)
    #expect(
      await healthError { _ = try await series.finishSeries() } == .errorDatabaseInaccessible)
    try SampleStore.unlock(path: file.path, key: .passphrase(Self.passphrase))
    defer { try? SampleStore.lock(path: file.path) }
    let saved = try await series.finishSeries()
    for predicate in [nil, HKQuery.predicateForObjects(from: workout)] {
      let found = try await HKSampleQueryDescriptor(
        predicates: [.heartbeatSeries(predicate)], sortDescriptors: []
      ).result(for: used)
      #expect(found == [saved])
    }
  }

  @Test("Unlocking drops the samples that an app may not save, and keeps the others")
  func journalOfStrangers() async throws {
    let file = try HealthFile()
    let used = file.store()
    guard try await locked(file, used) else { return }
    // In a process that has read its permissions the save fails at once.
    #expect(
      await healthError { try await used.save(Trial.sleep(.inBed)) }
        == .errorAuthorizationNotDetermined)
    let stranger = file.store("com.example.stranger")
    try await stranger.save(Trial.steps(7))
    let own = Trial.steps(8)
    try await used.save(own)
    try SampleStore.unlock(path: file.path, key: .passphrase(Self.passphrase))
    #expect(try file.rows(.stepCount) == [own])
    try SampleStore.lock(path: file.path)
  }

  @Test("A delete while the store is locked fails, and deletes nothing later")
  func lockedDelete() async throws {
    let file = try HealthFile()
    let used = try await file.allowedStore()
    let sample = Trial.steps(1)
    try await used.save(sample)
    let path = file.folder.path + "/copy.sqlite"
    try SampleStore(path: file.path, mode: .readOnly).backUp(to: path)
    try SampleStore.encrypt(path: path, passphrase: Self.passphrase)
    var host = file.host()
    host.path = path
    let store = HKHealthStore(host: host)
    #expect(await healthError { try await store.delete(sample) } == .errorDatabaseInaccessible)
    try SampleStore.decrypt(path: path, key: .passphrase(Self.passphrase))
    let rows = try SampleStore(path: path, mode: .readOnly)
      .records(.init(types: [Self.steps.core]))
    #expect(rows.map(\.count) == [1])
  }
}
