import Foundation
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct StoreChangeTests {
  private let steps = HKQuantityType(.stepCount)
  private let mass = HKQuantityType(.bodyMass)

  private func descriptor(
    _ predicate: NSPredicate? = nil, after anchor: HKQueryAnchor? = nil, limit: Int? = nil
  ) -> HKAnchoredObjectQueryDescriptor<HKQuantitySample> {
    HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps, predicate: predicate)], anchor: anchor,
      limit: limit)
  }

  @Test("An anchor that was archived goes on after the next launch, with deletions")
  func anchors() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let first = (0..<4).map { Trial.steps(1, from: Double($0)) }
    try await store.save(first + [Trial.mass(70)])
    let start = try await descriptor().result(for: store)
    #expect(Set(start.addedSamples) == Set(first) && start.deletedObjects.isEmpty)
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: start.newAnchor, requiringSecureCoding: true)

    // Another launch of the app, and another app.
    let other = try await file.allowedStore("com.example.other")
    let second = Trial.steps(2, from: 10)
    try await other.save(second)
    try await store.delete(first[1])
    let anchor = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: archive))
    let next = try await descriptor(after: anchor).result(for: file.store())
    #expect(next.addedSamples == [second])
    #expect(next.deletedObjects.map(\.uuid) == [first[1].uuid])
    let last = try await descriptor(after: next.newAnchor).result(for: store)
    #expect(last.addedSamples.isEmpty && last.deletedObjects.isEmpty)
    #expect(last.newAnchor == next.newAnchor)
  }

  @Test("Pages of a limit join to the whole, for predicates that only objects can tell as well")
  func limits() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let samples = (0..<30).map { Trial.steps(Double($0 % 5), from: Double($0)) }
    try await store.save(samples)
    for sample in samples.prefix(3) { try await store.delete(sample) }
    for predicate in [
      nil, NSPredicate { ($0 as? HKQuantitySample)?.value == 4 || $1 != nil },
    ] {
      let whole = try await descriptor(predicate).result(for: store)
      #expect(whole.addedSamples.count == (predicate == nil ? 27 : 6))
      #expect(whole.deletedObjects.count == 3)
      var (added, deleted): ([HKSample], [HKDeletedObject]) = ([], [])
      var anchor: HKQueryAnchor?
      while true {
        let page = try await descriptor(predicate, after: anchor, limit: 4).result(for: store)
        let count = page.addedSamples.count + page.deletedObjects.count
        #expect(count <= 4)
        if count == 0 { break }
        added += page.addedSamples
        deleted += page.deletedObjects
        anchor = page.newAnchor
      }
      #expect(added == whole.addedSamples)
      #expect(deleted == whole.deletedObjects)
    }
  }

  @Test("An anchor of another store, and one that is none, fail: invalid argument")
  func foreignAnchor() async throws {
    let store = try await HealthFile().allowedStore()
    let file = try HealthFile()
    let other = try await file.allowedStore()
    let anchor = try await descriptor().result(for: other).newAnchor
    for anchor in [anchor, HKQueryAnchor(text: "x"), HKQueryAnchor(fromValue: -1)] {
      #expect(
        await healthError { _ = try await descriptor(after: anchor).result(for: store) }
          == .errorInvalidArgument)
    }
  }

  @Test("Updates come with what another app saves and deletes, until the query is stopped")
  func updates() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let other = try await file.allowedStore("com.example.other")
    let sample = Trial.steps(1)
    var changes = descriptor().results(for: store).makeAsyncIterator()
    #expect(try await changes.next()?.addedSamples.isEmpty == true)
    try await other.save([sample, Trial.mass(70)])
    #expect(try await changes.next()?.addedSamples == [sample])
    try await other.delete(sample)
    let deletion = try await changes.next()
    #expect(deletion?.deletedObjects.map(\.uuid) == [sample.uuid])
    #expect(deletion?.addedSamples.isEmpty == true)
  }

  @Test("An observer is called when it begins and after matching changes, of its types")
  func observer() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let (calls, continuation) = AsyncStream<Set<HKSampleType>?>.makeStream()
    let large = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 10))
    let query = HKObserverQuery(queryDescriptors: [
      HKQueryDescriptor(sampleType: steps, predicate: large),
      HKQueryDescriptor(sampleType: mass, predicate: nil),
    ]) { _, types, completion, error in
      #expect(error == nil)
      continuation.yield(types)
      completion()
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == [steps, mass])
    let other = try await file.allowedStore("com.example.other")
    try await other.save(Trial.steps(5))
    try await other.save(Trial.steps(15))
    #expect(await iterator.next() == [steps])
    try await other.save(Trial.mass(70))
    #expect(await iterator.next() == [mass])
    store.stop(query)
    try await other.save(Trial.mass(71))
    try await Task.sleep(for: .milliseconds(150))
    continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test("Changes that the app may not read do not show")
  func unseen() async throws {
    let file = try HealthFile()
    let store = file.store { AuthorisationAnswer(share: $0.share, read: []) }
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    let other = try await file.allowedStore("com.example.other")
    let (mine, theirs) = (Trial.steps(1), Trial.steps(2))
    try await other.save(theirs)
    try await store.save(mine)
    try await other.delete(theirs)
    let seen = try await descriptor().result(for: store)
    #expect(seen.addedSamples == [mine] && seen.deletedObjects.isEmpty)
  }

  @Test("Anchors as numbers go on, without deletions")
  func numbers() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    func ask(_ anchor: Int) async throws -> (samples: [HKSample], anchor: Int) {
      try await withCheckedThrowingContinuation { continuation in
        store.execute(
          HKAnchoredObjectQuery(
            type: steps, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
          ) { _, samples, next, error in
            if let samples {
              continuation.resume(returning: (samples, next))
            } else {
              continuation.resume(throwing: error ?? HKError(.unknownError))
            }
          })
      }
    }
    let (first, second) = (Trial.steps(1), Trial.steps(2))
    try await store.save(first)
    let start = try await ask(Int(HKAnchoredObjectQueryNoAnchor))
    #expect(start.samples == [first])
    try await store.save(second)
    #expect(try await ask(start.anchor).samples == [second])
  }

  @Test("Live statistics tell the intervals that another app changes, and all statistics")
  func liveStatistics() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let other = try await file.allowedStore("com.example.other")
    let hour = Trial.steps(5, from: 4000)
    try await store.save([Trial.steps(1, from: 10), hour])
    let descriptor = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: Trial.date(0),
      intervalComponents: DateComponents(hour: 1))
    func sums(_ statistics: [HKStatistics]?) -> [Double?]? {
      statistics?.map { $0.sumQuantity()?.doubleValue(for: .count()) }
    }
    var states = descriptor.results(for: store).makeAsyncIterator()
    let start = try await states.next()
    #expect(start?.updatedStatistics == nil)
    #expect(sums(start?.statisticsCollection.statistics()) == [1, 5])
    try await other.save([Trial.steps(2, from: 20), Trial.mass(70), Trial.steps(3, from: 8000)])
    let saved = try await states.next()
    #expect(sums(saved?.updatedStatistics) == [3, 3])
    #expect(sums(saved?.statisticsCollection.statistics()) == [3, 5, 3])
    try await store.delete(hour)
    let deleted = try await states.next()
    #expect(sums(deleted?.updatedStatistics) == [nil])
    #expect(sums(deleted?.statisticsCollection.statistics()) == [3, 3])

    let (calls, continuation) = AsyncStream<Double?>.makeStream()
    let query = HKStatisticsCollectionQuery(
      quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: Trial.date(0), intervalComponents: DateComponents(hour: 1))
    query.initialResultsHandler = { _, collection, _ in
      continuation.yield(collection.map { Double($0.statistics().count) })
    }
    query.statisticsUpdateHandler = { _, statistics, collection, _ in
      #expect(collection != nil)
      continuation.yield(statistics?.sumQuantity()?.doubleValue(for: .count()))
    }
    store.execute(query)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == 2)
    try await other.save(Trial.steps(4, from: 30))
    #expect(await iterator.next() == 7)
    store.stop(query)
  }
}
