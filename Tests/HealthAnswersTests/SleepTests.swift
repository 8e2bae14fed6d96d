import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Nights of sleep")
struct SleepTests {
  let sources = Source.named("Watch", "Phone", "App")
  private static let day = 86_400.0

  private func row(
    _ source: Int, _ stage: SleepStage, _ start: Double, _ end: Double
  ) -> SampleColumns.Row {
    // Hours of 2001-01-01.
    SampleColumns.Row(
      source: sources[source], start: start * 3600, end: end * 3600, value: Double(stage.rawValue))
  }

  private func answer(
    _ rows: [SampleColumns.Row], in zones: ZoneTimeline = ZoneTimeline(.gmt),
    _ change: (inout SleepPlan) -> Void = { _ in }
  ) throws -> SleepAnswer {
    var plan = SleepPlan(timeZone: zones)
    plan.preferredSources = sources.map(\.name)
    change(&plan)
    let samples = SampleColumns(type: SleepPlan.type, rows: rows)
    let facts = sources.map { SourceFacts(source: $0, deviceKind: .other, firstStart: 0) }
    return try plan.answer(samples: samples, facts: facts)
  }

  @Test("stages of the higher source count, time in bed of the other does not mask them")
  func stages() throws {
    let nights = try answer([
      row(1, .inBed, -1, 8), row(1, .unspecified, -1, 7),
      row(0, .core, 0, 2), row(0, .deep, 2, 3), row(0, .awake, 3, 4), row(0, .rem, 4, 6),
    ]).nights
    try #require(nights.count == 1)
    #expect(nights.days == [0])
    #expect(nights.spans == [-3600..<28_800])
    #expect(nights.sleepSpans == [-3600..<25_200])
    let hours = nights.stages[0].mapValues { $0 / 3600 }
    #expect(hours == [.core: 2, .deep: 1, .rem: 2, .unspecified: 2, .awake: 1])
    #expect(nights.asleep == [25_200])
    #expect(nights.inBed == [32_400])
    #expect(nights.efficiency(0) == 7.0 / 9)
    let sources = nights.sources[0]
    #expect(sources.map(\.source.name) == ["Watch", "Phone"])
    #expect(sources.map { $0.asleep / 3600 } == [5, 2])
    #expect(sources.map { $0.masked / 3600 } == [0, 6])
    #expect(sources.map { $0.inBed / 3600 } == [0, 9])
  }

  @Test("a night belongs to the day on which it ends, at midnight to the day before")
  func days() throws {
    let nights = try answer([
      row(0, .core, 22, 30), row(0, .core, 46, 48), row(0, .core, 95, 97),
    ]).nights
    #expect(nights.days.map { $0 / Self.day } == [1, 2, 3, 4])
    #expect(nights.asleep == [28_800, nil, nil, 7200])
    let midnight = try answer([row(0, .core, 20, 24)]).nights
    #expect(midnight.days == [0])
  }

  @Test("the longest sleep of a day is the night, the others are naps")
  func naps() throws {
    let rows = [row(0, .core, -2, 4), row(0, .core, 5.5, 7), row(0, .unspecified, 14, 14.5)]
    let nights = try answer(rows).nights
    #expect(nights.asleep == [21_600])
    #expect(nights.naps[0].map(\.span) == [19_800..<25_200, 50_400..<52_200])
    #expect(nights.naps[0].map(\.asleep) == [5400, 1800])
    let joined = try answer(rows) { $0.longestGap = 2 * 3600 }.nights
    #expect(joined.asleep == [27_000])
    #expect(joined.naps[0].count == 1)
  }

  @Test("where nobody says asleep the time in bed is all that is known")
  func inBedOnly() throws {
    let nights = try answer([row(1, .inBed, -1, 7), row(2, .inBed, 3, 8)]).nights
    #expect(nights.inBed == [32_400])
    #expect(nights.asleep == [nil])
    #expect(nights.sleepSpans == [nil])
    #expect(nights.efficiency(0) == nil)
    #expect(try answer([row(0, .awake, 1, 2)]).nights.count == 0)
  }

  @Test("a traveller's night ends on the day that the traveller lived")
  func travel() throws {
    let zones = try ZoneTimeline(
      text: "Europe/Paris\n2024-06-10T20:00 America/New_York\n2024-06-12T10:00 Europe/Paris")
    func instant(_ text: String) throws -> Double { try QueryDate(text, in: zones, now: 0).instant }
    let rows = [
      SampleColumns.Row(
        source: sources[0], start: try instant("2024-06-10T23:00-04:00"),
        end: try instant("2024-06-11T06:30-04:00"), value: 3),
      SampleColumns.Row(
        source: sources[0], start: try instant("2024-06-11T21:30-04:00"),
        end: try instant("2024-06-12T03:30-04:00"), value: 3),
    ]
    let nights = try answer(rows, in: zones).nights
    #expect(nights.days == [try instant("2024-06-11"), try instant("2024-06-12")])
    #expect(nights.asleep == [27_000, 21_600])
  }

