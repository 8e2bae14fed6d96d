import Foundation
import HealthKit
import HealthSamples
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@Suite struct ThreadTests {
  /// Threads share types, units, quantities, samples and metadata; a run with the thread sanitizer
  /// takes the seconds of `HKSTATS_THREAD_SECONDS`.
  @Test("8 threads make, convert, compare and archive the same objects")
  func sharedObjects() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = Double(environment["HKSTATS_THREAD_SECONDS"] ?? "") ?? 0.5
    let deadline = ContinuousClock.now + .seconds(seconds)
    var records = StoreRecords(seed: 8)
    let rows = records.batch(
      StoreRecords.heartRate, Source(name: "Watch"), count: 64, label: "count/min")
    let shared = rows.samples()
    let quantity = HKQuantity(unit: .pound(), doubleValue: 154.5)
    let rounds = Rounds()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { () throws in
          repeat {
            #expect(abs(quantity.doubleValue(for: .gramUnit(with: .kilo)) - 70.08) < 0.01)
            #expect(quantity.compare(HKQuantity(unit: .gram(), doubleValue: 1)) != .orderedSame)
            for sample in shared {
              _ = sample.metadata
              #expect(sample == sample.copyThroughArchive(every: 16))
            }
            let made = HKQuantitySample(
              type: HKQuantityType(.bodyMass), quantity: quantity, start: Trial.date(0),
              end: Trial.date(0))
            #expect(made.sourceRevision.source == .default())
            #expect(rows.samples().count == shared.count)
            let read = try SampleRows.rows(of: shared)
            #expect(read.count == 1)
            rounds.count.add(1, ordering: .relaxed)
          } while ContinuousClock.now < deadline
        }
      }
      try await group.waitForAll()
    }
    #expect(rounds.count.load(ordering: .relaxed) >= 8)
  }
}

private final class Rounds: Sendable {
  let count: Atomic<Int>

  init(_ count: Int = 0) { self.count = Atomic(count) }
}

extension ThreadTests {
  /// Takes as long as the test above.
  @Test("8 threads of two apps query, save, delete and observe on one store")
  func sharedStore() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = Double(environment["HKSTATS_THREAD_SECONDS"] ?? "") ?? 1
    let file = try HealthFile()
    var stores: [HKHealthStore] = []
    for app in ["com.example.a", "com.example.b"] {
      stores.append(try await file.allowedStore(app, StoreThread.types))
    }
    let threads = (0..<8).map { index in
      StoreThread(stores[index % 2], seed: UInt64(index), seconds: seconds)
    }
    await withCheckedContinuation { continuation in
      let left = Rounds(threads.count)
      for thread in threads {
        Thread {
          thread.run()
          if left.count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            continuation.resume()
          }
        }.start()
      }
    }
    let counts = threads.reduce(into: [:]) { $0.merge($1.counts, uniquingKeysWith: +) }
    for thread in threads { #expect(thread.failures == []) }
    for operation in StoreThread.Operation.allCases {
      #expect(counts[operation, default: 0] > 0, "\(operation)")
    }
    let owner = try SampleStore(path: file.path, mode: .readOnly)
    try owner.verify()
    let left = threads.reduce(0) { $0 + $1.left.count }
    #expect(try owner.types().reduce(0) { $0 + $1.count } == left)
    if environment["HKSTATS_THREAD_SECONDS"] != nil {
      print("8 threads: \(counts.map { "\($0.value) × \($0.key)" }.sorted())")
    }
  }
}

/// A thread of an app that runs random operations on a store, one after the other.
private final class StoreThread: @unchecked Sendable {
  enum Operation: CaseIterable {
    case save, delete, deleteMatching, samples, filtered, several, changes, observe, sum, days
    case liveDays, sources, permission
  }

  static let types: Set<HKSampleType> = [
    HKQuantityType(.stepCount), HKQuantityType(.bodyMass), HKCategoryType(.sleepAnalysis),
  ]
  private static let steps = HKQuantityType(.stepCount)
  private static let mass = HKQuantityType(.bodyMass)

  private let store: HKHealthStore
  private var random: SplitMix64
  private let seconds: Double
  private(set) var counts: [Operation: Int] = [:]
  private(set) var failures: [String] = []
  /// The samples that this thread saved and did not delete.
  private(set) var left: [HKSample] = []
  /// The metadata of the samples of this thread, by which it deletes them.
  private let mark: String

  init(_ store: HKHealthStore, seed: UInt64, seconds: Double) {
    self.store = store
    self.seconds = seconds
    random = SplitMix64(seed: seed)
    mark = "thread \(seed)"
  }

  func run() {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var round = 0
    repeat {
      // Each operation once, then random ones.
      let operation =
        round < Operation.allCases.count
        ? Operation.allCases[round] : Operation.allCases.randomElement(using: &random) ?? .save
      round += 1
      perform(operation)
      counts[operation, default: 0] += 1
    } while ContinuousClock.now < deadline || round < Operation.allCases.count
  }

