import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthQuery
@testable import HealthStore

/// Answers from aggregates of what is stored, against those from columns of all samples.
@Suite("Statistics from aggregates")
struct SummarisedStatisticsTests {
  private let stores = RandomStores()

  private func agree(
    _ found: StatisticsAnswer, _ expected: StatisticsAnswer, magnitudes: StatisticsColumns
  ) throws {
    #expect(found.intervals.starts == expected.intervals.starts)
    #expect(found.intervals.ends == expected.intervals.ends)
    #expect(found.intervals.hasData == expected.intervals.hasData)
    #expect(found.intervals.counts == expected.intervals.counts)
    #expect(found.intervals[raw: .min] == expected.intervals[raw: .min])
    #expect(found.intervals[raw: .max] == expected.intervals[raw: .max])
    #expect(found.priority == expected.priority && found.unit == expected.unit)
    #expect(found.unlistedSources == expected.unlistedSources)
    for (left, right, isMean) in [
      (found.intervals[raw: .sum], expected.intervals[raw: .sum], false),
      (found.intervals[raw: .mean], expected.intervals[raw: .mean], true),
    ] {
      #expect((left == nil) == (right == nil))
      guard let left, let right, left.count == right.count else { continue }
      for row in left.indices {
        let terms = try #require(magnitudes[raw: .sum])[row]
        let scale = isMean ? terms / Double(max(1, magnitudes.counts[row])) : terms
        // Each of the two is within 2^-50 of the exact one; a unit or a quotient rounds once more.
        #expect(abs(left[row] - right[row]) <= 0x1p-48 * scale)
      }
    }
  }

  /// The sum of the magnitudes of all terms of each interval, by the raw sums of a cumulative type.
  private func magnitudes(
    _ rows: [SampleColumns.Row], of plan: StatisticsPlan, facts: [SourceFacts], unit: UnitExpression
  ) throws -> StatisticsColumns {
    var plan = plan
    let own = try #require(plan.type.canonicalUnit)
    plan.type = SampleType(
      identifier: plan.type.identifier, kind: .quantity(canonicalUnit: own, style: .cumulative))
    (plan.style, plan.statistics, plan.unit) = (nil, [.sum], unit)
    // Its intervals are others, and it is never answered from aggregates.
    if plan.policy != .healthConnect { plan.policy = .unmerged }
    let positive = rows.map { row in
      var row = row
      row.value = abs(row.value)
      return row
    }
    return try plan.answer(
      samples: SampleColumns(type: plan.type, rows: positive), facts: facts
    ).intervals
  }

  /// More on demand: HKSTATS_SUMMARY_CASES=3000.
  private static let cases =
    ProcessInfo.processInfo.environment["HKSTATS_SUMMARY_CASES"].flatMap { Int($0) } ?? 12

  @Test("are those of all samples, for every policy, grid and zone", arguments: 0..<cases)
  func cumulative(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let kind = try #require(RandomStores.Kind(rawValue: seed % 3))
    let type = StoreRecords.distance
    let recorded = stores.rows(kind, using: &random)
    let label = Bool.random(using: &random) ? "m" : "km"
    let store = try stores.store(recorded, of: type, label: label)
    let rows = Set(
      recorded.map { row in
        var row = row
        row.value = ReferenceStore.canonical(row.value, label, type)
        return row
      })
    let facts = try stores.facts(store, type)
    for _ in 0..<3 {
      var plan = try stores.plan(type, from: 7e8, using: &random)
      plan.statistics = Bool.random(using: &random) ? [.sum, .count] : nil
      let range = try plan.sampleRange(firstSample: rows.map(\.start).min())
      let samples = SampleColumns(
        type: type,
        rows: rows.filter { $0.end >= range.lowerBound && $0.start < range.upperBound })
      let dated =
        plan.policy == .healthConnect
        ? try store.datedSamples(of: type, in: range).lastModified : nil
      let found = try store.statistics(plan)
      let expected = try plan.answer(
        samples: samples, facts: facts, recordedUnit: label, lastModified: dated)
      try agree(
        found, expected,
        magnitudes: try magnitudes(
          Array(rows), of: plan, facts: facts, unit: expected.unit))
    }
  }

