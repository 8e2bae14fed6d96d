public import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthStore
import Synchronization

/// An app's access to a person's health data.
///
/// The file behind it, the app and the clock are those of ``HealthHost/current`` when it is made; in
/// a test with a store of its own they are that test's at each call. Completion handlers are called
/// in the background, in any order; they may wait for other calls. Every error is an ``HKError``.
open class HKHealthStore: NSObject, @unchecked Sendable {
  /// The session of the host that was given, or else was current.
  private let own: HealthSession
  /// The sessions of tests; `nil` for a store of a given host, which stays on it.
  private let tests: TestSessions?

  /// Makes a store of the current host.
  public override init() {
    own = HealthSession(.current)
    tests = TestSessions()
    super.init()
    own.poster.withLock { $0.store = self }
  }

  /// Makes a store of a host, such as another app on the same file.
  public init(host: HealthHost) {
    own = HealthSession(host)
    tests = nil
    super.init()
    own.poster.withLock { $0.store = self }
  }

  /// Makes a store of another app on the file of a test.
  package init(host: HealthHost, in scope: HealthScope) {
    own = HealthSession(host, in: scope)
    tests = nil
    super.init()
    own.poster.withLock { $0.store = self }
  }

  /// The session that a call is for.
  var session: HealthSession { tests?.session(for: self) ?? own }

  /// Whether the machine has health data at all.
  open class func isHealthDataAvailable() -> Bool {
    (HealthScope.known?.host ?? .current).availability != .unavailable
  }

  // MARK: Permission

