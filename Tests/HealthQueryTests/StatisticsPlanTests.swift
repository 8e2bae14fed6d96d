import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Answers to plans")
struct StatisticsPlanTests {
  let zone: TimeZone
  let steps: SampleType
  let watch = Source(name: "Anna’s Watch")
  let phone = Source(name: "Anna’s iPhone")

  init() throws {
    zone = try TimeZone.named("America/New_York")
    steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
  }

  private func date(_ text: String) throws -> QueryDate {
    try QueryDate(text, in: zone, now: 0)
  }

  private func row(
    _ source: Source, _ start: String, _ end: String, _ value: Double
  ) throws -> SampleColumns.Row {
    SampleColumns.Row(
      source: source, start: try date(start).instant, end: try date(end).instant, value: value)
  }

  private func facts(_ rows: [SampleColumns.Row]) -> [SourceFacts] {
    Dictionary(grouping: rows, by: \.source).map { source, rows in
      SourceFacts(
        source: source, deviceKind: DeviceKind(device: "", sourceName: source.name),
        firstStart: rows.map(\.start).min() ?? 0)
    }
  }

  /// Asks as a store does: only the samples of the plan's range are handed over.
  private func answer(
    _ rows: [SampleColumns.Row], type: SampleType? = nil, recordedUnit: String? = nil,
    stored: [String] = [], _ change: (inout StatisticsPlan) throws -> Void
  ) throws -> StatisticsAnswer {
    var plan = StatisticsPlan(type: type ?? steps, timeZone: zone)
    try change(&plan)
    let range = try plan.sampleRange(firstSample: rows.map(\.start).min())
    let samples = SampleColumns(
      type: plan.type,
      rows: rows.filter { $0.end >= range.lowerBound && $0.start < range.upperBound })
    return try plan.answer(
      samples: samples, facts: facts(rows), preferred: stored, recordedUnit: recordedUnit)
  }

  private func edges(_ answer: StatisticsAnswer) -> [Double] {
    answer.intervals.starts + answer.intervals.ends.suffix(1)
  }

  @Test("the day on which clocks change has 23 hours")
  func shortDay() throws {
    let rows = [try row(phone, "2024-03-10T01:00", "2024-03-10T04:00", 100)]
    let answer = try answer(rows) { plan in
      plan.interval = CalendarInterval(.day)
      plan.from = try date("2024-03-09")
      plan.to = try date("2024-03-12")
    }
    let hours = zip(answer.intervals.starts, answer.intervals.ends).map { ($1 - $0) / 3600 }
    #expect(hours == [24, 23, 24])
    #expect(answer.intervals.hasData == [false, true, false])
    #expect(answer.intervals[raw: .sum] == [0, 100, 0])
    #expect(answer.rule == .collection && answer.method == nil && answer.hold == nil)
  }

