import Foundation
import HealthQuery
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

/// A file with apps, for one test.
final class HealthFile {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/health.sqlite"
  }

  /// A store of an app whose requests are all allowed, unless there is another answer.
  func store(
    _ app: String = "com.example.diary", now: Double = 1000,
    _ answer: @escaping @Sendable (AuthorisationRequest) -> AuthorisationAnswer? = { $0.allowed }
  ) -> HKHealthStore {
    HKHealthStore(host: host(app, now: now, answer))
  }

  func host(
    _ app: String = "com.example.diary", now: Double = 1000,
    _ answer: @escaping @Sendable (AuthorisationRequest) -> AuthorisationAnswer? = { $0.allowed }
  ) -> HealthHost {
    var host = HealthHost(environment: [:])
    host.path = path
    host.bundleIdentifier = app
    host.name = String(app.split(separator: ".").last ?? "")
    host.now = { Trial.date(now) }
    host.answer = { answer($0) }
    return host
  }

  /// A store of an app that may save and read some types.
  func allowedStore(
    _ app: String = "com.example.diary",
    _ types: Set<HKSampleType> = [HKQuantityType(.stepCount), HKQuantityType(.bodyMass)]
  ) async throws -> HKHealthStore {
    let store = store(app)
    // Prescriptions are authorised by object, not by type.
    try await store.requestAuthorization(
      toShare: types, read: types.filter { !($0 is HKPrescriptionType) })
    return store
  }

  /// The first of two apps, with a sample that it has saved, and one of the other.
  func twoApps() async throws -> (
    first: HKHealthStore, mine: HKQuantitySample, theirs: HKQuantitySample
  ) {
    let (first, second) = (
      try await allowedStore("com.example.first"), try await allowedStore("com.example.second")
    )
    let (mine, theirs) = (Trial.steps(1), Trial.steps(2))
    try await first.save(mine)
    try await second.save(theirs)
    return (first, mine, theirs)
  }

  /// The states in which a host has no health data, each with the error of all calls.
  static let unavailable = [
    (HealthHost.Availability.unavailable, HKError.Code.errorHealthDataUnavailable),
    (.restricted, .errorHealthDataRestricted),
  ]

  /// A store whose host has no health data.
  func store(availability: HealthHost.Availability) -> HKHealthStore {
    var host = host()
    host.availability = availability
    return HKHealthStore(host: host)
  }

  /// Verifies the file as its owner.
  func verify() throws { try SampleStore(path: path, mode: .readOnly).verify() }

  /// All samples of a type as the owner has them.
  func rows(_ type: HKQuantityTypeIdentifier) throws -> [HKSample] {
    let store = try SampleStore(path: path, mode: .readOnly)
    return try store.records(
      .init(types: [HKQuantityType(type).core])
    ).flatMap { try store.objects($0) }
  }
}

/// The error of something that must fail.
func healthError(_ body: () async throws -> Void) async -> HKError.Code? {
  do {
    try await body()
    return nil
  } catch let error as HKError {
    return error.code
  } catch {
    Issue.record("\(type(of: error)) is no HKError")
    return nil
  }
}

extension HKHealthStore {
  /// The samples of some types that the app finds.
  func samples(
    _ types: Set<HKSampleType>, _ predicate: NSPredicate? = nil, limit: Int? = nil,
    sort: [SortDescriptor<HKSample>] = []
  ) async throws -> [HKSample] {
    try await HKSampleQueryDescriptor(
      predicates: types.map { .sample(type: $0, predicate: predicate) }, sortDescriptors: sort,
      limit: limit
    ).result(for: self)
  }
}

@Suite struct StorePermissionTests {
  private let steps = HKQuantityType(.stepCount)
  private let mass = HKQuantityType(.bodyMass)

