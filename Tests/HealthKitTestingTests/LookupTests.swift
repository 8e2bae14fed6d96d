import Foundation
import Synchronization
import Testing

@testable import HealthKit
@testable import HealthKitTesting

private let steps = HKQuantityType(.stepCount)

private func walk(_ count: Double, at seconds: Double = 0) -> HKQuantitySample {
  let start = Date(timeIntervalSinceReferenceDate: 700_000_000 + seconds)
  return HKQuantitySample(
    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: start,
    end: start.addingTimeInterval(60))
}

extension HKHealthStore {
  /// How many samples of steps the store has.
  fileprivate func count() async throws -> Int {
    try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)], sortDescriptors: []
    ).result(for: self).count
  }
}

/// The singleton of an app, which all its code calls.
private enum Manager {
  static let store = HKHealthStore()
}

/// Runs a body where no task-local is known, and waits for it.
private func detached<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: body()) }
  }
}

/// Runs a body in a process of its own, where the host that is no test's has a file at the path that
/// the body gets, and makes it with the first call.
private func withOwnHost(_ body: (String) async throws -> Void) async throws {
  let folder = try TestFolder()
  defer { folder.remove() }
  let path = folder.path + "/own.sqlite"
  HealthHost.current.path = path
  HealthHost.current.bundleIdentifier = "com.example.own"
  HealthHost.current.answer = { $0.allowed }
  try await body(path)
}

@Suite("Which store a call reaches", .healthStore(.authorised))
struct LookupTests {
  /// A property of the suite, made for each case of a test.
  private let own = HKHealthStore()

  @Test("1: A store of a host stays on it")
  func explicitHost() async throws {
    let other = TestHealthStore.current.otherApp("com.example.scale")
    try await other.save(walk(7))
    let sources = try await HKSourceQueryDescriptor(predicate: .quantitySample(type: steps))
      .result(for: other)
    #expect(sources.map(\.bundleIdentifier) == ["com.example.scale"])
    #expect(try await HKHealthStore().count() == 1)
  }

  @Test("2 (K16, 2.9, row 58): Tasks, groups and cases have their test's store", arguments: 0..<20)
  func taskLocal(number: Int) async throws {
    try await own.save(walk(Double(number)))
    try await Task { try await Manager.store.save(walk(1, at: 60)) }.value
    try await withThrowingTaskGroup { group in
      for place in 0..<number {
        group.addTask { try await Manager.store.save(walk(1, at: 120 + 60 * Double(place))) }
      }
      try await group.waitForAll()
    }
    async let count = Manager.store.count()
    #expect(try await count == number + 2)
    #expect(try await own.count() == number + 2)
  }

  @Test("3: A handler goes on in the test of its store", arguments: 0..<10)
  func handlers(number: Int) async throws {
    for place in 0..<number { try await own.save(walk(1, at: 60 * Double(place))) }
    let counted = await withCheckedContinuation { continuation in
      Manager.store.execute(
        HKSampleQuery(
          sampleType: steps, predicate: nil, limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { _, _, _ in
          Task { continuation.resume(returning: try? await Manager.store.count()) }
        })
    }
    #expect(counted == number)
    let saved = await withCheckedContinuation { continuation in
      Manager.store.save(walk(1, at: -60)) { _, _ in
        Task { continuation.resume(returning: try? await Manager.store.count()) }
      }
    }
    #expect(saved == number + 1)
  }

  @Test("4: A call of no task is for the test in which its store was made", arguments: 0..<10)
  func maker(number: Int) async throws {
    for place in 0..<number { try await own.save(walk(1, at: 60 * Double(place))) }
    let store = own
    #expect(try await Task.detached { try await store.count() }.value == number)
    let status = await detached { store.authorizationStatus(for: steps) }
    #expect(status == .sharingAuthorized)
  }

  @Test("A loop over results that is left handles no answer any more")
  func leftLoop() async throws {
    let scope = TestHealthStore.current.scope
    try await own.save(walk(1))
    let query = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: nil)
    for try await _ in query.results(for: own) {
      #expect(FileWork.of(scope.host.path).handled.clients == 1)
      break
    }
    #expect(FileWork.of(scope.host.path).handled.clients == 0)
    #expect(TestHealthStore.current.calls.last?.call == .query)
  }

