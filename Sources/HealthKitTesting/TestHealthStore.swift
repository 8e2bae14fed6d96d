#if os(Linux) && !HKSTATS_STUB
public import Foundation
public import HealthKit
import Synchronization
import Testing
import XCTest

/// The store of one test: an app's, empty, and gone with the test.
///
/// The code under test needs nothing of it: each `HKHealthStore()` that it makes, or made before, is
/// on this store while the test runs. Which test a call is for is known from the task that calls; see
/// <doc:TestingAnApp> for calls from elsewhere.
public final class TestHealthStore: Sendable {
  /// The clock of the store.
  public let clock: TestClock
  let scope: HealthScope
  private let folder: TestFolder
  private let others = Mutex<[String: HKHealthStore]>([:])
  /// How many answers clients of sequences had got when waiting for one of them was given up.
  private let abandoned = Mutex<Int?>(nil)
  /// Whether a test that does what it could not mean gets an issue.
  let isStrict: Bool

  init(
    _ name: String, _ host: HealthHost, _ folder: TestFolder, _ clock: TestClock, isStrict: Bool,
    isAlone: Bool
  ) {
    (self.folder, self.clock, self.isStrict) = (folder, clock, isStrict)
    scope = HealthScope(name: name, host: host, isAlone: isAlone)
    scope.companion.withLock { $0 = self }
    clock.setWait { [weak self] in await self?.idle() }
  }

  /// The store of the test that runs; traps outside of one.
  public static var current: TestHealthStore {
    guard let store = known else {
      fatalError(
        "TestHealthStore.current: no test with .healthStore() runs, or several do and this is no task of one"
      )
    }
    return store
  }

  /// Records an issue, in Swift Testing or in XCTest.
  private func report(_ words: String) {
    if Test.current != nil { Issue.record("\(words)") } else { XCTFail(words) }
  }

  static var known: TestHealthStore? {
    HealthScope.known?.companion.withLock { $0 } as? TestHealthStore
  }

  /// The app of the test, as any `HKHealthStore()` in it.
  var app: HKHealthStore { HKHealthStore(host: scope.host, in: scope) }

  /// A store of another app on the same data, to which the person has allowed everything.
  ///
  /// It is the same store each time.
  public func otherApp(_ identifier: String, name: String? = nil) -> HKHealthStore {
    if let known = others.withLock({ $0[identifier] }) { return known }
    var host = scope.host
    host.bundleIdentifier = identifier
    host.name = name ?? FixtureOrigin(app: identifier).name
    host.answer = { $0.allowed }
    host.choose = { $0.all }
    let store = HKHealthStore(host: host, in: scope)
    if scope.host.availability == .available {
      do {
        try store.allowAll()
      } catch {
        report("The other app cannot be allowed everything: \(error.localizedDescription)")
      }
    }
    return others.withLock { others in
      let first = others[identifier] ?? store
      others[identifier] = first
      return first
    }
  }

  // MARK: What happens to the device

  /// Locks the device: reading fails with `errorDatabaseInaccessible`, and what apps save waits.
  public func lock() { scope.calls.lock() }

  /// Unlocks the device: what was saved meanwhile enters the store, as far as the apps may save it.
  public func unlock() { scope.calls.unlock() }

  /// The person takes back what the app may do with some types.
  public func revoke(_ types: HKObjectType...) throws {
    try app.decide(
      share: Set(types.compactMap { $0 as? HKSampleType }), read: Set(types), isAllowed: false)
  }

  /// Limits what the app may read of some types to what ends at a date or later; `nil` shows it all.
  public func limitHistory(of types: Set<HKSampleType>, from date: Date?) throws {
    try scope.host.limitHistory(of: types, from: date)
  }

  /// The medications of the person, which the owner shows the app.
  ///
  /// `HealthHost.medication(named:…)` makes one.
  public var medications: [HKUserAnnotatedMedication] {
    get { scope.medications.withLock { $0 } }
    set { scope.medications.withLock { $0 = newValue } }
  }

