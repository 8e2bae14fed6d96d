public import Foundation
internal import HealthSamples
internal import HealthStore
import Synchronization

/// The host of a program that says `import HealthKit`: the file of the store, the identity of the
/// app, the clock, and the handler of requests for permission.
///
/// On a phone the system is the host. Here it is set once, before the first ``HKHealthStore``:
///
/// ```swift
/// HealthHost.current.path = "/srv/health/store.sqlite"
/// HealthHost.current.bundleIdentifier = "com.example.diary"
/// HealthHost.current.answer = { request in request.allowed }
/// ```
///
/// A program that sets nothing has what the environment says:
///
/// | Variable | Meaning |
/// | --- | --- |
/// | `HKSTATS_STORE` | the file; else `hkstats/store.sqlite` in the XDG data folder, the store of `hkstats` |
/// | `HKSTATS_APP` | the bundle identifier of the app; else that of the main bundle, else the program's name |
/// | `HKSTATS_APP_NAME` | the name of the app; else the program's name |
/// | `HKSTATS_HEALTH_DATA` | `available`, `unavailable` or `restricted`; else `available` |
/// | `HKSTATS_REQUESTS` | `allow` or `deny`: the answer to every request for permission; `ask`: a ``TerminalSheet`` asks; else none |
///
/// Several apps, in one process or in several, share one file, and each has its own permissions.
/// Nothing proves who an app is: the file and the host are the owner's.
public struct HealthHost: Sendable {
  /// Whether apps reach health data at all.
  public enum Availability: String, Sendable, Hashable, CaseIterable {
    /// They do.
    case available
    /// The machine has none: every call fails with `errorHealthDataUnavailable`.
    case unavailable
    /// The owner's rules forbid it: every call fails with `errorHealthDataRestricted`.
    case restricted
  }

  /// The file of the store; it is created when it is first used.
  public var path: String
  /// The bundle identifier of the app.
  public var bundleIdentifier: String
  /// The name of the app, which its samples show.
  public var name: String
  /// The version of the app.
  public var version: String?
  /// The product on which the app runs, such as `iPhone14,5`, which its samples keep; the processor of this
  /// machine unless set, as in a simulator.
  public var productType: String? = HKDevice.local().hardwareVersion
  /// The version of the product's operating system, which samples keep; that of this machine unless set.
  public var operatingSystemVersion = ProcessInfo.processInfo.operatingSystemVersion
  /// Whether apps reach health data.
  public var availability: Availability
  /// The clock.
  public var now: @Sendable () -> Date = { Now.system.date }
  /// Runs a body after some seconds; `nil` for the system's clock.
  package var schedule: (@Sendable (Double, @escaping @Sendable () -> Void) -> Void)?
  /// Whether live statistics wait for a pause of the changes, by the system's clock.
  package var joinsChanges = true
  /// Whether a guest uses the device: nothing is asked, saved or deleted, as on Apple Vision Pro.
  public var isGuest = false
  /// The entitlements of the app, keys and the elements of their lists; `nil` where they do not
  /// count.
  ///
  /// Without `com.apple.developer.healthkit` requests fail with `errorAuthorizationDenied`, without
  /// `com.apple.developer.healthkit.background-delivery` background delivery does, and without
  /// `health-records` clinical types cannot be asked for.
  public var entitlements: Set<String>?
  /// The usage texts of the app's `Info.plist` by key; `nil` where they do not count.
  ///
  /// A request without the text for it traps, as on a phone.
  public var usageTexts: [String: String]?
  /// Clinical types without which the app is of no use: a request after which one is denied fails
  /// with `errorRequiredAuthorizationDenied`.
  public var requiredReadTypes: Set<HKClinicalType> = []
  /// Why the app wants to save, for the sheet; the text of `NSHealthUpdateUsageDescription`.
  public var shareUsage: String?
  /// Why the app wants to read, for the sheet; the text of `NSHealthShareUsageDescription`.
  public var readUsage: String?
  /// Asks the owner for permission, as the sheet of a phone does.
  ///
  /// Without an answer, for `nil`, the request fails with `errorUserCanceled`, as every request
  /// does without a handler.
  public var answer: (@Sendable (AuthorisationRequest) async -> AuthorisationAnswer?)?
  /// Asks the owner which objects to show, of types whose objects need permission one by one: the
  /// UUIDs of those that the app may read, or `nil` without an answer.
  public var choose: (@Sendable (ObjectRequest) async -> Set<UUID>?)?
  /// The zones that the person set for workouts, at most one configuration for each type, as in the
  /// settings of a phone.
  public var workoutZones: [HKWorkoutZoneConfiguration] = []
  /// The medications of the person that the owner shows the app, as in the Health app;
  /// ``medication(named:identifier:nickname:form:codes:isArchived:hasSchedule:)`` makes one.
  public var medications: [HKUserAnnotatedMedication] = []

