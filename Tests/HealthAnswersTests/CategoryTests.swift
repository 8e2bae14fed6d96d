import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Durations and counts of category values")
struct CategoryTests {
  let sources = Source.named("Watch", "Phone", "App")
  let stand = SampleType(
    identifier: "HKCategoryTypeIdentifierAppleStandHour", kind: .category)
  let sleep = SleepPlan.type

  private func rows(
    _ count: Int, values: [Double], using generator: inout SplitMix64
  ) -> [SampleColumns.Row] {
    SampleColumns.Row.random(count: count, sources: sources, using: &generator).map { row in
      var row = row
      row.value = values.randomElement(using: &generator) ?? 0
      return row
    }
  }

  private func answer(
    _ rows: [SampleColumns.Row], of type: SampleType, every seconds: Int,
    _ change: (inout StatisticsPlan) -> Void = { _ in }
  ) throws -> CategoryAnswer {
    var plan = StatisticsPlan(type: type, timeZone: .gmt)
    plan.interval = CalendarInterval(seconds: seconds)
    plan.anchor = QueryDate(instant: 0)
    plan.from = QueryDate(instant: 0)
    plan.to = QueryDate(instant: 42)
    plan.preferredSources = sources.map(\.name)
    change(&plan)
    let columns = SampleColumns(type: type, rows: rows)
    let facts = sources.map { SourceFacts(source: $0, deviceKind: .other, firstStart: 0) }
    return try plan.categoryAnswer(samples: columns, facts: facts)
  }

