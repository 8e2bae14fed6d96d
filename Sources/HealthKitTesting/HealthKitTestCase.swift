import HealthKit
public import XCTest

/// A test case each of whose tests has a health store of its own.
open class HealthKitTestCase: XCTestCase {
  /// The app, what the person answers, the clock.
  open var healthStoreSetup: HealthStoreSetup { .allowingAll }

  /// Runs a test with its store.
  open override func invokeTest() {
    let store: TestHealthStore
    do {
      store = try healthStoreSetup.begin(name)
    } catch {
      return XCTFail("The store of the test cannot be made: \(error)")
    }
    defer { store.end() }
    HealthScope.$current.withValue(store.scope) { super.invokeTest() }
  }
}

extension XCTestCase {
  /// Gives the test that runs a health store of its own, which goes with it.
  ///
  /// For test cases that cannot inherit from ``HealthKitTestCase``; call it first in `setUp`.
  @discardableResult
  public func beginHealthStore(
    _ setup: HealthStoreSetup = .allowingAll
  ) throws -> TestHealthStore {
    let store = try setup.begin(name)
    addTeardownBlock { store.end() }
    return store
  }
}
