import Foundation
import Synchronization

/// A query whose answers come one after the other.
public protocol HKAsyncSequenceQuery {
  /// The answers.
  associatedtype Sequence: AsyncSequence

  /// Asks a store, when the sequence is iterated.
  func results(for healthStore: HKHealthStore) -> Sequence
}

/// The answers of a query, one after the other: the `Results` of every descriptor.
///
/// Each iteration executes a query of its own, and stops it at its end. The query reads again only
/// when its last answer is taken and the next one is awaited, and goes on from there: a slow client
/// gets in one answer what happened meanwhile, and no answers pile up.
public struct QueryResults<Element>: AsyncSequence {
  private let store: HKHealthStore
  private let query: (QueryAnswers<Element>) throws -> HKQuery

  /// Takes what makes a query that gives some answers.
  init(of store: HKHealthStore, _ query: @escaping (QueryAnswers<Element>) throws -> HKQuery) {
    (self.store, self.query) = (store, query)
  }

  /// Executes the query.
  public func makeAsyncIterator() -> Iterator {
    let answers = QueryAnswers<Element>()
    var executed: HKQuery?
    do {
      let query = try query(answers)
      executed = query
      query.setClient(answers)
      store.execute(query)
    } catch {
      answers.end(error)
    }
    return Iterator(answers: answers, store: store, query: executed)
  }

  /// Waits for the next answer.
  public struct Iterator: AsyncIteratorProtocol {
    /// Stops the query, and handles no answer any more, when no iterator is left.
    private final class Life: Sendable {
      let answers: QueryAnswers<Element>
      let store: HKHealthStore
      let query: HKQuery?

      init(_ answers: QueryAnswers<Element>, _ store: HKHealthStore, _ query: HKQuery?) {
        (self.answers, self.store, self.query) = (answers, store, query)
      }

      func end() {
        answers.cancel()
        if let query { store.stop(query) }
      }

      deinit { end() }
    }

    private let life: Life

    fileprivate init(answers: QueryAnswers<Element>, store: HKHealthStore, query: HKQuery?) {
      life = Life(answers, store, query)
    }

    /// The next answer; `nil` after the last one, and when the task is cancelled.
    public mutating func next() async throws -> Element? {
      let life = life
      let next = try await withTaskCancellationHandler {
        try await life.answers.next()
      } onCancel: {
        life.end()
      }
      return next?.value
    }
  }
}

/// Where a query puts its answers, until they are taken.
final class QueryAnswers<Element>: AnswerClient {
  private typealias Waiting = CheckedContinuation<Unchecked<Element>?, any Error>

  private struct State: @unchecked Sendable {
    /// Those of the last step of the query.
    var answers: ArraySlice<Element> = []
    var isOver = false
    var failure: (any Error)?
    var waiting: Waiting?
    /// Makes the query go on.
    var goOn: (@Sendable () -> Void)?
    /// The work on the file of the query.
    var work: FileWork?
    /// Whether the client has got an answer and not asked for the next one.
    var isHandling = false

    /// Notes whether the client handles an answer; returns what to tell the work, outside of the
    /// lock.
    mutating func handle(_ isHandling: Bool) -> (() -> Void)? {
      let (before, work) = (self.isHandling, work)
      self.isHandling = isHandling
      guard let work, before || isHandling else { return nil }
      return { if isHandling { work.hand(isFirst: !before) } else { work.takeBack() } }
    }
  }

  private let state = Mutex(State())

  /// Adds an answer; without one the error is the end.
  func add(_ answer: Element?, _ error: (any Error)? = nil) {
    guard let answer else { return end(error ?? HKError(.unknownError)) }
    let new = Unchecked(answer)
    let (waiting, note) = state.withLock { state -> (Waiting?, (() -> Void)?) in
      guard !state.isOver else { return (nil, nil) }
      guard let waiting = state.waiting else {
        state.answers.append(new.value)
        return (nil, nil)
      }
      state.waiting = nil
      return (waiting, state.handle(true))
    }
    note?()
    waiting?.resume(returning: new)
  }

  /// Ends after the last answer, or with an error.
  func end(_ error: (any Error)? = nil) {
    let waiting = state.withLock { state -> Waiting? in
      guard !state.isOver else { return nil }
      state.isOver = true
      if state.waiting == nil { state.failure = error }
      defer { state.waiting = nil }
      return state.waiting
    }
    if let error { waiting?.resume(throwing: error) } else { waiting?.resume(returning: .none) }
  }

  /// Ends now; answers that were not taken are lost.
  func cancel() {
    end()
    let note = state.withLock { state in
      (state.answers, state.failure) = ([], nil)
      return state.handle(false)
    }
    note?()
  }

  func count(in work: FileWork) { state.withLock { $0.work = work } }

