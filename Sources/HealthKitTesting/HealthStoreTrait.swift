#if os(Linux) && !HKSTATS_STUB
import Foundation
import HealthKit
import Synchronization
public import Testing

/// A trait that gives each test, and each case of it, a store of its own.
public struct HealthStoreTrait: TestTrait, SuiteTrait, TestScoping {
  /// A value that stands on a suite and on one in it is the same trait.
  private let identity = UUID()
  /// The trait that gave the case that runs its store.
  @TaskLocal private static var entered: UUID?
  private let setup: HealthStoreSetup
  private let isExclusive: Bool
  private let location: SourceLocation

  init(_ setup: HealthStoreSetup, isExclusive: Bool, _ location: SourceLocation) {
    (self.setup, self.isExclusive, self.location) = (setup, isExclusive, location)
  }

  /// The tests of a suite have it, each for itself.
  public var isRecursive: Bool { true }

  /// Runs a case of a test with its store.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // Of the traits of a test and its suites the innermost counts.
    guard testCase != nil, Self.entered != identity,
      test.traits.lazy.compactMap({ $0 as? Self }).last?.identity == identity
    else { return try await function() }
    await TestGate.shared.enter(isExclusive: isExclusive)
    defer { TestGate.shared.leave() }
    let isSerial = test.traits.contains { $0 is ParallelizationTrait }
    let store = try setup.begin(
      test.displayName ?? test.name, isAlone: isExclusive || isSerial)
    defer { store.end() }
    try await Self.$entered.withValue(identity) {
      try await HealthScope.$current.withValue(store.scope) { try await function() }
    }
    guard store.isStrict else { return }
    if store.scope.hasStrayed {
      Issue.record(
        """
        An HKHealthStore that several tests share was called from no task of a test: the call may \
        have reached another test's store. Give the code under test the store of its \
        test, or let the test run alone with .healthStore(exclusive: true)
        """, sourceLocation: location)
    }
    if let words = store.delayIssue { Issue.record("\(words)", sourceLocation: location) }
    #if compiler(>=6.3)
    if !store.scope.isReached {
      Issue.record(
        "No call reached the store of the test: the code under test uses another, or none",
        severity: .warning, sourceLocation: location)
    }
    #endif
  }
}

extension Trait where Self == HealthStoreTrait {
  /// Gives a test, or each test of a suite, a health store of its own.
  ///
  /// - Parameters:
  ///   - setup: the app, what the person answers, the clock
  ///   - exclusive: whether no other test with a store may run meanwhile, for code that calls a
  ///     shared `HKHealthStore` from no task of the test
  ///   - sourceLocation: where issues of the test's store are told
  /// - Returns: the trait
  public static func healthStore(
    _ setup: HealthStoreSetup = .allowingAll, exclusive: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    Self(setup, isExclusive: exclusive, sourceLocation)
  }
}

/// Lets tests run together, or one of them alone, in the order in which they come.
final class TestGate: Sendable {
  static let shared = TestGate()

  private struct State {
    var running = 0
    var isExclusive = false
    var waiting: [(isExclusive: Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Lets the next ones in, as far as they may run together.
    mutating func admit() -> [CheckedContinuation<Void, Never>] {
      var admitted: [CheckedContinuation<Void, Never>] = []
      while let next = waiting.first, !isExclusive, running == 0 || !next.isExclusive {
        (running, isExclusive) = (running + 1, next.isExclusive)
        admitted.append(next.continuation)
        waiting.removeFirst()
      }
      return admitted
    }
  }

  private let state = Mutex(State())

  func enter(isExclusive: Bool) async {
    await withCheckedContinuation { continuation in
      let admitted = state.withLock { state in
        state.waiting.append((isExclusive, continuation))
        return state.admit()
      }
      for continuation in admitted { continuation.resume() }
    }
  }

  func leave() {
    let admitted = state.withLock { state in
      (state.running, state.isExclusive) = (state.running - 1, false)
      return state.admit()
    }
    for continuation in admitted { continuation.resume() }
  }
}
#endif
