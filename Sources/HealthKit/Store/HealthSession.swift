import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthStore
import Synchronization

/// The session of a health store: the file of a host, as the host's app sees it.
final class HealthSession: Sendable {
  let host: HealthHost
  /// The test whose store this is; `nil` for the owner's.
  let scope: HealthScope?
  /// What runs on the file.
  let work: FileWork
  /// Runs saves and deletions in the order of the calls; handlers are not called from it.
  private let queue = DispatchQueue(label: "HealthKit store", qos: .userInitiated)
  private let file = Mutex<OpenedFile?>(nil)
  /// The app's permissions when the store was open last.
  private let lastPermissions = Mutex<[String: AppAuthorisation]?>(nil)
  /// The object of notifications.
  let poster = Mutex(Poster())

  /// One open store for all sessions of a file.
  private static let opened = Mutex<[String: Opened]>([:])

  private struct Opened {
    weak var file: OpenedFile?
  }

  struct Poster {
    weak var store: HKHealthStore?
  }

  init(_ host: HealthHost, in scope: HealthScope? = nil) {
    (self.host, self.scope) = (host, scope)
    work = FileWork.of(host.path)
  }

  /// Runs a body after the others of this session, and passes its result to a handler, in the
  /// background; the others do not wait for the handler.
  ///
  /// - Parameters:
  ///   - call: what the app called; `nil` for what it did not
  ///   - body: the work
  ///   - completion: the handler
  func perform<Value: Sendable>(
    _ call: HealthCall?, _ body: @escaping @Sendable (HealthSession) throws -> Value,
    then completion: @escaping @Sendable (Result<Value, HKError>) -> Void
  ) {
    begin(call) { session, error in
      session.work.begin()
      session.queue.async {
        let result = error.map { .failure($0) } ?? Self.catching { try body(session) }
        session.deliver { completion(result) }
        session.work.end()
      }
    }
  }

  /// Begins a call of the app: at once, except where a test delays it or gives it an error.
  func begin(
    _ call: HealthCall?, _ body: @escaping @Sendable (HealthSession, HKError?) -> Void
  ) {
    guard let call, let fate = take(call) else { return body(self, nil) }
    guard let delay = fate.delay else { return body(self, fate.error) }
    schedule(after: delay) { [self] in body(self, fate.error) }
  }

  /// Records a call that answers at once, and throws what a test lets it fail with.
  func note(_ call: HealthCall) throws(HKError) {
    if let error = take(call, .failing)?.error { throw error }
  }

  /// Records a call that neither answers nor fails.
  func record(_ call: HealthCall) { _ = take(call, .silent) }

  private func take(_ call: HealthCall, _ form: HealthCalls.Form = .waiting) -> HealthCalls.Fate? {
    guard let scope, !scope.hasEnded else { return nil }
    return scope.calls.take(call, form, of: host)
  }

  /// The medications that the owner shows the app.
  var medications: [HKUserAnnotatedMedication] {
    scope?.medications.withLock { $0 } ?? host.medications
  }

  /// The zones that the person set for workouts.
  var workoutZones: [HKWorkoutZoneConfiguration] {
    scope?.workoutZones.withLock { $0 } ?? host.workoutZones
  }

  /// The result of a body, with HealthKit's errors only.
  static func catching<Value>(_ body: () throws -> Value) -> Result<Value, HKError> {
    do {
      return .success(try body())
    } catch {
      return .failure(HKError(error))
    }
  }

  /// The store as its owner sees it.
  ///
  /// - Throws: `HKError` if it cannot be reached: the host may say so, or it is locked
  func owner() throws(HKError) -> SampleStore { try openedFile().store }

  /// The file, as it is opened for all stores of its path.
  ///
  /// - Parameter isLockedOut: whether a test that has locked its device keeps the caller out
  /// - Returns: the open file
  /// - Throws: as ``owner()``
  func openedFile(isLockedOut: Bool = true) throws(HKError) -> OpenedFile {
    try checkAvailability()
    if isLockedOut, let scope, scope.calls.isLocked { throw HKError(.errorDatabaseInaccessible) }
    do {
      return try file.withLock { file in
        // An open file stays readable when the store is locked: apps must not read it.
        guard try SampleStore.protection(path: host.path) != .locked else {
          file = nil
          throw HKError(.errorDatabaseInaccessible)
        }
        if let file { return file }
        let opened = try Self.open(host.path)
        opened.add(self)
        file = opened
        return opened
      }
    } catch {
      throw HKError(error)
    }
  }

