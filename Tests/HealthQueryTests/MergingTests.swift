import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@testable import HealthQuery

@Suite("Answers by policy, and why")
struct MergingTests {
  let zone: TimeZone
  let steps = SampleType(.stepCount)
  let distance = SampleType(.distanceWalkingRunning)
  let sources = Source.named("A", "B", "C")

  init() throws { zone = try TimeZone.named("Europe/Paris") }

  /// Asks about some days of which hour 0 is 2024-01-01 in the zone; A ranks before B before C.
  private func answer(
    _ rows: [SampleColumns.Row], type: SampleType? = nil, dates: [Double]? = nil,
    interval: CalendarInterval? = CalendarInterval(.day),
    _ change: (inout StatisticsPlan) throws -> Void = { _ in }
  ) throws -> StatisticsAnswer {
    let origin = try date("2024-01-01").instant
    let type = type ?? steps
    var plan = StatisticsPlan(type: type, timeZone: zone)
    plan.interval = interval
    plan.preferredSources = sources.map(\.name)
    try change(&plan)
    let dated = DatedSampleColumns(
      type: type,
      rows: rows.indices.map { index in
        var row = rows[index]
        row.start = origin + row.start * 3600
        row.end = origin + row.end * 3600
        return .init(sample: row, lastModified: dates?[index] ?? 0)
      })
    let facts = sources.map {
      SourceFacts(source: $0, deviceKind: .other, firstStart: origin)
    }
    return try plan.answer(
      samples: dated.samples, facts: facts, lastModified: dated.lastModified)
  }

  private func date(_ text: String) throws -> QueryDate { try QueryDate(text, in: zone, now: 0) }

  private func row(_ source: Int, _ start: Double, _ end: Double, _ value: Double)
    -> SampleColumns.Row
  {
    SampleColumns.Row(source: sources[source], start: start, end: end, value: value)
  }

