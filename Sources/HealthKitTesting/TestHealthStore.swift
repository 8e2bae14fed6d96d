public import HealthKit
import Synchronization

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
  /// Whether a test that does what it could not mean gets an issue.
  let isStrict: Bool

  init(
    _ name: String, _ host: HealthHost, _ folder: TestFolder, _ clock: TestClock, isStrict: Bool
  ) {
    (self.folder, self.clock, self.isStrict) = (folder, clock, isStrict)
    scope = HealthScope(name: name, host: host)
    scope.companion.withLock { $0 = self }
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

  static var known: TestHealthStore? {
    HealthScope.known?.companion.withLock { $0 } as? TestHealthStore
  }

  /// The app of the test, as any `HKHealthStore()` in it.
  var app: HKHealthStore { HKHealthStore(host: scope.host, in: scope) }

  /// A store of another app on the same data, to which the person has allowed everything.
  public func otherApp(_ identifier: String, name: String? = nil) -> HKHealthStore {
    var host = scope.host
    host.bundleIdentifier = identifier
    host.name = name ?? identifier.split(separator: ".").last.map(String.init) ?? identifier
    host.answer = { $0.allowed }
    host.choose = { $0.all }
    let store = HKHealthStore(host: host, in: scope)
    do {
      try store.allowAll()
    } catch {
      fatalError("TestHealthStore.otherApp: \(error.localizedDescription)")
    }
    return store
  }

  /// Ends the test: its queries answer no more, and its data are gone.
  func end() {
    scope.end()
    scope.companion.withLock { $0 = nil }
    folder.remove()
  }
}