  /// Throws if the host keeps apps from the data.
  func checkAvailability() throws(HKError) {
    if let scope, scope.hasEnded {
      throw .unavailable(
        "The test \(scope.name) has ended, and its store with it: let the test wait for what it "
          + "starts. If this is a store of several tests, which they call from no task, let each "
          + "run alone with .healthStore(exclusive: true)")
    }
    switch host.availability {
    case .available: break
    case .unavailable: throw HKError(.errorHealthDataUnavailable)
    case .restricted: throw HKError(.errorHealthDataRestricted)
    }
  }

  private static func open(_ path: String) throws -> OpenedFile {
    try opened.withLock { opened in
      if let file = opened[path]?.file { return file }
      let file = OpenedFile(try SampleStore(path: path, mode: .readWrite))
      opened[path] = Opened(file: file)
      return file
    }
  }

  /// Tells who listens to the file at a path of every change that is committed.
  static func look(at path: String) {
    let file = opened.withLock { $0[path]?.file }
    try? file?.store.hub().look()
  }

  /// The store as the app sees it.
  func reader() throws(HKError) -> SampleStore {
    do {
      return try owner().reading(
        as: host.bundleIdentifier, named: host.name, filtersHistory: true)
    } catch {
      throw HKError(error)
    }
  }

  // MARK: Permission

  /// The app's permissions by the identifiers of types; the owner was never asked for the others.
  ///
  /// - Parameter isLockedOut: as for ``openedFile(isLockedOut:)``
  /// - Returns: the permissions
  /// - Throws: as ``owner()``
  func permissions(
    isLockedOut: Bool = true
  ) throws(HKError) -> [String: AppAuthorisation] {
    let store = try openedFile(isLockedOut: isLockedOut).store
    do throws(StoreError) {
      let rows = try store.authorisations(of: host.bundleIdentifier)
      let permissions = Dictionary(rows.map { ($0.type, $0) }) { first, _ in first }
      lastPermissions.withLock { $0 = permissions }
      return permissions
    } catch {
      throw HKError(error)
    }
  }

  /// The app's permissions, which a phone keeps apart from the data, readable while it is locked;
  /// those of before where the file itself is locked.
  func lastingPermissions() -> [String: AppAuthorisation] {
    do {
      return try permissions(isLockedOut: false)
    } catch {
      return error.code == .errorDatabaseInaccessible
        ? lastPermissions.withLock { $0 } ?? [:] : [:]
    }
  }

  /// Throws unless the app may save samples of some types, and delete them.
  func checkSharing(of types: Set<HKObjectType>) throws(HKError) {
    if host.isGuest { throw HKError(.errorNotPermissibleForGuestUserMode) }
    try Self.checkSharing(of: types, as: try permissions())
  }

  private static func checkSharing(
    of types: Set<HKObjectType>, as permissions: [String: AppAuthorisation]
  ) throws(HKError) {
    let states = types.flatMap { type -> [Authorisation] in
      let (all, any) = (type as? HKSampleType)?.permittedTypes ?? ([type.identifier], [])
      let some = any.map { permissions[$0]?.share ?? .undetermined }
      return all.map { permissions[$0]?.share ?? .undetermined }
        + (any.isEmpty
          ? []
          : [some.first { $0 == .authorised } ?? some.first { $0 == .denied } ?? .undetermined])
    }
    if states.contains(.undetermined) { throw HKError(.errorAuthorizationNotDetermined) }
    if states.contains(.denied) { throw HKError(.errorAuthorizationDenied) }
  }

  /// Throws if the owner was never asked whether the app may do anything with some types.
  ///
  /// Whether the answer to reading was yes or no does not show.
  func checkReading(of types: Set<HKObjectType>) throws(HKError) {
    let permissions = try permissions()
    let areAsked = types.allSatisfy { type in
      let (all, any) = (type as? HKSampleType)?.permittedTypes ?? ([type.identifier], [])
      return all.allSatisfy { permissions[$0] != nil }
        && (any.isEmpty || any.contains { permissions[$0] != nil })
    }
    guard areAsked else {
      throw HKError(.errorAuthorizationNotDetermined)
    }
  }

  /// The part of a request that is not decided yet.
  func unanswered(
    share: Set<HKSampleType>, read: Set<HKObjectType>
  ) throws(HKError) -> AuthorisationRequest {
    let permissions = try permissions(isLockedOut: false)
    return AuthorisationRequest(
      host,
      share: share.filter { (permissions[$0.identifier]?.share ?? .undetermined) == .undetermined },
      read: read.filter { (permissions[$0.identifier]?.read ?? .undetermined) == .undetermined })
  }

