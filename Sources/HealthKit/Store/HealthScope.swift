import Foundation
package import Synchronization

/// A test with a store of its own, which stands in for the machine's in what the test calls.
///
/// A call of an `HKHealthStore` without a host looks for its test in this order:
///
/// 1. the task-local one: tasks and task groups inherit it, and handlers and delegates of this
///    module are called with that of their query's store
/// 2. the test in which the object was made, if no other has used the object. When that test has
///    ended, the call fails: it came too late, and reaches neither another test's store nor the
///    machine's
/// 3. the only test that runs
/// 4. when no test runs, the store of ``HealthHost/current`` for an object that was made in none;
///    that of one that was made in a test fails
///
/// When several run, a call that none of these places traps: another test's store must not answer.
/// A task of a test without a store is not for one with a store: it gets that of
/// ``HealthHost/current``, too.
///
/// A test that runs alone, as those of XCTest do, has all calls of no task while it runs, also of
/// objects that were made in a test before it: an app's singleton is made in the first one. A late
/// call of the test before cannot be told from one of such a singleton.
package final class HealthScope: Sendable {
  /// The name of the test.
  package let name: String
  /// The host of the test's app.
  package let host: HealthHost
  /// Whether no other test runs meanwhile, so that calls of no task are for this one.
  private let isAlone: Bool
  /// The revision of what the app makes.
  let revision: HKSourceRevision
  /// What the test does to calls, and keeps of them.
  package let calls = HealthCalls()
  /// The medications of the person, in place of the host's.
  package let medications: Mutex<[HKUserAnnotatedMedication]>
  /// The zones that the person set for workouts, in place of the host's.
  package let workoutZones: Mutex<[HKWorkoutZoneConfiguration]>
  /// What the kit keeps with the test.
  package let companion = Mutex<(any AnyObject & Sendable)?>(nil)
  private let ended = Atomic(false)
  /// The calls that reached the test's store.
  private let reached = Atomic(0)
  /// Whether a shared object reached it from no task of a test, and may have meant another test.
  private let strayed = Atomic(false)

  /// The test of a task.
  @TaskLocal package static var current: HealthScope?

  private static let running = Mutex<[HealthScope]>([])

  /// Queries that were executed; ended ones are left out when there are twice as many as before.
  private let queries = Mutex((executed: [Executed](), limit: 64))

  private struct Executed {
    weak var query: HKQuery?
  }

  /// Ends a query with the test.
  func add(_ query: HKQuery) {
    queries.withLock { queries in
      if queries.executed.count >= queries.limit {
        queries.executed.removeAll { $0.query == nil }
        queries.limit = max(64, 2 * queries.executed.count)
      }
      queries.executed.append(Executed(query: query))
    }
  }

  /// Makes a test on a host.
  ///
  /// - Parameters:
  ///   - name: its name
  ///   - host: the host of its app
  ///   - isAlone: whether no other test is meant to run meanwhile
  package init(name: String, host: HealthHost, isAlone: Bool = false) {
    (self.name, self.host, revision) = (name, host, HKSourceRevision(host))
    self.isAlone = isAlone
    medications = Mutex(host.medications)
    workoutZones = Mutex(host.workoutZones)
  }

  /// Lets calls find the test.
  package func begin() { Self.running.withLock { $0.append(self) } }

  /// Lets calls find the test no more, and ends its queries; calls that still hold its store fail
  /// with `errorHealthDataUnavailable`.
  package func end() {
    ended.store(true, ordering: .releasing)
    Self.running.withLock { $0.removeAll { $0 === self } }
    relaunch()
    calls.clear()
  }

  /// Ends the queries and sessions of the app's process, without a word to their handlers.
  package func relaunch() {
    let executed = queries.withLock { queries in
      defer { queries.executed = [] }
      return queries.executed
    }
    for executed in executed { executed.query?.stop() }
    HKWorkoutSession.forget(path: host.path)
  }

  /// Has observer queries look again for what changed.
  package func noteChanges() {
    for executed in queries.withLock({ $0.executed }) {
      (executed.query as? HKObserverQuery)?.noteChange()
    }
  }

  /// What happens on a store.
  package enum Activity: Sendable, Equatable {
    /// Nothing runs, and every query has seen the last change.
    case idle
    /// Only clients of sequences may handle an answer; how many answers they have got.
    case handling(Int)
    case busy
  }

  /// What happens on the store.
  package var activity: Activity {
    let work = FileWork.of(host.path)
    let before = work.handled
    guard work.isIdle else { return .busy }
    // Who listens counts as busy before this returns.
    HealthSession.look(at: host.path)
    guard work.isIdle else { return .busy }
    // One that asked or got an answer meanwhile may have begun a read after the look at the work.
    let after = work.handled
    guard after == before else { return .busy }
    return after.clients == 0 ? .idle : .handling(after.answers)
  }

  /// Whether the test has ended.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  /// Whether a call has reached the test's store.
  package var isReached: Bool { reached.load(ordering: .relaxed) > 0 }
  /// Whether a shared object reached it from no task of a test, and may have meant another test.
  package var hasStrayed: Bool { strayed.load(ordering: .relaxed) }

  /// The tests that run.
  fileprivate static var all: [HealthScope] { running.withLock { $0 } }

  /// Whether the task that calls is one of a test; the kit knows.
  package static let isTask = Mutex<(@Sendable () -> Bool)?>(nil)

  /// Whether the task that calls is one of a test without a store.
  private static var isElsewhere: Bool {
    current == nil && isTask.withLock { $0 }?() ?? false
  }

  /// The test of a task, or else the only one that runs; `nil` for none, and where it is not known
  /// which.
  ///
  /// Objects, their sources and the availability of health data ask for it, and never trap.
  package static var known: HealthScope? {
    if let current { return current }
    let only = running.withLock { $0.count == 1 ? $0[0] : nil }
    return only == nil || isElsewhere ? nil : only
  }

  /// The test that a call of a store object is for.
  ///
  /// - Parameters:
  ///   - maker: the test in which the object was made
  ///   - user: the first test that has used it
  ///   - isShared: whether several tests have used it
  /// - Returns: the test, which has ended for a call that comes too late, and whether the call may
  ///   be another test's: it did not say which while several ran, or after its object's had ended
  fileprivate static func of(
    maker: HealthScope?, user: HealthScope?, isShared: Bool
  ) -> (scope: HealthScope?, isGuess: Bool) {
    if let current { return (current, false) }
    if isElsewhere { return (nil, false) }
    let running = running.withLock { $0 }
    if !isShared, let owner = maker ?? user, !owner.hasEnded { return (owner, running.count > 1) }
    if running.count == 1, running[0].isAlone { return (running[0], false) }
    if let maker, !isShared || running.isEmpty { return (maker, false) }
    if running.isEmpty { return (nil, false) }
    guard running.count < 2 else {
      raise(ObjectError(.invalid(severalTests(running.map(\.name)))))
    }
    return (running.first, isShared && maker?.hasEnded ?? false)
  }

  private static func severalTests(_ names: [String]) -> String {
    "HKHealthStore was called from no task of a test while several tests with stores run: "
      + names.map { "\"\($0)\"" }.sorted().joined(separator: ", ")
      + ". Give the code under test the store of its test, let the test run alone with "
      + ".healthStore(exclusive: true), or its suite with .serialized"
  }

  fileprivate func reach() { reached.add(1, ordering: .relaxed) }

  /// A call of an object that several tests share may have been for another test.
  fileprivate func stray() { strayed.store(true, ordering: .relaxed) }
}

