import Foundation
import HealthKit

/// Hears of the person's weights, on the main queue.
public protocol HealthManagerDelegate: AnyObject {
  /// Another app or the diary itself has added or deleted weights.
  func healthManagerDidChangeWeights(_ manager: HealthManager)
}

/// The older half of the diary, from before Swift had tasks: one object for the whole app, with a store
/// in it, completion handlers, and queues.
public final class HealthManager: NSObject, @unchecked Sendable {
  /// The one that all screens use.
  public static let shared = HealthManager()

  /// How the person wants weights.
  public static let weightUnit = HKUnit.gramUnit(with: .kilo)
  /// How long a screen waits before it reads again on a locked phone.
  public static let patience = 0.05

  /// Hears of weights.
  public weak var delegate: HealthManagerDelegate?

  private let store = HKHealthStore()
  private let queue = DispatchQueue(label: "com.example.diary.health")
  private let mass = HKQuantityType(.bodyMass)
  private let steps = HKQuantityType(.stepCount)
  private let energy = HKQuantityType(.dietaryEnergyConsumed)
  /// Guarded by the queue.
  private var observer: HKObserverQuery?
  /// How far the import of meals is; guarded by the queue.
  private var anchor: HKQueryAnchor?

  private override init() {}

  /// Forgets what it has read, as when a person signs out.
  public func reset() {
    queue.sync {
      observer.map(store.stop)
      (observer, anchor) = (nil, nil)
    }
    delegate = nil
  }

  // MARK: Permission

  /// Asks the person; the handler is called on the main queue.
  public func requestAccess(completion: @escaping (Bool, Error?) -> Void) {
    store.requestAuthorization(
      toShare: [mass], read: [mass, steps, energy, HKCharacteristicType(.biologicalSex)]
    ) { success, error in
      DispatchQueue.main.async { completion(success, error) }
    }
  }

  /// Whether the button that saves a weight is shown.
  public var canSaveWeights: Bool { store.authorizationStatus(for: mass) == .sharingAuthorized }

  // MARK: Weights

  /// Saves a weight.
  public func saveWeight(
    _ kilograms: Double, on date: Date, completion: @escaping (Error?) -> Void
  ) {
    let quantity = HKQuantity(unit: Self.weightUnit, doubleValue: kilograms)
    store.save(HKQuantitySample(type: mass, quantity: quantity, start: date, end: date)) {
      _, error in completion(error)
    }
  }

  /// The latest weight, from any app; `nil` without one.
  public func latestWeight(completion: @escaping (Double?, Error?) -> Void) {
    let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
    store.execute(
      HKSampleQuery(sampleType: mass, predicate: nil, limit: 1, sortDescriptors: [newest]) {
        _, samples, error in
        let sample = samples?.first as? HKQuantitySample
        completion(sample?.quantity.doubleValue(for: Self.weightUnit), error)
      })
  }

  /// The mean weights of months, oldest first; `nil` for a month without one.
  public func monthlyWeights(
    _ count: Int, until date: Date, calendar: Calendar,
    completion: @escaping ([Double?], Error?) -> Void
  ) {
    guard let last = calendar.dateInterval(of: .month, for: date),
      let start = calendar.date(byAdding: .month, value: 1 - count, to: last.start)
    else { return completion([], nil) }
    let query = HKStatisticsCollectionQuery(
      quantityType: mass, quantitySamplePredicate: nil, options: .discreteAverage,
      anchorDate: start,
      intervalComponents: DateComponents(
        calendar: calendar, timeZone: calendar.timeZone, month: 1))
    query.initialResultsHandler = { _, collection, error in
      var weights: [Double?] = []
      collection?.enumerateStatistics(from: start, to: last.start) { statistics, _ in
        weights.append(statistics.averageQuantity()?.doubleValue(for: Self.weightUnit))
      }
      completion(weights, error)
    }
    store.execute(query)
  }

  /// Deletes the weights that the diary has saved, and says how many these were.
  public func deleteWeights(completion: @escaping (Int, Error?) -> Void) {
    let own = HKQuery.predicateForObjects(from: HKSource.default())
    store.deleteObjects(of: mass, predicate: own) { _, count, error in completion(count, error) }
  }

  /// Tells the delegate of each change of the weights.
  public func startObserving() {
    let query = HKObserverQuery(sampleType: mass, predicate: nil) {
      [weak self] _, completion, error in
      completion()
      guard let self, error == nil else { return }
      DispatchQueue.main.async { self.delegate?.healthManagerDidChangeWeights(self) }
    }
    queue.sync { observer = query }
    store.execute(query)
  }

  // MARK: Steps and meals

  /// The steps of a day.
  public func steps(
    on day: DateInterval, completion: @escaping (Double?, Error?) -> Void
  ) {
    let period = HKQuery.predicateForSamples(
      withStart: day.start, end: day.end, options: .strictStartDate)
    store.execute(
      HKStatisticsQuery(
        quantityType: steps, quantitySamplePredicate: period, options: .cumulativeSum
      ) { _, statistics, error in
        completion(statistics?.sumQuantity()?.doubleValue(for: .count()), error)
      })
  }

  /// The energy of the meals since the last call, in kilocalories, and how many of them are gone.
  public func importMeals(completion: @escaping ([Double], Int, Error?) -> Void) {
    let query = HKAnchoredObjectQuery(
      type: energy, predicate: nil, anchor: queue.sync { anchor }, limit: HKObjectQueryNoLimit
    ) { [self] _, added, deleted, next, error in
      if let next { queue.sync { anchor = next } }
      let meals = (added ?? []).compactMap { $0 as? HKQuantitySample }
      completion(
        meals.map { $0.quantity.doubleValue(for: .kilocalorie()) }, deleted?.count ?? 0, error)
    }
    store.execute(query)
  }

  // MARK: The overview, read from a queue

  /// What the first screen shows.
  public struct Overview: Sendable, Equatable {
    /// The latest weight in kilograms.
    public var weight: Double?
    /// The steps of the day.
    public var steps: Double?
    /// Whether the person is known as a woman or a man.
    public var hasSex = false

    /// Makes an overview.
    public init(weight: Double? = nil, steps: Double? = nil, hasSex: Bool = false) {
      (self.weight, self.steps, self.hasSex) = (weight, steps, hasSex)
    }
  }

  /// Reads all at once, on its queue, and calls the handler on the main one.
  public func overview(of day: DateInterval, completion: @escaping (Overview) -> Void) {
    queue.async { [self] in
      let group = DispatchGroup()
      let result = Result()
      group.enter()
      latestWeight { weight, _ in
        result.change { $0.weight = weight }
        group.leave()
      }
      group.enter()
      steps(on: day) { steps, _ in
        result.change { $0.steps = steps }
        group.leave()
      }
      let sex = try? store.biologicalSex().biologicalSex
      result.change { $0.hasSex = sex == .female || sex == .male }
      group.notify(queue: .main) { completion(result.overview) }
    }
  }

  /// The latest weight; where the phone is locked it is read again after a while, some times.
  public func patientWeight(
    times: Int = 20, completion: @escaping (Double?, Error?) -> Void
  ) {
    latestWeight { [self] weight, error in
      guard (error as? HKError)?.code == .errorDatabaseInaccessible, times > 1 else {
        return completion(weight, error)
      }
      queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
        patientWeight(times: times - 1, completion: completion)
      }
    }
  }

  private final class Result: @unchecked Sendable {
    private let lock = NSLock()
    private var value = Overview()
    var overview: Overview { lock.withLock { value } }
    func change(_ body: (inout Overview) -> Void) { lock.withLock { body(&value) } }
  }
}