  @Test(
    "contributions add up to the total, and what is masked to the rest of the raw sum",
    arguments: MergePolicy.allCases)
  func contributions(policy: MergePolicy) throws {
    var generator = SplitMix64(seed: 31)
    for _ in 0..<150 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 1...14, using: &generator), sources: sources, times: 0..<60,
        longest: 30, using: &generator)
      let dates = rows.map { _ in Double(Int.random(in: 0...2, using: &generator)) }
      let answer = try answer(rows, type: distance, dates: dates) { plan in
        plan.policy = policy
        plan.explains = true
      }
      let raw = try self.answer(rows, type: distance) { $0.policy = .unmerged }
      let sums = try #require(answer.intervals[raw: .sum])
      #expect(answer.contributions.map(\.source).allSatisfy(sources.contains))
      for interval in sums.indices {
        var total = CompensatedSum()
        for part in answer.contributions { total.add(part.sums[interval]) }
        #expect(total.result == sums[interval])
        let rawSum = try #require(raw.intervals[raw: .sum])[interval]
        let masked = answer.contributions.reduce(0) { $0 + $1.masked[interval] }
        #expect(abs(total.result + masked - rawSum) <= 1e-12 * rawSum)
        for part in answer.contributions {
          let by = part.maskedBy.reduce(0) { $0 + $1.amounts[interval] }
          #expect(abs(by - part.masked[interval]) <= 1e-9 * max(1, rawSum))
        }
        #expect(
          answer.intervals.hasData[interval]
            == answer.contributions.contains { $0.hasData[interval] })
      }
    }
  }

  @Test("the source that supplied a moment is the one that masked it")
  func maskedBy() throws {
    let rows = [row(0, 10, 11, 60), row(1, 10.5, 12, 90), row(2, 10, 13, 180)]
    let answer = try answer(rows) { $0.explains = true }
    #expect(answer.intervals[raw: .sum] == [180])
    #expect(answer.contributions.map(\.sums) == [[60], [60], [60]])
    #expect(answer.contributions.map(\.masked) == [[0], [30], [120]])
    #expect(answer.contributions[1].maskedBy == [.init(source: sources[0], amounts: [30])])
    #expect(
      answer.contributions[2].maskedBy
        == [.init(source: sources[0], amounts: [60]), .init(source: sources[1], amounts: [60])])
  }

  @Test("under highest the losers were masked by the source that was chosen")
  func highest() throws {
    let rows = [row(0, 10, 11, 60), row(1, 10, 11, 90), row(0, 30, 31, 70), row(1, 30, 31, 70)]
    let answer = try answer(rows) { plan in
      plan.policy = .highest
      plan.explains = true
    }
    #expect(answer.intervals[raw: .sum] == [90, 70])
    #expect(answer.intervals.counts == [1, 1])
    #expect(answer.contributions.map(\.sums) == [[0, 70], [90, 0]])
    #expect(answer.contributions[0].maskedBy == [.init(source: sources[1], amounts: [60, 0])])
    #expect(answer.contributions[1].maskedBy == [.init(source: sources[0], amounts: [0, 70])])
  }

  @Test("hc cuts steps and mean heart rates to whole numbers, distances not at all")
  func truncation() throws {
    let rows = [row(0, 0, 10, 99), row(0, 23, 25, 1)]
    func hc(_ type: SampleType, _ rows: [SampleColumns.Row]) throws -> StatisticsAnswer {
      try answer(rows, type: type) { $0.policy = .healthConnect }
    }
    #expect(try hc(steps, rows).intervals[raw: .sum] == [99, 0])
    #expect(try hc(steps, rows).intervals.hasData == [true, true])
    #expect(try hc(distance, rows).intervals[raw: .sum] == [99.5, 0.5])
    let thirds = [row(0, 0, 3, 10), row(0, 1, 2, 1)]
    #expect(try hc(steps, thirds).intervals[raw: .sum] == [7])
    let rates = [123.0, 80, 75, 96].enumerated().map { index, rate in
      row(0, Double(index), Double(index), rate / 60)
    }
    let heart = try answer(rates, type: SampleType(.heartRate)) { plan in
      plan.policy = .healthConnect
      plan.unit = try UnitExpression("count/min")
    }
    let mean = try #require(heart.intervals[raw: .mean]?.first)
    #expect(abs(mean - 93) < 1e-12)
    #expect(heart.intervals.counts == [4])
  }

  @Test("hc counts the record changed last, ends its last interval at the end of the period")
  func healthConnect() throws {
    let rows = [row(0, 0, 2, 100), row(0, 0, 2, 50)]
    #expect(
      try answer(rows, dates: [1, 2]) { $0.policy = .healthConnect }.intervals[raw: .sum] == [50])
    let answer = try answer(
      [row(0, 0, 2, 100)], interval: CalendarInterval("1h")
    ) { plan in
      plan.policy = .healthConnect
      plan.from = try date("2024-01-01T00:00")
      plan.to = try date("2024-01-01T01:30")
    }
    #expect(answer.intervals[raw: .sum] == [50, 25])
    #expect(try answer.intervals.ends.last == date("2024-01-01T01:30").instant)
  }

  @Test("hc counts each month from the one before it, both ways, whatever the period")
  func walkedMonths() throws {
    func starts(_ policy: MergePolicy, from: String, to: String) throws -> [String] {
      let answer = try answer([], interval: CalendarInterval("1mo")) { plan in
        plan.policy = policy
        plan.anchor = try date("2024-01-31")
        plan.from = try date(from)
        plan.to = try date(to)
      }
      return answer.intervals.starts.map { instant in
        let date = CivilDate(dayNumber: Int(((instant + 7200) / 86_400).rounded(.down)))
        return "\(date.year)-\(date.month)-\(date.day)"
      }
    }
    #expect(
      try starts(.healthConnect, from: "2024-01-31", to: "2024-05-20")
        == ["2024-1-31", "2024-2-29", "2024-3-29", "2024-4-29"])
    #expect(
      try starts(.healthKit, from: "2024-01-31", to: "2024-05-20")
        == ["2024-1-31", "2024-2-29", "2024-3-31", "2024-4-30"])
    #expect(try starts(.healthConnect, from: "2025-01-29", to: "2025-02-20") == ["2025-1-29"])
    #expect(try starts(.healthConnect, from: "2025-03-01", to: "2025-03-20") == ["2025-2-28"])
    #expect(
      try starts(.healthConnect, from: "2023-11-30", to: "2024-01-05")
        == ["2023-11-30", "2023-12-31"])
  }

  @Test("a policy without exact sums, and an explanation without end, are refused")
  func refused() throws {
    #expect(throws: QueryError(.notExact(.subtractive))) {
      try answer([row(0, 0, 1, 1)]) { plan in
        plan.policy = .subtractive
        plan.isExact = true
      }
    }
    #expect(throws: QueryError.self) {
      try answer([row(0, 0, 1, 1)], type: SampleType(.bodyMass)) { $0.explains = true }
    }
    let many = (0..<5000).map { index in
      SampleColumns.Row(
        source: Source(name: "\(index)"), start: Double(index), end: Double(index) + 2, value: 1)
    }
    #expect(throws: QueryError(.tooMuchToExplain)) { try answer(many) { $0.explains = true } }
    #expect(try answer(many) { $0.policy = .highest }.intervals.count > 200)
  }

  @Test("a single row is explained as well, and an empty answer has nothing to explain")
  func single() throws {
    let answer = try answer([row(0, 0, 2, 10), row(1, 1, 3, 10)], interval: nil) {
      $0.explains = true
    }
    #expect(answer.contributions.map(\.sums) == [[10], [5]])
    #expect(try self.answer([]) { $0.explains = true }.contributions.isEmpty)
  }

  @Test("a store tells when records were made, and leaves out those that end before they start")
  func dates() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    var batch = RecordColumns(type: steps, source: sources[0])
    batch.labelTable = ["count"]
    batch.originTable = [Origin()]
    let records: [(start: Double, end: Double, made: Double, value: Double)] = [
      (0, 60, 100, 10), (0, 60, 50, 99), (80, 20, 0, 5),
    ]
    for (start, end, made, value) in records {
      batch.starts.append(7e8 + start)
      batch.ends.append(7e8 + end)
      batch.created.append(7e8 + made)
      batch.values.append(value)
      batch.labels.append(0)
      batch.origins.append(0)
      batch.metadata.append(0)
      batch.copies.append(1)
    }
    try session.add(batch)
    _ = try session.finish()
    let dated = try store.datedSamples(of: steps)
    #expect(dated.samples.values == [10, 99])
    #expect(dated.lastModified.map { $0 - 7e8 } == [100, 50])
    var plan = StatisticsPlan(type: steps, timeZone: zone)
    plan.policy = .healthConnect
    #expect(try store.statistics(plan).intervals[raw: .sum] == [10])
    #expect(try store.datedSamples(of: steps, in: 7e8 + 61..<8e8).samples.isEmpty)
  }
}
