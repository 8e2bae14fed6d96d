import Foundation

/// A query whose answers come one after the other.
public protocol HKAsyncSequenceQuery {
  /// The answers.
  associatedtype Sequence: AsyncSequence

  /// Asks a store, when the sequence is iterated.
  func results(for healthStore: HKHealthStore) -> Sequence
}

extension HKHealthStore {
  /// The answers of a query, which is executed now and stopped when the iteration ends.
  func answers<Value>(
    _ make: (AsyncThrowingStream<Value, any Error>.Continuation) -> HKQuery
  ) -> AsyncThrowingStream<Value, any Error> {
    let (stream, continuation) = AsyncThrowingStream<Value, any Error>.makeStream()
    let query = make(continuation)
    continuation.onTermination = { [self] _ in stop(query) }
    execute(query)
    return stream
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
  public struct Results: AsyncSequence {
    /// Some changes.
    public typealias Element = Result
    fileprivate let start: () -> AsyncThrowingStream<Result, any Error>

    /// Waits for the next changes.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncThrowingStream<Result, any Error>.Iterator

      /// The next changes; `nil` when the task is cancelled.
      public mutating func next() async throws -> Element? { try await base.next() }
    }

    /// Executes the query.
    public func makeAsyncIterator() -> Iterator { Iterator(base: start().makeAsyncIterator()) }
  }

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
    Results {
      healthStore.answers { continuation in
        let yield: Handler = { _, added, deleted, anchor, error in
          if let result = Result(added, deleted, anchor) {
            continuation.yield(result)
          } else {
            continuation.finish(throwing: error ?? HKError(.unknownError))
          }
        }
        let query = query(yield)
        query.updateHandler = yield
        return query
      }
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
  public struct Results: AsyncSequence {
    /// One state of the statistics.
    public typealias Element = Result
    fileprivate let start: () -> AsyncThrowingStream<Result, any Error>

    /// Waits for the next state.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncThrowingStream<Result, any Error>.Iterator

      /// The next state; `nil` when the task is cancelled.
      public mutating func next() async throws -> Element? { try await base.next() }
    }

    /// Executes the query.
    public func makeAsyncIterator() -> Iterator { Iterator(base: start().makeAsyncIterator()) }
  }

  /// The statistics up to now, then after every change that any process makes.
  public func results(
    for healthStore: HKHealthStore
  ) -> HKStatisticsCollectionQueryDescriptor.Results {
    Results {
      let type: HKQuantityType
      do {
        type = try predicate.quantityType
      } catch {
        return AsyncThrowingStream { $0.finish(throwing: error) }
      }
      return healthStore.answers { continuation in
        @Sendable func yield(
          _ changed: [HKStatistics]?, _ collection: HKStatisticsCollection?, _ error: (any Error)?
        ) {
          if let collection {
            continuation.yield(Result(statisticsCollection: collection, updatedStatistics: changed))
          } else {
            continuation.finish(throwing: error ?? HKError(.unknownError))
          }
        }
        let query = query(of: type)
        query.initialResultsHandler = { yield(nil, $1, $2) }
        query.updates = { yield($0, $1, $2) }
        return query
      }
    }
  }
}