  @Test(
    "A delay that only calls met which cannot wait is told, until one has it",
    .healthStore(.authorised.clock(.live)))
  func missedDelay() async throws {
    let test = TestHealthStore.current
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    let (builder, other) = (
      HKWorkoutBuilder(healthStore: own, configuration: configuration, device: nil),
      HKWorkoutBuilder(healthStore: own, configuration: configuration, device: nil)
    )
    let heart = HKQuantityType(.heartRate)
    let unit = HKUnit.count().unitDivided(by: .minute())
    let zones = try HKWorkoutZoneConfiguration(
      quantityType: heart,
      zoneBoundaries: [120, 150].map { HKQuantity(unit: unit, doubleValue: $0) })
    try await builder.setCustomZoneConfiguration(zones, for: heart)
    test.delay(next: .builder, by: .milliseconds(1))
    #expect(test.delayIssue == nil)
    other.discardWorkout()
    #expect(test.delayIssue?.contains("delay(next: .builder)") == true)
    #expect(try await builder.zoneConfiguration(for: heart)?.zones.count == 3)
    #expect(test.delayIssue == nil)
  }

  @Test("Objects have the app of their test as source", .healthStore(.allowingAll.app("b.c.own")))
  func sources() async throws {
    #expect(walk(1).sourceRevision.source.bundleIdentifier == "b.c.own")
    #expect(HKSource.default().bundleIdentifier == "b.c.own")
    #expect(HKHealthStore.isHealthDataAvailable())
    #expect(own.authorizationStatus(for: steps) == .notDetermined)
  }

  @Test("The innermost trait counts", .healthStore(.denyingAll))
  func innermost() async throws {
    try await own.requestAuthorization(toShare: [steps], read: [steps])
    #expect(own.authorizationStatus(for: steps) == .sharingDenied)
  }
}

@Suite("Tests alone", .healthStore(.authorised, exclusive: true))
struct ExclusiveTests {
  @Test("5: A call of no task is for the only test that runs", arguments: 0..<4)
  func only(number: Int) async throws {
    try await Manager.store.save(walk(1))
    let count = try await Task.detached { try await Manager.store.count() }.value
    #expect(count == 1)
  }
}

/// One value on a suite and on one in it.
private let twice = HealthStoreTrait.healthStore(.authorised, exclusive: true)

@Suite("A trait that stands twice", twice)
struct OuterTests {
  @Suite(twice)
  struct InnerTests {
    /// The limit is that of a test which waits for itself: this one runs after all that share the
    /// process, and on a slow machine these take long.
    @Test("One value on two suites is one store", twice, .timeLimit(.minutes(35)))
    func inner() async throws {
      try await HKHealthStore().save(walk(1))
      #expect(try await HKHealthStore().count() == 1)
    }
  }
}

