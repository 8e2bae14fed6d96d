import HealthKit
import Testing

// What apps write about handlers and delegates from before the SDK had `@Sendable`, and what their
// own files add to standard types: no other module's members may be visible here.

/// A double that replaces methods with handlers, as older tests do.
private final class Spy: HKHealthStore, @unchecked Sendable {
  private(set) var saved: [HKObject] = []
  private(set) var executed: [HKQuery] = []

  override func save(
    _ object: HKObject, withCompletion completion: @escaping (Bool, (any Error)?) -> Void
  ) {
    saved.append(object)
    completion(true, nil)
  }

  override func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    completion(true, nil)
  }

  override func execute(_ query: HKQuery) { executed.append(query) }
}

/// A model on the main actor, whose methods start queries.
@MainActor
private final class Model {
  private(set) var count = 0

  func query() -> HKQuery {
    let query = HKAnchoredObjectQuery(
      type: HKQuantityType(.stepCount), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, samples, _, _, _ in
      let found = samples?.count ?? 0
      Task { @MainActor in self.count += found }
    }
    query.updateHandler = { _, samples, _, _, _ in
      let found = samples?.count ?? 0
      Task { @MainActor in self.count += found }
    }
    return query
  }

  func collection() -> HKStatisticsCollectionQuery {
    let query = HKStatisticsCollectionQuery(
      quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
      options: .cumulativeSum, anchorDate: Date(timeIntervalSinceReferenceDate: 0),
      intervalComponents: DateComponents(day: 1))
    query.initialResultsHandler = { [weak self] _, collection, _ in
      let days = collection?.statistics().count ?? 0
      Task { @MainActor in self?.count = days }
    }
    query.statisticsUpdateHandler = { _, _, _, _ in }
    return query
  }
}

#if swift(>=6)
// A closure that captures what is not Sendable draws a warning there, as the SDK's does.
#else
/// A model from before concurrency.
private final class OldModel {
  private(set) var weights: [Double] = []

  func load(_ store: HKHealthStore) {
    let query = HKSampleQuery(
      sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 10, sortDescriptors: nil
    ) { _, samples, _ in
      self.weights = (samples as? [HKQuantitySample] ?? []).map {
        $0.quantity.doubleValue(for: .gramUnit(with: .kilo))
      }
    }
    store.execute(query)
    store.requestAuthorization(toShare: nil, read: [HKQuantityType(.bodyMass)]) { _, _ in
      self.weights = []
    }
  }
}
#endif

private final class Listener: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate {
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) {}

  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {}

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
  ) {}

  func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}

extension Double {
  fileprivate var roots: [Double] { [sqrt(self), exp(log(self) / 2), pow(self, 0.5)] }
}

extension Collection {
  fileprivate func adjacentPairs() -> [(Element, Element)] { Array(zip(self, dropFirst())) }

  fileprivate func chunks(ofCount count: Int) -> [[Element]] {
    var rest = ArraySlice(Array(self))
    var chunks: [[Element]] = []
    while !rest.isEmpty {
      chunks.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return chunks
  }
}

extension Sequence where Element: Hashable {
  fileprivate func uniqued() -> [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}

@Suite
struct Handlers {
  @Test("K4: A double of a store sees what the app saves and executes")
  @MainActor func doubles() {
    let (spy, model) = (Spy(), Model())
    let sample = HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 3),
      start: Date(timeIntervalSinceReferenceDate: 0), end: Date(timeIntervalSinceReferenceDate: 9))
    spy.save(sample) { success, error in #expect(success && error == nil) }
    spy.execute(model.query())
    spy.execute(model.collection())
    #expect(spy.saved == [sample] && spy.executed.count == 2 && model.count == 0)
    let delegate: any HKWorkoutSessionDelegate & HKLiveWorkoutBuilderDelegate = Listener()
    #expect(delegate.isEqual(delegate))
  }

  @Test("K6: Objects are arguments of formats")
  func formats() {
    let (unit, type) = (HKUnit.count(), HKQuantityType(.stepCount))
    let quantity = HKQuantity(unit: unit, doubleValue: 3)
    #expect(String(format: "%@ of %@: %d", quantity, type, 7) == "\(quantity) of \(type): 7")
    let arguments: [any CVarArg] = [HKSource.default(), quantity, quantity]
    #expect(
      String(format: "%@|%@|%@", arguments: arguments)
        == "\(HKSource.default())|\(quantity)|\(quantity)")
  }

  @Test("An object whose description changes is printed as it was each time")
  func changingFormats() {
    final class Counter: HKWorkoutConfiguration {
      var count = 0
      override var description: String {
        count += 1
        return "the description of number \(count)"
      }
    }
    let counter = Counter()
    let text = String(format: "%@|%@|%@", counter, counter, counter)
    let words = (1...counter.count).map { "the description of number \($0)" }
    #expect(text.split(separator: "|").allSatisfy { words.contains(String($0)) })
    #expect(counter.count == 3)
  }

  @Test("K3: What an app adds to standard types is its own")
  func extensions() {
    #expect((9.0).roots.allSatisfy { abs($0 - 3) < 1e-12 })
    #expect([1, 2, 3].adjacentPairs().map { $0 + $1 } == [3, 5])
    #expect([1, 2, 3].chunks(ofCount: 2) == [[1, 2], [3]])
    #expect([1, 2, 1].uniqued() == [1, 2])
  }
}
