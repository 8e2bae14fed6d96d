public import Foundation
import Synchronization

/// A workout in progress: a state machine that reports its steps to a delegate.
///
/// | Call | From | To |
/// | --- | --- | --- |
/// | ``prepare()`` | not started | prepared |
/// | ``startActivity(with:)`` | not started, prepared | running |
/// | ``pause()`` | running | paused |
/// | ``resume()`` | paused | running |
/// | ``stopActivity(with:)`` | running, paused | stopped |
/// | ``end()`` | all but ended | ended |
///
/// Any other call changes nothing and fails: the delegate gets `errorInvalidArgument`. A call
/// without a date takes that of the host's clock. No sensor measures here; the builder of the
/// session collects what apps save while the session runs.
///
/// One session runs at a time on a store, in one process. When another one starts, the delegate of
/// the first gets `errorAnotherWorkoutSessionStarted`, and the first ends. A session ends with its
/// process.
open class HKWorkoutSession: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The state and what follows from it.
  private struct Progress: @unchecked Sendable {
    var state = HKWorkoutSessionState.notStarted
    var start: Date?
    var end: Date?
    /// Pauses and resumptions.
    var events: [HKWorkoutEvent] = []
    /// The current part; `nil` for the whole.
    var part: HKWorkoutActivity?
    weak var delegate: (any HKWorkoutSessionDelegate)?
    var builder: HKLiveWorkoutBuilder?
  }

  let access: HealthSession
  private let configuration: HKWorkoutConfiguration
  /// The identity of the whole workout as an activity.
  private let identity: UUID
  private let progress = Mutex(Progress())
  /// Calls delegates, one call at a time.
  let queue = DispatchQueue(label: "HealthKit workout session", qos: .userInitiated)

  /// The session that runs on each file.
  private static let running = Mutex<[String: Running]>([:])

  private struct Running {
    weak var session: HKWorkoutSession?
  }

  /// Makes a session on a store.
  ///
  /// - Throws: `errorHealthDataUnavailable` or `errorHealthDataRestricted` where the host has no
  ///   health data
  public init(
    healthStore: HKHealthStore, configuration workoutConfiguration: HKWorkoutConfiguration
  ) throws {
    try healthStore.session.checkAvailability()
    access = healthStore.session
    configuration = workoutConfiguration.duplicate
    identity = UUID()
  }

  /// Makes a session on the store of the current host.
  ///
  /// Deprecated: use ``init(healthStore:configuration:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(configuration workoutConfiguration: HKWorkoutConfiguration) throws {
    access = HKHealthStore().session
    configuration = workoutConfiguration.duplicate
    identity = UUID()
    super.init()
    try access.checkAvailability()
  }

  /// Makes a session on the store of the current host.
  ///
  /// Deprecated: use ``init(healthStore:configuration:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(
    activityType: HKWorkoutActivityType, locationType: HKWorkoutSessionLocationType
  ) {
    access = HKHealthStore().session
    configuration = HKWorkoutConfiguration()
    configuration.activityType = activityType
    configuration.locationType = locationType
    identity = UUID()
  }

  /// Reads a session from an archive, on the store of the current host.
  ///
  /// One that was running is ended: it does not go on without the process that it was in.
  public required init?(coder: NSCoder) {
    guard let configuration = coder.decodeOne(HKWorkoutConfiguration.self, "workoutConfiguration"),
      let state = coder.decodeCase(HKWorkoutSessionState.self, "state"),
      let identity = coder.decodeText("uuid").flatMap(UUID.init(uuidString:))
    else { return nil }
    access = HKHealthStore().session
    self.configuration = configuration
    self.identity = identity
    super.init()
    let (start, end) = (coder.decodeDate("startDate"), coder.decodeDate("endDate"))
    progress.withLock { progress in
      (progress.start, progress.end) = (start, end)
      progress.state = start == nil && state != .ended ? state : .ended
    }
  }

  /// Writes the configuration, the state and the dates.
  open func encode(with coder: NSCoder) {
    coder.encode(configuration, forKey: "workoutConfiguration")
    coder.encodeText(identity.uuidString, "uuid")
    let (state, start, end) = progress.withLock { ($0.state, $0.start, $0.end) }
    coder.encode(state.rawValue, forKey: "state")
    coder.encodeDate(start, "startDate")
    coder.encodeDate(end, "endDate")
  }

  /// Sessions are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  // MARK: Properties

  /// The delegate; weak.
  open var delegate: (any HKWorkoutSessionDelegate)? {
    get { progress.withLock { Unchecked($0.delegate) }.value }
    set {
      let delegate = Unchecked(newValue)
      progress.withLock { $0.delegate = delegate.value }
    }
  }

  /// A copy of what the workout is and where it happens.
  open var workoutConfiguration: HKWorkoutConfiguration { configuration.duplicate }
  /// What the person does.
  ///
  /// Deprecated: use ``workoutConfiguration``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var activityType: HKWorkoutActivityType { configuration.activityType }
  /// Indoors or outdoors.
  ///
  /// Deprecated: use ``workoutConfiguration``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var locationType: HKWorkoutSessionLocationType { configuration.locationType }
  /// What the session is doing.
  open var state: HKWorkoutSessionState { progress.withLock { $0.state } }
  /// Always a session of this machine: none is mirrored.
  open var type: HKWorkoutSessionType { .primary }
  /// When it began to run; `nil` before.
  open var startDate: Date? { progress.withLock { $0.start } }
  /// When it was stopped or ended; `nil` before.
  open var endDate: Date? { progress.withLock { $0.end } }

  /// The current activity; the whole workout where none was begun.
  open var currentActivity: HKWorkoutActivity {
    let (part, start, end) = progress.withLock { ($0.part, $0.start, $0.end) }
    return part
      ?? HKWorkoutActivity(
        facts: .init(
          uuid: identity, configuration: configuration, start: start ?? access.host.now(),
          end: end))
  }

  /// The builder of the workout, the same each time.
  open func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder {
    progress.withLock { progress in
      if let builder = progress.builder { return builder }
      let builder = HKLiveWorkoutBuilder(of: self)
      progress.builder = builder
      return builder
    }
  }

  // MARK: Steps

  /// Makes a call of the app, which a test may let fail or wait.
  private func perform(_ body: @escaping @Sendable () -> Void) {
    access.begin(.workoutSession) { [self] _, error in
      if let error { fail(error) } else { body() }
    }
  }

  /// Gets ready to run.
  open func prepare() {
    let now = access.host.now()
    perform { [self] in step(to: .prepared, from: .notStarted, at: now) }
  }

  /// Begins to run, at a date.
  open func startActivity(with date: Date?) {
    let date = date ?? access.host.now()
    perform { [self] in
      let isStarted = step(to: .running, from: .notStarted, .prepared, at: date) {
        $0.start = date
      }
      if isStarted { takeOver() }
    }
  }

  /// Pauses, with an event.
  open func pause() {
    let now = access.host.now()
    perform { [self] in step(to: .paused, from: .running, at: now, with: .pause) }
  }

  /// Resumes after a pause, with an event.
  open func resume() {
    let now = access.host.now()
    perform { [self] in step(to: .running, from: .paused, at: now, with: .resume) }
  }

  /// Stops at a date: nothing more is collected, and the workout can be finished.
  open func stopActivity(with date: Date?) {
    let date = date ?? access.host.now()
    perform { [self] in step(to: .stopped, from: .running, .paused, at: date) { $0.end = date } }
  }

  /// Ends.
  open func end() {
    let now = access.host.now()
    perform { [self] in end(at: now) }
  }

  private func end(at now: Date) {
    // An app may have begun it by another clock.
    let date = max(now, progress.withLock { $0.start } ?? now)
    let isEnded = step(
      to: .ended, from: .notStarted, .prepared, .running, .paused, .stopped, at: date
    ) { progress in
      if progress.start != nil, progress.end == nil { progress.end = date }
    }
    guard isEnded else { return }
    Self.running.withLock { running in
      if running[access.host.path]?.session === self {
        running[access.host.path] = nil
      }
    }
  }

  /// Makes a step, or fails if the state does not allow it.
  @discardableResult
  private func step(
    to state: HKWorkoutSessionState, from allowed: HKWorkoutSessionState..., at date: Date,
    with type: HKWorkoutEventType? = nil, _ change: (inout Progress) -> Void = { _ in }
  ) -> Bool {
    let event = type.map {
      HKWorkoutEvent(unchecked: $0, DateInterval(start: date, duration: 0), nil)
    }
    let before = progress.withLock { progress -> HKWorkoutSessionState? in
      let before = progress.state
      guard allowed.contains(before) else { return nil }
      progress.state = state
      if let event { progress.events.append(event) }
      change(&progress)
      return before
    }
    guard let before else {
      fail(.invalid("The state of the session does not allow the call"))
      return false
    }
    tell { $0.workoutSession($1, didChangeTo: state, from: before, date: date) }
    if let event {
      tell { $0.workoutSession($1, didGenerate: event) }
      progress.withLock { $0.builder }?.collect(event)
    }
    return true
  }

  /// Makes this the running session of the store; another one ends.
  private func takeOver() {
    let other = Self.running.withLock { running in
      defer { running[access.host.path] = Running(session: self) }
      return running[access.host.path]?.session
    }
    guard let other, other !== self, other.state != .ended else { return }
    other.fail(HKError(.errorAnotherWorkoutSessionStarted))
    other.end(at: other.access.host.now())
  }

  /// Forgets the session that runs on a file, as when its process ends.
  static func forget(path: String) { running.withLock { $0[path] = nil } }

  /// The session of an app that runs on a file in this process.
  static func active(in session: HealthSession) -> HKWorkoutSession? {
    let active = running.withLock { $0[session.host.path]?.session }
    guard let active, active.state != .ended else { return nil }
    let isOfApp = active.access.host.bundleIdentifier == session.host.bundleIdentifier
    return isOfApp ? active : nil
  }

  /// Whether the session ran at a date.
  func ran(at date: Date) -> Bool {
    progress.withLock { progress in
      guard let start = progress.start, start <= date, progress.end.map({ date < $0 }) ?? true
      else { return false }
      return progress.events.last { $0.dateInterval.start <= date }?.type != .pause
    }
  }

  // MARK: Activities

  /// Begins a part of the workout at a date; the one before it ends.
  ///
  /// The delegate gets `errorInvalidArgument` unless the session runs or is paused, and
  /// `errorWorkoutActivityNotAllowed` for a part that the workout cannot have.
  open func beginNewActivity(
    configuration workoutConfiguration: HKWorkoutConfiguration, date: Date,
    metadata: [String: Any]?
  ) {
    let part = Result { () throws(HKError) in
      guard configuration.allows(workoutConfiguration) else {
        throw HKError(.errorWorkoutActivityNotAllowed)
      }
      do throws(ObjectError) {
        return try HKWorkoutActivity.validated(
          workoutConfiguration: workoutConfiguration, start: date, end: nil, metadata: metadata)
      } catch {
        throw HKError(error)
      }
    }
    perform { [self] in
      switch part {
      case .success(let part):
        guard endPart(on: date, next: part) else { return }
        tell { $0.workoutSession($1, didBeginActivityWith: part.workoutConfiguration, date: date) }
        progress.withLock { $0.builder }?.begin(part)
      case .failure(let error): fail(error)
      }
    }
  }

  /// Ends the current part of the workout, at a date.
  ///
  /// The delegate gets `errorInvalidArgument` where there is none.
  open func endCurrentActivity(on date: Date) {
    perform { [self] in endPart(on: date, next: nil) }
  }

  /// Ends the current part, and begins the next; returns whether the state allows it.
  @discardableResult
  private func endPart(on date: Date, next: HKWorkoutActivity?) -> Bool {
    let ended: Result<HKWorkoutActivity?, HKError> = progress.withLock { progress in
      guard progress.state == .running || progress.state == .paused else {
        return .failure(.invalid("The session does not run"))
      }
      let part = progress.part
      guard part != nil || next != nil else {
        return .failure(.invalid("No activity was begun"))
      }
      guard date >= part?.startDate ?? progress.start ?? date else {
        return .failure(.invalid("The date is before the start of the activity"))
      }
      progress.part = next
      return .success(part)
    }
    guard let part = ended.value else {
      fail(ended.error ?? HKError(.unknownError))
      return false
    }
    if let part {
      tell { $0.workoutSession($1, didEndActivityWith: part.workoutConfiguration, date: date) }
      progress.withLock { $0.builder }?.end(part, on: date)
    }
    return true
  }

  // MARK: Other devices

  /// Fails with `errorHealthDataUnavailable`: there is no companion device.
  @preconcurrency
  open func startMirroringToCompanionDevice(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { access.perform(.workoutSession, completion) { _ in throw HKError.noCompanion } }

  /// Fails with `errorHealthDataUnavailable`: there is no companion device.
  open func startMirroringToCompanionDevice() async throws {
    try await finishing { startMirroringToCompanionDevice(completion: $0) }
  }

  /// Fails with `errorHealthDataUnavailable`: there is no companion device.
  @preconcurrency
  open func stopMirroringToCompanionDevice(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { access.perform(.workoutSession, completion) { _ in throw HKError.noCompanion } }

  /// Fails with `errorHealthDataUnavailable`: there is no companion device.
  open func stopMirroringToCompanionDevice() async throws {
    try await finishing { stopMirroringToCompanionDevice(completion: $0) }
  }

  /// Fails with `errorHealthDataUnavailable`: there is no companion device.
  @preconcurrency
  open func sendToRemoteWorkoutSession(
    data: Data, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) { access.perform(.workoutSession, completion) { _ in throw HKError.noCompanion } }

  /// Fails with `errorHealthDataUnavailable`: there is no companion device.
  open func sendToRemoteWorkoutSession(data: Data) async throws {
    try await finishing { sendToRemoteWorkoutSession(data: data, completion: $0) }
  }

  // MARK: Calling the delegate

  private func fail(_ error: HKError) { tell { $0.workoutSession($1, didFailWithError: error) } }

  private func tell(
    _ body: @escaping @Sendable (any HKWorkoutSessionDelegate, HKWorkoutSession) -> Void
  ) {
    access.deliver(on: queue) { [self] in
      if let delegate { body(delegate, self) }
    }
  }
}

extension HKError {
  /// The error of a call that needs a companion device, such as a watch.
  static var noCompanion: HKError { .unavailable("No other device belongs to this machine") }
}

/// The delegate of a workout session, which is called in the background, one call at a time.
@preconcurrency
public protocol HKWorkoutSessionDelegate: NSObjectProtocol {
  /// The session is in another state since a date.
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date)
  /// A call failed, or another session was started.
  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)
  /// The session was paused or resumed.
  func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent)
  /// A part of the workout began.
  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)
  /// A part of the workout ended.
  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date)
  /// Never called: there is no other device.
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data])
  /// Never called: there is no other device.
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?)
}

/// The optional methods of a delegate.
extension HKWorkoutSessionDelegate {
  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent
  ) {}
  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) {}
  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) {}
  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]
  ) {}
  /// Does nothing.
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
  ) {}
}
