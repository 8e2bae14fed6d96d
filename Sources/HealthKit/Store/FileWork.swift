import Foundation
import Synchronization

/// What runs on a file in this process, for all of its apps: calls, queries, handlers and delegates.
final class FileWork: Sendable {
  private let running = Atomic(0)
  /// What the clients of sequences handle.
  private let handling = Mutex(Handling())
  private let gates = Mutex<[String: AuthorisationGate]>([:])

  /// What the clients of sequences handle.
  struct Handling: Equatable {
    /// Those that have got an answer and not asked for the next one.
    var clients = 0
    /// How many answers they have got.
    var answers = 0
  }

  private static let files = Mutex<[String: Place]>([:])

  private struct Place {
    weak var work: FileWork?
  }

  /// The work on the file at a path.
  static func of(_ path: String) -> FileWork {
    files.withLock { files in
      if let work = files[path]?.work { return work }
      files = files.filter { $0.value.work != nil }
      let work = FileWork()
      files[path] = Place(work: work)
      return work
    }
  }

  /// Counts something that runs until ``end()``; what it asks for is counted before its end.
  func begin() { running.add(1, ordering: .acquiringAndReleasing) }

  /// Ends what ``begin()`` counted.
  func end() { running.subtract(1, ordering: .acquiringAndReleasing) }

  /// Whether nothing runs; timers do not count.
  var isIdle: Bool { running.load(ordering: .acquiring) == 0 }

  /// A client of a sequence has got an answer, after another one or not.
  func hand(isFirst: Bool) {
    handling.withLock { handling in
      handling.answers += 1
      if isFirst { handling.clients += 1 }
    }
  }

  /// A client that has got an answer asks again, or is gone.
  func takeBack() { handling.withLock { $0.clients -= 1 } }

  /// What the clients of sequences handle now.
  var handled: Handling { handling.withLock { $0 } }

  /// What lets one question of an app to the owner in at a time.
  func gate(of app: String) -> AuthorisationGate {
    gates.withLock { gates in
      if let gate = gates[app] { return gate }
      let gate = AuthorisationGate()
      gates[app] = gate
      return gate
    }
  }
}

extension HealthSession {
  /// Runs a body in which an app's code is called, for the test whose store this is.
  func call(_ body: () -> Void) {
    if let scope { HealthScope.$current.withValue(scope, operation: body) } else { body() }
  }

  /// Calls a handler or a delegate, in the background.
  ///
  /// A call may wait for another call of the same store. Each has therefore a queue of its own, or
  /// that of its query or session: a concurrent queue has no more threads than the machine has
  /// processors.
  func deliver(on queue: DispatchQueue? = nil, _ body: @escaping @Sendable () -> Void) {
    let queue = queue ?? DispatchQueue(label: "HealthKit handler", qos: .userInitiated)
    work.begin()
    queue.async { [self] in
      // The one place from which handlers and delegates are called.
      call(body)
      work.end()
    }
  }

  /// Runs a body after some seconds: the one place of timers.
  func schedule(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
    if let schedule = host.schedule { return schedule(seconds, body) }
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + seconds, execute: body)
  }
}

/// What an app asks the owner.
protocol OwnersQuestion: Sendable {
  /// Whether it asks for all that another one does.
  func covers(_ other: Self) -> Bool
}

extension OwnersQuestion {
  fileprivate func coversAny(_ other: some OwnersQuestion) -> Bool {
    (other as? Self).map(covers) ?? false
  }
}

/// Lets one request for permissions of an app ask the owner at a time; the others wait.
final class AuthorisationGate: Sendable {
  /// A question to the owner that has no answer yet.
  private struct Question {
    let request: any OwnersQuestion
    let answer: Task<Void, any Error>
  }

  private let current = Mutex<Question?>(nil)

  /// Asks the owner for what is not decided yet, unless a request that has no answer yet does.
  ///
  /// - Parameters:
  ///   - unanswered: what is not decided yet; `nil` if everything is
  ///   - ask: asks, and keeps the answer
  /// - Throws: what a body throws; also that of a request before it that asked for all of this one
  func pass<Request: OwnersQuestion>(
    _ unanswered: () throws -> Request?,
    _ ask: @escaping @Sendable (Request) async throws -> Void
  ) async throws {
    while let request = try unanswered() {
      let (question, isOwn) = current.withLock { current in
        if let current { return (current, false) }
        let question = Question(
          request: request,
          answer: Task {
            defer { self.current.withLock { $0 = nil } }
            try await ask(request)
          })
        current = question
        return (question, true)
      }
      let answersThis = isOwn || question.request.coversAny(request)
      do {
        try await question.answer.value
      } catch {
        if answersThis { throw error }
      }
      if answersThis { return }
    }
  }
}

extension AuthorisationRequest: OwnersQuestion {
  func covers(_ other: AuthorisationRequest) -> Bool {
    share.isSuperset(of: other.share) && read.isSuperset(of: other.read)
  }
}
