import HealthKit

/// The second screen: a bar for each day of a week, updated after every change.
@MainActor
public final class WeekModel {
  /// A day and its steps.
  public struct Bar: Sendable, Equatable, Identifiable {
    /// The day, which has 23 or 25 hours where the clocks change.
    public let day: DateInterval
    /// The steps of the day; `nil` on a day without samples.
    public let steps: Double?
    /// The start of the day.
    public var id: Date { day.start }
  }

  /// What to show: seven bars.
  public private(set) var bars: Screen<[Bar]> = .empty {
    didSet { if bars != oldValue { didChange?() } }
  }
  /// Called after each change of ``bars``.
  public var didChange: (() -> Void)?

  private let store: HKHealthStore
  private let calendar: Calendar
  private var query: HKStatisticsCollectionQuery?

  /// Makes the model, which queries nothing before ``show(weekOf:)``.
  public init(store: HKHealthStore, calendar: Calendar = .current) {
    (self.store, self.calendar) = (store, calendar)
  }

  /// Shows the week of a date, until ``stop()`` or another week.
  public func show(weekOf date: Date) {
    stop()
    guard let week = calendar.dateInterval(of: .weekOfYear, for: date) else { return }
    // One day, not 86,400 seconds: a bar is from midnight to midnight when the clocks change, too.
    var day = DateComponents(day: 1)
    day.calendar = calendar
    day.timeZone = calendar.timeZone
    let query = HKStatisticsCollectionQuery(
      quantityType: HealthAccess.steps,
      quantitySamplePredicate: HKQuery.predicateForSamples(withStart: week.start, end: week.end),
      options: .cumulativeSum, anchorDate: week.start, intervalComponents: day)
    query.initialResultsHandler = { @Sendable [weak self] query, collection, error in
      self?.take(collection, error, of: query, in: week)
    }
    query.statisticsUpdateHandler = { @Sendable [weak self] query, _, collection, error in
      self?.take(collection, error, of: query, in: week)
    }
    self.query = query
    store.execute(query)
  }

  /// Stops the query of ``show(weekOf:)``.
  public func stop() {
    query.map(store.stop)
    query = nil
  }

  nonisolated private func take(
    _ collection: HKStatisticsCollection?, _ error: (any Error)?,
    of query: HKStatisticsCollectionQuery, in week: DateInterval
  ) {
    let screen: Screen<[Bar]>
    if let collection {
      screen = .content(collection.bars(in: week))
    } else {
      screen = error.map(Screen.init) ?? .noData
    }
    Task { @MainActor in
      // A result of the previous query may arrive late.
      if self.query === query { self.bars = screen }
    }
  }
}

extension HKStatisticsCollection {
  fileprivate func bars(in week: DateInterval) -> [WeekModel.Bar] {
    var bars: [WeekModel.Bar] = []
    enumerateStatistics(from: week.start, to: week.end) { statistics, _ in
      guard statistics.startDate < week.end else { return }
      bars.append(
        WeekModel.Bar(
          day: DateInterval(start: statistics.startDate, end: statistics.endDate),
          steps: statistics.sumQuantity()?.doubleValue(for: .count())))
    }
    return bars
  }
}
