import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@Suite("Answers from samples that lie differently on disk")
struct LayoutTests {
  let sources = Source.named("A", "B", "C")

  /// Some hours of records of each source, as one batch each.
  private func batches(_ type: SampleType, label: String, seed: UInt64) -> [RecordColumns] {
    var records = StoreRecords(seed: seed)
    return sources.map {
      records.batch(type, $0, count: 400, label: label, from: 7e8, spread: 40_000)
    }
  }

  /// Imports batches, session by session.
  private func store(_ sessions: [[RecordColumns]]) throws -> SampleStore {
    let store = try SampleStore.temporary()
    for batches in sessions {
      let session = try store.beginImport()
      for batch in batches { try session.add(batch) }
      _ = try session.finish(exported: 1)
    }
    return store
  }

  /// The same rows in several sessions and many small batches, in any order.
  private func scattered(
    _ batches: [RecordColumns], using generator: inout SplitMix64
  ) -> [[RecordColumns]] {
    let parts = batches.flatMap { batch in
      let places = (0..<batch.count).shuffled(using: &generator)
      return stride(from: 0, to: places.count, by: 37).map { first in
        batch.picked(Array(places[first..<min(first + 37, places.count)]))
      }
    }.shuffled(using: &generator)
    return stride(from: 0, to: parts.count, by: 11).map { first in
      Array(parts[first..<min(first + 11, parts.count)])
    }
  }

  @Test(
    "exact answers are the same to the last bit, default sums within their bound",
    arguments: [
      (.distanceWalkingRunning, "km"), (.heartRate, "count/min"), (.bodyMass, "kg"),
    ] as [(HKQuantityTypeIdentifier, String)])
  func layouts(identifier: HKQuantityTypeIdentifier, label: String) throws {
    let type = SampleType(identifier)
    let isCumulative = try #require(type.style).isCumulative
    var generator = SplitMix64(seed: 61)
    let batches = batches(type, label: label, seed: 62)
    let tidy = try store([batches])
    let messy = try store(scattered(batches, using: &generator))
    let policies = isCumulative ? MergePolicy.allCases : [.healthKit]
    for policy in policies where policy.sharesByTime {
      var plan = StatisticsPlan(type: type, timeZone: try .named("Europe/Paris"))
      plan.policy = policy
      plan.interval = CalendarInterval(.hour)
      plan.unit = type.canonicalUnit
      plan.statistics = isCumulative ? [.sum, .count] : [.mean, .count]
      func answer(_ store: SampleStore) throws -> [Double] {
        let table = try store.statistics(plan).intervals
        #expect(table.counts.contains { $0 > 20 })
        return try #require(isCumulative ? table[raw: .sum] : table[raw: .mean])
      }
      let (plain, otherPlain) = (try answer(tidy), try answer(messy))
      plan.isExact = true
      let (exact, otherExact) = (try answer(tidy), try answer(messy))
      #expect(exact == otherExact, "\(policy)")
      // Values are at or above zero: a sum is its own magnitude.
      for (sum, exact) in zip(plain + otherPlain, exact + exact) {
        #expect(abs(sum - exact) <= 2 * MergeLawTests.tolerance * exact, "\(policy)")
      }
    }
  }
}