  fileprivate func next() async throws -> Unchecked<Element>? {
    try await withCheckedThrowingContinuation { take($0) }
  }

  private func take(_ continuation: Waiting) {
    let (goOn, note) = state.withLock { state -> ((@Sendable () -> Void)?, (() -> Void)?) in
      if let answer = state.answers.popFirst() {
        let note = state.handle(true)
        continuation.resume(returning: Unchecked(answer))
        return (nil, note)
      }
      let note = state.handle(false)
      if let failure = state.failure {
        state.failure = nil
        continuation.resume(throwing: failure)
      } else if state.isOver {
        continuation.resume(returning: .none)
      } else {
        state.waiting = continuation
        defer { state.goOn = nil }
        return (state.goOn, note)
      }
      return (nil, note)
    }
    // The next read is counted before the answer is not any more.
    goOn?()
    note?()
  }

  func whenWanting(_ body: @escaping @Sendable () -> Void) {
    let isWanted = state.withLock { state in
      let isWanted = state.waiting != nil || state.isOver
      if !isWanted { state.goOn = body }
      return isWanted
    }
    if isWanted { body() }
  }
}

/// A query for what was added and deleted since an anchor, and from then on.
public struct HKAnchoredObjectQueryDescriptor<Sample: HKSample>: HKAsyncQuery, HKAsyncSequenceQuery
{
  /// Samples that match any of them; deleted ones are all of their types.
  public var predicates: [HKSamplePredicate<Sample>]
  /// The state after which changes count; `nil` for all.
  public var anchor: HKQueryAnchor?
  /// The most objects of the first answer; all for `nil`.
  public var limit: Int?

  /// Makes a query.
  public init(
    predicates: [HKSamplePredicate<Sample>], anchor: HKQueryAnchor?, limit: Int? = nil
  ) {
    self.predicates = predicates
    self.anchor = anchor
    self.limit = limit
  }

  /// What changed.
  public struct Result: Sendable {
    /// The added samples, in the order in which the store got them.
    public let addedSamples: [Sample]
    /// The deleted ones, in the order of deletion.
    public let deletedObjects: [HKDeletedObject]
    /// The state after these changes.
    public let newAnchor: HKQueryAnchor

    init?(_ added: [HKSample]?, _ deleted: [HKDeletedObject]?, _ anchor: HKQueryAnchor?) {
      guard let added, let deleted, let anchor else { return nil }
      addedSamples = added.compactMap { $0 as? Sample }
      deletedObjects = deleted
      newAnchor = anchor
    }
  }

  /// The changes up to now, then those that any process makes.
  public typealias Results = QueryResults<Result>

  /// The changes up to now.
  public func result(
    for healthStore: HKHealthStore
  ) async throws -> HKAnchoredObjectQueryDescriptor.Result {
    try await healthStore.first { answer in
      query { answer(Result($1, $2, $3), $4) }
    }
  }

  /// The changes up to now, then those that any process makes.
  public func results(for healthStore: HKHealthStore) -> HKAnchoredObjectQueryDescriptor.Results {
    Results(of: healthStore) { answers in
      let handler: Handler = { answers.add(Result($1, $2, $3), $4) }
      let query = query(handler)
      query.updateHandler = handler
      return query
    }
  }

  private typealias Handler =
    @Sendable (
      HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
    ) -> Void

  private func query(_ handler: @escaping Handler) -> HKAnchoredObjectQuery {
    HKAnchoredObjectQuery(
      queryDescriptors: predicates.map {
        HKQueryDescriptor(sampleType: $0.sampleType, predicate: $0.nsPredicate)
      }, anchor: anchor, limit: limit ?? HKObjectQueryNoLimit, resultsHandler: handler)
  }
}

extension HKStatisticsCollectionQueryDescriptor: HKAsyncSequenceQuery {
  /// The statistics, and which of them changed.
  public struct Result: Sendable {
    /// All statistics.
    public let statisticsCollection: HKStatisticsCollection
    /// Those that are not as they were in the answer before; `nil` in the first.
    public let updatedStatistics: [HKStatistics]?
  }

  /// The statistics up to now, then after every change that any process makes.
  public typealias Results = QueryResults<Result>

  /// The statistics up to now, then after every change that any process makes.
  public func results(
    for healthStore: HKHealthStore
  ) -> HKStatisticsCollectionQueryDescriptor.Results {
    Results(of: healthStore) { answers in
      @Sendable func add(
        _ changed: [HKStatistics]?, _ collection: HKStatisticsCollection?, _ error: (any Error)?
      ) {
        answers.add(
          collection.map { Result(statisticsCollection: $0, updatedStatistics: changed) }, error)
      }
      let query = query(of: try predicate.quantityType)
      query.initialResultsHandler = { add(nil, $1, $2) }
      query.updates = add
      return query
    }
  }
}
