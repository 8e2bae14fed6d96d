import Foundation
internal import HealthStore
import Synchronization

/// The life of a query that was executed: its steps, one at a time, until it ends.
///
/// A step reads from the store, and then calls handlers, on another thread: they may wait as long as
/// they like. The next step waits for them. A query ends when it is stopped, with an error, and when
/// no step is left and nothing is observed.
final class QueryExecution: Sendable {
  let session: HealthSession
  /// Reads; it has as many threads as there are processors, however many queries there are.
  private let readers = DispatchQueue.global(qos: .userInitiated)
  private let handlers = DispatchQueue(label: "HealthKit query", qos: .userInitiated)
  private let state: Mutex<State>
  private let stopped = Atomic(false)
  /// Says when the client of an asynchronous sequence wants more; `nil` for handlers.
  private let client: (any AnswerClient)?

  /// What a test lets the next read fail with.
  private let fault = Mutex<HKError?>(nil)

  private typealias Body = @Sendable () -> Void

  private struct State: Sendable {
    /// Steps to do, in order.
    var steps: [Body] = []
    /// Handlers to call when the step that runs is done.
    var calls: [Body] = []
    var isRunning = false
    /// Whether the client wants more answers.
    var isWanted = true
    /// Whether an error ends the query as soon as its handler was called.
    var isOver = false
    var observation: Observation?
    /// The last change that no step has seen yet, and the first.
    var unseen: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?
    var failure: HKError?
    /// When changes were read last.
    var lastRun: ContinuousClock.Instant?
    var hasTimer = false
    /// Whether the execution counts as work of the file.
    var isCounted = false
    var atEnd: Body?
  }

  private struct Observation: Sendable {
    /// Keeps what observes the file.
    let file: OpenedFile
    let listening: StoreHub.Listening
    let joinsChanges: Bool
    let body: @Sendable (HKError?) -> Void
  }

  /// What to do next.
  private enum Next {
    case step(Body)
    case wait(ContinuousClock.Duration)
    case end
    case nothing
  }

  /// - Parameters:
  ///   - session: where the query is executed
  ///   - client: says when more answers are wanted
  ///   - atEnd: called when the query is over
  init(
    _ session: HealthSession, for client: (any AnswerClient)?, atEnd: @escaping @Sendable () -> Void
  ) {
    self.session = session
    self.client = client
    state = Mutex(State(atEnd: atEnd))
  }

  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Runs a body after the earlier ones and their handlers, unless the query has ended by then.
  func perform(_ body: @escaping @Sendable () -> Void) {
    change { state in
      if !state.isOver { state.steps.append(body) }
    }
  }

  /// Runs a body after some seconds, at the latest after a minute.
  func perform(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
    session.schedule(after: min(max(seconds, 0.01), 60)) { [self] in perform(body) }
  }

