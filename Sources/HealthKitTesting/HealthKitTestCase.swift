#if os(Linux) && !HKSTATS_STUB
import Foundation
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
      store = try healthStoreSetup.begin(name, isAlone: true)
    } catch {
      return XCTFail("The store of the test cannot be made: \(error)")
    }
    defer { store.end() }
    HealthScope.$current.withValue(store.scope) { super.invokeTest() }
    if store.isStrict, let words = store.delayIssue { XCTFail(words) }
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
    let store = try setup.begin(name, isAlone: true)
    XCTestObservationCenter.shared.addTestObserver(EndOfTest(of: self, store))
    return store
  }
}

/// Ends the store of a test when the test is over, after its `tearDown`.
private final class EndOfTest: NSObject, XCTestObservation {
  private let name: String
  private let store: TestHealthStore

  init(of test: XCTestCase, _ store: TestHealthStore) { (name, self.store) = (test.name, store) }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    guard testCase.name == name else { return }
    store.end()
    XCTestObservationCenter.shared.removeTestObserver(self)
  }
}
#endif