@Suite("Without a test, and with several")
struct StrayTests {
  @Test("6: Where no test runs, the store is that of the current host")
  func none() async {
    await #expect(processExitsWith: .success) {
      try await withOwnHost { path in
        let store = HKHealthStore()
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        try await store.save(walk(1))
        precondition(FileManager.default.fileExists(atPath: path))
        let test = try HealthStoreSetup.authorised.begin("a test")
        try await store.save(walk(1))
        try await store.save(walk(1))
        let count = try await store.count()
        precondition(count == 2)
        test.end()
        let own = try await store.count()
        precondition(own == 1)
      }
    }
  }

  @Test("4: A call that comes after its test reaches neither another test nor the host")
  func late() async {
    await #expect(processExitsWith: .success) {
      try await withOwnHost { path in
        let first = try HealthStoreSetup.authorised.begin("first")
        let store = HKHealthStore()
        try await store.save(walk(1))
        first.end()
        for names in [[], ["second"], ["second", "third"]] {
          let tests = try names.map { try HealthStoreSetup.authorised.begin($0) }
          do {
            try await store.save(walk(1))
            preconditionFailure("the call reached a store")
          } catch let error as HKError {
            precondition(error.code == .errorHealthDataUnavailable)
            precondition(error.localizedDescription.contains("first has ended"))
          }
          precondition(store.authorizationStatus(for: steps) == .notDetermined)
          precondition(tests.allSatisfy { $0.calls.isEmpty })
          for test in tests { test.end() }
        }
        precondition(!FileManager.default.fileExists(atPath: path))
      }
    }
  }

  @Test("4: A late call of a shared store fails where no test runs, and is told where one does")
  func lateShared() async {
    await #expect(processExitsWith: .success) {
      try await withOwnHost { path in
        let first = try HealthStoreSetup.authorised.begin("first")
        let store = HKHealthStore()
        try await store.save(walk(1))
        let second = try HealthStoreSetup.authorised.begin("second")
        try await HealthScope.$current.withValue(second.scope) { try await store.save(walk(1)) }
        precondition(!first.scope.hasStrayed && !second.scope.hasStrayed)
        first.end()
        second.end()
        let late = await code { try await store.save(walk(1)) }
        precondition(late == .errorHealthDataUnavailable)
        precondition(!FileManager.default.fileExists(atPath: path))
        for isAlone in [false, true] {
          let third = try HealthStoreSetup.authorised.begin("third", isAlone: isAlone)
          try await HealthScope.$current.withValue(third.scope) { try await store.save(walk(1)) }
          precondition(!third.scope.hasStrayed)
          try await store.save(walk(1))
          precondition(third.scope.hasStrayed == !isAlone)
          third.end()
        }
      }
    }
  }

  @Test("5: A test alone has the calls of no task, also of a singleton that an earlier one made")
  func alone() async {
    await #expect(processExitsWith: .success) {
      for number in 1...3 {
        let test = try HealthStoreSetup.authorised.begin("\(number)", isAlone: true)
        try await Manager.store.save(walk(1))
        let count = try await Manager.store.count()
        precondition(count == 1 && test.calls.count == 2)
        test.end()
      }
    }
  }

  @Test("A call that a test delays does not wait in a test that has ended")
  func lateDelay() async throws {
    let test = try HealthStoreSetup.authorised.begin("ended")
    let store = test.otherApp("com.example.other")
    test.delay(next: .save, by: .seconds(1))
    test.end()
    let error = await #expect(throws: HKError.self) { try await store.save(walk(1)) }
    #expect(error?.code == .errorHealthDataUnavailable)
  }

  @Test("7: A call that could be for several tests traps, and names them")
  func several() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = HKHealthStore()
      let tests = try ["first", "second"].map { try HealthStoreSetup.authorised.begin($0) }
      defer { for test in tests { test.end() } }
      _ = store.authorizationStatus(for: steps)
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains(#""first", "second""#))
    #expect(words.contains(".healthStore(exclusive: true)"))
  }

  @Test("A test without a store does not get that of the only one with a store")
  func without() async {
    await #expect(processExitsWith: .success) {
      HealthHost.current.bundleIdentifier = "com.example.own"
      let own = HKHealthStore()
      let test = try HealthStoreSetup.authorised.begin("a test")
      defer { test.end() }
      precondition(HKSource.default().bundleIdentifier == "com.example.app")
      precondition(own.authorizationStatus(for: steps) == .sharingAuthorized)
      HealthScope.isTask.withLock { $0 = { true } }
      precondition(HKSource.default().bundleIdentifier == "com.example.own")
      HealthHost.current.availability = .unavailable
      precondition(!HKHealthStore.isHealthDataAvailable())
      precondition(HKHealthStore().authorizationStatus(for: steps) == .notDetermined)
    }
  }

  @Test("The calls that a test names are those that the store knows")
  func kinds() {
    #expect(Call.allCases.map(\.rawValue) == HealthCall.Kind.allCases.map(\.rawValue))
  }

  @Test("Nothing is left of a test's store, whatever still runs", arguments: 0..<20)
  func leaves(number: Int) async throws {
    let test = try HealthStoreSetup.authorised.begin("leaves")
    let path = test.scope.host.path
    let store = test.otherApp("com.example.other")
    for place in 0..<number { store.save(walk(1, at: Double(60 * place))) { _, _ in } }
    test.end()
    await test.idle()
    let folder = (path as NSString).deletingLastPathComponent
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("A store of a test that has ended answers with an error")
  func ended() async throws {
    let test = try HealthStoreSetup.authorised.begin("ended")
    let store = test.otherApp("com.example.other")
    try await store.save(walk(1))
    test.end()
    let error = await #expect(throws: HKError.self) { try await store.count() }
    #expect(error?.code == .errorHealthDataUnavailable)
    #expect(error?.localizedDescription.contains("ended") == true)
  }
}