  /// Asks the owner for the permissions that are not decided yet, and keeps the answers.
  ///
  /// Where another call of the app asks already, this one waits for its answer.
  func request(share: Set<HKSampleType>, read: Set<HKObjectType>) async throws {
    try checkEntitlement()
    if read.contains(where: { $0 is HKClinicalType }) {
      try checkEntitlement(
        "health-records",
        "Missing com.apple.developer.healthkit.access entitlement with health-records.")
    }
    // The sheet does not appear, and the app is not told.
    if host.isGuest { return }
    try await work.gate(of: host.bundleIdentifier).pass {
      let request = try unanswered(share: share, read: read)
      return request.share.isEmpty && request.read.isEmpty ? nil : request
    } _: { [self] in
      try await ask($0)
    }
    let required = read.filter {
      ($0 as? HKClinicalType).map(host.requiredReadTypes.contains) ?? false
    }
    guard !required.isEmpty else { return }
    let permissions = try permissions()
    if required.contains(where: { permissions[$0.identifier]?.read != .authorised }) {
      throw HKError(.errorRequiredAuthorizationDenied)
    }
  }

  /// Throws if the app lacks an entitlement, where entitlements count.
  func checkEntitlement(
    _ entitlement: String = "com.apple.developer.healthkit",
    _ words: String = "Missing com.apple.developer.healthkit entitlement."
  ) throws(HKError) {
    guard let entitlements = host.entitlements, !entitlements.contains(entitlement) else { return }
    throw HKError(.errorAuthorizationDenied, userInfo: [NSLocalizedDescriptionKey: words])
  }

  private func ask(_ request: AuthorisationRequest) async throws(HKError) {
    guard let answer = await host.answer?(request) else { throw HKError(.errorUserCanceled) }
    try decide(request, answer)
  }

  /// Keeps the owner's answer to a request.
  func decide(_ request: AuthorisationRequest, _ answer: AuthorisationAnswer) throws(HKError) {
    let store = try openedFile(isLockedOut: false).store
    func states<Type: HKObjectType>(
      _ asked: Set<Type>, _ allowed: Set<Type>
    ) -> [String: Authorisation] {
      Dictionary(
        asked.map { ($0.identifier, allowed.contains($0) ? .authorised : .denied) },
        uniquingKeysWith: { first, _ in first })
    }
    do throws(StoreError) {
      // A limit holds before the permission does.
      var limits: [String: Date] = [:]
      for (type, date) in answer.earliest where request.read.contains(type) {
        for part in type.historyTypes { limits[part] = date }
      }
      if !limits.isEmpty { try store.limitHistory(of: host.bundleIdentifier, from: limits) }
      // The name that the owner chose stays.
      let isNamed = try store.appNames()[host.bundleIdentifier] != nil
      try store.authorise(
        host.bundleIdentifier, share: states(request.share, answer.share),
        read: states(request.read, answer.read), named: isNamed ? nil : host.name)
    } catch {
      throw HKError(error)
    }
    _ = try? permissions()
  }

  // MARK: Changes

  /// Saves samples, all or none; into the journal of a locked store.
  func save(_ objects: [HKObject]) throws {
    try checkAvailability()
    try Self.checkSome(objects)
    let saving = try ObjectsToSave(samples(objects), of: host)
    do {
      try checkSharing(of: saving.types)
      try reader().save(saving.objects(knownTo: reader()))
    } catch let error as HKError where error.code == .errorDatabaseInaccessible {
      // The permissions are locked too: they are checked when the samples enter the store.
      if let last = lastPermissions.withLock({ $0 }) {
        try Self.checkSharing(of: saving.types, as: last)
      }
      if let scope {
        if scope.calls.keep({ [self] in enter(objects) }) { return }
        // It was unlocked meanwhile.
        return try save(objects)
      }
      try SampleStore.saveLocked(
        saving.objects(knownTo: nil), app: host.bundleIdentifier, path: host.path)
    }
  }

  /// Saves those of some objects that the store does not have, as far as the app may save them now.
  private func enter(_ objects: [HKObject]) {
    guard let samples = try? samples(objects), let known = try? reader().known(samples) else {
      return
    }
    let rest = objects.filter { !known.contains($0.uuid) }
    if !rest.isEmpty { try? save(rest) }
  }

  /// Adds quantity and category samples to a workout of the app, and saves those that are not in
  /// the store: all or none.
  func add(_ samples: [HKSample], to workout: HKWorkout) throws {
    try checkSharing(of: [workout.sampleType])
    for sample in samples where sample.sampleType.storedType == nil {
      throw HKError.invalid("\(type(of: sample)) cannot be added to a workout")
    }
    try relate(samples, to: workout, .workout)
  }

