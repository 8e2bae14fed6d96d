import HealthKit

/// The first screen: how many steps today has so far.
///
/// A phone and a watch count the same steps. A statistics query counts them once; the sum of
/// the samples of a sample query would count them twice.
@MainActor
public final class TodayModel {
  /// What to show.
  public private(set) var steps: Screen<Int> = .empty {
    didSet { if steps != oldValue { didChange?() } }
  }
  /// Called after each change of ``steps``.
  public var didChange: (() -> Void)?

  private let store: HKHealthStore
  private let calendar: Calendar
  private let now: @Sendable () -> Date
  private var observer: HKObserverQuery?

  /// Makes the model, which queries nothing before ``refresh()`` or ``start()``.
  public init(
    store: HKHealthStore, calendar: Calendar = .current,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    (self.store, self.calendar, self.now) = (store, calendar, now)
  }

  /// Queries the steps of the current day.
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

  /// Queries now, and again after every change, until ``stop()``.
  public func start() {
    stop()
    let observer = HKObserverQuery(sampleType: HealthAccess.steps, predicate: nil) {
      @Sendable [weak self] _, completion, error in
      // The app has no background delivery, so the update is complete at once.
      completion()
      Task { @MainActor in
        guard let self else { return }
        if let error { self.steps = Screen(error) } else { await self.refresh() }
      }
    }
    self.observer = observer
    store.execute(observer)
  }

  /// Stops the query of ``start()``.
  public func stop() {
    observer.map(store.stop)
    observer = nil
  }
}