  @Test("each second belongs to whom a walk through the seconds gives it")
  func walk() throws {
    var generator = SplitMix64(seed: 51)
    for number in 0..<DayCases.count(120) {
      let isSleep = number.isMultiple(of: 2)
      let type = isSleep ? sleep : stand
      let rows = rows(
        number % 12, values: isSleep ? [0, 1, 2, 3, 4, 5] : [0, 1, 7], using: &generator)
      let twin = ReferenceCategories(
        rows: rows, order: sources, lists: isSleep ? [[0], [4, 5, 3, 1, 2]] : [])
      let answer = try answer(rows, of: type, every: 7) { plan in plan.explains = true }
      for column in answer.values {
        for row in answer.starts.indices {
          let expected = twin.amounts(
            of: column.value, from: Int(answer.starts[row]), to: Int(answer.ends[row]))
          #expect(column.durations[row] == Double(expected.reduce(0) { $0 + $1.seconds }))
          #expect(column.counts[row] == expected.reduce(0) { $0 + $1.count })
          for contribution in answer.contributions {
            let rank = try #require(sources.firstIndex(of: contribution.source))
            let part = try #require(
              contribution.values.first { $0.value == column.value })
            #expect(part.durations[row] == Double(expected[rank].seconds))
          }
        }
      }
    }
  }

  @Test("values of one list never share time; no source counts what it does not say alone")
  func laws() throws {
    var generator = SplitMix64(seed: 52)
    for _ in 0..<DayCases.count(80) {
      let rows = rows(10, values: [1, 2, 3, 4, 5], using: &generator)
      let answer = try answer(rows, of: sleep, every: 5) { plan in plan.explains = true }
      for row in answer.starts.indices {
        let sum = answer.values.reduce(0) { $0 + $1.durations[row] }
        #expect(sum <= answer.ends[row] - answer.starts[row])
        for (counted, alone) in zip(answer.contributions, answer.sources) {
          for (part, whole) in zip(counted.values, alone.values) {
            #expect(part.durations[row] <= whole.durations[row])
          }
        }
      }
      let shuffled = try self.answer(rows.shuffled(using: &generator), of: sleep, every: 5) {
        $0.explains = true
      }
      #expect(shuffled.values == answer.values && shuffled.contributions == answer.contributions)
      // Asked whole or in parts, the time is the same.
      let whole = try self.answer(rows, of: sleep, every: 50)
      #expect(whole.values.count == answer.values.count)
      for (one, other) in zip(whole.values, answer.values) {
        let seconds: Double = one.durations.reduce(0, +)
        #expect(seconds == other.durations.reduce(0, +))
      }
    }
  }

  @Test("the time of one sample in an interval is the difference of two instants, never a share")
  func differences() throws {
    var generator = SplitMix64(seed: 53)
    for number in 0..<DayCases.count(200) {
      // Whole seconds of half of the samples.
      let unit = number.isMultiple(of: 2) ? 1.0 : 0.001
      let start = (Double.random(in: 0..<40, using: &generator) / unit).rounded() * unit
      let length = (Double.random(in: 1..<4000, using: &generator) / unit).rounded() * unit
      let row = SampleColumns.Row(source: sources[0], start: start, end: start + length, value: 1)
      let answer = try answer([row], of: stand, every: 7)
      let time = try #require(answer.values.first)
      for (place, edges) in zip(answer.starts, answer.ends).enumerated() {
        #expect(
          time.durations[place] == max(0, min(row.end, edges.1) - max(row.start, edges.0)))
      }
    }
  }

  @Test("stand hours that a watch and a phone both have count once; the raw sum counts all")
  func standHours() throws {
    let rows = [
      SampleColumns.Row(source: sources[0], start: 0, end: 10, value: 0),
      SampleColumns.Row(source: sources[1], start: 0, end: 10, value: 1),
      SampleColumns.Row(source: sources[1], start: 10, end: 20, value: 0),
    ]
    let merged = try answer(rows, of: stand, every: 21)
    #expect(merged.values.map(\.durations) == [[20, 0], [0, 0]])
    #expect(merged.values.map(\.counts) == [[2, 0], [0, 0]])
    #expect(merged.hasData == [true, false])
    #expect(
      merged.values.map(\.constant)
        == ["HKCategoryValueAppleStandHourStood", "HKCategoryValueAppleStandHourIdle"])
    let raw = try answer(rows, of: stand, every: 21) { $0.policy = .unmerged }
    #expect(raw.values.map(\.durations) == [[20, 0], [10, 0]])
    let bySource = try answer(rows, of: stand, every: 21) { $0.separatesSources = true }
    #expect(bySource.sources.map(\.source) == Array(sources[...1]))
    #expect(bySource.sources[1].values.map(\.durations) == [[10, 0], [10, 0]])
  }

  @Test("without intervals there is one row over whole samples")
  func single() throws {
    let rows = [
      SampleColumns.Row(source: sources[0], start: 5, end: 15, value: 1),
      SampleColumns.Row(source: sources[0], start: 40, end: 60, value: 0),
      SampleColumns.Row(source: sources[0], start: 70, end: 80, value: 0),
    ]
    let answer = try answer(rows, of: stand, every: 1) { plan in
      plan.interval = nil
      plan.anchor = nil
    }
    #expect(answer.rule == .single)
    #expect(answer.starts == [5] && answer.ends == [60])
    #expect(answer.values.map(\.durations) == [[20], [10]])
    let empty = try self.answer([], of: stand, every: 1) { $0.interval = nil }
    #expect(empty.starts == [0] && empty.ends == [42] && empty.hasData == [false])
    #expect(empty.values.isEmpty)
  }

  @Test("categories last as long as they lie in the period", arguments: 0..<8)
  func clipped(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(1_700 + seed))
    let type = SampleType(identifier: "HKCategoryTypeIdentifierMindfulSession", kind: .category)
    let source = Source(name: "Watch")
    let rows = (0..<30).map { place in
      let start = Double(place * 1_000)
      return SampleColumns.Row(
        source: source, start: start, end: start + Double(Int.random(in: 0...900, using: &random)),
        value: 0)
    }
    let store = try SampleStore.holding(rows, of: type, label: "")
    let from = Double(Int.random(in: 0...10_000, using: &random))
    let to = from + Double(Int.random(in: 1...15_000, using: &random))
    var plan = StatisticsPlan(type: type, timeZone: .gmt)
    (plan.from, plan.to, plan.clips) = (QueryDate(instant: from), QueryDate(instant: to), true)
    let answer = try store.categoryStatistics(plan)
    let expected = rows.reduce(0.0) { $0 + max(0, min($1.end, to) - max($1.start, from)) }
    #expect(answer.rule == .collection && answer.starts == [from] && answer.ends == [to])
    #expect(abs((answer.values.first?.durations.first ?? 0) - expected) < 1e-6)
  }

  @Test("what makes no sense is refused")
  func refusals() throws {
    for policy in MergePolicy.allCases where policy != .healthKit && policy != .unmerged {
      #expect(throws: QueryError(.policyDoesNotFit(policy, stand))) {
        try answer([], of: stand, every: 5) { $0.policy = policy }
      }
    }
    let steps = SampleType(.stepCount)
    #expect(throws: QueryError(.notACategory(steps))) { try answer([], of: steps, every: 5) }
    let many = (0...StatisticsPlan.categoryValueLimit).map {
      SampleColumns.Row(source: sources[0], start: 0, end: 1, value: Double($0))
    }
    #expect(throws: QueryError(.tooManyValues(limit: StatisticsPlan.categoryValueLimit))) {
      try answer(many, of: stand, every: 5)
    }
    // Few intervals and few values, but too many of both together.
    let far = (0..<200).map {
      SampleColumns.Row(source: sources[0], start: 0, end: 2e8, value: Double($0))
    }
    #expect(throws: QueryError(.tooManyIntervals(limit: StatisticsPlan.intervalLimit))) {
      try answer(far, of: stand, every: 3600) { $0.to = nil }
    }
    let odd = try answer(
      [0.5, 1e300].map { .init(source: sources[0], start: 0, end: 100, value: $0) }, of: stand,
      every: 40)
    #expect(odd.values.map(\.constant) == [nil, nil])
    #expect(odd.values.map(\.durations) == [[40, 40], [40, 40]])
  }
}