  /// Calls handlers when the step that calls this is done, unless the query was stopped by then.
  func tell(_ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if !state.isOver { state.calls.append(body) }
    }
  }

  /// Passes a result to a handler when the step is done; an error ends the query.
  func tell<Value: Sendable>(
    _ result: Result<Value, HKError>, _ body: @escaping @Sendable (Result<Value, HKError>) -> Void
  ) {
    if result.error == nil { tell { body(result) } } else { end { body(result) } }
  }

  /// Calls a handler for the last time when the step is done, and ends the query.
  func end(_ body: @escaping @Sendable () -> Void) {
    // Outside of the lock: what the bodies hold may be released with them.
    let before = state.withLock { state -> State in
      let before = state
      guard !state.isOver else { return before }
      state.calls.append(body)
      state.isOver = true
      (state.steps, state.unseen, state.observation) = ([], nil, nil)
      return before
    }
    before.observation?.listening.end()
  }

  /// Ends the query now: no handler is called any more, apart from one that runs already.
  func stop() {
    guard !stopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let rest = state.withLock { state -> State in
      let rest = state
      state = State(isRunning: rest.isRunning, isOver: true, isCounted: rest.isCounted)
      count(&state)
      return rest
    }
    rest.observation?.listening.end()
    rest.atEnd?()
  }

  // MARK: Steps

  /// Changes the state, and does what is next.
  private func change(_ body: (inout State) -> Void) {
    let next = state.withLock { state in
      body(&state)
      let next = self.next(&state)
      count(&state)
      return next
    }
    switch next {
    case .step(let body):
      readers.async { [self] in
        // Predicates may have blocks of the app.
        if !isStopped { session.call(body) }
        callHandlers()
      }
    case .wait(let duration):
      session.schedule(after: duration / .seconds(1)) { [self] in
        change { $0.hasTimer = false }
      }
    case .end: stop()
    case .nothing: break
    }
  }

  private func next(_ state: inout State) -> Next {
    guard !state.isRunning else { return .nothing }
    guard !state.isOver else { return .end }
    guard !state.steps.isEmpty || state.observation != nil else { return .end }
    guard state.isWanted else { return .nothing }
    if !state.steps.isEmpty {
      state.isRunning = true
      return .step(state.steps.removeFirst())
    }
    guard let observation = state.observation, let unseen = state.unseen else { return .nothing }
    if observation.joinsChanges, state.failure == nil {
      let now = ContinuousClock.now
      let due = Self.due(unseen, lastRun: state.lastRun)
      guard due <= now else {
        if state.hasTimer { return .nothing }
        state.hasTimer = true
        return .wait(now.duration(to: due))
      }
      state.lastRun = now
    }
    let failure = state.failure
    (state.unseen, state.isRunning) = (nil, true)
    return .step { observation.body(failure) }
  }

  /// When a step reads changes together: after a pause of the changes, but soon enough after the
  /// first one, and not again at once.
  private static func due(
    _ unseen: (first: ContinuousClock.Instant, last: ContinuousClock.Instant),
    lastRun: ContinuousClock.Instant?
  ) -> ContinuousClock.Instant {
    let most = Duration.milliseconds(100)
    let paused = unseen.last + .milliseconds(10)
    return min(unseen.first + most, max(paused, lastRun.map { $0 + most } ?? paused))
  }

  /// Counts the execution as work of the file while a step runs, or will without another change.
  private func count(_ state: inout State) {
    let isBusy =
      state.isRunning || state.isWanted && (!state.steps.isEmpty || state.unseen != nil)
    guard isBusy != state.isCounted else { return }
    state.isCounted = isBusy
    if isBusy { session.work.begin() } else { session.work.end() }
  }

  private func callHandlers() {
    let calls = state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
    guard !calls.isEmpty else { return stepDidEnd(didAnswer: false) }
    session.deliver(on: handlers) { [self] in
      for call in calls where !isStopped { call() }
      stepDidEnd(didAnswer: true)
    }
  }

  private func stepDidEnd(didAnswer: Bool) {
    if didAnswer, let client {
      state.withLock { $0.isWanted = false }
      client.whenWanting { [weak self] in self?.change { $0.isWanted = true } }
    }
    change { $0.isRunning = false }
  }

  // MARK: Reading

  /// Lets the next read fail.
  func fail(with error: HKError) { fault.withLock { $0 = error } }

  private func takeFault() throws(HKError) {
    let error = fault.withLock { fault in
      defer { fault = nil }
      return fault
    }
    if let error { throw error }
  }

  /// The result of a body that reads what the app may see, for a query for some types; `nil` if the
  /// query was stopped meanwhile.
  func result<Value>(
    of types: [HKObjectType], _ body: (SampleStore) throws -> Value
  ) -> Result<Value, HKError>? {
    let result = HealthSession.catching {
      try takeFault()
      try session.checkReading(of: Set(types))
      return try body(session.reader())
    }
    return isStopped ? nil : result
  }

  /// The object with the identity of another, as the store has it; `nil` if the query was stopped
  /// meanwhile.
  ///
  /// The error is `errorNoData` when the store does not have it any more, or the app does not see it.
  func stored<Sample: HKSample>(_ sample: Sample) -> Result<Sample, HKError>? {
    result(of: [sample.sampleType]) { store in
      let request = try SampleRequest(
        [(sample.sampleType, HKQuery.predicateForObject(with: sample.uuid))], order: .store([]),
        limit: 1)
      guard let found = try request.samples(in: store).first as? Sample else {
        throw HKError(.errorNoData)
      }
      return found
    }
  }

  // MARK: Observing

  /// Runs a body after every change of objects of some types that any process commits from now on.
  ///
  /// Changes while a step runs are one more run, and none before the client wants it.
  ///
  /// - Parameters:
  ///   - types: the types
  ///   - joinsChanges: whether a run waits for a pause of the changes, 0.1 seconds at most
  ///   - body: gets the error if the store cannot be observed any more
  /// - Returns: the error if the store cannot be observed
  func observe(
    _ types: [HKObjectType], joinsChanges: Bool = false,
    _ body: @escaping @Sendable (HKError?) -> Void
  ) -> HKError? {
    let stored = Set(types.compactMap(\.storedType))
    let kinds = Set(types.flatMap(\.elementKinds))
    do {
      let file = try session.openedFile()
      let listening = try file.store.hub().listen { [self] news in
        switch news {
        case .changes(let changes):
          let isRelevant = changes.contains { change in
            change.type.map(stored.contains) ?? change.kind.map(kinds.contains) ?? false
          }
          if isRelevant { noteChange() }
        case .failure(let error): noteChange(HKError(error))
        case .units: break
        }
      }
      let observation = Observation(
        file: file, listening: listening,
        joinsChanges: joinsChanges && session.host.joinsChanges, body: body)
      state.withLock { $0.observation = observation }
      // A query that was stopped meanwhile has no end to come.
      if isStopped { forgetObservation() }
      return nil
    } catch {
      return HKError(error)
    }
  }

  private func forgetObservation() {
    let observation = state.withLock { state in
      defer { state.observation = nil }
      return state.observation
    }
    observation?.listening.end()
  }

  /// Has the changes read once more.
  func noteChange(_ failure: HKError? = nil) {
    // One that has not begun has nothing to read again.
    guard state.withLock({ $0.observation != nil }) else { return }
    let now = ContinuousClock.now
    change { state in
      guard !state.isOver else { return }
      state.unseen = (state.unseen?.first ?? now, now)
      if let failure { state.failure = failure }
    }
  }
}

/// A handler of a query, until the query ends.
final class QueryHandler<Function: Sendable>: Sendable {
  private let current: Mutex<Function?>

  init(_ function: Function? = nil) { current = Mutex(function) }

  /// The handler; `nil` without one.
  var function: Function? {
    get { current.withLock { $0 } }
    set {
      // Outside of the lock: what the old one holds may be released with it.
      let old = current.withLock { current in
        defer { current = newValue }
        return current
      }
      withExtendedLifetime(old) {}
    }
  }
}

/// Who takes the answers of a query one by one.
protocol AnswerClient: Sendable {
  /// Calls a body once when there is no answer left and another one is wanted, which may be now.
  func whenWanting(_ body: @escaping @Sendable () -> Void)

  /// Lets the work on a file know while an answer is handled.
  func count(in work: FileWork)
}

/// A handler's argument: a value or the error.
extension Result where Failure == HKError {
  /// The value; `nil` for an error.
  var value: Success? { if case .success(let value) = self { value } else { nil } }
  /// The error; `nil` for a value.
  var error: HKError? { if case .failure(let error) = self { error } else { nil } }
}