  /// Calls a body, and waits for its handler; notes an error, or that there is no answer.
  private func wait(
    _ name: String, _ body: (@escaping @Sendable ((any Error)?) -> Void) -> HKQuery?
  ) {
    let answer = Answer()
    let query = body { error in
      answer.lock.withLock {
        answer.failure = error.map { "\(name): \(($0 as? HKError)?.code.rawValue ?? -1)" }
      }
      answer.done.signal()
    }
    if let query { store.execute(query) }
    if answer.done.wait(timeout: .now() + 60) == .timedOut { failures.append("\(name): no answer") }
    answer.lock.withLock { if let failure = answer.failure { failures.append(failure) } }
    if let query { store.stop(query) }
  }

  private final class Answer: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    let lock = NSLock()
    var failure: String?
  }

  private func newSample() -> HKSample {
    let start = Double(Int.random(in: 0..<200, using: &random)) * 1800
    let entries: [String: Any] = ["mark": mark]
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return Trial.steps(3, from: start, to: start + 600, metadata: entries)
    case 1:
      return HKQuantitySample(
        type: Self.mass, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 70),
        start: Trial.date(start), end: Trial.date(start), metadata: entries)
    default:
      return HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: 1, start: Trial.date(start),
        end: Trial.date(start + 900), metadata: entries)
    }
  }

  private func perform(_ operation: Operation) {
    let middle = Trial.date(Double(Int.random(in: 0..<200, using: &random)) * 1800)
    let recent = HKQuery.predicateForSamples(withStart: middle, end: nil)
    let marked = HKQuery.predicateForObjects(withMetadataKey: "mark", allowedValues: [mark])
    switch operation {
    case .save:
      let new = (0..<Int.random(in: 1..<6, using: &random)).map { _ in newSample() }
      wait("save") { answer in
        store.save(new) { answer($1) }
        return nil
      }
      left += new
    case .delete:
      guard !left.isEmpty else { return }
      let gone = left.remove(at: Int.random(in: 0..<left.count, using: &random))
      wait("delete") { answer in
        store.delete(gone) { answer($1) }
        return nil
      }
    case .deleteMatching:
      let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [recent, marked])
      wait("delete matching") { answer in
        store.deleteObjects(of: Self.steps, predicate: predicate) { answer($2) }
        return nil
      }
      left.removeAll { $0.sampleType == Self.steps && $0.endDate >= middle }
    case .samples:
      wait("samples") { answer in
        HKSampleQuery(sampleType: Self.steps, predicate: nil, limit: 50, sortDescriptors: nil) {
          answer($2)
        }
      }
    case .filtered:
      wait("filtered") { answer in
        HKSampleQuery(
          sampleType: Self.mass, predicate: NSPredicate { _, _ in true }, limit: 20,
          sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)]
        ) { answer($2) }
      }
    case .several:
      let descriptors = Self.types.map { HKQueryDescriptor(sampleType: $0, predicate: recent) }
      wait("several") { answer in
        HKSampleQuery(queryDescriptors: descriptors, limit: HKObjectQueryNoLimit) { answer($2) }
      }
    case .changes:
      wait("changes") { answer in
        let query = HKAnchoredObjectQuery(
          type: Self.steps, predicate: marked, anchor: nil, limit: HKObjectQueryNoLimit
        ) { answer($4) }
        query.updateHandler = { _, _, _, _, _ in }
        return query
      }
    case .observe:
      wait("observe") { answer in
        HKObserverQuery(sampleType: Self.mass, predicate: nil) { _, completion, error in
          completion()
          answer(error)
        }
      }
    case .sum:
      wait("sum") { answer in
        HKStatisticsQuery(
          quantityType: Self.steps, quantitySamplePredicate: recent, options: .cumulativeSum
        ) { answer(($2 as? HKError)?.code == .errorNoData ? nil : $2) }
      }
    case .days, .liveDays:
      wait("days") { answer in
        let query = HKStatisticsCollectionQuery(
          quantityType: Self.mass, quantitySamplePredicate: operation == .days ? recent : nil,
          options: .discreteAverage, anchorDate: Trial.date(0),
          intervalComponents: DateComponents(hour: 7))
        query.initialResultsHandler = {
          _ = $1?.statistics().map { $0.averageQuantity() }
          answer($2)
        }
        if operation == .liveDays { query.statisticsUpdateHandler = { _, _, _, _ in } }
        return query
      }
    case .sources:
      wait("sources") { answer in
        HKSourceQuery(sampleType: Self.steps, samplePredicate: recent) { answer($2) }
      }
    case .permission:
      if store.authorizationStatus(for: Self.mass) != .sharingAuthorized {
        failures.append("permission")
      }
      wait("units") { answer in
        store.preferredUnits(for: [Self.mass]) { answer($1) }
        return nil
      }
    }
  }
}

extension HKSample {
  /// The sample, or for one of several a copy that was archived.
  fileprivate func copyThroughArchive(every count: Int) -> HKSample? {
    guard hash % count == 0 else { return self }
    return try? archivedObject(self)
  }
}