  /// Whether the app may save samples of a type; whether it may read them does not show.
  ///
  /// As on a phone, a type that the app asked to read, and not to share, is denied, and the answer
  /// does not change while the store is locked; a process that has not reached it before then has
  /// `notDetermined`.
  open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
    guard let answer = session.lastingPermissions()[type.identifier] else { return .notDetermined }
    return switch answer.share {
    case .authorised: .sharingAuthorized
    case .denied: .sharingDenied
    case .undetermined:
      answer.read == .undetermined || type.requiresPerObjectAuthorization()
        ? .notDetermined : .sharingDenied
    }
  }

  /// Asks the owner for the permissions that are not decided yet, through ``HealthHost/answer``.
  ///
  /// Success says that the request was answered, not that anything was allowed. Traps for no type
  /// and for types that no app may ask for, where ``AuthorisationRequest/check(share:read:by:)``
  /// throws.
  @preconcurrency
  open func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let (share, read) = (typesToShare ?? [], typesToRead ?? [])
    let session = session
    raising { () throws(ObjectError) in
      try AuthorisationRequest.check(share: share, read: read, by: session.host)
    }
    session.perform(
      .requestAuthorization(share, read), completion,
      asking: { try await $0.request(share: share, read: read) })
  }

  /// Asks the owner for the permissions that are not decided yet; see the form with a handler.
  open func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {
    try await finishing {
      requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
    }
  }

  /// Whether a request for the types would ask the owner.
  @preconcurrency
  open func getRequestStatusForAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
    completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
  ) {
    session.perform(.requestAuthorization(typesToShare, typesToRead)) { session in
      let request = try session.unanswered(share: typesToShare, read: typesToRead)
      return request.share.isEmpty && request.read.isEmpty
        ? HKAuthorizationRequestStatus.unnecessary : .shouldRequest
    } then: {
      completion($0.value ?? .unknown, $0.error)
    }
  }

  /// Whether a request for the types would ask the owner.
  open func statusForAuthorizationRequest(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws -> HKAuthorizationRequestStatus {
    try await finishing { answer in
      getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead) { answer($0, $1) }
    }
  }

  /// Decides permissions without a request, as the owner does in advance: those that are named are
  /// allowed, or denied.
  package func decide(
    share: Set<HKSampleType>, read: Set<HKObjectType>, isAllowed: Bool = true
  ) throws(HKError) {
    let session = session
    let request = AuthorisationRequest(session.host, share: share, read: read)
    try session.decide(request, isAllowed ? request.allowed : request.denied)
  }

  /// Allows the app to save and to read every type for which an app can ask.
  package func allowAll() throws(HKError) {
    let types = HKObjectType.permittable
    try decide(
      share: Set(types.compactMap { $0 as? HKSampleType }.filter(\.isShareable)),
      read: Set(types.filter { !($0 is HKPrescriptionType) }))
  }

  // MARK: Saving and deleting

  /// Saves a sample; see the form for several.
  @preconcurrency
  open func save(
    _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.save([object]), completion) { try $0.save([object]) }
  }

  /// Saves samples of any class, correlations with their samples: all of them, or none.
  ///
  /// The objects in memory do not change; those that are read back have the app as their source.
  /// Errors: `errorAuthorizationNotDetermined` and `errorAuthorizationDenied` for types that the app
  /// may not share, and `errorInvalidArgument` without objects, for a UUID that the store knows, for
  /// objects that are no samples, and for a quantity that is not finite.
  ///
  /// While the store is locked samples are sealed into a journal beside it, and enter the store with
  /// their UUIDs when the owner unlocks it; those that the app may not save then, or that the store
  /// has already, do not.
  @preconcurrency
  open func save(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.save(objects), completion) { try $0.save(objects) }
  }

  /// Saves a sample.
  open func save(_ object: HKObject) async throws {
    try await finishing { save(object, withCompletion: $0) }
  }

  /// Saves samples: all of them, or none.
  open func save(_ objects: [HKObject]) async throws {
    try await finishing { save(objects, withCompletion: $0) }
  }

  /// Deletes a sample that the app saved.
  @preconcurrency
  open func delete(
    _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.delete([object]), completion) { try $0.delete([object]) }
  }

  /// Deletes samples that the app saved: all of them, or none.
  ///
  /// Errors: `errorInvalidArgument` without objects, and if one of them is another app's or not in
  /// the store; and those of permission to share.
  @preconcurrency
  open func delete(
    _ objects: [HKObject],
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.delete(objects), completion) { try $0.delete(objects) }
  }

  /// Deletes a sample that the app saved.
  open func delete(_ object: HKObject) async throws {
    try await finishing { delete(object, withCompletion: $0) }
  }

  /// Deletes samples that the app saved: all of them, or none.
  open func delete(_ objects: [HKObject]) async throws {
    try await finishing { delete(objects, withCompletion: $0) }
  }

  /// Deletes the app's own samples of a type that match a predicate, and counts them.
  @preconcurrency
  open func deleteObjects(
    of objectType: HKObjectType, predicate: NSPredicate,
    withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
  ) {
    let predicate = Unchecked(predicate)
    session.perform(.delete(of: objectType)) {
      try $0.delete(of: objectType, predicate.value)
    } then: {
      completion($0.error == nil, $0.value ?? 0, $0.error)
    }
  }

  /// Deletes the app's own samples of a type that match a predicate, and counts them.
  @discardableResult
  open func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
    try await finishing { answer in
      deleteObjects(of: objectType, predicate: predicate) { success, count, error in
        answer(success ? count : nil, success ? nil : error)
      }
    }
  }

  // MARK: Workouts

  /// Adds quantity and category samples to a workout that is saved: all of them, or none.
  ///
  /// Samples that are not saved yet are saved with it. The workout does not change:
  /// ``HKQuery/predicateForObjects(from:)-(HKWorkout)`` finds its samples. Errors:
  /// `errorInvalidArgument` for a workout that the store does not have and for other samples, and
  /// those of permission to share.
  @preconcurrency
  open func add(
    _ samples: [HKSample], to workout: HKWorkout,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.save(samples), completion) { try $0.add(samples, to: workout) }
  }

  /// Adds quantity and category samples to a workout that is saved.
  open func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
    try await finishing { add(samples, to: workout, completion: $0) }
  }

  /// Relates a sample of effort to a workout that is saved, or to one of its activities.
  ///
  /// A sample that is not saved is saved with it. Errors: `errorInvalidArgument` for samples of other
  /// types, for a workout that the store does not have and for the activity of another, and those of
  /// permission to share.
  @preconcurrency
  open func relateWorkoutEffortSample(
    _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.save([sample]), completion) {
      try $0.relateEffort(sample, to: workout, activity)
    }
  }

  /// Relates a sample of effort to a workout that is saved, or to one of its activities.
  @discardableResult
  open func relateWorkoutEffortSample(
    _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
  ) async throws -> Bool {
    try await finishing {
      relateWorkoutEffortSample(sample, with: workout, activity: activity, completion: $0)
    }
    return true
  }

  /// Ends the relation of a sample of effort to a workout; the sample stays.
  ///
  /// The error is `errorInvalidArgument` for a sample that is not related to it.
  @preconcurrency
  open func unrelateWorkoutEffortSample(
    _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.save([sample]), completion) {
      try $0.unrelateEffort(sample, from: workout, activity)
    }
  }

  /// Ends the relation of a sample of effort to a workout; the sample stays.
  @discardableResult
  open func unrelateWorkoutEffortSample(
    _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?
  ) async throws -> Bool {
    try await finishing {
      unrelateWorkoutEffortSample(sample, from: workout, activity: activity, completion: $0)
    }
    return true
  }

  /// The earliest date that a sample can have: the first day of the year 1.
  open func earliestPermittedSampleDate() -> Date {
    Date(timeIntervalSinceReferenceDate: QueryDate.range.lowerBound)
  }

  // MARK: Queries

  /// Begins to answer a query, in the background.
  ///
  /// Handlers are called one at a time for each query, and released at its end: after a stop, an
  /// error, or the only answer. Traps for a query that was executed before and for one that asks for
  /// no type; ``executeOnce(_:)`` throws.
  open func execute(_ query: HKQuery) {
    raising { () throws(ObjectError) in try query.execute(in: session) }
  }

  /// Begins to answer a query, in the background.
  ///
  /// - Throws: ``ObjectError`` where ``execute(_:)`` traps
  public func executeOnce(_ query: HKQuery) throws(ObjectError) { try query.execute(in: session) }

  /// Ends a query: no handler is called any more, apart from one that runs already.
  open func stop(_ query: HKQuery) { query.stop() }

  // MARK: The person

  /// The biological sex, which only the owner sets; not set if the app may not read it.
  open func biologicalSex() throws -> HKBiologicalSexObject {
    try characteristics(.biologicalSex).biologicalSex
  }

  /// The blood type; not set if the app may not read it.
  open func bloodType() throws -> HKBloodTypeObject {
    try characteristics(.bloodType).bloodType
  }

  /// The skin type; not set if the app may not read it.
  open func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
    try characteristics(.fitzpatrickSkinType).fitzpatrickSkinType
  }

  /// Whether the person uses a wheelchair; not set if the app may not read it.
  open func wheelchairUse() throws -> HKWheelchairUseObject {
    try characteristics(.wheelchairUse).wheelchairUse
  }

  /// What counts towards the goal of movement; energy if the app may not read it.
  open func activityMoveMode() throws -> HKActivityMoveModeObject {
    try characteristics(.activityMoveMode).activityMoveMode
  }

  /// The day of birth: `errorNoData` if it is not set, or the app may not read it.
  open func dateOfBirthComponents() throws -> DateComponents {
    guard let day = try characteristics(.dateOfBirth).dateOfBirthComponents else {
      throw HKError(.errorNoData)
    }
    return day
  }

  /// The start of the day of birth.
  ///
  /// Deprecated: use ``dateOfBirthComponents()``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open func dateOfBirth() throws -> Date {
    guard let date = try dateOfBirthComponents().date else { throw HKError(.errorNoData) }
    return date
  }

  private func characteristics(
    _ identifier: HKCharacteristicTypeIdentifier
  ) throws -> Characteristics {
    let session = session
    let call = HealthCall.characteristics(HKCharacteristicType(identifier))
    do {
      try session.note(call)
      guard try session.permissions()[identifier.rawValue]?.read ?? .undetermined != .undetermined
      else { throw HKError(.errorAuthorizationNotDetermined) }
      return try session.reader().person()
    } catch {
      throw HKError(error)
    }
  }

  /// The units in which the person wants to see types: those that the owner set, else those of the
  /// country of the machine.
  ///
  /// The error is that of permission for a type that the app never asked for.
  @preconcurrency
  open func preferredUnits(
    for quantityTypes: Set<HKQuantityType>,
    completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
  ) {
    session.perform(.other(quantityTypes)) { session in
      try session.checkReading(of: quantityTypes)
      let store = try session.owner()
      return Dictionary(
        uniqueKeysWithValues: try quantityTypes.map { type in
          let own = try store.preferredUnit(of: type.core).flatMap { try? HKUnit.parsed($0) }
          return (type, own ?? type.unit(in: Locale.current.measurementSystem))
        })
    } then: {
      completion($0.value ?? [:], $0.error)
    }
  }

  /// The units in which the person wants to see types.
  open func preferredUnits(
    for quantityTypes: Set<HKQuantityType>
  ) async throws -> [HKQuantityType: HKUnit] {
    try await finishing { answer in
      preferredUnits(for: quantityTypes) { answer($0, $1) }
    }
  }

  // MARK: Workout sessions

  private let mirroring = Mutex<(@Sendable (HKWorkoutSession) -> Void)?>(nil)

  /// Never called: there is no other device whose session could be mirrored.
  @preconcurrency
  open var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
    get { mirroring.withLock { $0 } }
    set { mirroring.withLock { $0 = newValue } }
  }

  /// Starts a session.
  ///
  /// Deprecated: use ``HKWorkoutSession/startActivity(with:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open func start(_ workoutSession: HKWorkoutSession) { workoutSession.startActivity(with: nil) }

  /// Ends a session.
  ///
  /// Deprecated: use ``HKWorkoutSession/end()``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open func end(_ workoutSession: HKWorkoutSession) { workoutSession.end() }

  /// Pauses a session.
  open func pause(_ workoutSession: HKWorkoutSession) { workoutSession.pause() }

  /// Resumes a session.
  open func resumeWorkoutSession(_ workoutSession: HKWorkoutSession) { workoutSession.resume() }

  /// The session of the app that runs in this process, or neither session nor error: a session does
  /// not outlive its process.
  @preconcurrency
  open func recoverActiveWorkoutSession(
    completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
  ) {
    session.perform(.workoutSession) { session in
      try session.checkAvailability()
      return HKWorkoutSession.active(in: session)
    } then: { result in
      completion(result.value ?? nil, result.error)
    }
  }

  /// The session of the app that runs in this process; see the form with a completion handler.
  open func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
    try await answering { recoverActiveWorkoutSession(completion: $0) }
  }

  // MARK: Background delivery

  /// Enables background delivery of the changes of a type, at a frequency or less often.
  ///
  /// A change is a sample of the type that any process saves or deletes and that the app may see.
  /// Observer queries in running processes of the app get it at once. For an app that does not run,
  /// `hkstats deliver` runs the command that the owner registered for it, at most once in each
  /// period of the frequency. Without a command the app gets the changes when its first observer
  /// query of the type begins.
  ///
  /// The app calls the completion handler of its observer query when it has handled an update. Until
  /// then nothing more is delivered for the type. Delivery goes on a minute after the first update
  /// without completion, and ten minutes after the second; after the third it stops, until the app
  /// calls this method again or completes one of the updates. The store keeps this state when the
  /// app ends.
  ///
  /// As on a phone, the updates of steps come once an hour at most, whatever is asked. Errors:
  /// `errorAuthorizationNotDetermined` for a type that the app never asked for, and
  /// `errorInvalidArgument` for correlations.
  @preconcurrency
  open func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.backgroundDelivery(type), completion) {
      try $0.enableDelivery(of: type, frequency)
    }
  }

  /// Enables background delivery of the changes of a type; see the form with a completion handler.
  open func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency
  ) async throws {
    try await finishing {
      enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0)
    }
  }

  /// Disables background delivery of the changes of a type.
  @preconcurrency
  open func disableBackgroundDelivery(
    for type: HKObjectType,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.backgroundDelivery(type), completion) { try $0.disableDelivery(of: type) }
  }

  /// Disables background delivery of the changes of a type.
  open func disableBackgroundDelivery(for type: HKObjectType) async throws {
    try await finishing { disableBackgroundDelivery(for: type, withCompletion: $0) }
  }

  /// Disables background delivery of all types.
  @preconcurrency
  open func disableAllBackgroundDelivery(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.backgroundDelivery(nil), completion) { try $0.disableDelivery(of: nil) }
  }

  /// Disables background delivery of all types.
  open func disableAllBackgroundDelivery() async throws {
    try await finishing { disableAllBackgroundDelivery(completion: $0) }
  }

  // MARK: Single objects

  /// Asks the owner which objects of a type the app may read, through ``HealthHost/choose``: for
  /// types whose `requiresPerObjectAuthorization` is true, such as prescriptions.
  ///
  /// The owner is asked each time, one question after the other; a request that comes while the
  /// owner is asked for the same objects gets that answer. Beside its own objects the app reads those
  /// that the owner chooses, until the owner leaves them out in another request. Medications are
  /// those of ``HealthHost/medications``, all or none of them, and come with their doses; without
  /// ``HealthHost/choose`` the owner has chosen them there. Success says that the request was
  /// answered. Errors: `errorInvalidArgument` for other types, `errorUserCanceled` without an
  /// answer.
  @preconcurrency
  open func requestPerObjectReadAuthorization(
    for objectType: HKObjectType, predicate: NSPredicate?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let predicate = predicate.map { Unchecked($0) }
    session.perform(
      .requestAuthorization([], [objectType]), completion,
      asking: { try await $0.requestObjects(of: objectType, predicate?.value) })
  }

  /// Asks the owner which objects of a type the app may read; see the form with a handler.
  open func requestPerObjectReadAuthorization(
    for objectType: HKObjectType, predicate: NSPredicate?
  ) async throws {
    try await finishing {
      requestPerObjectReadAuthorization(for: objectType, predicate: predicate, completion: $0)
    }
  }

  // MARK: The machine

  /// Whether the store can hold clinical records: always, unless the host keeps apps from the data.
  open func supportsHealthRecords() -> Bool { session.host.availability == .available }

  /// Asks the owner for the permissions that an extension of the app requested.
  ///
  /// Here each process asks for itself: there is nothing left to ask, and the handler gets success.
  @preconcurrency
  open func handleAuthorizationForExtension(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.other(), completion) { _ = try $0.owner() }
  }

  /// Asks the owner for the permissions that an extension of the app requested.
  open func handleAuthorizationForExtension() async throws {
    try await finishing { handleAuthorizationForExtension(completion: $0) }
  }

  /// Recalibrates the estimates of a type, which Apple's devices make: here it always fails.
  ///
  /// The error is `errorInvalidArgument` for a type whose `allowsRecalibrationForEstimates` is false,
  /// and else `errorHealthDataUnavailable`, because this machine estimates nothing.
  @preconcurrency
  open func recalibrateEstimates(
    sampleType: HKSampleType, date: Date,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.other([sampleType]), completion) { session in
      _ = try session.owner()
      guard sampleType.allowsRecalibrationForEstimates else {
        throw HKError.invalid("The type has no estimates that can be recalibrated")
      }
      throw HKError.unavailable("There are no estimates on this machine")
    }
  }

  /// Recalibrates the estimates of a type; see the form with a handler.
  open func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
    try await finishing {
      recalibrateEstimates(sampleType: sampleType, date: date, completion: $0)
    }
  }

  /// Starts the app on a watch: fails with `errorHealthDataUnavailable`, because no watch belongs to
  /// this machine.
  @preconcurrency
  open func startWatchApp(
    with workoutConfiguration: HKWorkoutConfiguration,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.other(), completion) { session in
      _ = try session.owner()
      throw HKError.unavailable("No watch belongs to this machine")
    }
  }

  /// Starts the app on a watch; see the form with a handler.
  open func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
    try await finishing { startWatchApp(with: workoutConfiguration, completion: $0) }
  }

  /// Splits the energy that a person burned in a period into resting and active energy.
  ///
  /// The resting energy follows the equation of Mifflin and St Jeor, with the person's body mass,
  /// height, age and sex at the end of the period. The values of a reference adult replace those
  /// that are not recorded or that the app may not read. The resting energy is at most the total;
  /// the active energy is the difference.
  ///
  /// - Parameters:
  ///   - totalEnergy: an energy
  ///   - startDate: when the period begins
  ///   - endDate: when it ends
  ///   - resultsHandler: gets the resting energy, the active energy, or the error:
  ///     `errorInvalidArgument` for a quantity that is not an energy, and an end before the start
  @preconcurrency
  open func splitTotalEnergy(
    _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
    resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
  ) {
    session.perform(.other()) {
      try $0.split(totalEnergy, from: startDate, to: endDate)
    } then: { result in
      resultsHandler(result.value?.resting, result.value?.active, result.error)
    }
  }
}
