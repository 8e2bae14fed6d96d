import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Sums by day and by hour")
struct AverageTests {
  private let steps = SampleType(.stepCount)

  @Test("agree with a calendar that asks for every day", arguments: 0..<24)
  func twin(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(900 + seed))
    let stores = RandomStores()
    let kind = RandomStores.Kind.allCases[seed % 3]
    let rows = Array(stores.rows(kind, using: &random).prefix(600))
    let store = try stores.store(rows, of: steps, label: "count")
    var plan = try stores.plan(steps, from: rows.map(\.start).min() ?? 0, using: &random)
    plan.policy = seed.isMultiple(of: 2) ? .healthKit : .unmerged
    if plan.interval == CalendarInterval(.hour) { plan.interval = CalendarInterval(.quarter) }
    plan.average = seed % 4 == 3 ? .hour : .day
    plan.clips = seed.isMultiple(of: 5)
    plan.separatesSources = seed.isMultiple(of: 7)
    let answer = try store.statistics(plan)
    let averages = try #require(answer.averages)
    let table = answer.intervals
    let lower = plan.from?.instant ?? -.infinity
    let upper = plan.to?.instant ?? .infinity
    let isSingle = plan.interval == nil && !plan.clips
    let zone = plan.timeZone.first
    /// What a row counts of some samples; the single row has its whole samples.
    func expected(_ rows: [SampleColumns.Row], _ row: Int) -> Int {
      let matching = isSingle ? rows.filter { $0.end >= lower && $0.start < upper } : rows
      // Of its whole samples the single row counts the days of the period.
      let start = isSingle ? max(table.starts[row], lower) : table.starts[row]
      let end = isSingle ? min(table.ends[row].nextUp, upper) : table.ends[row]
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      let first = isSingle ? max(table.starts[0], lower) : table.starts[0]
      let origin = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: first))
      return plan.average == .day
        ? ReferenceAverages.days(matching, from: start, to: end, zone: zone)
        : ReferenceAverages.hours(
          matching, from: start, to: end, since: origin.timeIntervalSinceReferenceDate)
    }
    let sums = try #require(table[raw: .sum])
    for row in 0..<table.count {
      #expect(averages.counts[row] == expected(rows, row), "row \(row)")
      let count = Double(averages.counts[row])
      #expect(averages.averages[row] == (count == 0 ? nil : sums[row] / count))
    }
    for source in answer.sources {
      let own = rows.filter { $0.source == source.source }
      let counts = try #require(source.averages).counts
      for row in 0..<table.count { #expect(counts[row] == expected(own, row)) }
    }
    // Columns answer the same.
    let facts = try stores.facts(store, steps)
    let columns = try plan.answer(
      samples: try store.samples(of: steps), facts: facts, recordedUnit: "count")
    #expect(columns.averages?.counts == averages.counts)
  }

  @Test("the days of one period are its own, though a sample begins before it or ends after it")
  func straddling() throws {
    let zone = try TimeZone.named("Europe/Paris")
    func instant(_ text: String) throws -> Double { try QueryDate(text, in: zone, now: 0).instant }
    // An hour of rest each hour, the edges half past.
    let first = try instant("2024-03-04T22:30")
    let rows = (0..<80).map { hour in
      let start = first + Double(hour) * 3600
      return SampleColumns.Row(
        source: Source(name: "Watch"), start: start, end: start + 3600, value: 50)
    }
    let store = try RandomStores().store(rows, of: steps, label: "count")
    var plan = StatisticsPlan(type: steps, timeZone: zone)
    plan.average = .day
    plan.from = try QueryDate("2024-03-05", in: zone, now: 0)
    plan.to = try QueryDate("2024-03-07", in: zone, now: 0)
    let averages = try #require(try store.statistics(plan).averages)
    let hours = Double(2 * 24 + 1)
    #expect(averages.counts == [2] && averages.averages == [hours * 50 / 2])
  }

  @Test("a week with steps on two days has their mean, also when only counts are asked for")
  func week() throws {
    let zone = try TimeZone.named("Europe/Paris")
    let source = Source(name: "iPhone")
    func row(_ day: String, _ value: Double) throws -> SampleColumns.Row {
      let start = try QueryDate("2024-03-\(day)T23:30", in: zone, now: 0).instant
      return .init(source: source, start: start, end: start + 600, value: value)
    }
    let store = try RandomStores().store(
      [try row("05", 300), try row("07", 500), try row("07", 100)], of: steps, label: "count")
    var plan = StatisticsPlan(type: steps, timeZone: zone)
    plan.interval = CalendarInterval(.week)
    plan.average = .day
    plan.statistics = [.count]
    let answer = try store.statistics(plan)
    #expect(answer.averages?.counts == [2] && answer.averages?.averages == [450])
    #expect(answer.statistics == [.count])
  }

  @Test("means have no sum to divide")
  func refused() throws {
    var plan = StatisticsPlan(type: SampleType(.heartRate), timeZone: .gmt)
    plan.average = .day
    #expect(throws: QueryError(.averageDoesNotFit(plan.type))) {
      try SampleStore.temporary().statistics(plan)
    }
  }
}
