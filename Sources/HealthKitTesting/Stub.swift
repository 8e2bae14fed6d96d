// The kit where Apple's HealthKit is: test files compile, and nothing of them runs. The trait disables
// its tests, test cases skip theirs, and the person's store is not touched. .ci/check-compilers compiles
// test files against it.
// The files for Linux say what each declaration means.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
#if !os(Linux) || HKSTATS_STUB
public import Foundation
public import HealthKit
public import Testing
public import XCTest

private let words = "HealthKitTesting runs on Linux"

/// Ends a test that cannot have begun.
private func cannotRun() -> Never { fatalError(words) }

// MARK: Tests

/// The trait of a test that has a store on Linux, and is disabled here.
public typealias HealthStoreTrait = ConditionTrait

extension Trait where Self == ConditionTrait {
  /// Disables a test, or each test of a suite.
  @available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
  public static func healthStore(
    _ setup: HealthStoreSetup = .allowingAll, exclusive: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    .disabled("\(words)", sourceLocation: sourceLocation)
  }
}

/// A test case whose tests are skipped.
open class HealthKitTestCase: XCTestCase {
  /// The setup of the tests.
  @available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
  open var healthStoreSetup: HealthStoreSetup { .allowingAll }

  /// Skips the test.
  @available(iOS 13, macOS 10.15, watchOS 6, *)
  open override func setUp() async throws { throw XCTSkip(words) }

  /// Skips the test of a subclass that does not call the other one.
  open override func setUpWithError() throws { throw XCTSkip(words) }
}

extension XCTestCase {
  /// Skips the test.
  @available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
  @discardableResult
  public func beginHealthStore(
    _ setup: HealthStoreSetup = .allowingAll
  ) throws -> TestHealthStore {
    throw XCTSkip(words)
  }
}

// MARK: Setups, which are of no effect

/// A setup.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct HealthStoreSetup: Sendable {
  public static let allowingAll = Self()
  public static let denyingAll = Self()
  public static let unanswered = Self()
  public static let authorised = Self()

  public static func allowing(share: Set<HKSampleType>, read: Set<HKObjectType>) -> Self { Self() }

  public static func answering(
    _ answer: @escaping @Sendable (AuthorisationRequest) async -> AuthorisationAnswer?,
    choosing choose: @escaping @Sendable (ObjectRequest) async -> Set<UUID>? = { $0.all }
  ) -> Self {
    Self()
  }

  public func app(_ identifier: String, name: String? = nil, version: String? = nil) -> Self {
    self
  }

  public func clock(_ mode: TestClock.Mode) -> Self { self }
  public func infoPlist(_ texts: [String: String]) -> Self { self }
  public func entitlements(_ entitlements: Set<String>) -> Self { self }
  public func requiring(_ types: Set<HKClinicalType>) -> Self { self }
  public func device(_ device: TestDevice) -> Self { self }
  public func lenient() -> Self { self }
}

/// A request that no app makes here.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct AuthorisationRequest: Sendable {
  public let app: String
  public let name: String
  public let share: Set<HKSampleType>
  public let read: Set<HKObjectType>
  public let shareUsage: String?
  public let readUsage: String?
  public var allowed: AuthorisationAnswer { AuthorisationAnswer(share: share, read: read) }
  public var denied: AuthorisationAnswer { AuthorisationAnswer(share: [], read: []) }
}

/// An answer to it.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct AuthorisationAnswer: Sendable {
  public var share: Set<HKSampleType>
  public var read: Set<HKObjectType>
  public var earliest: [HKSampleType: Date]

  public init(
    share: Set<HKSampleType>, read: Set<HKObjectType>, earliest: [HKSampleType: Date] = [:]
  ) {
    (self.share, self.read, self.earliest) = (share, read, earliest)
  }
}

/// A request for single objects that no app makes here.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct ObjectRequest: Sendable {
  public let app: String
  public let name: String
  public let type: HKObjectType
  public let objects: [HKSample]
  public let readUsage: String?
  public let all: Set<UUID>
}

#if !os(Linux)
/// What makes the medications of a test on Linux.
public enum HealthHost {
  @available(iOS 26, macOS 26, watchOS 26, visionOS 26, *)
  public static func medication(
    named name: String, identifier: String? = nil, nickname: String? = nil,
    form: HKMedicationGeneralForm = .unknown, codes: Set<HKClinicalCoding> = [],
    isArchived: Bool = false, hasSchedule: Bool = false
  ) -> HKUserAnnotatedMedication {
    cannotRun()
  }
}
#endif