  @Test("Saving a type for which the owner was never asked fails: not determined")
  func undetermined() async throws {
    let file = try HealthFile()
    let store = file.store()
    #expect(store.authorizationStatus(for: steps) == .notDetermined)
    #expect(
      await healthError { try await store.save(Trial.steps()) } == .errorAuthorizationNotDetermined)
    #expect(try file.rows(.stepCount).isEmpty)
  }

  @Test("Saving a denied type fails: denied")
  func denied() async throws {
    let file = try HealthFile()
    let store = file.store { $0.denied }
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    #expect(store.authorizationStatus(for: steps) == .sharingDenied)
    #expect(await healthError { try await store.save(Trial.steps()) } == .errorAuthorizationDenied)
    #expect(try file.rows(.stepCount).isEmpty)
  }

  @Test("The status reveals sharing only")
  func statusOfSharing() async throws {
    let file = try HealthFile()
    let store = file.store { AuthorisationAnswer(share: $0.share, read: []) }
    try await store.requestAuthorization(toShare: [mass], read: [steps, mass])
    let reading = file.store("com.example.reader")
    try await reading.requestAuthorization(toShare: [mass], read: [steps, mass])
    for store in [store, reading] {
      #expect(store.authorizationStatus(for: steps) == .sharingDenied)
      #expect(store.authorizationStatus(for: mass) == .sharingAuthorized)
    }
  }

  @Test("Only types that were not answered before are asked for, with the usage texts")
  func requests() async throws {
    let file = try HealthFile()
    let asked = Asked()
    var host = file.host { request in
      asked.requests.withLock { $0.append(request) }
      return AuthorisationAnswer(share: request.share, read: [])
    }
    (host.shareUsage, host.readUsage) = ("to log", "to chart")
    let store = HKHealthStore(host: host)
    #expect(
      try await store.statusForAuthorizationRequest(toShare: [steps], read: [mass])
        == .shouldRequest)
    try await store.requestAuthorization(toShare: [steps], read: [mass])
    try await store.requestAuthorization(toShare: [steps], read: [mass])
    #expect(
      try await store.statusForAuthorizationRequest(toShare: [steps], read: [mass]) == .unnecessary)
    try await store.requestAuthorization(toShare: [steps, mass], read: [mass, steps])
    let requests = asked.requests.withLock { $0 }
    #expect(requests.count == 2)
    #expect(requests[0].app == "com.example.diary" && requests[0].name == "diary")
    #expect(requests[0].shareUsage == "to log" && requests[0].readUsage == "to chart")
    #expect(requests[0].share == [steps] && requests[0].read == [mass])
    #expect(requests[1].share == [mass] && requests[1].read == [steps])
  }

  private final class Asked: Sendable {
    let requests = Mutex<[AuthorisationRequest]>([])
  }

  @Test("The success of a request says that it was answered, not granted")
  func answered() async throws {
    let file = try HealthFile()
    let store = file.store { $0.denied }
    let types: Set<HKSampleType> = [steps]
    let success = await withCheckedContinuation { continuation in
      store.requestAuthorization(toShare: types, read: types) { success, error in
        continuation.resume(returning: success && error == nil)
      }
    }
    #expect(success)
    let absent = file.store("com.example.other") { _ in nil }
    #expect(
      await healthError { try await absent.requestAuthorization(toShare: [steps], read: []) }
        == .errorUserCanceled)
    #expect(absent.authorizationStatus(for: steps) == .notDetermined)
  }

  @Test("A request for no type, and for types that no app may ask for, traps with Apple's words")
  func disallowed() async throws {
    let pressure = HKCorrelationType(.bloodPressure)
    #expect(throws: ObjectError.self) { try AuthorisationRequest.check(share: [], read: []) }
    #expect(throws: ObjectError.self) {
      try AuthorisationRequest.check(share: [pressure], read: [])
    }
    #expect(throws: ObjectError.self) {
      try AuthorisationRequest.check(share: [HKQuantityType(.appleExerciseTime)], read: [])
    }
    #expect(throws: ObjectError.self) {
      try AuthorisationRequest.check(share: [steps], read: [pressure])
    }
    try AuthorisationRequest.check(share: [steps], read: [HKQuantityType(.appleExerciseTime)])
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      HKHealthStore().requestAuthorization(toShare: nil, read: nil) { _, _ in }
    }
    expectWords("Must request authorization for at least one data type", empty)
    let correlation = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      HKHealthStore().requestAuthorization(
        toShare: [], read: [HKCorrelationType(.bloodPressure)]
      ) { _, _ in }
    }
    expectWords(
      "Authorization to read the following types is disallowed: "
        + "HKCorrelationTypeIdentifierBloodPressure", correlation)
  }

  @Test("The environment configures a host")
  func environment() async throws {
    let host = HealthHost(environment: [
      "HKSTATS_STORE": "/srv/a.sqlite", "HKSTATS_APP": "com.example.a", "HKSTATS_APP_NAME": "A",
      "HKSTATS_HEALTH_DATA": "restricted", "HKSTATS_REQUESTS": "deny",
    ])
    #expect(host.path == "/srv/a.sqlite" && host.bundleIdentifier == "com.example.a")
    #expect(host.name == "A" && host.availability == .restricted)
    let request = AuthorisationRequest(host, share: [steps], read: [mass])
    #expect(await host.answer?(request)?.share == [])
    let bare = HealthHost(environment: ["HOME": "/people/a", "HKSTATS_REQUESTS": ""])
    #expect(bare.path == "/people/a/.local/share/hkstats/store.sqlite")
    #expect(bare.availability == .available && bare.answer == nil)
    #expect(bare.bundleIdentifier == HKSource.default().bundleIdentifier)
  }

  @Test("Samples have the app of the host as their source, before and after they are saved")
  func source() async throws {
    await #expect(processExitsWith: .success) {
      let program = HKSource.default()
      HealthHost.current.bundleIdentifier = "com.example.diary"
      HealthHost.current.name = "Diary"
      HealthHost.current.version = "1.2"
      let file = try HealthFile()
      HealthHost.current.path = file.path
      HealthHost.current.answer = { $0.allowed }
      let (type, own) = (HKQuantityType(.stepCount), HKSource.default())
      #expect(own != program && own.name == "Diary")
      #expect(own.bundleIdentifier == "com.example.diary")
      let sample = Trial.steps()
      #expect(sample.sourceRevision.source == own && sample.sourceRevision.version == "1.2")
      let store = HKHealthStore()
      try await store.requestAuthorization(toShare: [type], read: [type])
      try await store.save(sample)
      let predicate = HKQuery.predicateForObjects(from: own)
      let saved = try await HKSampleQueryDescriptor(
        predicates: [.quantitySample(type: type, predicate: predicate)], sortDescriptors: []
      ).result(for: store)
      #expect(saved == [sample])
      #expect(saved.first?.sourceRevision.version == "1.2")
    }
  }
}
