#if os(Linux) && !HKSTATS_STUB
public import Foundation
public import HealthKit
import Synchronization
import Testing

/// How the machine of a test is: the app, what the person answers, the clock.
///
/// A setup is a value: each function returns a changed copy.
///
/// ```swift
/// @Suite(.healthStore(.allowingAll.app("com.example.diary", version: "2.1")))
/// ```
public struct HealthStoreSetup: Sendable {
  /// What the person decides.
  private enum Permission: Sendable {
    /// Answers each request, and the question which objects to show; `nil` leaves it unanswered.
    case asked(
      @Sendable (AuthorisationRequest) async -> AuthorisationAnswer?,
      @Sendable (ObjectRequest) async -> Set<UUID>?)
    /// Has allowed everything before the test begins.
    case decided
  }

  private var permission: Permission
  private var identifier = "com.example.app"
  private var name = "App"
  private var version: String? = "1.0"
  private var mode: TestClock.Mode?
  private var device = TestDevice.iPhone
  private var usageTexts: [String: String]?
  private var entitlements: Set<String>?
  private var required: Set<HKClinicalType> = []
  /// Whether a test that does what it could not mean gets an issue.
  private(set) var isStrict = true

  private init(_ permission: Permission) { self.permission = permission }

  /// The person allows what the app asks for; before it asks, calls fail as on a phone.
  public static let allowingAll = Self(.asked({ $0.allowed }, { $0.all }))
  /// The person denies what the app asks for.
  public static let denyingAll = Self(.asked({ $0.denied }, { _ in [] }))
  /// The person closes the sheet: requests fail with `errorUserCanceled`.
  public static let unanswered = Self(.asked({ _ in nil }, { _ in nil }))
  /// The person has allowed everything before: code that does not ask itself can save and read.
  public static let authorised = Self(.decided)

  /// The person allows some types, and denies the others for which the app asks.
  public static func allowing(share: Set<HKSampleType>, read: Set<HKObjectType>) -> Self {
    Self(
      .asked(
        {
          AuthorisationAnswer(
            share: $0.share.intersection(share), read: $0.read.intersection(read))
        }, { read.contains($0.type) ? $0.all : [] }))
  }

  /// A closure answers each request of the app; `nil` leaves it unanswered.
  ///
  /// - Parameters:
  ///   - answer: what the person allows
  ///   - choose: which objects the person shows, of types whose objects need permission one by one;
  ///     all of them otherwise
  /// - Returns: the setup
  public static func answering(
    _ answer: @escaping @Sendable (AuthorisationRequest) async -> AuthorisationAnswer?,
    choosing choose: @escaping @Sendable (ObjectRequest) async -> Set<UUID>? = { $0.all }
  ) -> Self {
    Self(.asked(answer, choose))
  }

  /// The app whose code the test runs; `com.example.app` of version 1.0 otherwise.
  public func app(_ identifier: String, name: String? = nil, version: String? = nil) -> Self {
    var copy = self
    copy.identifier = identifier
    copy.name = name ?? FixtureOrigin(app: identifier).name
    if let version { copy.version = version }
    return copy
  }

  /// The clock by which the store dates what it does; it stands still at the time at which the test
  /// begins otherwise.
  public func clock(_ mode: TestClock.Mode) -> Self {
    var copy = self
    copy.mode = mode
    return copy
  }

  /// The usage texts of the app's `Info.plist` by key, such as `NSHealthShareUsageDescription`.
  ///
  /// A request without the text for it traps, as on a phone. Nothing is checked otherwise.
  public func infoPlist(_ texts: [String: String]) -> Self {
    var copy = self
    copy.usageTexts = texts
    return copy
  }

  /// The entitlements of the app.
  ///
  /// They are `com.apple.developer.healthkit`, that key with `.background-delivery` after it, and
  /// `health-records`. What needs another one fails, as on a phone. Nothing is checked otherwise.
  public func entitlements(_ entitlements: Set<String>) -> Self {
    var copy = self
    copy.entitlements = entitlements
    return copy
  }

  /// Clinical types without which the app is of no use, as `Info.plist` lists them: a request after
  /// which one is denied fails with `errorRequiredAuthorizationDenied`.
  public func requiring(_ types: Set<HKClinicalType>) -> Self {
    var copy = self
    copy.required = types
    return copy
  }

  /// The device on which the app runs; an iPhone otherwise.
  public func device(_ device: TestDevice) -> Self {
    var copy = self
    copy.device = device
    return copy
  }

  /// A test that reaches another test's store, or might have, gets no issue.
  public func lenient() -> Self {
    var copy = self
    copy.isStrict = false
    return copy
  }

  /// Begins a test with a store of its own.
  ///
  /// - Parameters:
  ///   - name: the test's, for messages
  ///   - isAlone: whether no other test is meant to run meanwhile
  /// - Returns: the store, on which calls find the test
  /// - Throws: what keeps its folder or its file from being made
  func begin(_ name: String, isAlone: Bool = false) throws -> TestHealthStore {
    let folder = try TestFolder()
    var host = HealthHost(environment: [:])
    let clock = TestClock(mode, system: host.now)
    host.path = folder.path + "/store.sqlite"
    (host.bundleIdentifier, host.name, host.version) = (identifier, self.name, version)
    host.now = { clock.now }
    if clock.isManual {
      host.schedule = { clock.schedule(after: $0, $1) }
      host.joinsChanges = false
    }
    host.productType = device.productType
    host.availability = device == .iPad16 ? .unavailable : .available
    host.isGuest = device == .visionGuest
    (host.usageTexts, host.entitlements) = (usageTexts, entitlements)
    host.shareUsage = usageTexts?["NSHealthUpdateUsageDescription"]
    host.readUsage = usageTexts?["NSHealthShareUsageDescription"]
    host.requiredReadTypes = required
    switch permission {
    case .asked(let answer, let choose): (host.answer, host.choose) = (answer, choose)
    case .decided: (host.answer, host.choose) = ({ $0.allowed }, { $0.all })
    }
    let store = TestHealthStore(
      name, host, folder, clock, isStrict: isStrict, isAlone: isAlone)
    if case .decided = permission, device != .iPad16 { try store.app.allowAll() }
    HealthScope.isTask.withLock { $0 = { Test.current != nil } }
    store.scope.begin()
    return store
  }
}

extension TestDevice {
  fileprivate var productType: String {
    switch self {
    case .iPhone: "iPhone14,5"
    case .iPad16: "iPad13,18"
    case .visionGuest: "RealityDevice14,1"
    }
  }
}

/// The folder of a test's store, in memory where the system has such a place; it goes with the test.
final class TestFolder: Sendable {
  let path: String

  private static let parent: String = {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    // Those of processes that were ended in a test.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where name.hasPrefix(prefix) {
      let process = name.dropFirst(prefix.count).prefix { $0 != "-" }
      if let process = pid_t(process), kill(process, 0) != 0, errno == ESRCH {
        try? FileManager.default.removeItem(atPath: parent + "/" + name)
      }
    }
    return parent
  }()

  private static let prefix = "hkstats-test-"

  init() throws {
    path = "\(Self.parent)/\(Self.prefix)\(getpid())-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// Deletes it.
  ///
  /// SQLite deletes files of its own while this does, which Foundation takes for an error.
  func remove() {
    for _ in 0..<10 {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
        unlink(path + "/" + name)
      }
      if rmdir(path) == 0 || errno == ENOENT { return }
    }
  }

  deinit { remove() }
}
#endif
