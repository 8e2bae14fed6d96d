import Foundation
import HealthSamples
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

/// A clock that a test moves.
final class TrialClock: Sendable {
  private let seconds = Mutex(1000.0)

  var date: Date { Trial.date(seconds.withLock { $0 }) }

  func move(_ more: Double) { seconds.withLock { $0 += more } }
}

/// The calls of the handler of an observer.
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
}

/// Waits until something is so, up to ten seconds.
func eventually(
  _ words: Comment, sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () throws -> Bool
) async throws {
  for _ in 0..<1000 {
    if try isSo() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record(words, sourceLocation: sourceLocation)
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
    var host = file.host(app)
    host.now = { clock.date }
    let store = HKHealthStore(host: host)
    try await store.requestAuthorization(toShare: [steps, mass], read: [steps, mass])
    return store
  }

  /// A time in which an update would have come.
  private func pass() async throws { try await Task.sleep(for: .milliseconds(200)) }

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

    // In a copy as well, and nothing is damaged.
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

  @Test("Background delivery of a type that was never asked for fails, and that of correlations")
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

  @Test("Running processes are reached at once, each observer of the type")
  func running() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore(app)
    let other = try await file.allowedStore("com.example.other")
    try await store.enableBackgroundDelivery(for: steps, frequency: .weekly)
    let calls = (0..<2).map { _ in ObserverCalls() }
    let queries = calls.map { $0.observer(of: [steps]) { _ in true } }
    for query in queries { store.execute(query) }
    try await eventually("both begin") { calls.allSatisfy { $0.count == 1 } }
    for number in 2...4 {
      try await other.save(Trial.steps(Double(number)))
      try await eventually("both are told") { calls.allSatisfy { $0.count == number } }
    }
    try await eventually("it is handled") { try owner(file).pendingDeliveries().isEmpty }
    #expect(try owner(file).deliveries().first?.failures == 0)
    for query in queries { store.stop(query) }
  }

  @Test(
    "Without the completion handler the next update comes after a minute, then after ten, then none"
  )
  func backingOff() async throws {
    let file = try HealthFile()
    let clock = TrialClock()
    let store = try await store(file, clock)
    let other = try await file.allowedStore("com.example.other")
    try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    let calls = ObserverCalls()
    let query = calls.observer(of: [steps, mass]) { $0 == 0 }
    store.execute(query)
    try await eventually("it begins") { calls.count == 1 }

    for (number, pause) in [(2, 60.0), (3, 600)] {
      try await other.save(Trial.steps(1))
      try await eventually("it is told") { calls.count == number }
      clock.move(pause - 1)
      try await other.save(Trial.steps(2))
      try await pass()
      #expect(calls.count == number)
      clock.move(2)
      // The next look at the store; on a machine whose clock is the host's it comes by itself.
    }
    try await other.save(Trial.steps(3))
    try await eventually("it is told a third time") { calls.count == 4 }
    #expect(try owner(file).deliveries().first?.isStopped == true)
    clock.move(1e7)
    try await other.save(Trial.steps(4))
    try await pass()
    #expect(calls.count == 4)

    // Asking anew begins again.
    try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    try await other.save(Trial.steps(5))
    try await eventually("it is told again") { calls.count == 5 }
    #expect(calls.last == [steps])
    store.stop(query)
  }

  @Test("A completion handler that is called late lets come what waited")
  func lateCompletion() async throws {
    let file = try HealthFile()
    let store = try await store(file, TrialClock())
    let other = try await file.allowedStore("com.example.other")
    try await store.enableBackgroundDelivery(for: steps, frequency: .immediate)
    let calls = ObserverCalls()
    let query = calls.observer(of: [steps]) { _ in false }
    store.execute(query)
    try await eventually("it begins") { calls.count == 1 }
    try await other.save(Trial.steps(1))
    try await eventually("it is told") { calls.count == 2 }
    try await other.save(Trial.steps(2))
    try await pass()
    #expect(calls.count == 2)
    calls.complete(1)
    try await eventually("what waited comes") { calls.count == 3 }
    calls.complete(2)
    try await eventually("it is handled") { try owner(file).pendingDeliveries().isEmpty }
    store.stop(query)
  }

  @Test("An observer of a type without background delivery needs no completion handler")
  func withoutDelivery() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore(app)
    let calls = ObserverCalls()
    let query = calls.observer(of: [steps]) { _ in false }
    store.execute(query)
    try await eventually("it begins") { calls.count == 1 }
    for number in 2...6 {
      try await store.save(Trial.steps(Double(number)))
      try await eventually("it is told") { calls.count == number }
    }
    store.stop(query)
  }

  @Test("What an app did not hear waits for its start, when its first observer gets the update")
  func nextStart() async throws {
    let file = try HealthFile()
    let first = try await file.allowedStore(app)
    let other = try await file.allowedStore("com.example.other")
    try await first.enableBackgroundDelivery(for: steps, frequency: .immediate)
    #expect(try owner(file).pendingDeliveries().isEmpty)
    try await other.save([Trial.steps(1), Trial.mass(70)])
    #expect(try owner(file).pendingDeliveries().map(\.delivery.type) == [steps.identifier])

    let calls = ObserverCalls()
    let query = calls.observer(of: [steps]) { _ in false }
    let second = file.store(app)
    second.execute(query)
    try await eventually("it gets the update") { calls.count == 1 }
    #expect(calls.last == [steps])
    #expect(try owner(file).pendingDeliveries().count == 1)
    calls.complete(0)
    try await eventually("it is handled") { try owner(file).pendingDeliveries().isEmpty }
    second.stop(query)
  }

  @Test("Changes that the app may not see are not delivered; its own and deletions are")
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

  @Test("An app is told at most once in the period of the frequency", arguments: [0, 1, 2, 3])
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
      var told = 5000.0
      for _ in 0..<max(1, failures) {
        let pending = try owner.pendingDeliveries(of: "app\(frequency.rawValue)")
        #expect(try owner.claim(pending, now: told).count == 1)
        // Another process that saw the same finds that it was told.
        #expect(try owner.claim(pending, now: told).isEmpty)
        told += 10_000_000
      }
      told -= 10_000_000
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
      #expect(pending.isDue(at: told + max(period, pause)))
      #expect(!pending.isDue(at: told + max(period, pause) - 1))
    }
    try owner.verify()
  }
}