  @Test("nights of a period are those that end in it")
  func period() throws {
    let rows = (0..<10).map { row(0, .core, 24 * Double($0) - 2, 24 * Double($0) + 5) }
    let nights = try answer(rows) { plan in
      plan.from = QueryDate(instant: 2 * Self.day, alignsIntervals: true)
      plan.to = QueryDate(instant: 5 * Self.day, alignsIntervals: true)
    }.nights
    #expect(nights.days.map { $0 / Self.day } == [2, 3, 4])
    #expect(nights.asleep == [25_200, 25_200, 25_200])
    let empty = try answer([]) { plan in
      plan.from = QueryDate(instant: 0)
      plan.to = QueryDate(instant: 2 * Self.day)
    }.nights
    #expect(empty.count == 2 && empty.spans == [nil, nil])
    #expect(try answer([]).nights.count == 0)
    #expect(throws: QueryError(.emptyPeriod(from: 5, to: 5))) {
      try answer(rows) { plan in
        plan.from = QueryDate(instant: 5)
        plan.to = QueryDate(instant: 5)
      }
    }
    #expect(throws: QueryError(.gapOutOfRange(allowed: SleepPlan.gapRange))) {
      try answer(rows) { $0.longestGap = 1e6 }
    }
    #expect(throws: QueryError(.sampleOutOfRange)) {
      try answer([row(0, .core, 1e12, 1.1e12)])
    }
    #expect(throws: QueryError(.dateOutOfRange)) {
      try answer(rows) { $0.from = QueryDate(instant: -1e300) }
    }
  }

  @Test(
    "nights are those that a walk through the quarters of an hour finds",
    arguments: 0..<DayCases.count(40))
  func walk(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(1000 + seed))
    let quarters = 0..<6 * 96
    let rows = SampleColumns.Row.random(
      count: 30, sources: sources, times: 0..<6 * 96 - 40, longest: 40, using: &generator
    ).map { row in
      var row = row
      row.value = Double(Int.random(in: 0...5, using: &generator))
      return row
    }
    let start = Double(Int.random(in: 0..<9000, using: &generator)) * Self.day
    let names = ["Europe/Paris", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland"]
    func zone() throws -> TimeZone {
      try .named(try #require(names.randomElement(using: &generator)))
    }
    let change = ZoneTimeline.Change(
      instant: start + 900 * Double(Int.random(in: quarters, using: &generator)), zone: try zone())
    let zones = try #require(ZoneTimeline(first: try zone(), changes: [change]))
    let gap = Int.random(in: 0...8, using: &generator)
    let nights = try answer(
      rows.map { row in
        var row = row
        row.start = start + row.start * 900
        row.end = start + row.end * 900
        return row
      }, in: zones
    ) { $0.longestGap = Double(gap * 900) }.nights
    let twin = ReferenceSleep(rows: rows, order: sources, quarters: quarters, gap: gap)
    let walk = ReferenceDays(
      first: zones.first, changes: zones.changes.map { ($0.instant, $0.zone) },
      from: start - 4 * Self.day, to: start + 11 * Self.day)
    let firstDay = Int(start / Self.day) - 2
    let edges = try (firstDay..<firstDay + 12).map {
      try #require(walk.instant(of: Double($0) * Self.day))
    }
    for row in 0..<nights.count {
      let edge = try #require(edges.firstIndex(of: nights.days[row]))
      let ending = twin.sessions.filter { session in
        let wake = start + Double(session.wake) * 900
        return edges[edge] < wake && wake <= edges[edge + 1]
      }
      let night = ending.max { left, right in
        (
          left.asleepQuarters.count, left.inBedQuarters > 0 ? left.quarters : 0, right.start
        )
          < (
            right.asleepQuarters.count, right.inBedQuarters > 0 ? right.quarters : 0, left.start
          )
      }
      compare(nights, row, with: night, start: start)
      let naps = ending.filter { $0 != night && !$0.asleepQuarters.isEmpty }
      #expect(nights.naps[row].map(\.asleep) == naps.map { Double($0.asleepQuarters.count) * 900 })
    }
    let known = (0..<nights.count).filter { nights.spans[$0] != nil }.count
    #expect(
      known
        == Set(
          twin.sessions.map { session in
            edges.lastIndex { $0 < start + Double(session.wake) * 900 }
          }
        ).count)
  }

  private func compare(
    _ nights: NightColumns, _ row: Int, with night: ReferenceSleep.Session?, start: Double
  ) {
    func instant(_ quarter: Int) -> Double { start + Double(quarter) * 900 }
    #expect(nights.spans[row] == night.map { instant($0.start)..<instant($0.end) })
    let asleep = night?.asleepQuarters ?? []
    #expect(nights.asleep[row] == (asleep.isEmpty ? nil : Double(asleep.count) * 900))
    if let first = asleep.first, let last = asleep.last {
      #expect(nights.sleepSpans[row] == instant(first)..<instant(last + 1))
    }
    for stage in SleepStage.asleep + [.awake] {
      #expect(
        nights.stages[row][stage]
          == night?.stages[stage.rawValue].map { Double($0) * 900 }, "\(stage)")
    }
    #expect(
      nights.inBed[row]
        == night.flatMap { $0.inBedQuarters > 0 ? Double($0.quarters) * 900 : nil })
    for source in nights.sources[row] {
      let counted = night?.counted[source.source] ?? 0
      #expect(source.asleep == Double(counted) * 900)
      #expect(source.masked == Double((night?.alone[source.source] ?? 0) - counted) * 900)
    }
  }

  @Test("means are over the nights that know, times of day go round the clock")
  func averages() throws {
    var rows = [
      row(0, .deep, -1, 1), row(0, .core, 1, 7), row(1, .unspecified, 25, 29),
      row(0, .core, 24 * 7, 24 * 7 + 6),
    ]
    rows.append(row(1, .inBed, 24, 32))
    let answer = try answer(rows)
    let weeks = answer.averages(by: .week)
    #expect(weeks.firstDays.map { $0 / Self.day } == [0, 7])
    #expect(weeks.nightCounts == [2, 1])
    #expect(weeks.asleep == [21_600, 21_600])
    #expect(weeks.stages[0] == [.deep: 7200, .core: 21_600])
    #expect(weeks.inBed == [28_800, nil])
    #expect(weeks.efficiencies == [0.5, nil])
    let wakes = weeks.wakes.compactMap { $0 }.map { ($0 / 60).rounded() }
    #expect(wakes == [360, 360])
    let months = answer.averages(by: .month)
    #expect(months.nightCounts == [3])
    #expect(answer.averages().asleep == months.asleep)
    #expect(try self.answer([]).averages().count == 0)
    #expect(SleepAverages.clockMean([]) == nil)
    #expect(SleepAverages.clockMean([0, 43_200]) == nil)
    let late = try #require(SleepAverages.clockMean([82_800, 3600, 7200, 79_200]))
    #expect(min(late, 86_400 - late) < 1e-6)
  }

  @Test("medians of times of day go round the clock, too")
  func clockMedians() throws {
    // Asleep from 23:00, 23:30, 01:00; until 07:00, 07:30, 09:30.
    let answer = try answer([
      row(0, .core, -1, 7), row(0, .core, 23.5, 31.5), row(0, .core, 49, 57.5),
    ])
    let means = answer.averages()
    let starts = try #require(means.medianSleepStarts.first.flatMap { $0 })
    let ends = try #require(means.medianSleepEnds.first.flatMap { $0 })
    #expect((starts - 23.5 * 3600).magnitude < 1e-6 && (ends - 7.5 * 3600).magnitude < 1e-6)
    for (times, median) in [
      ([23.0, 1], 0.0), ([22, 23, 1, 2], 0), ([12, 13, 14.5], 13), ([23.5, 23.5, 0.5], 23.5),
    ] {
      let found = try #require(SleepAverages.clockMedian(times.map { $0 * 3600 }))
      let distance = (found / 3600 - median).remainder(dividingBy: 24).magnitude
      #expect(distance < 1e-9 && (0...86_400).contains(found), "\(times)")
    }
    #expect(SleepAverages.clockMedian([]) == nil)
    #expect(SleepAverages.clockMedian([0, 43_200]) == nil)
    #expect(SleepAverages.clockText(86_399) == "00:00")
    #expect(SleepAverages.memberNames.count == means.members(0).count)
  }

  @Test("many sources and one long sample are no trouble")
  func bounds() throws {
    let crowd = (0..<3000).map { number in
      SampleColumns.Row(
        source: Source(name: "App \(number)"), start: 0, end: 36_000, value: 1)
    }
    let nights = try answer(crowd).nights
    #expect(nights.asleep == [36_000])
    #expect(nights.sources[0].count == 3000)
    let long = try answer([row(0, .core, 0, 24 * 73_050)]).nights
    #expect(long.count == 1)
    let apart = [row(0, .core, 0, 8), row(0, .core, 24e5 + 24, 24e5 + 32)]
    #expect(throws: QueryError(.tooManyIntervals(limit: SleepPlan.nightLimit))) {
      try answer(apart)
    }
    let late = try answer(apart) { $0.from = QueryDate(instant: 24e5 * 3600) }.nights
    #expect(late.asleep == [nil, 28_800])
  }
}
