public import Foundation
internal import HealthSamples
internal import HealthStore
import Synchronization

/// A query for the activity rings of days.
open class HKActivitySummaryQuery: HKQuery, @unchecked Sendable {
  private typealias Handler =
    QueryHandler<@Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void>

  private let handler: Handler
  private let update = Handler()
  /// The days that a handler got last.
  private let last = Mutex<[ActivitySummaries.Row]>([])

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - predicate: which days, such as those of
  ///     ``HKQuery/predicate(forActivitySummariesBetweenStart:end:)``; all without one
  ///   - handler: gets the summaries by day, one for each, or the error, once
  @preconcurrency
  public init(
    predicate: NSPredicate?,
    resultsHandler handler:
      @escaping @Sendable (
        HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?
      ) -> Void
  ) {
    self.handler = Handler(handler)
    super.init(objectType: HKObjectType.activitySummaryType(), predicate: predicate)
  }

  /// Gets the matching summaries that any process adds or changes after the first answer, until the
  /// query is stopped; it must be set before the query is executed.
  ///
  /// Deleted days are not reported.
  @preconcurrency
  open var updateHandler:
    (@Sendable (HKActivitySummaryQuery, [HKActivitySummary]?, (any Error)?) -> Void)?
  {
    get { update.function }
    set { update.function = newValue }
  }

  override func run(_ execution: QueryExecution) {
    // Observed before the first answer, so that no change falls between.
    if updateHandler != nil,
      let error = execution.observe(
        [HKObjectType.activitySummaryType()], { [self] in readChange(execution, $0) })
    {
      return execution.end { [self] in handler.function?(self, nil, error) }
    }
    guard let result = rows(execution) else { return }
    last.withLock { $0 = result.value ?? [] }
    execution.tell(result) { [self] in
      handler.function?(self, $0.value?.map { $0.object() }, $0.error)
    }
  }

  private func readChange(_ execution: QueryExecution, _ failure: HKError?) {
    guard let result = failure.map(Result.failure) ?? rows(execution) else { return }
    guard let rows = result.value else {
      return execution.end { [self] in update.function?(self, nil, result.error) }
    }
    let known = last.withLock { last in
      defer { last = rows }
      return Set(last)
    }
    let changed = rows.filter { !known.contains($0) }
    guard !changed.isEmpty else { return }
    execution.tell { [self] in update.function?(self, changed.map { $0.object() }, nil) }
  }

  override func releaseHandlers() { (handler.function, update.function) = (nil, nil) }

  private func rows(_ execution: QueryExecution) -> Result<[ActivitySummaries.Row], HKError>? {
    let tree = predicate?.tree
    return execution.result(of: [HKObjectType.activitySummaryType()]) { store in
      try store.activitySummaries().byDay.filter { try tree?.holds(for: $0.object()) ?? true }
    }
  }
}

/// A query for the activity rings of days.
public struct HKActivitySummaryQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
  /// Which days; all without one.
  public var predicate: NSPredicate?

  /// Makes a query.
  public init(predicate: NSPredicate?) { self.predicate = predicate }

  /// The summaries, then those that any process adds or changes.
  public typealias Results = QueryResults<[HKActivitySummary]>

  /// The summaries by day.
  public func result(for healthStore: HKHealthStore) async throws -> [HKActivitySummary] {
    let summaries: Unchecked<[HKActivitySummary]> = try await healthStore.first { answer in
      HKActivitySummaryQuery(predicate: predicate) { answer($1.map { Unchecked($0) }, $2) }
    }
    return summaries.value
  }

  /// The summaries, then those that any process adds or changes.
  public func results(for healthStore: HKHealthStore) -> HKActivitySummaryQueryDescriptor.Results {
    Results(of: healthStore) { answers in
      @Sendable func add(
        _: HKActivitySummaryQuery, _ summaries: [HKActivitySummary]?, _ error: (any Error)?
      ) { answers.add(summaries, error) }
      let query = HKActivitySummaryQuery(predicate: predicate, resultsHandler: add)
      query.updateHandler = add
      return query
    }
  }
}
