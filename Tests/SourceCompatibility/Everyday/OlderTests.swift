import HealthKit
import XCTest

/// Tests as apps had them before Swift Testing.
final class OlderTests: XCTestCase {
  private var samples: [HKQuantitySample] = []

  override func setUp() {
    super.setUp()
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    samples = (0..<3).map { day in
      HKQuantitySample(
        type: HKQuantityType(.bodyMass),
        quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 80 - Double(day)),
        start: start.addingTimeInterval(Double(day) * 86_400),
        end: start.addingTimeInterval(Double(day) * 86_400))
    }
  }

  func testLatestWeight() throws {
    let latest = try XCTUnwrap(samples.max { $0.startDate < $1.startDate })
    XCTAssertEqual(latest.quantity.doubleValue(for: .gramUnit(with: .kilo)), 78)
    XCTAssertEqual(latest.quantityType.identifier, HKQuantityTypeIdentifier.bodyMass.rawValue)
    XCTAssertTrue(latest.quantity.is(compatibleWith: .pound()))
  }

  func testErrorsAreEqualByCode() {
    XCTAssertThrowsError(try { throw HKError(.errorNoData) }()) { error in
      XCTAssertEqual((error as? HKError)?.code, .errorNoData)
    }
  }

  func testIdentitiesDiffer() {
    XCTAssertEqual(Set(samples.map(\.uuid)).count, 3)
    XCTAssertEqual(Set(samples.map(\.quantityType)), [HKQuantityType(.bodyMass)])
  }
}
