import HealthKit
import HealthKitTesting
import XCTest

private let steps = HKQuantityType(.stepCount)

private func walk() -> HKQuantitySample {
  let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
  return HKQuantitySample(
    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 3), start: start, end: start)
}

private func count(in store: HKHealthStore) async throws -> Int {
  try await HKSampleQueryDescriptor(
    predicates: [.quantitySample(type: steps)], sortDescriptors: []
  ).result(for: store).count
}

private let shared = HKHealthStore()

final class InheritingTests: HealthKitTestCase {
  /// Made before any test runs.
  private let store = HKHealthStore()

  override var healthStoreSetup: HealthStoreSetup { .authorised.app("com.example.older") }

  func testEachTestHasItsStore() async throws {
    for store in [store, shared, HKHealthStore()] { try await store.save(walk()) }
    let count = try await count(in: shared)
    XCTAssertEqual(count, 3)
    XCTAssertEqual(HKSource.default().bundleIdentifier, "com.example.older")
  }

  func testTheNextOneIsEmpty() async throws {
    let found = try await count(in: shared)
    XCTAssertEqual(found, 0)
    let done = expectation(description: "saved")
    DispatchQueue.global().async {
      shared.save(walk()) { success, _ in
        XCTAssertTrue(success)
        done.fulfill()
      }
    }
    await fulfillment(of: [done], timeout: 60)
    let saved = try await count(in: store)
    XCTAssertEqual(saved, 1)
  }
}

final class OtherTests: XCTestCase {
  override func setUpWithError() throws {
    try beginHealthStore(.allowingAll.app("com.example.older"))
  }

  override func tearDown() {
    XCTAssertEqual(HKSource.default().bundleIdentifier, "com.example.older")
  }

  func testThatAsks() async throws {
    try await shared.requestAuthorization(toShare: [steps], read: [steps])
    try await shared.save(walk())
    let count = try await count(in: TestHealthStore.current.otherApp("com.example.scale"))
    XCTAssertEqual(count, 1)
  }

  func testThatDoesNotAsk() async throws {
    do {
      try await shared.save(walk())
      XCTFail("A save without a request must fail")
    } catch let error as HKError {
      XCTAssertEqual(error.code, .errorAuthorizationNotDetermined)
    }
  }
}
