public import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthStatistics
internal import HealthStore
import Synchronization

/// A query for one row of statistics over all samples that match, each whole.
open class HKStatisticsQuery: HKQuery, @unchecked Sendable {
  private let question: StatisticsQuestion
  private let handler: @Sendable (HKStatisticsQuery, HKStatistics?, (any Error)?) -> Void

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
    self.handler = handler
    super.init(objectType: quantityType, predicate: quantitySamplePredicate)
  }

  override func run(_ execution: QueryExecution) {
    let result = execution.result(of: [question.type]) { store in
      let table = try question.table(in: store)
      guard table.intervals.hasData.first == true else { throw HKError(.errorNoData) }
      return HKStatistics(table, row: 0)
    }
    if let result { handler(self, result.value, result.error) }
  }
}

/// A query for statistics of consecutive intervals.
open class HKStatisticsCollectionQuery: HKQuery, @unchecked Sendable {
  private let question: StatisticsQuestion
  private let start: Date
  private let length: DateComponents
  private let handlers = Mutex(Handlers())

  private struct Handlers: Sendable {
    var initial:
      (@Sendable (HKStatisticsCollectionQuery, HKStatisticsCollection?, (any Error)?) -> Void)?
    var update:
      (
        @Sendable (
          HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?
        ) -> Void
      )?
    /// The same for a descriptor, which gets all changed intervals at once.
    var updates: (@Sendable ([HKStatistics]?, HKStatisticsCollection?, HKError?) -> Void)?
    /// What was told last.
    var last: HKStatisticsCollection?
  }

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
    get { handlers.withLock { $0.initial } }
    set { handlers.withLock { $0.initial = newValue } }
  }

  /// Gets every interval whose statistics any process changes after the first answer, with all
  /// statistics, until the query is stopped; it must be set before the query is executed.
  @preconcurrency
  open var statisticsUpdateHandler:
    (
      @Sendable (HKStatisticsCollectionQuery, HKStatistics?, HKStatisticsCollection?, (any Error)?)
        -> Void
    )?
  {
    get { handlers.withLock { $0.update } }
    set { handlers.withLock { $0.update = newValue } }
  }

  /// The same for a descriptor, which gets all changed intervals at once.
  var updates: (@Sendable ([HKStatistics]?, HKStatisticsCollection?, HKError?) -> Void)? {
    get { handlers.withLock { $0.updates } }
    set { handlers.withLock { $0.updates = newValue } }
  }

  override func run(_ execution: QueryExecution) {
    // Observed before the first answer, so that no change falls between.
    if statisticsUpdateHandler != nil || updates != nil,
      let error = execution.observe([question.type], { [self] in update(execution) })
    {
      initialResultsHandler?(self, nil, error)
      return
    }
    guard let result = collection(execution) else { return }
    handlers.withLock { $0.last = result.value }
    initialResultsHandler?(self, result.value, result.error)
  }

  private func update(_ execution: QueryExecution) {
    guard let result = collection(execution) else { return }
    guard let new = result.value else {
      statisticsUpdateHandler?(self, nil, nil, result.error)
      updates?(nil, nil, result.error)
      return
    }
    let old = handlers.withLock { handlers in
      defer { handlers.last = new }
      return handlers.last
    }
    let changed = new.changed(since: old)
    if !changed.isEmpty { updates?(changed, new, nil) }
    for statistics in changed where !execution.isStopped {
      statisticsUpdateHandler?(self, statistics, new, nil)
    }
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
    let tree = try (predicate?.tree ?? .always(true)).resolved(in: store)
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
