import Foundation
import HealthSamples
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

/// A clock that a test sets.
final class TrialClock: Sendable {
  private let seconds: Mutex<Double>

  init(_ second: Double = 1000) { seconds = Mutex(second) }

  var date: Date { Trial.date(seconds.withLock { $0 }) }

  func set(_ second: Double) { seconds.withLock { $0 = second } }
  func move(_ more: Double) { seconds.withLock { $0 += more } }
}

extension HealthFile {
  /// A store of an app by the clock of the test.
  func store(_ app: String = "com.example.diary", clock: TrialClock) -> HKHealthStore {
    var host = host(app)
    host.now = { clock.date }
    return HKHealthStore(host: host)
  }
}

/// The calls of an observer's handler.
final class ObserverCalls: Sendable {
  typealias Completion = @Sendable () -> Void

  private struct State: @unchecked Sendable {
    var types: [Set<HKSampleType>?] = []
    var completions: [HKObserverQueryCompletionHandler] = []
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.types.count } }
  var last: Set<HKSampleType>? { state.withLock { $0.types.last ?? nil } }

  /// Calls the completion handler of a call.
  func complete(_ index: Int) { state.withLock { $0.completions[index] }() }

  /// An observer of types that completes the calls for which a body is true.
  func observer(
    of types: [HKSampleType], completing: @escaping @Sendable (Int) -> Bool
  ) -> HKObserverQuery {
    HKObserverQuery(
      queryDescriptors: types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
    ) { [self] _, types, completion, error in
      #expect(error == nil)
      let index = state.withLock { state in
        state.types.append(types)
        state.completions.append(completion)
        return state.types.count - 1
      }
      if completing(index) { completion() }
    }
  }

  /// Starts such an observer, and waits for its first call.
  func start(
    _ types: [HKSampleType], in store: HKHealthStore,
    completing: @escaping @Sendable (Int) -> Bool
  ) async throws -> HKObserverQuery {
    let query = observer(of: types, completing: completing)
    store.execute(query)
    try await eventually("the first call") { count == 1 }
    return query
  }
}

/// Polls a condition, for at most ten minutes: a machine may be busy with other tests.
func eventually(
  _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () throws -> Bool
) async throws {
  // Another process may wait for this one, whose tests leave it no thread for minutes.
  for _ in 0..<60_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record(comment, sourceLocation: sourceLocation)
}

@Suite struct StoreDeliveryTests {
  private let steps = HKQuantityType(.stepCount)
  private let mass = HKQuantityType(.bodyMass)
  private let app = "com.example.diary"

  private func owner(_ file: HealthFile) throws -> SampleStore {
    try SampleStore(path: file.path, mode: .readWrite)
  }

  /// A store of the app with a clock that the test moves.
  private func store(_ file: HealthFile, _ clock: TrialClock) async throws -> HKHealthStore {
    let store = file.store(app, clock: clock)
    try await store.requestAuthorization(toShare: [steps, mass], read: [steps, mass])
    return store
  }

  /// Waits long enough for an update that must not come.
  private func settle() async throws { try await Task.sleep(for: .milliseconds(200)) }

  @Test("Background delivery is kept in the store, per app, type and frequency")
  func kept() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore(app)
    let other = try await file.allowedStore("com.example.other")
    try await store.enableBackgroundDelivery(for: steps, frequency: .hourly)
    try await store.enableBackgroundDelivery(for: mass, frequency: .immediate)
    try await store.enableBackgroundDelivery(for: mass, frequency: .weekly)
    try await other.enableBackgroundDelivery(for: mass, frequency: .daily)
    func kept(_ store: SampleStore) throws -> [String: DeliveryFrequency] {
      Dictionary(
        uniqueKeysWithValues: try store.deliveries().map { ("\($0.app) \($0.type)", $0.frequency) })
    }
    let all: [String: DeliveryFrequency] = [
      "\(app) \(steps.identifier)": .hourly, "\(app) \(mass.identifier)": .weekly,
      "com.example.other \(mass.identifier)": .daily,
    ]
    let owner = try owner(file)
    #expect(try kept(owner) == all)
    #expect(try kept(owner.reading(as: app)).count == 2)