  /// Makes a host of what the environment says.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let own = HKSourceRevision.program
    path = SampleStore.standardPath(environment)
    bundleIdentifier = value("HKSTATS_APP") ?? own.source.bundleIdentifier
    name = value("HKSTATS_APP_NAME") ?? own.source.name
    version = own.version
    availability = value("HKSTATS_HEALTH_DATA").flatMap(Availability.init) ?? .available
    let facts = Bundle.main.infoDictionary
    shareUsage = facts?["NSHealthUpdateUsageDescription"] as? String
    readUsage = facts?["NSHealthShareUsageDescription"] as? String
    switch value("HKSTATS_REQUESTS") {
    case "allow": (answer, choose) = ({ $0.allowed }, { $0.all })
    case "deny": (answer, choose) = ({ $0.denied }, { _ in [] })
    case "ask":
      answer = { await TerminalSheet().answer($0) }
      choose = { await TerminalSheet().choose($0) }
    default: (answer, choose) = (nil, nil)
    }
  }

  /// The host of every ``HKHealthStore`` that is made without one.
  public static var current: HealthHost {
    get { shared.withLock { $0.host } }
    set { shared.withLock { $0 = Shared(newValue) } }
  }

  /// The app of the current host, which objects have as their source until they are saved.
  static var revision: HKSourceRevision {
    HealthScope.known?.revision ?? shared.withLock { $0.revision }
  }

  private struct Shared {
    let host: HealthHost
    let revision: HKSourceRevision

    init(_ host: HealthHost) { (self.host, revision) = (host, HKSourceRevision(host)) }
  }

  private static let shared = Mutex(Shared(HealthHost()))
}

extension HKSourceRevision {
  /// The app of a host, where it runs.
  convenience init(_ host: HealthHost) {
    self.init(
      source: HKSource(Source(name: host.name, bundleIdentifier: host.bundleIdentifier)),
      version: host.version, productType: host.productType,
      operatingSystemVersion: host.operatingSystemVersion)
  }
}

/// The permissions that an app requests: only those that are not decided yet.
public struct AuthorisationRequest: Sendable {
  /// The bundle identifier of the app.
  public let app: String
  /// The name of the app.
  public let name: String
  /// The types whose samples it wants to save.
  public let share: Set<HKSampleType>
  /// The types that it wants to read.
  public let read: Set<HKObjectType>
  /// Why it wants to save, in its words.
  public let shareUsage: String?
  /// Why it wants to read, in its words.
  public let readUsage: String?

  init(_ host: HealthHost, share: Set<HKSampleType>, read: Set<HKObjectType>) {
    (app, name) = (host.bundleIdentifier, host.name)
    (self.share, self.read) = (share, read)
    (shareUsage, readUsage) = (host.shareUsage, host.readUsage)
  }

  /// Throws where Apple's framework raises an exception for a request: for no type at all, and for
  /// types that no app may ask for.
  ///
  /// The types of a correlation are asked for instead of it, and single prescriptions by
  /// ``HKHealthStore/requestPerObjectReadAuthorization(for:predicate:completion:)``.
  ///
  /// - Throws: ``ObjectError``
  public static func check(
    share: Set<HKSampleType>, read: Set<HKObjectType>, by host: HealthHost = .current
  ) throws(ObjectError) {
    guard !share.isEmpty || !read.isEmpty else {
      throw ObjectError(.invalid("Must request authorization for at least one data type"))
    }
    let denied = [
      ("share", share.filter { !$0.isShareable }.map(\.identifier)),
      (
        "read",
        read.filter { $0 is HKCorrelationType || $0 is HKPrescriptionType }.map(\.identifier)
      ),
    ]
    for (verb, types) in denied where !types.isEmpty {
      throw ObjectError(
        .invalid(
          "Authorization to \(verb) the following types is disallowed: "
            + types.sorted().joined(separator: ", ")))
    }
    guard let texts = host.usageTexts else { return }
    let clinical = read.filter { $0 is HKClinicalType }
    let needed: [(key: String, verb: String, types: Set<HKObjectType>)] = [
      ("NSHealthUpdateUsageDescription", "write", Set(share)),
      ("NSHealthShareUsageDescription", "read", read.subtracting(clinical)),
      ("NSHealthClinicalHealthRecordsShareUsageDescription", "read", clinical),
    ]
    for (key, verb, types) in needed where !types.isEmpty && texts[key, default: ""].isEmpty {
      throw ObjectError(
        .invalid(
          "\(key) must be set in the app's Info.plist in order to request \(verb) authorization "
            + "for the following types: " + types.map(\.identifier).sorted().joined(separator: ", ")
        ))
    }
  }

  /// The answer that allows all of it.
  public var allowed: AuthorisationAnswer { AuthorisationAnswer(share: share, read: read) }
  /// The answer that denies all of it.
  public var denied: AuthorisationAnswer { AuthorisationAnswer(share: [], read: []) }
}

/// What the owner allows of a request; the rest of it is denied.
public struct AuthorisationAnswer: Sendable {
  /// The types whose samples the app may save.
  public var share: Set<HKSampleType>
  /// The types that the app may read.
  public var read: Set<HKObjectType>
  /// When what it may read of types begins, where that is not all; see
  /// ``HealthHost/limitHistory(of:from:)``.
  public var earliest: [HKSampleType: Date]

  /// Makes an answer.
  public init(
    share: Set<HKSampleType>, read: Set<HKObjectType>, earliest: [HKSampleType: Date] = [:]
  ) {
    (self.share, self.read, self.earliest) = (share, read, earliest)
  }
}

extension HKSampleType {
  /// Whether apps can save samples of the type at all.
  var isShareable: Bool {
    switch self {
    case is HKCorrelationType, is HKElectrocardiogramType, is HKClinicalType,
      is HKMedicationDoseEventType:
      false
    case is HKQuantityType:
      Catalogue.quantityType(.init(rawValue: identifier))?.access != .readOnly
    case is HKCategoryType:
      Catalogue.categoryTypes.first { $0.identifier.rawValue == identifier }?.access != .readOnly
    default: true
    }
  }
}
