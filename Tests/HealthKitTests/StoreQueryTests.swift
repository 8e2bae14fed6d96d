import Foundation
import HealthQuery
import HealthSamples
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct StoreQueryTests {
  private let steps = HKQuantityType(.stepCount)
  private let mass = HKQuantityType(.bodyMass)
  private let sleep = HKCategoryType(.sleepAnalysis)

  /// The answer of a sample query.
  private func answer(
    _ store: HKHealthStore,
    _ make: (@escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void) ->
      HKSampleQuery
  ) async throws -> [HKSample] {
    try await withCheckedThrowingContinuation { continuation in
      store.execute(
        make { _, samples, error in
          if let samples {
            continuation.resume(returning: samples)
          } else {
            continuation.resume(throwing: error ?? HKError(.unknownError))
          }
        })
    }
  }

  @Test("Sample queries give what a scan of all objects gives", arguments: [1, 2, 3] as [UInt64])
  func scan(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let file = try HealthFile()
    let types: Set<HKSampleType> = [steps, mass, sleep]
    let apps = ["com.example.a", "com.example.b"]
    var all: [HKSample] = []
    for app in apps {
      let store = try await file.allowedStore(app, types)
      let samples = (0..<60).map { _ in sample(using: &random) }
      try await store.save(samples)
      // What was saved, with the app as its source.
      for type in types {
        all += try await answer(store) {
          HKSampleQuery(
            sampleType: type,
            predicate: HKQuery.predicateForObjects(with: Set(samples.map(\.uuid))),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil, resultsHandler: $0)
        }
      }
    }
    #expect(all.count == 120)
    let store = file.store(apps[0])
    var predicates = RandomPredicates(seed: seed &+ 50)
    predicates.sources = apps.map {
      HKSource(Source(name: String($0.suffix(1)), bundleIdentifier: $0))
    }
    predicates.uuids = all.prefix(4).map(\.uuid)
    var (hits, misses) = (0, 0)
    for number in 0..<60 {
      let trees = (0..<1 + number % 3).map { _ in predicates.tree(depth: number % 3) }
      let descriptors = trees.map { tree in
        HKQueryDescriptor(
          sampleType: [steps, mass, sleep][Int.random(in: 0..<3, using: &random)],
          predicate: TreePredicate(tree))
      }
      let expected = try all.filter { sample in
        try descriptors.contains {
          try $0.sampleType == sample.sampleType && $0.predicate?.matches(sample) ?? true
        }
      }
      let sorts = [
        [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: number % 2 == 0)],
        [
          NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: number % 2 == 1),
          NSSortDescriptor(key: HKPredicateKeyPathStartDate, ascending: true),
        ],
        [NSSortDescriptor(key: HKPredicateKeyPathUUID, ascending: true)],
      ][number % 3]
      let limit = [HKObjectQueryNoLimit, 1, 7][Int.random(in: 0..<3, using: &random)]
      let found = try await answer(store) {
        HKSampleQuery(
          queryDescriptors: descriptors, limit: limit, sortDescriptors: sorts, resultsHandler: $0)
      }
      let count = limit == HKObjectQueryNoLimit ? expected.count : min(limit, expected.count)
      #expect(found.count == count)
      #expect(Set(found.map(\.uuid)).count == found.count)
      #expect(Set(found.map(\.uuid)).isSubset(of: expected.map(\.uuid)))
      // In order, and nothing that was left out comes before the last of them.
      func isBefore(_ left: HKSample, _ right: HKSample) -> Bool {
        for sort in sorts {
          let order = sort.compare(left, to: right)
          if order != .orderedSame { return order == .orderedAscending }
        }
        return false
      }
      #expect(!zip(found, found.dropFirst()).contains { isBefore($1, $0) })
      let uuids = Set(found.map(\.uuid))
      if let last = found.last {
        #expect(!expected.contains { !uuids.contains($0.uuid) && isBefore($0, last) })
      }
      if expected.isEmpty { misses += 1 } else { hits += 1 }
    }
    #expect(hits > 20 && misses > 0)
  }

  private func sample(using random: inout SplitMix64) -> HKSample {
    let start = Double(Int.random(in: 0..<16, using: &random)) / 2
    let end = start + Double(Int.random(in: 0..<4, using: &random)) / 2
    let metadata: [String: Any] =
      Bool.random(using: &random)
      ? ["a": Int.random(in: 0..<3, using: &random), HKMetadataKeyWasUserEntered: true] : [:]
    let device = [nil, Trial.watch, Trial.scale][Int.random(in: 0..<3, using: &random)]
    let value = Double(Int.random(in: 0..<8, using: &random)) / 2
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return Trial.steps(value, from: start, to: end, device: device, metadata: metadata)
    case 1:
      return HKQuantitySample(
        type: mass,
        quantity: HKQuantity(
          unit: Bool.random(using: &random) ? .pound() : .gramUnit(with: .kilo), doubleValue: value),
        start: Trial.date(start), end: Trial.date(end), device: device, metadata: metadata)
    default:
      return HKCategorySample(
        type: sleep, value: Int.random(in: 0..<6, using: &random), start: Trial.date(start),
        end: Trial.date(end), device: device, metadata: metadata)
    }
  }

  @Test("A denied read looks as if there were no data but the app's own")
  func deniedRead() async throws {
    let file = try HealthFile()
    let other = try await file.allowedStore("com.example.other")
    try await other.save([Trial.steps(1, from: 0), Trial.steps(2, from: 10)])
    let store = file.store { AuthorisationAnswer(share: $0.share, read: []) }
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    let own = Trial.steps(3, from: 20)
    try await store.save(own)
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)], sortDescriptors: [SortDescriptor(\.startDate)])
    #expect(try await descriptor.result(for: store) == [own])
    #expect(try await descriptor.result(for: other).count == 3)
    let sources = HKSourceQueryDescriptor(predicate: .quantitySample(type: steps))
    #expect(try await sources.result(for: store).map(\.bundleIdentifier) == ["com.example.diary"])
    #expect(try await sources.result(for: other).count == 2)
    let sum = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: steps), options: .cumulativeSum)
    #expect(try await sum.result(for: store)?.sumQuantity()?.doubleValue(for: .count()) == 3)
    #expect(try await sum.result(for: other)?.sumQuantity()?.doubleValue(for: .count()) == 6)
  }

  @Test("A query for a type that was never asked for fails: not determined")
  func undeterminedRead() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let descriptor = HKSampleQueryDescriptor(
      predicates: [.categorySample(type: sleep)], sortDescriptors: [])
    #expect(
      await healthError { _ = try await descriptor.result(for: store) }
        == .errorAuthorizationNotDetermined)
  }

  @Test("Handlers are called in the background, one at a time for a query, once without updates")
  func handlers() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    try await store.save((0..<20).map { Trial.steps(1, from: Double($0)) })
    let calls = Calls()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<12 {
        group.addTask { [steps, calls] in
          await withCheckedContinuation { continuation in
            let query = HKSampleQuery(
              sampleType: steps, predicate: nil, limit: 5, sortDescriptors: nil
            ) { query, samples, error in
              #expect(!Thread.isMainThread)
              #expect(samples?.count == 5 && error == nil && query.limit == 5)
              calls.count.withLock { $0 += 1 }
              continuation.resume()
            }
            store.execute(query)
          }
        }
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    #expect(calls.count.withLock { $0 } == 12)
  }

  @Test("A query that is stopped while it answers calls no handler")
  func stopped() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    try await store.save(Trial.steps())
    let running = Running()
    let predicate = NSPredicate { _, _ in
      running.query.withLock { $0 }.map(store.stop)
      running.asked.withLock { $0 = true }
      return true
    }
    let query = HKSampleQuery(
      sampleType: steps, predicate: predicate, limit: 1, sortDescriptors: nil
    ) { _, _, _ in Issue.record("a stopped query answered") }
    running.query.withLock { $0 = query }
    store.execute(query)
    while !running.asked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(50))
  }

  private final class Calls: Sendable {
    let count = Mutex(0)
  }

  private final class Running: Sendable {
    let query = Mutex<HKSampleQuery?>(nil)
    let asked = Mutex(false)
  }

  @Test("A statistics query combines the samples that match, each whole")
  func statistics() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    try await store.save([
      Trial.steps(4, from: 0, to: 10), Trial.steps(6, from: 10, to: 30),
      Trial.steps(8, from: 40, to: 50),
    ])
    func sum(_ predicate: NSPredicate?) async throws -> Double? {
      try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: steps, predicate: predicate), options: .cumulativeSum
      ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }
    #expect(try await sum(nil) == 18)
    #expect(
      try await sum(HKQuery.predicateForSamples(withStart: Trial.date(20), end: nil)) == 14)
    #expect(
      try await sum(
        HKQuery.predicateForSamples(
          withStart: Trial.date(20), end: nil, options: .strictStartDate)) == 8)
    #expect(try await sum(NSPredicate { ($0 as? HKQuantitySample)?.value == 4 || $1 != nil }) == 4)
    #expect(
      try await sum(
        HKQuery.predicateForSamples(withStart: Trial.date(100), end: nil)) == nil)
    let code = await healthError {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        store.execute(
          HKStatisticsQuery(
            quantityType: mass, quantitySamplePredicate: nil, options: .discreteAverage
          ) { _, statistics, error in
            #expect(statistics == nil)
            continuation.resume(throwing: error ?? HKError(.unknownError))
          })
      }
    }
    #expect(code == .errorNoData)
  }

  @Test("A statistics collection is that of the plan, and of a slow sum for any predicate")
  func collection() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    var random = SplitMix64(seed: 9)
    let samples = (0..<200).map { _ in
      let start = Double(Int.random(in: 0..<(5 * 86_400), using: &random))
      return Trial.steps(Double(Int.random(in: 1..<50, using: &random)), from: start)
    }
    try await store.save(samples)
    let predicates: [NSPredicate?] = [
      nil,
      HKQuery.predicateForSamples(withStart: Trial.date(100_000), end: Trial.date(300_000)),
      HKQuery.predicateForQuantitySamples(
        with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 20)),
    ]
    for predicate in predicates {
      let collection = try await HKStatisticsCollectionQueryDescriptor(
        predicate: .quantitySample(type: steps, predicate: predicate), options: .cumulativeSum,
        anchorDate: Trial.date(3600), intervalComponents: DateComponents(hour: 6)
      ).result(for: store)
      var sums: [Int: Double] = [:]
      for sample in samples where try predicate?.matches(sample) ?? true {
        let start = sample.startDate.timeIntervalSinceReferenceDate
        sums[Int(((start - 3600) / 21_600).rounded(.down)), default: 0] +=
          sample.quantity.doubleValue(for: .count())
      }
      let statistics = collection.statistics()
      #expect(statistics.count == sums.count)
      for row in statistics {
        let index = Int((row.startDate.timeIntervalSinceReferenceDate - 3600) / 21_600)
        #expect(row.sumQuantity()?.doubleValue(for: .count()) == sums[index])
      }
      #expect(collection.sources().isEmpty)
    }
    let empty = try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: mass), options: [.discreteAverage, .separateBySource],
      anchorDate: Trial.date(0), intervalComponents: DateComponents(day: 1)
    ).result(for: store)
    #expect(empty.statistics().isEmpty)
    #expect(empty.statistics(for: Trial.date(5)) != nil)
    #expect(
      await healthError {
        _ = try await HKStatisticsCollectionQueryDescriptor(
          predicate: .quantitySample(type: mass), options: .discreteAverage,
          anchorDate: Trial.date(0), intervalComponents: DateComponents()
        ).result(for: store)
      } == .errorInvalidArgument)
  }

  @Test("Options without a statistic give the interval, and sources when separated")
  func options() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    try await store.save(Trial.steps(4, from: 5, to: 10))
    let bare = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: steps), options: []
    ).result(for: store)
    #expect(bare?.startDate == Trial.date(5) && bare?.endDate == Trial.date(10))
    #expect(bare?.sumQuantity() == nil && bare?.sources == nil)
    let separated = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: steps), options: [.cumulativeSum, .separateBySource]
    ).result(for: store)
    let source = try #require(separated?.sources?.first)
    #expect(source.bundleIdentifier == "com.example.diary")
    #expect(separated?.sumQuantity(for: source)?.doubleValue(for: .count()) == 4)
  }

  @Test("Queries can be subclassed by what a test needs")
  func subclass() {
    let query = Imitation(
      sampleType: steps, predicate: nil, limit: 3, sortDescriptors: nil
    ) { _, _, _ in }
    #expect(query.limit == 3 && query.isMade && query.objectType == steps)
  }

  private final class Imitation: HKSampleQuery, @unchecked Sendable {
    var isMade = false

    override init(
      sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
      sortDescriptors: [NSSortDescriptor]?,
      resultsHandler: @escaping (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
      isMade = true
      super.init(
        sampleType: sampleType, predicate: predicate, limit: limit,
        sortDescriptors: sortDescriptors, resultsHandler: { _, _, _ in })
    }
  }
}