@available(iOS 26, macOS 26, watchOS 26, visionOS 26, *)
extension ObjectRequest {
  public var medications: [HKUserAnnotatedMedication] { cannotRun() }
}

// MARK: The store of a test, of which there is none

/// A store.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public final class TestHealthStore: Sendable {
  public static var current: TestHealthStore { cannotRun() }

  public var clock: TestClock { cannotRun() }
  public var calls: [RecordedCall] { cannotRun() }

  public func otherApp(_ identifier: String, name: String? = nil) -> HKHealthStore { cannotRun() }
  public func lock() {}
  public func unlock() {}
  public func revoke(_ types: HKObjectType...) throws {}
  public func limitHistory(of types: Set<HKSampleType>, from date: Date?) throws {}
  public func deliver() async {}
  public func relaunch() async {}
  public func idle() async {}
  public func fail(next call: Call, times: Int = 1, with code: HKError.Code) {}
  public func delay(next call: Call, times: Int = 1, by duration: Duration) {}

  @discardableResult
  public func load(_ fixture: Fixture) async throws -> FixtureTotals { cannotRun() }

  @available(iOS 26, macOS 26, watchOS 26, visionOS 26, *)
  public var medications: [HKUserAnnotatedMedication] {
    get { cannotRun() }
    set { cannotRun() }
  }

  #if compiler(>=6.4) || os(Linux)
  @available(iOS 27, macOS 27, watchOS 27, visionOS 27, *)
  public var workoutZones: [HKWorkoutZoneConfiguration] {
    get { cannotRun() }
    set { cannotRun() }
  }
  #endif
}

/// A clock.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public final class TestClock: Sendable {
  public enum Mode: Sendable {
    case manual(Date)
    case live
  }

  public var now: Date { cannotRun() }
  public func advance(by duration: Duration) async {}
}

// MARK: Fixtures, which are not loaded

/// A fixture.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct Fixture: Sendable {
  public init(_ load: @escaping @Sendable (FixtureWriter) async throws -> FixtureTotals) {}

  private init() {}

  /// One that stands for those of any data.
  package static let none = Self()

  public static func objects(_ objects: [HKObject], from app: String? = nil) -> Self { none }
  public static func json(_ data: Data) -> Self { none }
  public static func electrocardiogram(_ recorded: RecordedECG) -> Self { none }
  public static func audiogram(_ recorded: RecordedAudiogram) -> Self { none }
  public static func heartbeats(_ dates: [Date], afterGaps gaps: Set<Int> = []) -> Self { none }
  public static func characteristics(_ person: RecordedPerson) -> Self { none }

  public static func activitySummary(
    _ day: DateComponents, fill: @escaping @Sendable (HKActivitySummary) -> Void
  ) -> Self {
    none
  }

  public static func activitySummary(
    _ day: DateComponents, _ values: [HKQuantityTypeIdentifier: Double]
  ) -> Self {
    none
  }

  public static func clinical(
    fhir resource: Data, _ type: HKClinicalTypeIdentifier, version: String = "4.0.1",
    from clinic: String = "Clinic"
  ) -> Self {
    none
  }
}

/// What a fixture writes with.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct FixtureWriter: Sendable {
  public var now: Date { cannotRun() }
  public func save(_ objects: [HKObject], from app: String? = nil) throws { cannotRun() }
}

/// The totals of no fixture.
@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
public struct FixtureTotals: Sendable {
  public let counts: [String: Int] = [:]

  public init() {}
  public init(_ objects: [HKObject]) {}

  public func count(of type: HKObjectType) -> Int { 0 }

  public func daily(
    _ identifier: HKQuantityTypeIdentifier, unit: HKUnit? = nil, calendar: Calendar = .current
  ) -> [Date: Double] {
    [:]
  }

  public func daysThatDiffer(
    from sums: [Date: Double], of identifier: HKQuantityTypeIdentifier, unit: HKUnit? = nil,
    calendar: Calendar = .current
  ) -> [Date] {
    []
  }

  public static func + (one: Self, other: Self) -> Self { one }
}
#endif
