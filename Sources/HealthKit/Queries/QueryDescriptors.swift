public import Foundation
import Synchronization

/// A query whose answer is awaited.
public protocol HKAsyncQuery {
  /// The answer.
  associatedtype Output

  /// Asks a store.
  func result(for healthStore: HKHealthStore) async throws -> Output
}

extension HKHealthStore {
  /// Executes a query and waits for its first answer; then, or when the task is cancelled, it is
  /// stopped.
  func first<Value>(
    _ make: (@escaping @Sendable (sending Value?, (any Error)?) -> Void) -> HKQuery
  ) async throws -> Value {
    let answer = FirstAnswer<Value>()
    let query = make { answer.resume($0, $1) }
    defer { query.stop() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        execute(query)
      }
    } onCancel: {
      stop(query)
      answer.resume(nil, CancellationError())
    }
  }
}

/// A continuation that is resumed once: by the answer, or because the task is cancelled.
private final class FirstAnswer<Value>: Sendable {
  private struct State: @unchecked Sendable {
    var continuation: CheckedContinuation<Value, any Error>?
    var isCancelled = false
  }

  private let state = Mutex(State())

  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  func resume(_ value: sending Value?, _ error: (any Error)?) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      if error is CancellationError { state.isCancelled = true }
      return state.continuation
    }
    if let value {
      continuation?.resume(returning: value)
    } else {
      continuation?.resume(throwing: error ?? HKError(.unknownError))
    }
  }
}

/// A query for samples of one class, in an order and up to a number of them.
public struct HKSampleQueryDescriptor<Sample: HKSample>: HKAsyncQuery {
  /// Samples that match any of them.
  public var predicates: [HKSamplePredicate<Sample>]
  /// The order; by start without one.
  public var sortDescriptors: [SortDescriptor<Sample>]
  /// The most samples; all for `nil`.
  public var limit: Int?

  /// Makes a query.
  public init(
    predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
    limit: Int? = nil
  ) {
    self.predicates = predicates
    self.sortDescriptors = sortDescriptors
    self.limit = limit
  }

  /// The samples.
  public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
    let samples: [HKSample] = try await healthStore.first { answer in
      HKSampleQuery(
        predicates.map { HKQueryDescriptor(sampleType: $0.sampleType, predicate: $0.nsPredicate) },
        limit: limit ?? HKObjectQueryNoLimit, order: sortDescriptors.sampleOrder()
      ) { answer($1, $2) }
    }
    return samples.compactMap { $0 as? Sample }
  }
}

/// A query for the sources of samples.
public struct HKSourceQueryDescriptor<Sample: HKSample>: HKAsyncQuery {
  /// The samples.
  public var predicate: HKSamplePredicate<Sample>

  /// Makes a query.
  public init(predicate: HKSamplePredicate<Sample>) { self.predicate = predicate }

  /// The sources, by name and bundle identifier.
  public func result(for healthStore: HKHealthStore) async throws -> [HKSource] {
    let sources: Set<HKSource> = try await healthStore.first { answer in
      HKSourceQuery(
        sampleType: predicate.sampleType, samplePredicate: predicate.nsPredicate
      ) { answer($1, $2) }
    }
    return sources.sorted { $0.core < $1.core }
  }
}

/// A query for one row of statistics over all samples that match, each whole.
public struct HKStatisticsQueryDescriptor: HKAsyncQuery {
  /// The samples.
  public var predicate: HKSamplePredicate<HKQuantitySample>
  /// What to calculate.
  public var options: HKStatisticsOptions

  /// Makes a query.
  public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
    self.predicate = predicate
    self.options = options
  }

  /// The statistics; `nil` when no sample matches.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
    let type = try predicate.quantityType
    do {
      return try await healthStore.first { answer in
        HKStatisticsQuery(
          quantityType: type, quantitySamplePredicate: predicate.nsPredicate,
          options: options
        ) { answer($1, $2) }
      }
    } catch HKError.errorNoData {
      return nil
    }
  }
}

/// A query for statistics of consecutive intervals.
public struct HKStatisticsCollectionQueryDescriptor: HKAsyncQuery {
  /// The samples.
  public var predicate: HKSamplePredicate<HKQuantitySample>
  /// What to calculate.
  public var options: HKStatisticsOptions
  /// An edge of the intervals.
  public var anchorDate: Date
  /// The length of the intervals.
  public var intervalComponents: DateComponents

  /// Makes a query.
  public init(
    predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions,
    anchorDate: Date, intervalComponents: DateComponents
  ) {
    self.predicate = predicate
    self.options = options
    self.anchorDate = anchorDate
    self.intervalComponents = intervalComponents
  }

  /// The statistics.
  public func result(for healthStore: HKHealthStore) async throws -> HKStatisticsCollection {
    let type = try predicate.quantityType
    return try await healthStore.first { answer in
      let query = query(of: type)
      query.initialResultsHandler = { answer($1, $2) }
      return query
    }
  }

  /// The query for samples of the predicate's type.
  func query(of type: HKQuantityType) -> HKStatisticsCollectionQuery {
    HKStatisticsCollectionQuery(
      quantityType: type, quantitySamplePredicate: predicate.nsPredicate, options: options,
      anchorDate: anchorDate, intervalComponents: intervalComponents)
  }
}

extension HKSamplePredicate<HKQuantitySample> {
  /// The type, which is that of a quantity however the predicate was made.
  var quantityType: HKQuantityType {
    get throws {
      guard let type = sampleType as? HKQuantityType else {
        throw HKError.invalid("\(sampleType.identifier) is not a type of quantities")
      }
      return type
    }
  }
}
