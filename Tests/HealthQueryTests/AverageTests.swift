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
    // The file has no date: it tells up to the end of its last sample.
    let told = (first: rows.map(\.start).min() ?? 0, end: rows.map(\.end).max() ?? 0)
    /// The days or hours of a row that have some of the samples, as far as they lie in it, and whether
    /// they count; the single row has its whole samples, and whole days.
    func expected(
      _ rows: [SampleColumns.Row], _ row: Int
    ) -> [(part: Range<Double>, counts: Bool)] {
      let matching = isSingle ? rows.filter { $0.end >= lower && $0.start < upper } : rows
      // Of its whole samples the single row counts the days of the period.
      let start = isSingle ? max(table.starts[row], lower) : table.starts[row]
      let end = isSingle ? min(table.ends[row].nextUp, upper) : table.ends[row]
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      let first = isSingle ? max(table.starts[0], lower) : table.starts[0]
      let origin = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: first))
      let parts =
        plan.average == .day
        ? ReferenceAverages.days(matching, from: start, to: end, zone: zone)
        : ReferenceAverages.hours(
          matching, from: start, to: end, since: origin.timeIntervalSinceReferenceDate)
      return parts.map { part in
        let part = isSingle ? part : part.clamped(to: start..<end)
        return (part, SlowWholeIntervals.isWhole(part, at: .infinity, told: [told]))
      }
    }
    let sums = try #require(table[raw: .sum])
    for row in 0..<table.count {
      let parts = expected(rows, row)
      #expect(averages.counts[row] == parts.count(where: \.counts), "row \(row)")
      let count = Double(averages.counts[row])
      guard parts.contains(where: { !$0.counts }) else {
        #expect(averages.averages[row] == (count == 0 ? nil : sums[row] / count))
        continue
      }
      #expect((averages.averages[row] == nil) == (count == 0))
      guard count > 0, !isSingle, plan.average == .day else { continue }
      // The days that count, each asked alone.
      var days = plan
      (days.interval, days.from, days.to, days.average) = (nil, nil, nil, nil)
      days.clips = false
      var sum = 0.0
      for (part, counts) in parts where counts {
        days.boundaries = Boundaries(ascendingEdges: [part.lowerBound, part.upperBound])
        sum += try #require(try store.statistics(days).intervals[raw: .sum]).first ?? 0
      }
      let average = try #require(averages.averages[row])
      #expect(abs(average - sum / count) <= 1e-9 * max(abs(average), 1e4), "row \(row)")
    }
    let leftOut = (0..<table.count).flatMap { expected(rows, $0).filter { !$0.counts } }
    #expect(averages.leftOut.map(\.start) == leftOut.map(\.part.lowerBound))
    for source in answer.sources {
      let own = rows.filter { $0.source == source.source }
      let counts = try #require(source.averages).counts
      for row in 0..<table.count {
        #expect(counts[row] == expected(own, row).count(where: \.counts))
      }
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
    // Those of the days before and after say how far the data reach.
    let store = try RandomStores().store(
      [
        try row("03", 9), try row("05", 300), try row("07", 500), try row("07", 100),
        try row("11", 9),
      ], of: steps, label: "count")
    var plan = StatisticsPlan(type: steps, timeZone: zone)
    plan.interval = CalendarInterval(.week)
    plan.average = .day
    plan.statistics = [.count]
    let answer = try store.statistics(plan)
    // The first day and the last are not whole: the week of the 4th has two days.
    #expect(answer.averages?.counts == [0, 2, 0])
    #expect(answer.averages?.averages == [nil, 450, nil])
    #expect(answer.averages?.leftOut.map(\.lack) == [.dataBegin, .dataEnd])
    #expect(answer.statistics == [.count])
  }

  @Test("a day that is not over is in no average, and what comes after it changes none")
  func today() throws {
    let zone = try TimeZone.named("Europe/Paris")
    func instant(_ text: String) throws -> Double { try QueryDate(text, in: zone, now: 0).instant }
    let first = try instant("2024-03-01T09:00")
    // As many hundreds as the day of the month, at nine o'clock; half of it on the day that is today.
    func rows(_ days: ClosedRange<Int>) -> [SampleColumns.Row] {
      days.map { day in
        let start = first + Double(day - 1) * 86_400
        let value = Double(day) * (day == 20 ? 50 : 100)
        return .init(
          source: Source(name: "Watch"), start: start, end: start + 600, value: value)
      }
    }
    var plan = StatisticsPlan(type: steps, timeZone: zone)
    (plan.interval, plan.average) = (CalendarInterval(.month), .day)
    let moments = try ["2024-03-20T10:00", "2024-03-20T23:59"].map { text in
      Now(Date(timeIntervalSinceReferenceDate: try instant(text)))
    }
    for last in [20, 21, 25] {
      let store = try RandomStores().store(rows(1...last), of: steps, label: "count")
      for now in moments {
        let averages = try #require(try store.at(now).statistics(plan).averages)
        // The first day, on which the data begin, and the 20th are left out: 2 to 19 remain.
        #expect(averages.counts == [18] && averages.averages == [1_050])
        #expect(averages.leftOut.first?.lack == .dataBegin)
        #expect(averages.leftOut.dropFirst().allSatisfy { $0.lack == .notOver })
      }
    }
  }

  @Test("the spread of days is that of their totals", arguments: 0..<12)
  func spread(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let zone = try TimeZone.named(seed.isMultiple(of: 2) ? "Europe/Paris" : "Asia/Kolkata")
    let rows = (0..<200).map { _ in
      let start = Double.random(in: 0...8_000_000, using: &generator).rounded()
      return SampleColumns.Row(
        source: Source(name: "A"), start: start, end: start,
        value: Double(Int.random(in: 1...900, using: &generator)))
    }
    let store = try RandomStores().store(rows, of: SampleType(.stepCount), label: "count")
    var plan = StatisticsPlan(type: SampleType(.stepCount), timeZone: zone)
    plan.interval = CalendarInterval([.week, .month, .year][Int(seed) % 3])
    plan.average = .day
    plan.statistics = [
      .min, .percentile(try #require(Percentile(25))), .median, .max, .standardDeviation,
    ]
    let answer = try store.statistics(plan)
    let averages = try #require(answer.averages)
    #expect(answer.statistics == [.sum] && averages.spread.map(\.statistic) == plan.statistics)
    var daily = plan
    (daily.interval, daily.average, daily.statistics) = (CalendarInterval(.day), nil, nil)
    daily.from = QueryDate(instant: answer.intervals.starts[0])
    daily.to = QueryDate(instant: try #require(answer.intervals.ends.last))
    let days = try store.statistics(daily).intervals
    let sums = try #require(days[.sum])
    let told = (first: rows.map(\.start).min() ?? 0, end: rows.map(\.end).max() ?? 0)
    for row in 0..<answer.intervals.count {
      let range = answer.intervals.starts[row]..<answer.intervals.ends[row]
      let totals = days.starts.indices.filter { day in
        range.contains(days.starts[day])
          && SlowWholeIntervals.isWhole(
            days.starts[day]..<days.ends[day], at: .infinity, told: [told])
      }.compactMap { sums[$0] }.sorted()
      #expect(averages.counts[row] == totals.count)
      for spread in averages.spread {
        let value = spread.values[row]
        switch spread.statistic {
        case .min: #expect(value == totals.first)
        case .max: #expect(value == totals.last)
        case .standardDeviation:
          #expect((value == nil) == (totals.count < 2))
          if let value {
            let variance = ReferenceDistribution(totals).variance.nearestDouble
            #expect(abs(value * value - variance) <= 1e-9 * variance)
          }
        default:
          #expect((value == nil) == totals.isEmpty)
          if let value {
            let percent = Int(spread.statistic.percentile?.percent ?? 0)
            let expected = ReferenceDistribution(totals).percentile(percent).nearestDouble
            #expect(abs(value - expected) <= 1e-9 * expected)
          }
        }
      }
    }
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