  @Test("without a period intervals run from the first to the last sample")
  func wholeRange() throws {
    let rows = [
      try row(phone, "2024-01-31T10:00", "2024-01-31T11:00", 1),
      try row(phone, "2024-03-01T00:00", "2024-03-01T00:00", 2),
    ]
    let months = try answer(rows) { $0.interval = CalendarInterval(.month) }
    #expect(
      try edges(months)
        == ["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01"].map { try date($0).instant })
    let weeks = try answer(rows) { $0.interval = CalendarInterval(.week) }
    #expect(try weeks.intervals.starts.first == date("2024-01-29").instant)
    #expect(try weeks.intervals.ends.last == date("2024-03-04").instant)
    let touching = try answer([try row(phone, "2024-01-31T23:00", "2024-02-01T00:00", 1)]) {
      $0.interval = CalendarInterval(.day)
    }
    #expect(touching.intervals.count == 1)
  }

  @Test("the period chooses intervals, it does not cut samples")
  func period() throws {
    let rows = [try row(phone, "2024-01-10T12:00", "2024-01-11T12:00", 48)]
    let answer = try answer(rows) { plan in
      plan.interval = CalendarInterval(.day)
      plan.from = try date("2024-01-10T18:00")
      plan.to = try date("2024-01-11T03:00")
    }
    // A time anchors the intervals there.
    #expect(
      try edges(answer) == ["2024-01-10T18:00", "2024-01-11T18:00"].map { try date($0).instant })
    #expect(answer.intervals[raw: .sum] == [36])
  }

  @Test("a bare date aligns calendar units, another length begins at it")
  func alignment() throws {
    let rows = [try row(phone, "2024-01-10T12:00", "2024-01-10T13:00", 1)]
    func first(_ interval: String, from: String?, anchor: String? = nil) throws -> Double? {
      try answer(rows) { plan in
        plan.interval = CalendarInterval(interval)
        plan.from = try from.map(date)
        plan.anchor = try anchor.map(date)
      }.intervals.starts.first
    }
    for (interval, from, anchor, expected) in [
      ("month", "2024-01-05", nil, "2024-01-01"), ("week", "2024-01-07", nil, "2024-01-01"),
      ("year", "2024-01-05", nil, "2024-01-01"), ("hour", "2024-01-10", nil, "2024-01-10"),
      ("7d", "2024-01-05", nil, "2024-01-05"), ("7d", nil, nil, "2024-01-10"),
      ("month", "2024-01-05T08:00", nil, "2024-01-05T08:00"),
      ("week", "2024-01-05", "2024-03-02", "2023-12-30"),
      ("2h", nil, "2020-01-01T01:00", "2024-01-10T11:00"), ("90min", nil, nil, "2024-01-10T12:00"),
    ] as [(String, String?, String?, String)] {
      #expect(
        try first(interval, from: from, anchor: anchor) == date(expected).instant,
        "\(interval) from \(from ?? "-") anchored at \(anchor ?? "-")")
    }
  }

  @Test("without data a named period keeps its empty intervals, else there are none")
  func noData() throws {
    let day = CalendarInterval(.day)
    let named = try answer([]) { plan in
      plan.interval = day
      plan.from = try date("2024-01-01")
      plan.to = try date("2024-01-04")
    }
    #expect(named.intervals.hasData == [false, false, false])
    #expect(named.intervals.counts == [0, 0, 0])
    #expect(try answer([]) { $0.interval = day }.intervals.count == 0)
    #expect(try answer([]) { _ in }.intervals.count == 0)
    let single = try answer([]) { plan in
      plan.from = try date("2024-01-01")
      plan.to = try date("2024-01-04")
    }
    #expect(single.intervals.hasData == [false] && single.rule == .single)
    let after = try answer([try row(phone, "2023-01-01", "2023-01-01", 5)]) { plan in
      plan.interval = day
      plan.from = try date("2024-01-01")
    }
    #expect(after.intervals.hasData == [false])
    #expect(try after.intervals.starts == [date("2024-01-01").instant])
  }

  @Test("a single question counts matching samples whole, between their outermost times")
  func single() throws {
    let rows = [
      try row(phone, "2024-01-01T10:00", "2024-01-02T00:00", 10),
      try row(phone, "2024-01-02T23:00", "2024-01-03T01:00", 20),
      try row(phone, "2024-01-03T00:00", "2024-01-03T02:00", 40),
    ]
    let answer = try answer(rows) { plan in
      plan.from = try date("2024-01-02")
      plan.to = try date("2024-01-03")
    }
    #expect(answer.intervals[raw: .sum] == [30] && answer.intervals.counts == [2])
    #expect(try answer.intervals.starts == [date("2024-01-01T10:00").instant])
    #expect(try answer.intervals.ends == [date("2024-01-03T01:00").instant])
    #expect(answer.rule == .single)
  }

  @Test("sources stand by rank, each alone unmerged, whole samples are not cut")
  func sources() throws {
    let rows = [
      try row(watch, "2024-01-01T10:00", "2024-01-01T11:00", 60),
      try row(phone, "2024-01-01T10:30", "2024-01-01T11:30", 100),
    ]
    let answer = try answer(rows) { plan in
      plan.interval = CalendarInterval(.day)
      plan.separatesSources = true
      plan.statistics = [.sum, .count, .duration, .recent]
    }
    #expect(answer.priority == [watch, phone])
    #expect(answer.intervals[raw: .sum] == [110] && answer.intervals[raw: .duration] == [5400])
    #expect(answer.intervals[raw: .recent] == [100])
    #expect(answer.sources.map(\.source) == [watch, phone])
    #expect(answer.sources.map { $0.intervals[raw: .sum] } == [[60], [100]])
    #expect(answer.sources.map { $0.intervals[raw: .duration] } == [[3600], [3600]])
  }

  @Test("preferred sources rank first, then the stored order, then the default")
  func preferred() throws {
    let rows = try ["a", "b", "c"].map { try row(Source(name: $0), "2024-01-01", "2024-01-02", 1) }
    let answer = try answer(rows, stored: ["c", "gone"]) { $0.preferredSources = ["b", "nobody"] }
    #expect(answer.priority.map(\.name) == ["b", "c", "a"])
    #expect(answer.unmatchedPreferredSources == ["nobody"])
    #expect(answer.unlistedSources.isEmpty)
  }

  @Test("values come in the unit of the plan, else in the recorded one")
  func units() throws {
    let distance = try #require(
      Catalogue.type("HKQuantityTypeIdentifierDistanceWalkingRunning"))
    let rows = [try row(phone, "2024-01-01T10:00", "2024-01-01T11:00", 1500)]
    func sums(_ unit: String?, recorded: String?) throws -> StatisticsAnswer {
      try answer(rows, type: distance, recordedUnit: recorded) { plan in
        plan.unit = try unit.map { try UnitExpression($0) }
        plan.interval = CalendarInterval(.day)
        plan.statistics = [.sum, .recent]
      }
    }
    #expect(try sums(nil, recorded: "km").intervals[raw: .sum] == [1.5])
    #expect(try sums(nil, recorded: "km").intervals[raw: .recent] == [1.5])
    #expect(try sums("m", recorded: "km").intervals[raw: .sum] == [1500])
    #expect(try sums(nil, recorded: "kg").unit == distance.canonicalUnit)
    #expect(try sums(nil, recorded: "no unit").unit == distance.canonicalUnit)
    let error = try #require(throws: QueryError.self) { try sums("kg", recorded: "km") }
    #expect(
      error.reason
        == .incompatibleUnit(
          try UnitExpression("kg"), canonical: try #require(distance.canonicalUnit)))
  }

  @Test(
    "the method of a mean is named",
    arguments: [
      ("BodyMass", .arithmetic), ("HeartRate", .temporallyWeighted),
      ("EnvironmentalAudioExposure", .equivalentContinuousLevel),
    ] as [(String, MeanMethod)])
  func method(name: String, method: MeanMethod) throws {
    let type = try #require(Catalogue.type("HKQuantityTypeIdentifier" + name))
    let answer = try answer([try row(phone, "2024-01-01", "2024-01-01", 2)], type: type) { _ in }
    #expect(answer.method == method && answer.intervals[raw: .mean] == [2])
    #expect((answer.hold != nil) == (method == .temporallyWeighted))
    #expect(answer.statistics == [.mean, .min, .max, .count])
  }

  @Test("questions that make no sense are refused, each with its reason")
  func refused() throws {
    let rows = [try row(phone, "2024-01-01", "2024-01-01T01:00", 2)]
    func reason(_ change: (inout StatisticsPlan) throws -> Void) throws -> QueryError.Reason {
      try #require(throws: QueryError.self) { try answer(rows, change) }.reason
    }
    let (from, to) = (try date("2024-01-02"), try date("2024-01-01"))
    #expect(
      try reason { ($0.from, $0.to) = (from, to) }
        == .emptyPeriod(from: from.instant, to: to.instant))
    #expect(
      try reason { ($0.from, $0.to) = (from, from) }
        == .emptyPeriod(from: from.instant, to: from.instant))
    #expect(try reason { $0.from = QueryDate(instant: 1e300) } == .dateOutOfRange)
    #expect(try reason { $0.anchor = QueryDate(instant: -.infinity) } == .dateOutOfRange)
    // What the data say wrong is no fault of the question.
    for (start, end) in [(-1e14, 0.0), (0, 1e14)] {
      let absurd = SampleColumns.Row(source: phone, start: start, end: end, value: 1)
      #expect(throws: QueryError(.sampleOutOfRange)) {
        try answer([absurd]) { $0.interval = CalendarInterval(.year) }
      }
    }
    #expect(
      try reason { $0.statistics = [.sum, .mean] }
        == .statistics(
          StatisticsError(type: steps, reason: .notAvailable(.mean, .cumulative))))
    let sleep = try #require(Catalogue.type("HKCategoryTypeIdentifierSleepAnalysis"))
    #expect(try reason { $0.type = sleep } == .notAQuantity(sleep))
    let limit = StatisticsPlan.intervalLimit
    #expect(
      try reason {
        $0.interval = CalendarInterval("1min")
        $0.from = try date("0001-01-01")
        $0.to = try date("9999-12-31")
      } == .tooManyIntervals(limit: limit))
  }

  @Test("a period of thousands of years is answered")
  func longPeriod() throws {
    let rows = [try row(phone, "2024-01-01", "2224-01-01", 200)]
    let answer = try answer(rows) { plan in
      plan.interval = CalendarInterval(.year)
      plan.from = try date("0001-01-01")
      plan.to = try date("9999-12-31")
    }
    #expect(answer.intervals.count == 9999)
    #expect(answer.intervals.hasData.count { $0 } == 200)
  }

  @Test("a day's numbers do not depend on the period that was asked for")
  func complete() throws {
    var generator = SplitMix64(seed: 14)
    let begin = try date("2024-03-08").instant
    for _ in 0..<40 {
      let rows = SampleColumns.Row.random(
        count: 60, sources: [watch, phone], times: 0..<200, longest: 30, using: &generator
      ).map { row in
        SampleColumns.Row(
          source: row.source, start: begin + row.start * 1800, end: begin + row.end * 1800,
          value: row.value)
      }
      func days(_ from: String?, _ to: String?) throws -> StatisticsColumns {
        try answer(rows) { plan in
          plan.interval = CalendarInterval(.day)
          plan.from = try from.map(date)
          plan.to = try to.map(date)
          plan.statistics = [.sum, .count, .duration, .recent]
        }.intervals
      }
      let all = try days("2024-03-08", "2024-03-13")
      let part = try days("2024-03-10", "2024-03-12")
      #expect(all.starts[2...3] == part.starts[...])
      #expect(all.counts[2...3] == part.counts[...])
      #expect(all[raw: .duration]?[2...3] == part[raw: .duration]?[...])
      #expect(all[raw: .recent]?[2...3] == part[raw: .recent]?[...])
      for (whole, alone) in zip(all[raw: .sum]?[2...3] ?? [], part[raw: .sum] ?? []) {
        #expect(whole == alone)
      }
    }
  }
}