  @Test("of discrete types are those of all samples, too", arguments: 0..<cases / 2)
  func discrete(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(1_000 + seed))
    let kind = try #require(RandomStores.Kind(rawValue: seed % 3))
    let isPlain = seed % 2 == 0
    let type = try #require(
      Catalogue.type(
        isPlain ? "HKQuantityTypeIdentifierBodyTemperature" : "HKQuantityTypeIdentifierHeartRate"))
    #expect(
      type.style == (isPlain ? .discreteArithmetic : .discreteTemporallyWeighted))
    let labels = isPlain ? ["degC", "degF"] : ["count/min", "count/s"]
    let label = try #require(labels.randomElement(using: &random))
    let recorded = stores.rows(kind, using: &random)
    let store = try stores.store(recorded, of: type, label: label)
    let rows = recorded.map { row in
      var row = row
      row.value = ReferenceStore.canonical(row.value, label, type)
      return row
    }
    let facts = try stores.facts(store, type)
    for _ in 0..<3 {
      var plan = try stores.plan(type, from: 7e8, using: &random)
      plan.statistics = isPlain ? [.mean, .min, .max, .count] : [.min, .max, .count]
      let range = try plan.sampleRange(firstSample: rows.map(\.start).min())
      let samples = SampleColumns(
        type: type,
        rows: Set(rows).filter { $0.end >= range.lowerBound && $0.start < range.upperBound })
      let found = try store.statistics(plan)
      // Rates that were recorded by the second are shown by the minute.
      let expected = try plan.answer(
        samples: samples, facts: facts, recordedUnit: try store.outputUnit(of: type))
      let unit = try #require(type.canonicalUnit)
      plan.unit = unit
      try agree(
        found, expected,
        magnitudes: try magnitudes(
          // Degrees in any unit are no less than these.
          rows.map { row in
            var row = row
            row.value = abs(row.value) * 3 + 300
            return row
          }, of: plan, facts: facts, unit: unit))
    }
  }

  @Test("of whole numbers have the same bits, whatever was stored first")
  func wholeNumbers() throws {
    var random = SplitMix64(seed: 77)
    let type = StoreRecords.steps
    let rows = stores.rows(.alone, using: &random).map { row in
      var row = row
      row.value = row.value.rounded(.up)
      row.end = min(row.end, row.start + 2_000)
      return row
    }
    let whole = try stores.store(rows, of: type, label: "count")
    let parts = try SampleStore.temporary()
    for part in 0..<7 {
      let some = try stores.store(
        rows.enumerated().filter { $0.offset % 7 == part }.map(\.element), of: type, label: "count")
      let session = try parts.beginImport()
      for batch in try some.records(of: type) { try session.add(batch) }
      _ = try session.finish(exported: 1)
    }
    for interval in [
      nil, CalendarInterval(.hour), CalendarInterval(.day), CalendarInterval(.month),
    ] {
      var plan = StatisticsPlan(type: type, timeZone: try TimeZone.named("UTC"))
      plan.interval = interval
      let expected = try plan.answer(
        samples: SampleColumns(type: type, rows: Set(rows)), facts: try stores.facts(whole, type))
      // What no edge cuts adds up to a whole number; the rest is a share of one.
      let sums = try #require(expected.intervals[raw: .sum])
      for found in [try whole.statistics(plan), try parts.statistics(plan)] {
        #expect(found.intervals.counts == expected.intervals.counts)
        let others = try #require(found.intervals[raw: .sum])
        for (sum, other) in zip(sums, others) {
          #expect(sum == other || abs(sum - other) <= sum.ulp && sum != sum.rounded())
        }
      }
    }
  }

  @Test("hold every sample once, in a few runs where nothing cuts", arguments: 0..<6)
  func everySampleOnce(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(500 + seed))
    let kind = try #require(RandomStores.Kind(rawValue: seed % 3))
    let type = StoreRecords.steps
    let rows = Set(stores.rows(kind, using: &random))
    let store = try stores.store(Array(rows), of: type, label: "count")
    for onlyUncontested in [true, false] {
      let all = try store.preaggregatedSamples(
        of: type, in: -.infinity..<(.infinity),
        by: SampleGroups(wholeIn: -.infinity..<(.infinity)), onlyUncontested: onlyUncontested)
      #expect(all.samples.count + all.aggregates.counts.reduce(0, +) == rows.count)
      if !onlyUncontested || kind == .alone { #expect(all.samples.isEmpty) }
      if kind == .together, onlyUncontested { #expect(all.aggregates.count == 0) }
      if kind == .turns { #expect(all.aggregates.count > 0) }
      let edges = stride(from: 6.9e8, through: 8e8, by: 86_400.0)
      let days = try Boundaries(edges: Array(edges))
      let byDay = try store.preaggregatedSamples(
        of: type, in: 6.9e8..<8e8,
        by: SampleGroups(days), onlyUncontested: onlyUncontested)
      let inside = rows.filter { $0.end >= 6.9e8 && $0.start < 8e8 }
      #expect(byDay.samples.count + byDay.aggregates.counts.reduce(0, +) == inside.count)
      #expect(Set(byDay.aggregates.sources).isSubset(of: Set(byDay.samples.sources)))
      for run in 0..<byDay.aggregates.count {
        let day = days.edges.lastEdge(notAfter: byDay.aggregates.firstStarts[run])
        try #require(0..<days.count ~= day)
        #expect(byDay.aggregates.lastEnds[run] <= days.edges[day + 1])
      }
    }
  }

  @Test("keep the sources apart that the policy chooses from, and count for one row of all")
  func single() throws {
    var random = SplitMix64(seed: 31)
    let type = StoreRecords.steps
    let rows = Set(stores.rows(.together, using: &random))
    let store = try stores.store(Array(rows), of: type, label: "count")
    for policy in [MergePolicy.unmerged, .highest] {
      var plan = StatisticsPlan(type: type, timeZone: try TimeZone.named("UTC"))
      plan.policy = policy
      let answer = try store.statistics(plan)
      let sums = Dictionary(grouping: rows, by: \.source).mapValues { rows in
        rows.reduce(0) { $0 + $1.value }
      }
      let expected =
        policy == .unmerged ? sums.values.reduce(0, +) : try #require(sums.values.max())
      let sum = try #require(answer.intervals[raw: .sum]?.first)
      #expect(abs(sum - expected) <= 1e-9 * abs(expected))
      #expect(answer.intervals.starts == [try #require(rows.map(\.start).min())])
      #expect(answer.intervals.ends == [try #require(rows.map(\.end).max())])
    }
  }
}
