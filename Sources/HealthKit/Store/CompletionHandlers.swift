import Foundation

// Methods with completion handlers: how they do their work, and how their asynchronous forms wait.

extension HealthSession {
  /// Runs a body after the others of this session, and reports success or the error to a handler.
  func perform(
    _ call: HealthCall, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ body: @escaping @Sendable (HealthSession) throws -> Void
  ) {
    perform(call, body) { completion($0.error == nil, $0.error) }
  }

  /// Runs a body after the others of this session, and passes its value or the error to a handler.
  func perform<Value: Sendable>(
    _ call: HealthCall, _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ body: @escaping @Sendable (HealthSession) throws -> Value
  ) {
    perform(call, body) { completion($0.value, $0.error) }
  }

  /// Runs a body that waits for the owner, and reports success or the error to a handler.
  func perform(
    _ call: HealthCall, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    asking body: @escaping @Sendable (HealthSession) async throws -> Void
  ) {
    begin(call) { session, error in
      session.work.begin()
      Task {
        do {
          if let error { throw error }
          try await body(session)
          session.deliver { completion(true, nil) }
        } catch {
          session.deliver { completion(false, HKError(error)) }
        }
        session.work.end()
      }
    }
  }
}

/// Waits for a method whose handler gets a value, the error, or neither; a subclass may have
/// replaced the method.
func answering<Value: Sendable>(
  _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
) async throws -> Value? {
  try await withCheckedThrowingContinuation { continuation in
    call { value, error in
      if let error {
        continuation.resume(throwing: error)
      } else {
        continuation.resume(returning: value)
      }
    }
  }
}

/// Waits for a method whose handler gets a value or the error.
func finishing<Value: Sendable>(
  _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
) async throws -> Value {
  guard let value = try await answering(call) else { throw HKError(.unknownError) }
  return value
}

/// Waits for a method whose handler gets success, or the error.
func finishing(
  _ call: (@escaping @Sendable (Bool, (any Error)?) -> Void) -> Void
) async throws {
  _ = try await answering { (answer: @escaping @Sendable (Bool?, (any Error)?) -> Void) in
    call { success, error in
      answer(success, success ? nil : error ?? HKError(.unknownError))
    }
  }
}

/// A value on its way to another thread, such as a predicate: those of this module do not change.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