  /// Relates samples to a workout that is in the store, and saves those that are not: all or none.
  func relate(
    _ samples: [HKSample], to workout: HKWorkout, _ kind: Association.Kind = .workout,
    part: HKWorkoutActivity? = nil
  ) throws {
    let store = try reader()
    guard try !store.known([workout]).isEmpty else {
      throw HKError.invalid("The workout must be saved before samples are added to it")
    }
    let known = try store.known(samples)
    let saving = try ObjectsToSave(samples.filter { !known.contains($0.uuid) }, of: host)
    try checkSharing(of: saving.types)
    var objects = try saving.objects(knownTo: store)
    objects.associations += samples.map {
      Association(workout.uuid, $0.uuid, kind, part: part?.uuid)
    }
    try store.save(objects)
  }

  /// The objects as samples.
  ///
  /// - Throws: `HKError` for the first object that is not a sample
  private func samples(_ objects: [HKObject]) throws(HKError) -> [HKSample] {
    var samples: [HKSample] = []
    for object in objects {
      guard let sample = object as? HKSample else {
        throw HKError.invalid("\(type(of: object)) is not a sample")
      }
      samples.append(sample)
    }
    return samples
  }

  /// Throws without objects.
  private static func checkSome(_ objects: [HKObject]) throws(HKError) {
    guard !objects.isEmpty else { throw HKError.invalid("dataObjects cannot be empty") }
  }

  /// Deletes samples of the app, all or none.
  func delete(_ objects: [HKObject]) throws {
    _ = try owner()
    try Self.checkSome(objects)
    let samples = try samples(objects)
    try checkSharing(of: Set(samples.map(\.sampleType)))
    let uuids = Set(samples.map(\.uuid))
    let store = try reader()
    // As on a phone, another app's object is one that is not found.
    let missing = HKError.invalid("Failed to find some objects for deletion.")
    try store.snapshot {
      guard try store.known(samples) == uuids else { throw missing }
    }
    do {
      try store.delete(uuids)
    } catch {
      throw error.reason == .notPermitted ? missing : HKError(error)
    }
  }

  /// Deletes the app's own samples of a type that a predicate matches, and counts them.
  func delete(of type: HKObjectType, _ predicate: NSPredicate) throws -> Int {
    guard let type = type as? HKSampleType else {
      throw HKError.invalid("There are no samples of \(type.identifier)")
    }
    try checkSharing(of: [type])
    let store = try reader()
    var uuids: [UUID] = []
    try SampleRequest([(type, predicate)], order: .store([]), limit: nil).forEach(in: store) {
      if $0.sourceRevision.source.core.bundleIdentifier == host.bundleIdentifier {
        uuids.append($0.uuid)
      }
      return true
    }
    return uuids.isEmpty ? 0 : try store.delete(uuids)
  }
}

extension SampleStore {
  /// The characteristics of the person that the reader may see.
  func person() throws(StoreError) -> Characteristics {
    var characteristics = Characteristics()
    characteristics.rows = [
      Metadata(try profile().map { Metadata.Entry(key: $0.identifier, value: $0.value) })
    ]
    return characteristics
  }
}

extension HKObjectType {
  /// The type of the rows in which a store has such samples; `nil` for others.
  var storedType: SampleType? {
    switch self {
    case let type as HKQuantityType: type.core
    case let type as HKCategoryType: type.core
    default: nil
    }
  }
}

extension HKError {
  /// An error of HealthKit for any error of the layers below.
  init(_ error: any Error) {
    switch error {
    case let error as HKError: self = error
    case let error as StoreError: self.init(store: error)
    case let error as ObjectError: self = error.asHealthKitError
    case let error as ColumnError: self = .invalid("\(error)")
    case let error as QueryError:
      if case .store(let reason) = error.reason {
        self.init(store: reason)
      } else {
        self = .invalid("\(error)")
      }
    default: self.init(.unknownError)
    }
  }

  private init(store error: StoreError) {
    let code: Code =
      switch error.reason {
      case .locked, .wrongKey: .errorDatabaseInaccessible
      case .notPermitted: .errorAuthorizationDenied
      case .invalidSample, .knownSample, .invalidBatch, .foreignAnchor, .invalidLimit,
        .noBundleIdentifier, .reservedBundleIdentifier:
        .errorInvalidArgument
      default: .unknownError
      }
    self.init(code, userInfo: [NSLocalizedDescriptionKey: error.explanation])
  }

  /// An argument that is not valid, with the reason.
  static func invalid(_ words: String) -> HKError {
    HKError(.errorInvalidArgument, userInfo: [NSLocalizedDescriptionKey: words])
  }

  /// Something that the machine does not have, with the reason.
  static func unavailable(_ words: String) -> HKError {
    HKError(.errorHealthDataUnavailable, userInfo: [NSLocalizedDescriptionKey: words])
  }
}
