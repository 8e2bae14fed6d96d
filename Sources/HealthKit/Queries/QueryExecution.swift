import Foundation
internal import HealthSamples
internal import HealthStore
import Synchronization

/// The life of a query that was executed: its thread of work, until it is stopped.
final class QueryExecution: Sendable {
  let session: HealthSession
  /// Calls of handlers, one at a time.
  private let queue = DispatchQueue(
    label: "HealthKit query", target: .global(qos: .userInitiated))
  private let stopped = Atomic(false)
  private let watch = Mutex<Task<Void, Never>?>(nil)

  init(_ session: HealthSession) { self.session = session }

  /// Runs a body after the earlier ones, unless the query is stopped by then.
  func perform(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      if !isStopped { session.call(body) }
    }
  }

  /// Runs a body after some seconds, at the latest after a minute.
  func perform(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + min(max(seconds, 0.01), 60)) { [self] in
      if !isStopped { session.call(body) }
    }
  }

  var isStopped: Bool { stopped.load(ordering: .acquiring) }

  /// Ends the query.
  func stop() {
    stopped.store(true, ordering: .releasing)
    watch.withLock {
      $0?.cancel()
      $0 = nil
    }
  }

  /// The result of a body that reads what the app may see, for a query for some types; `nil` if the
  /// query was stopped meanwhile.
  func result<Value>(
    of types: [HKObjectType], _ body: (SampleStore) throws -> Value
  ) -> Result<Value, HKError>? {
    let result = HealthSession.catching {
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

  /// Calls a body after every change of objects of some types that any process commits from now on.
  ///
  /// - Returns: the error if the store cannot be observed
  func observe(
    _ types: [HKObjectType], _ body: @escaping @Sendable () -> Void
  ) -> HKError? {
    let stored = Set(types.compactMap(\.storedType))
    let kinds = Set(types.flatMap(\.elementKinds))
    do {
      let changes = try session.reader().observeChanges()
      let task = Task { [self] in
        do {
          for try await changes in changes
          where changes.contains(where: { change in
            change.type.map(stored.contains) ?? change.kind.map(kinds.contains) ?? false
          }) {
            perform(body)
          }
        } catch {
          // The next read of the store passes the error to the handler.
          perform(body)
        }
      }
      watch.withLock { $0 = task }
      if isStopped { task.cancel() }
      return nil
    } catch {
      return HKError(error)
    }
  }
}

/// A handler's argument: a value or the error.
extension Result where Failure == HKError {
  /// The value; `nil` for an error.
  var value: Success? { if case .success(let value) = self { value } else { nil } }
  /// The error; `nil` for a value.
  var error: HKError? { if case .failure(let error) = self { error } else { nil } }
}
