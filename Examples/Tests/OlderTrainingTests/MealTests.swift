import Foundation
import HealthKit
import HealthKitTesting
import OlderTraining
import XCTest

/// What the manager keeps itself is of one test at a time: these run one after the other.
final class MealTests: HealthKitTestCase {
  private let manager = HealthManager.shared

  override var healthStoreSetup: HealthStoreSetup { .authorised }

  override func setUp() { manager.reset() }

  override func tearDown() { manager.reset() }

  private func meal(_ kilocalories: Double, at hour: Int) -> HKQuantitySample {
    sample(.dietaryEnergyConsumed, kilocalories, .kilocalorie(), at: date(10, 20, hour))
  }

  /// Imports, and waits as tests have done before there were tasks.
  private func imported(line: UInt = #line) -> (meals: [Double], gone: Int) {
    let done = expectation(description: "imported")
    var result: (meals: [Double], gone: Int) = ([], 0)
    manager.importMeals { meals, gone, error in
      XCTAssertNil(error, line: line)
      result = (meals.map { $0.rounded() }.sorted(), gone)
      done.fulfill()
    }
    wait(for: [done], timeout: 60)
    return result
  }

  private func save(_ objects: [HKObject]) {
    let done = expectation(description: "saved")
    scale.save(objects) { success, _ in
      XCTAssertTrue(success)
      done.fulfill()
    }
    wait(for: [done], timeout: 60)
  }

  func testMealsAreImportedOnce() {
    save([meal(500, at: 8), meal(700, at: 13)])
    XCTAssertEqual(imported().meals, [500, 700])
    save([meal(600, at: 19)])
    XCTAssertEqual(imported().meals, [600])
    XCTAssertEqual(imported().meals, [])
  }

  func testAMealThatIsDeletedIsToldOnce() {
    let meal = meal(500, at: 8)
    save([meal])
    XCTAssertEqual(imported().meals, [500])
    let done = expectation(description: "deleted")
    scale.delete(meal) { _, _ in done.fulfill() }
    wait(for: [done], timeout: 60)
    XCTAssertEqual(imported().gone, 1)
    XCTAssertEqual(imported().gone, 0)
  }

  func testAfterSigningOutAllMealsComeAgain() {
    save([meal(500, at: 8)])
    XCTAssertEqual(imported().meals, [500])
    manager.reset()
    XCTAssertEqual(imported().meals, [500])
  }
}

/// What the delegate hears, on the main queue.
private final class Listener: HealthManagerDelegate {
  var count = 0
  var heard: (() -> Void)?

  func healthManagerDidChangeWeights(_ manager: HealthManager) {
    XCTAssertTrue(isOnMainQueue())
    count += 1
    heard?()
  }
}

final class DelegateTests: XCTestCase {
  private let manager = HealthManager.shared
  private let listener = Listener()

  override func setUpWithError() throws {
    try beginHealthStore(.authorised)
    manager.delegate = listener
  }

  override func tearDown() { manager.reset() }

  /// Does something, and waits until the delegate hears of it.
  private func hears(_ body: () -> Void) {
    let heard = expectation(description: "heard")
    listener.heard = { heard.fulfill() }
    body()
    wait(for: [heard], timeout: 60)
    listener.heard = nil
  }

  func testTheDelegateHearsOfTheScale() {
    hears { manager.startObserving() }
    hears { scale.save(weight(70, at: date(10, 20))) { _, _ in } }
    hears { manager.saveWeight(71, on: date(10, 21)) { _ in } }
    hears { manager.deleteWeights { _, _ in } }
    XCTAssertEqual(listener.count, 4)
  }

  func testAfterSigningOutTheDelegateHearsNothing() async throws {
    hears { manager.startObserving() }
    manager.reset()
    manager.delegate = listener
    try await scale.save(weight(70, at: date(10, 20)))
    await TestHealthStore.current.idle()
    await MainActor.run {}
    XCTAssertEqual(listener.count, 1)
  }
}