/// The sessions of one store object in the tests that use it.
///
/// An object that lives as long as the process, such as an app's singleton, has one for each.
final class TestSessions: Sendable {
  private struct State {
    /// The test that used the object first.
    var first: HealthScope?
    /// Whether several tests have used the object.
    var isShared = false
    /// The tests that ran when a call went to one of them that it may not have meant.
    var guessed: [HealthScope] = []
    var sessions: [HealthSession] = []
  }

  /// The test in which the object was made.
  private let maker = HealthScope.known
  private let state = Mutex(State())

  /// The session that a call is for; `nil` for the owner's.
  func session(for store: HKHealthStore) -> HealthSession? {
    let (isShared, first) = state.withLock { ($0.isShared, $0.first) }
    let (found, isGuess) = HealthScope.of(maker: maker, user: first, isShared: isShared)
    guard let scope = found else { return nil }
    scope.reach()
    return state.withLock { state in
      state.guessed.removeAll { $0.hasEnded && $0 !== scope }
      if isGuess { state.guessed += HealthScope.all }
      let first = maker ?? state.first ?? scope
      state.first = first
      state.isShared = state.isShared || first !== scope
      if state.isShared, state.guessed.contains(where: { $0 === scope }) { scope.stray() }
      if let known = state.sessions.first(where: { $0.scope === scope }) { return known }
      state.sessions.removeAll { $0.scope?.hasEnded ?? true }
      let session = HealthSession(scope.host, in: scope)
      session.poster.withLock { $0.store = store }
      state.sessions.append(session)
      return session
    }
  }
}
