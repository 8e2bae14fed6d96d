public import Foundation
internal import HealthQuery
internal import HealthStatistics
internal import HealthStore
import Synchronization

/// A query for one row of statistics over all samples that match, each whole.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
  private let question: StatisticsQuestion
  private let handler:
    QueryHandler<@Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void>

  /// Makes a query.
  ///
  /// Traps for options that do not suit the type; `HKStatisticsOptions.validated(for:)` throws. The
  /// error is `errorNoData` when no sample matches.
  @preconcurrency
  public init(
    quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
    options: HKStatisticsOptions = [],
    completionHandler handler:
      @escaping @Sendable (
        HKStatisticsQuery, HKStatistics?, (any Error)?
      ) -> Void
  ) {
    question = StatisticsQuestion(
      quantityType, quantitySamplePredicate, options.checked(for: quantityType))
    self.handler = QueryHandler(handler)
    super.init(objectType: quantityType, predicate: quantitySamplePredicate)
  }

  override func run(_ execution: QueryExecution) {
    let result = execution.result(of: [question.type]) { store in
      let table = try question.table(in: store)
      guard table.intervals.hasData.first == true else { throw HKError(.errorNoData) }
      return HKStatistics(table, row: 0)
    }
    if let result {
      execution.tell(result) { [self] in handler.function?(self, $0.value, $0.error) }
    }
  }

  override func releaseHandlers() { handler.function = nil }
}

/// A query for statistics of consecutive intervals.
open class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {
  private let question: StatisticsQuestion
  private let start: Date
  private let length: DateComponents
  private let initial = QueryHandler<
    @Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void
  >()
  private let update = QueryHandler<
    @Sendable (HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?) ->
      Void
  >()
  private let updatesOfDescriptor = QueryHandler<
    @Sendable ([HKStatistics]?, HKStatisticsCollection?, HKError?) -> Void
  >()
  /// What was told last.
  private let last = Mutex<HKStatisticsCollection?>(nil)

  /// Makes a query.
  ///
  /// Traps for options that do not suit the type; `HKStatisticsOptions.validated(for:)` throws.
  ///
  /// - Parameters:
  ///   - quantityType: the type
  ///   - quantitySamplePredicate: what samples must be; all match without one
  ///   - options: what to calculate
  ///   - anchorDate: an edge of the intervals
  ///   - intervalComponents: the length of the intervals, in the time zone of its calendar, else in
  ///     that of the machine
  public init(
    quantityType: HKQuantityType, quantitySamplePredicate: NSPredicate?,
    options: HKStatisticsOptions = [], anchorDate: Date, intervalComponents: DateComponents
  ) {
    question = StatisticsQuestion(
      quantityType, quantitySamplePredicate, options.checked(for: quantityType))
    start = anchorDate
    length = intervalComponents
    super.init(objectType: quantityType, predicate: quantitySamplePredicate)
  }

  /// An edge of the intervals.
  open var anchorDate: Date { start }

  /// The length of the intervals.
  open var intervalComponents: DateComponents { length }

  /// What is calculated.
  open var options: HKStatisticsOptions { question.options }

  /// Gets the statistics or the error, once; it must be set before the query is executed.
  @preconcurrency
  open var initialResultsHandler:
    (@Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void)?
  {
    get { initial.function }
    set { initial.function = newValue }
  }

  /// Gets every interval whose statistics any process changes after the first answer, with all
  /// statistics, until the query is stopped; it must be set before the query is executed.
  ///
  /// Changes that follow each other within some milliseconds come together. After an error the query
  /// is over.
  @preconcurrency
  open var statisticsUpdateHandler:
    (
      @Sendable (HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?)
        -> Void
    )?
  {
    get { update.function }
    set { update.function = newValue }
  }

  /// The same for a descriptor, which gets all changed intervals at once.
  var updates: (@Sendable ([HKStatistics]?, HKStatisticsCollection?, HKError?) -> Void)? {
    get { updatesOfDescriptor.function }
    set { updatesOfDescriptor.function = newValue }
  }

