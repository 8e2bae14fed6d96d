import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthQuery

/// Compares statistics of a period and of sources, which a store computes from columns and
/// aggregates, with those of the records that a scan finds.
@Suite("Statistics of chosen samples")
struct ChosenStatisticsTests {
  private let stores = RandomStores()

  private func predicate(
    _ rows: [SampleColumns.Row], using random: inout SplitMix64
  ) throws -> SamplePredicate {
    func instant() throws -> Double {
      let row = try #require(rows.randomElement(using: &random))
      // Often exactly where a sample starts or ends.
      return switch Int.random(in: 0..<3, using: &random) {
      case 0: row.start
      case 1: row.end
      default: row.start + Double(Int.random(in: -5_000..<5_000, using: &random))
      }
    }
    func part() throws -> SamplePredicate {
      let comparisons: [Comparison] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
      let compares = try #require(
        (Int.random(in: 0..<20, using: &random) == 0 ? [.equal] : comparisons)
          .randomElement(using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        return .sources(
          Set(stores.sources.prefix(Int.random(in: 0..<3, using: &random)).map { .init($0) }))
      case 1...3: return .start(compares, try instant())
      case 4...5: return .end(compares, try instant())
      default:
        let bounds = [try instant(), try instant()].sorted()
        return .overlaps(bounds[0]..<bounds[1])
      }
    }
    return .all(try (0..<Int.random(in: 1..<4, using: &random)).map { _ in try part() })
  }

  /// More on demand: HKSTATS_SUMMARY_CASES=3000.
  private static let cases =
    ProcessInfo.processInfo.environment["HKSTATS_SUMMARY_CASES"].flatMap { Int($0) } ?? 12

  @Test("are those of the records, for every policy, grid and style", arguments: 0..<cases)
  func periods(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(5_000 + seed))
    let type = [
      StoreRecords.distance, StoreRecords.heartRate,
      try #require(Catalogue.type("HKQuantityTypeIdentifierBodyTemperature")),
    ][seed % 3]
    let kind = try #require(RandomStores.Kind(rawValue: seed / 3 % 3))
    let rows = stores.rows(kind, using: &random)
    let store = try stores.store(
      rows, of: type, label: ["km", "count/min", "degC"][seed % 3])
    var hits = 0
    for number in 0..<10 {
      var plan = try stores.plan(type, from: 7e8, using: &random)
      // As HealthKit's queries do: statistics of samples at any time.
      if number % 3 > 0 { (plan.from, plan.to) = (nil, nil) }
      plan.policy = number % 2 == 0 ? .healthKit : plan.policy
      if type.style != .cumulative, Bool.random(using: &random) {
        plan.statistics = [.min, .max, .count]
      }
      plan.separatesSources = Int.random(in: 0..<4, using: &random) == 0
      let predicate = try predicate(rows, using: &random)
      let found = try store.statistics(plan, of: predicate)
      let expected = try store.statistics(plan, of: predicate, where: { _, places in places })
      let (left, right) = (found.intervals, expected.intervals)
      #expect(left.starts == right.starts && left.ends == right.ends, "\(predicate)")
      #expect(left.hasData == right.hasData && left.counts == right.counts, "\(predicate)")
      #expect(
        left[raw: .min] == right[raw: .min] && left[raw: .max] == right[raw: .max], "\(predicate)")
      #expect(found.unit == expected.unit && found.priority == expected.priority)
      #expect(found.sources.map(\.source) == expected.sources.map(\.source))
      for (left, right) in zip(found.sources, expected.sources) {
        #expect(left.intervals.counts == right.intervals.counts)
        #expect(left.intervals[raw: .min] == right.intervals[raw: .min])
      }
      let most = rows.reduce(0) { $0 + abs($1.value) } * 1_000
      for statistic in [Statistic.sum, .mean] {
        let (left, right) = (left[raw: statistic], right[raw: statistic])
        #expect(left?.count == right?.count)
        #expect(
          zip(left ?? [], right ?? []).allSatisfy { abs($0 - $1) <= 0x1p-48 * most },
          "\(predicate)")
      }
      hits += right.hasData.count { $0 }
    }
    #expect(hits > 0)
  }

  @Test("need no records for a period and sources alone")
  func choices() throws {
    let name = SamplePredicate.SourceName(stores.sources[0])
    let choice = try #require(
      SampleChoice(.all([.overlaps(10..<20), .start(.greater, 5), .sources([name])])))
    #expect(choice.period.contains(start: 6, end: 10))
    #expect(!choice.period.contains(start: 5, end: 10))
    #expect(!choice.period.contains(start: 6, end: 9))
    #expect(!choice.period.contains(start: 20, end: 20))
    #expect(choice.contains(stores.sources[0]) && !choice.contains(stores.sources[1]))
    for other: SamplePredicate in [
      .any([.start(.less, 1)]), .not(.start(.less, 1)), .start(.notEqual, 1),
      .start(.less, .nan), .userEntered(true),
    ] {
      #expect(SampleChoice(.all([other])) == nil)
    }
  }
}
