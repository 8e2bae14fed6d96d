import Foundation
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@Suite("Statistics from a store")
struct SampleStoreStatisticsTests {
  let zone: TimeZone
  let distance: SampleType
  let watch = Source(name: "Anna’s\u{A0}Apple\u{A0}Watch")
  let phone = Source(name: "Anna’s iPhone")
  let entered = Source(name: "Anna’s iPhone", isUserEntered: true)

  init() throws {
    zone = try TimeZone.named("Europe/Paris")
    distance = try #require(Catalogue.type("HKQuantityTypeIdentifierDistanceWalkingRunning"))
  }

  private func store(_ rows: [SampleColumns.Row], label: String = "km") throws -> SampleStore {
    try SampleStore.holding(rows.map { (label, $0) }, of: distance)
  }

  private func rows(days: Int) -> [SampleColumns.Row] {
    var generator = SplitMix64(seed: 15)
    return SampleColumns.Row.random(
      count: days * 20, sources: [watch, phone, entered], times: 0..<days * 24, using: &generator
    ).map { row in
      var row = row
      row.start = 7e8 + row.start * 3600
      row.end = 7e8 + row.end * 3600
      return row
    }
  }

  @Test("a question about some days gives the same rows as one about all, in the recorded unit")
  func period() throws {
    let store = try store(rows(days: 40))
    var plan = StatisticsPlan(type: distance, timeZone: zone)
    plan.interval = CalendarInterval(.day)
    let all = try store.statistics(plan)
    #expect(all.unit.description == "km" && all.unlistedSources.isEmpty)
    #expect(all.priority == [entered, watch, phone])
    plan.from = QueryDate(instant: all.intervals.starts[10])
    plan.to = QueryDate(instant: all.intervals.starts[15])
    let some = try store.statistics(plan)
    #expect(some.intervals.starts[...] == all.intervals.starts[10..<15])
    #expect(some.intervals.counts[...] == all.intervals.counts[10..<15])
    let pairs = zip(
      try #require(some.intervals[raw: .sum]), try #require(all.intervals[raw: .sum])[10..<15])
    for (part, whole) in pairs { #expect(abs(part - whole) <= 4 * whole.ulp) }
  }

  @Test("the user's stored order lifts its sources, the plan's names rank above it")
  func preferred() throws {
    let store = try store(rows(days: 3))
    try store.setPreferredSources(["Anna's iPhone"], of: distance)
    var plan = StatisticsPlan(type: distance, timeZone: zone)
    #expect(try store.statistics(plan).priority == [entered, phone, watch])
    plan.preferredSources = ["Anna's Apple Watch"]
    #expect(try store.statistics(plan).priority == [watch, entered, phone])
  }

  @Test("a type without samples has no rows, and keeps those that a period names")
  func nothing() throws {
    let store = try SampleStore.temporary()
    var plan = StatisticsPlan(type: distance, timeZone: zone)
    plan.interval = CalendarInterval(.day)
    #expect(try store.statistics(plan).intervals.count == 0)
    plan.from = try QueryDate("2024-01-01", in: zone, now: 0)
    plan.to = try QueryDate("2024-01-03", in: zone, now: 0)
    #expect(try store.statistics(plan).intervals.hasData == [false, false])
  }
}
