import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthQuery

/// Answers piece by piece of time, against those from all samples at once.
@Suite("Answers in portions")
struct PortionTests {
  private let stores = RandomStores()

  @Test("have the same bits whatever the size of a portion", arguments: 0..<10)
  func sameBits(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let kind = try #require(RandomStores.Kind(rawValue: seed % 3))
    let isCumulative = seed % 2 == 0
    let type = try #require(
      Catalogue.type(
        isCumulative
          ? "HKQuantityTypeIdentifierDistanceWalkingRunning" : "HKQuantityTypeIdentifierHeartRate"))
    let rows = stores.rows(kind, using: &random)
    let store = try stores.store(rows, of: type, label: isCumulative ? "km" : "count/min")
    for _ in 0..<4 {
      var plan = try stores.plan(type, from: 7e8, using: &random)
      plan.interval = plan.interval ?? CalendarInterval(.day)
      // Each of these needs every sample.
      plan.statistics =
        isCumulative
        ? [.sum, .duration, .recent]
        : [.mean, .min, .median, .standardDeviation, .coverage, .first]
      let whole = try store.statistics(plan, portion: .max / 2)
      for portion in [100, 700] {
        let parts = try store.statistics(plan, portion: portion)
        #expect(parts.intervals == whole.intervals)
        #expect(parts.priority == whole.priority && parts.unit == whole.unit)
      }
      plan.isExact = plan.policy.sharesByTime
      // Times, percentiles and deviations are never exact.
      plan.statistics = isCumulative ? [.sum, .recent] : [.mean, .min, .first]
      #expect(
        try store.statistics(plan, portion: 200).intervals
          == store.statistics(plan, portion: .max / 2).intervals)
    }
  }

  @Test("end where no sample lies across, as a look at each edge tells", arguments: 0..<60)
  func seams(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let edges = (0...24).map { Double($0 * 4) }
    for _ in 0..<20 {
      let rows = SampleColumns.Row.random(
        count: seed % 12, sources: Source.named("a", "b"), times: 0..<96, longest: 1 + seed % 40,
        using: &random)
      let samples = SampleColumns(type: StoreRecords.steps, rows: rows)
      let lower = Int.random(in: 0...24, using: &random)
      let places = lower...Int.random(in: lower...24, using: &random)
      let expected = places.last { place in
        let edge = edges[place]
        let isCrossed = rows.contains { $0.start < edge && $0.end > edge }
        let isEnd = rows.contains { $0.start < edge && $0.end == edge }
        let isInstant = rows.contains { $0.start == edge && $0.end == edge }
        return !isCrossed && !(isEnd && isInstant)
      }
      #expect(samples.lastSeam(of: edges, in: places) == expected)
    }
  }

  @Test("one sample of all years makes one portion of what it lies across")
  func longSample() throws {
    var random = SplitMix64(seed: 8)
    let type = StoreRecords.steps
    var rows = stores.rows(.together, using: &random)
    rows[0].end = rows[0].start + 3e9
    let store = try stores.store(rows, of: type, label: "count")
    var plan = StatisticsPlan(type: type, timeZone: try TimeZone.named("UTC"))
    plan.interval = CalendarInterval(.month)
    plan.statistics = [.sum, .duration]
    #expect(
      try store.statistics(plan, portion: 50).intervals
        == store.statistics(plan, portion: .max / 2).intervals)
  }
}