  /// The zones that the person set for workouts, at most one configuration for each type.
  public var workoutZones: [HKWorkoutZoneConfiguration] {
    get { scope.workoutZones.withLock { $0 } }
    set { scope.workoutZones.withLock { $0 = newValue } }
  }

  /// Lets the system wake the app for changes of types with background delivery: updates of observer
  /// queries that wait, because the app did not complete the last one, come now.
  public func deliver() async {
    await idle()
    scope.calls.delivers = true
    scope.noteChanges()
    await idle()
    scope.calls.delivers = false
  }

  /// Ends the app's process and starts it again: queries and sessions answer no more, and updates
  /// that the app has not completed count as failed.
  public func relaunch() async {
    await idle()
    scope.relaunch()
  }

  /// Waits until nothing runs on the store.
  ///
  /// No call, query, handler or delegate runs then, and every long-running query has seen the last
  /// change; what is due later does not count. What still runs after ten seconds gets an issue.
  ///
  /// A task that iterates the results of a query has handled the answer to the last change, and waits
  /// for the next one. One that takes longer than a tenth of a second over an answer, or does not ask
  /// again, is not waited for: the query reads when it asks, and that answer has all changes.
  public func idle() async {
    // On a busy machine looks are as late as what they wait for: both time and looks count.
    let end = ContinuousClock.now + .seconds(10)
    var (looks, patience, last) = (0, 100, 0)
    while looks < 5_000 || ContinuousClock.now < end {
      switch scope.activity {
      case .idle: return
      case .handling(let answers):
        if abandoned.withLock({ $0 == answers }) { return }
        if answers != last { (patience, last) = (100, answers) }
        patience -= 1
        if patience == 0 { return abandoned.withLock { $0 = answers } }
      case .busy: break
      }
      looks += 1
      try? await Task.sleep(for: .milliseconds(1))
    }
    report("The store of the test is still busy after 10 seconds")
  }

  // MARK: Calls

  /// Lets the next calls of a kind fail.
  ///
  /// A query fails when it reads. A call without an answer fails as on a phone: the delegate of a
  /// workout session gets the error, and the session stays as it is.
  public func fail(next call: Call, times: Int = 1, with code: HKError.Code) {
    scope.calls.fail(call.kind, times: times, with: code)
  }

  /// Lets the next calls of a kind wait for some time of ``clock``.
  ///
  /// Those wait that answer later. Characteristics are read at once: a test that lets them wait gets
  /// an issue. Of builders, `insert(_:for:)`, `discard()` and `discardWorkout()` do not wait: the delay
  /// is for the next call that can, and a test that has none gets an issue at its end.
  public func delay(next call: Call, times: Int = 1, by duration: Duration) {
    guard call != .characteristics else {
      return report(
        "delay(next: .characteristics) has no effect: characteristics are read at once")
    }
    scope.calls.delay(call.kind, times: times, by: duration / .seconds(1))
  }

  /// What to tell a test whose delays only calls have met that cannot wait; `nil` for nothing.
  var delayIssue: String? {
    let kinds = scope.calls.missedDelays.map(\.rawValue).sorted()
    return kinds.isEmpty
      ? nil
      : kinds.map { "delay(next: .\($0))" }.joined(separator: ", ")
        + " had no effect: the calls that met it do at once what they do"
  }

  /// What apps have called on the store, in the order of the calls.
  public var calls: [RecordedCall] { scope.calls.made.map { RecordedCall($0) } }

  /// Ends the test: its queries answer no more, and its data are gone.
  func end() {
    scope.end()
    clock.finish()
    scope.companion.withLock { $0 = nil }
    folder.remove()
  }
}

extension Call {
  var kind: HealthCall.Kind { HealthCall.Kind(rawValue: rawValue) ?? .other }
}

extension RecordedCall {
  init(_ made: HealthCalls.Made) {
    call = Call(rawValue: made.call.kind.rawValue) ?? .other
    (app, date) = (made.app, made.date)
    (types, objects, query) = (made.call.types, made.call.objects, made.call.query)
  }
}
#endif