    // A backup has the same deliveries.
    let copy = file.folder.path + "/copy.sqlite"
    try owner.backUp(to: copy)
    #expect(try kept(SampleStore(path: copy, mode: .readOnly)) == all)
    try owner.verify()

    try await store.disableBackgroundDelivery(for: steps)
    #expect(try owner.deliveries(of: app).map(\.type) == [mass.identifier])
    try await store.disableAllBackgroundDelivery()
    #expect(try owner.deliveries().map(\.app) == ["com.example.other"])
    try owner.verify()
  }

  @Test(
    "Background delivery fails for correlations, and for types without a request for permission")
  func refused() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    #expect(
      await healthError {
        try await store.enableBackgroundDelivery(for: HKQuantityType(.height), frequency: .daily)
      } == .errorAuthorizationNotDetermined)
    let pressure = HKCorrelationType(.bloodPressure)
    try owner(file).authorise(app, type: pressure.identifier, read: .authorised)
    #expect(
      await healthError {
        try await store.enableBackgroundDelivery(for: pressure, frequency: .daily)
      } == .errorInvalidArgument)
    #expect(try owner(file).deliveries().isEmpty)
  }

  @Test("Each running observer of the type is called at once")
  func running() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore(app)
    let other = try await file.allowedStore("com.example.other")
    try await store.enableBackgroundDelivery(for: steps, frequency: .weekly)
    let calls = (0..<2).map { _ in ObserverCalls() }
    let queries = calls.map { $0.observer(of: [steps]) { _ in true } }
    for query in queries { store.execute(query) }
    try await eventually("the first calls") { calls.allSatisfy { $0.count == 1 } }
    for number in 2...4 {
      try await other.save(Trial.steps(Double(number)))
      try await eventually("the update") { calls.allSatisfy { $0.count == number } }
    }
    try await eventually("no pending delivery") { try owner(file).pendingDeliveries().isEmpty }
    #expect(try owner(file).deliveries().first?.failures == 0)
    for query in queries { store.stop(query) }
  }

  @Test(
    "Without the completion handler the next update follows after a minute, then ten, then never"
  )
  func backingOff() async throws {
    let file = try HealthFile()
    let clock = TrialClock()
    let store = try await store(file, clock)
    let other = try await file.allowedStore("com.example.other")
    try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    let calls = ObserverCalls()
    let query = try await calls.start([steps, mass], in: store) { $0 == 0 }

    for (number, pause) in [(2, 60.0), (3, 600)] {
      try await other.save(Trial.steps(1))
      try await eventually("the update") { calls.count == number }
      clock.move(pause - 1)
      try await other.save(Trial.steps(2))
      try await settle()
      #expect(calls.count == number)
      clock.move(2)
      // The next save triggers the check; with the system's clock a timer does.
    }
    try await other.save(Trial.steps(3))
    try await eventually("the third update") { calls.count == 4 }
    #expect(try owner(file).deliveries().first?.isStopped == true)
    clock.move(1e7)
    try await other.save(Trial.steps(4))
    try await settle()
    #expect(calls.count == 4)

    // Enabling it again resets the failures.
    try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    try await other.save(Trial.steps(5))
    try await eventually("the next update") { calls.count == 5 }
    #expect(calls.last == [steps])
    store.stop(query)
  }

  @Test("A late call of the completion handler releases the pending update")
  func lateCompletion() async throws {
    let file = try HealthFile()
    let store = try await store(file, TrialClock())
    let other = try await file.allowedStore("com.example.other")
    try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    let calls = ObserverCalls()
    let query = try await calls.start([steps], in: store) { _ in false }
    try await other.save(Trial.steps(1))
    try await eventually("the update") { calls.count == 2 }
    try await other.save(Trial.steps(2))
    try await settle()
    #expect(calls.count == 2)
    calls.complete(1)
    try await eventually("the pending update") { calls.count == 3 }
    calls.complete(2)
    try await eventually("no pending delivery") { try owner(file).pendingDeliveries().isEmpty }
    store.stop(query)
  }

  @Test("An observer of a type without background delivery needs no completion handler")
  func withoutDelivery() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore(app)
    let calls = ObserverCalls()
    let query = try await calls.start([steps], in: store) { _ in false }
    for number in 2...6 {
      try await store.save(Trial.steps(Double(number)))
      try await eventually("the update") { calls.count == number }
    }
    store.stop(query)
  }

  @Test("Updates of an app that does not run wait for its first observer")
  func nextStart() async throws {
    let file = try HealthFile()
    let first = try await file.allowedStore(app)
    let other = try await file.allowedStore("com.example.other")
    try await first.enableBackgroundDelivery(for: steps, frequency: .immediate)
    #expect(try owner(file).pendingDeliveries().isEmpty)
    try await other.save([Trial.steps(1), Trial.mass(70)])
    #expect(try owner(file).pendingDeliveries().map(\.delivery.type) == [steps.identifier])

    let calls = ObserverCalls()
    let second = file.store(app)
    let query = try await calls.start([steps], in: second) { _ in false }
    #expect(calls.last == [steps])
    #expect(try owner(file).pendingDeliveries().count == 1)
    calls.complete(0)
    try await eventually("no pending delivery") { try owner(file).pendingDeliveries().isEmpty }
    second.stop(query)
  }

  @Test("Changes that the app may not read are not delivered; its own samples and deletions are")
  func visibility() async throws {
    let file = try HealthFile()
    let store = file.store(app) { AuthorisationAnswer(share: $0.share, read: []) }
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    let other = try await file.allowedStore("com.example.other")
    try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    try await other.save(Trial.steps(1))
    #expect(try owner(file).pendingDeliveries().isEmpty)
    let own = Trial.steps(2)
    try await store.save(own)
    let saved = try #require(try owner(file).pendingDeliveries().first)
    try owner(file).completeDelivery(of: nil, to: app, upTo: saved.change)
    #expect(try owner(file).pendingDeliveries().isEmpty)
    try await store.delete(own)
    #expect(try owner(file).pendingDeliveries().count == 1)
  }

  @Test(
    "The pause between updates is the longer of the frequency's period and the back-off",
    arguments: [0, 1, 2, 3])
  func frequencies(_ failures: Int) throws {
    let file = try HealthFile()
    let owner = try owner(file)
    let periods: [(HKUpdateFrequency, Double)] = [
      (.immediate, 0), (.hourly, 3600), (.daily, 24 * 3600), (.weekly, 7 * 24 * 3600),
    ]
    for (frequency, period) in periods {
      let kept = try #require(DeliveryFrequency(rawValue: frequency.rawValue))
      try owner.enableDelivery(of: steps.identifier, to: "app\(frequency.rawValue)", kept)
      try owner.authorise(
        "app\(frequency.rawValue)", type: steps.identifier, read: .authorised)
      try owner.save([
        NewSample(
          type: steps.core, source: Source(name: "a"), start: period, end: period, value: 1,
          label: "")
      ])
      var now = 5000.0
      for _ in 0..<max(1, failures) {
        let pending = try owner.pendingDeliveries(of: "app\(frequency.rawValue)")
        #expect(try owner.claim(pending, now: now).count == 1)
        // A second process with the same list finds the updates claimed.
        #expect(try owner.claim(pending, now: now).isEmpty)
        now += 10_000_000
      }
      now -= 10_000_000
      if failures == 0 {
        try owner.completeDelivery(of: nil, to: "app\(frequency.rawValue)", upTo: 1_000)
        try owner.save([
          NewSample(
            type: steps.core, source: Source(name: "a"), start: 1, end: 1, value: period, label: "")
        ])
        #expect(try owner.pendingDeliveries(of: "app\(frequency.rawValue)").isEmpty)
        continue
      }
      let pending = try #require(
        try owner.pendingDeliveries(of: "app\(frequency.rawValue)").first)
      let pauses = [1: 60.0, 2: 600]
      guard let pause = pauses[failures] else {
        #expect(!pending.isDue(at: .infinity))
        continue
      }
      #expect(pending.isDue(at: now + max(period, pause)))
      #expect(!pending.isDue(at: now + max(period, pause) - 1))
    }
    try owner.verify()
  }
}
