import HealthKit
import Testing

/// Follows a type as apps with a server do: an observer reports that there are changes, an anchored
/// query fetches them, and the app keeps the anchor between launches.
final class Follower: @unchecked Sendable {
  private let store: HKHealthStore
  private let type: HKSampleType
  private var observer: HKObserverQuery?
  /// The archived anchor, which an app keeps in its defaults.
  var archive: Data?

  init(_ store: HKHealthStore, _ type: HKSampleType, archive: Data? = nil) {
    (self.store, self.type, self.archive) = (store, type, archive)
  }

  private var anchor: HKQueryAnchor? {
    archive.flatMap {
      try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
    }
  }

  func start(_ handler: @escaping @Sendable (Int, Int) -> Void) {
    let observer = HKObserverQuery(sampleType: type, predicate: nil) {
      [weak self] _, completionHandler, error in
      defer { completionHandler() }
      guard let self, error == nil else { return }
      self.fetch(handler)
    }
    self.observer = observer
    store.execute(observer)
  }

  func stop() {
    if let observer { store.stop(observer) }
    observer = nil
  }

  func fetch(_ handler: @escaping @Sendable (Int, Int) -> Void) {
    let query = HKAnchoredObjectQuery(
      type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
    ) { [weak self] _, added, deleted, anchor, error in
      guard let self, error == nil, let anchor else { return }
      self.archive = try? NSKeyedArchiver.archivedData(
        withRootObject: anchor, requiringSecureCoding: true)
      handler(added?.count ?? 0, deleted?.count ?? 0)
    }
    store.execute(query)
  }
}

@Suite
struct Changes {
  @Test("An observer and an archived anchor report every change once, across launches")
  func followers() async throws {
    let phone = try Phone()
    let store = try await phone.allowedStore()
    let seen = Collected<[Int]>()
    let follower = Follower(store, HKQuantityType(.stepCount))
    follower.start { seen.add([$0, $1]) }
    #expect(try await seen.wait(for: 1) == [[0, 0]])
    let sample = Sample.steps(10)
    try await store.save(sample)
    #expect(try await seen.wait(for: 2).dropFirst() == [[1, 0]])
    try await store.delete(sample)
    #expect(try await seen.wait(for: 3).dropFirst(2) == [[0, 1]])
    follower.stop()

    try await store.save([Sample.steps(1), Sample.steps(2, at: 100)])
    let next = Follower(
      phone.store(), HKQuantityType(.stepCount), archive: follower.archive)
    let later = Collected<[Int]>()
    next.fetch { later.add([$0, $1]) }
    #expect(try await later.wait(for: 1) == [[2, 0]])
    next.fetch { later.add([$0, $1]) }
    #expect(try await later.wait(for: 2).last == [0, 0])
  }

  @Test("An anchored query with an update handler goes on until it is stopped")
  func updates() async throws {
    let store = try await Phone().allowedStore()
    let seen = Collected<Int>()
    let query = HKAnchoredObjectQuery(
      type: HKQuantityType(.bodyMass), predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, samples, _, _, _ in seen.add(samples?.count ?? -1) }
    query.updateHandler = { _, samples, _, _, _ in seen.add(samples?.count ?? -1) }
    store.execute(query)
    #expect(try await seen.wait(for: 1) == [0])
    try await store.save([Sample.mass(80), Sample.mass(81, at: 60)])
    #expect(try await seen.wait(for: 2) == [0, 2])
    store.stop(query)
    try await store.save(Sample.mass(82, at: 120))
    try await Task.sleep(nanoseconds: 100_000_000)
    #expect(seen.all == [0, 2])
  }

  @Test("A sequence of changes ends with its task")
  func sequences() async throws {
    let store = try await Phone().allowedStore()
    let seen = Collected<Int>()
    let task = Task {
      let changes = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: HKQuantityType(.stepCount))], anchor: nil)
      for try await change in changes.results(for: store) {
        seen.add(change.addedSamples.count)
      }
    }
    #expect(try await seen.wait(for: 1) == [0])
    try await store.save(Sample.steps(5))
    #expect(try await seen.wait(for: 2) == [0, 1])
    task.cancel()
    _ = await task.result
    try await store.save(Sample.steps(6, at: 100))
    #expect(seen.all == [0, 1])
  }

  @Test("A chart follows the store through its update handler")
  func charts() async throws {
    let store = try await Phone().allowedStore()
    let sums = Collected<Double?>()
    let query = HKStatisticsCollectionQuery(
      quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
      options: .cumulativeSum, anchorDate: Sample.start, intervalComponents: DateComponents(day: 1))
    query.initialResultsHandler = { _, collection, _ in
      sums.add(collection?.statistics(for: Sample.start)?.sumQuantity()?.doubleValue(for: .count()))
    }
    query.statisticsUpdateHandler = { _, statistics, _, _ in
      sums.add(statistics?.sumQuantity()?.doubleValue(for: .count()))
    }
    store.execute(query)
    #expect(try await sums.wait(for: 1) == [nil])
    try await store.save(Sample.steps(30))
    #expect(try await sums.wait(for: 2) == [nil, 30])
    store.stop(query)
  }

  @Test("Background delivery is turned on when an app starts, and off when a person signs out")
  func delivery() async throws {
    let phone = try Phone()
    let store = try await phone.allowedStore()
    let type = HKQuantityType(.stepCount)
    try await store.enableBackgroundDelivery(for: type, frequency: .immediate)
    let answers = Collected<Bool>()
    store.enableBackgroundDelivery(for: HKQuantityType(.bodyMass), frequency: .hourly) {
      success, error in
      answers.add(success && error == nil)
    }
    let updates = Collected<String>()
    let observer = HKObserverQuery(sampleType: type, predicate: nil) { _, completion, error in
      defer { completion() }
      guard error == nil else { return }
      updates.add("update")
    }
    store.execute(observer)
    #expect(try await updates.wait(for: 1).count == 1)
    let watch = try await phone.allowedStore(of: "com.example.watch")
    try await watch.save(Sample.steps(3))
    #expect(try await updates.wait(for: 2).count == 2)
    store.stop(observer)
    try await store.disableBackgroundDelivery(for: type)
    store.disableAllBackgroundDelivery { success, error in answers.add(success && error == nil) }
    #expect(try await answers.wait(for: 2) == [true, true])
    await #expect(throws: HKError.self) {
      try await store.enableBackgroundDelivery(
        for: HKQuantityType(.heartRate), frequency: .daily)
    }
  }
}