  override func run(_ execution: QueryExecution) {
    // Observed before the first answer, so that no change falls between.
    if statisticsUpdateHandler != nil || updates != nil,
      let error = execution.observe(
        [question.type], joinsChanges: true, { [self] in readChange(execution, $0) })
    {
      return execution.end { [self] in initial.function?(self, nil, error) }
    }
    guard let result = collection(execution) else { return }
    last.withLock { $0 = result.value }
    execution.tell(result) { [self] in initial.function?(self, $0.value, $0.error) }
  }

  private func readChange(_ execution: QueryExecution, _ failure: HKError?) {
    guard let result = failure.map(Result.failure) ?? collection(execution) else { return }
    guard let new = result.value else {
      return execution.end { [self] in
        update.function?(self, nil, nil, result.error)
        updatesOfDescriptor.function?(nil, nil, result.error)
      }
    }
    let old = last.withLock { last in
      defer { last = new }
      return last
    }
    let changed = new.changed(since: old)
    guard !changed.isEmpty else { return }
    execution.tell { [self] in
      updatesOfDescriptor.function?(changed, new, nil)
      for statistics in changed where !execution.isStopped {
        update.function?(self, statistics, new, nil)
      }
    }
  }

  override func releaseHandlers() {
    (initial.function, update.function, updatesOfDescriptor.function) = (nil, nil, nil)
  }

  private func collection(
    _ execution: QueryExecution
  ) -> Result<HKStatisticsCollection, HKError>? {
    execution.result(of: [question.type]) { store in
      guard let interval = CalendarInterval(length) else {
        throw HKError.invalid("The interval components are not the length of an interval")
      }
      let zone = length.timeZone ?? length.calendar?.timeZone ?? .current
      let table = try question.table(in: store) { plan in
        plan.interval = interval
        plan.anchor = QueryDate(instant: start.timeIntervalSinceReferenceDate)
        plan.timeZone = ZoneTimeline(zone)
      }
      return HKStatisticsCollection(
        table, interval: interval, anchor: start, zones: ZoneTimeline(zone))
    }
  }
}

extension HKStatisticsCollection {
  /// The statistics of the intervals that are not as they were, in order.
  func changed(since old: HKStatisticsCollection?) -> [HKStatistics] {
    func byStart(_ collection: HKStatisticsCollection?) -> [Date: HKStatistics] {
      Dictionary((collection?.statistics() ?? []).map { ($0.startDate, $0) }) { first, _ in first }
    }
    let (before, after) = (byStart(old), byStart(self))
    return Set(before.keys).union(after.keys).sorted()
      .filter { before[$0] != after[$0] }.compactMap { after[$0] ?? statistics(for: $0) }
  }
}

/// What queries of statistics ask for.
struct StatisticsQuestion: @unchecked Sendable {
  let type: HKQuantityType
  private let predicate: NSPredicate?
  let options: HKStatisticsOptions

  init(_ type: HKQuantityType, _ predicate: NSPredicate?, _ options: HKStatisticsOptions) {
    (self.type, self.predicate, self.options) = (type, predicate, options)
  }

  /// The answer of a plan for the samples that match; a change completes the plan of one row over
  /// all samples.
  func table(
    in store: SampleStore, _ change: (inout StatisticsPlan) -> Void = { _ in }
  ) throws -> StatisticsTable {
    var plan = StatisticsPlan(type: type.core, timeZone: .gmt)
    plan.statistics = options.statistics
    plan.separatesSources = options.contains(.separateBySource)
    plan.unit = type.core.unit
    change(&plan)
    let tree = try ReadableHistory(of: store)
      .limiting((predicate?.tree ?? .always(true)).resolved(in: store), of: type.core)
    let rows = tree.rows(of: type.core)
    let answer =
      if rows.isExact, rows.condition == .all([]) {
        try store.statistics(plan)
      } else if rows.isExact {
        try store.statistics(plan, of: rows.condition)
      } else {
        try store.statistics(plan, of: rows.condition) { batch, places in
          let samples = try store.objects(batch.selecting(places))
          return try zip(places, samples).filter { try tree.holds(for: $0.1) }.map(\.0)
        }
      }
    return StatisticsTable(answer, type: type, separatesSources: plan.separatesSources)
  }
}
