import HealthKit

/// The first screen: how many steps today has so far.
///
/// A phone and a watch count the same steps. A query for statistics counts them once; adding up the
/// samples of a sample query would not.
@MainActor
public final class TodayModel {
  /// What to show.
  public private(set) var steps: Screen<Int> = .empty {
    didSet { if steps != oldValue { didChange?() } }
  }
  /// Called whenever there is something else to show.
  public var didChange: (() -> Void)?

  private let store: HKHealthStore
  private let calendar: Calendar
  private let now: @Sendable () -> Date
  private var observer: HKObserverQuery?

  /// Makes the screen; nothing is asked before ``refresh()`` or ``start()``.
  public init(
    store: HKHealthStore, calendar: Calendar = .current,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    (self.store, self.calendar, self.now) = (store, calendar, now)
  }

  /// Asks for the steps of the day that it is now.
  public func refresh() async {
    let start = calendar.startOfDay(for: now())
    let end = calendar.date(byAdding: .day, value: 1, to: start)
    let today = HKQuery.predicateForSamples(
      withStart: start, end: end, options: .strictStartDate)
    let query = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: HealthAccess.steps, predicate: today),
      options: .cumulativeSum)
    do {
      let sum = try await query.result(for: store)?.sumQuantity()
      steps = sum.map { .content(Int($0.doubleValue(for: .count()).rounded())) } ?? .noData
    } catch HKError.errorNoData {
      steps = .noData
    } catch {
      steps = Screen(error)
    }
  }

  /// Asks now, and again after every change, until ``stop()``.
  public func start() {
    stop()
    let observer = HKObserverQuery(sampleType: HealthAccess.steps, predicate: nil) {
      @Sendable [weak self] _, completion, error in
      // Nothing is delivered in the background: the update counts as handled.
      completion()
      Task { @MainActor in
        guard let self else { return }
        if let error { self.steps = Screen(error) } else { await self.refresh() }
      }
    }
    self.observer = observer
    store.execute(observer)
  }

  /// Ends what ``start()`` began.
  public func stop() {
    observer.map(store.stop)
    observer = nil
  }
}
