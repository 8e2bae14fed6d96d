import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Exactly the period")
struct ClipTests {
  private let steps = SampleType(.stepCount)
  private let stores = RandomStores()

  /// A store, and a period of whole seconds inside of its data.
  private func made(
    _ seed: Int, _ type: SampleType, label: String
  ) throws -> (store: SampleStore, from: Double, to: Double, random: SplitMix64) {
    var random = SplitMix64(seed: UInt64(1_300 + seed))
    let rows = Array(
      stores.rows(RandomStores.Kind.allCases[seed % 3], using: &random).prefix(400))
    let store = try stores.store(rows, of: type, label: label)
    let first = try #require(rows.map(\.start).min())
    let last = try #require(rows.map(\.end).max())
    let from = Double.random(in: first...last, using: &random).rounded()
    let to = from + Double(Int.random(in: 1...400_000, using: &random))
    return (store, from, to, random)
  }

  private static let policies: [MergePolicy] = [
    .healthKit, .unmerged, .subtractive, .drop, .highest,
  ]

  @Test("without intervals is one interval of that length", arguments: 0..<20)
  func oneInterval(seed: Int) throws {
    let (store, from, to, _) = try made(seed, steps, label: "count")
    var plan = StatisticsPlan(type: steps, timeZone: try TimeZone.named("Europe/Paris"))
    plan.policy = Self.policies[seed % 5]
    plan.from = QueryDate(instant: from)
    plan.to = QueryDate(instant: to)
    plan.clips = true
    let clipped = try store.statistics(plan)
    plan.clips = false
    plan.interval = CalendarInterval(seconds: Int(to - from))
    let interval = try store.statistics(plan)
    #expect(clipped.rule == .collection && clipped.intervals == interval.intervals)
    #expect(clipped.intervals.starts == [from] && clipped.intervals.ends == [to])
  }

  @Test("cuts the first and the last interval, and shares samples out", arguments: 0..<20)
  func parts(seed: Int) throws {
    var (store, from, to, random) = try made(seed, steps, label: "count")
    let zone = try TimeZone.named(["Europe/Paris", "America/St_Johns"][seed % 2])
    var plan = StatisticsPlan(type: steps, timeZone: zone)
    plan.policy = seed.isMultiple(of: 3) ? .unmerged : .healthKit
    plan.from = QueryDate(instant: from, alignsIntervals: true)
    plan.to = QueryDate(instant: to)
    plan.clips = true
    let whole = try store.statistics(plan).intervals
    let total = try #require(whole[raw: .sum]?.first)
    plan.interval = CalendarInterval([.hour, .day, .week, .month][seed % 4])
    let parts = try store.statistics(plan).intervals
    #expect(parts.starts.first == from && parts.ends.last == to)
    #expect(parts.starts.dropFirst().elementsEqual(parts.ends.dropLast()))
    let sum = try #require(parts[raw: .sum]).reduce(0, +)
    #expect(abs(sum - total) <= 1e-9 * max(1, abs(total)))
    // Two halves make the whole.
    plan.interval = nil
    let middle = (from + Double.random(in: 0...(to - from), using: &random)).rounded()
    guard from < middle, middle < to else { return }
    plan.to = QueryDate(instant: middle)
    let left = try store.statistics(plan).intervals[raw: .sum]?.first
    (plan.from, plan.to) = (QueryDate(instant: middle), QueryDate(instant: to))
    let right = try store.statistics(plan).intervals[raw: .sum]?.first
    let both = try #require(left) + #require(right)
    #expect(abs(both - total) <= 1e-9 * max(1, abs(total)))
  }

  @Test("an open side reaches as far as the data, a last instant included")
  func openSides() throws {
    let source = Source(name: "iPhone")
    let rows = [(0.0, 100.0), (200, 200)].map {
      SampleColumns.Row(source: source, start: $0.0, end: $0.1, value: 10)
    }
    let store = try stores.store(rows, of: steps, label: "count")
    var plan = StatisticsPlan(type: steps, timeZone: .gmt)
    plan.clips = true
    plan.from = QueryDate(instant: 50)
    var answer = try store.statistics(plan).intervals
    #expect(answer[raw: .sum] == [15] && answer.starts == [50] && answer.counts == [2])
    (plan.from, plan.to) = (nil, QueryDate(instant: 75))
    answer = try store.statistics(plan).intervals
    #expect(answer[raw: .sum] == [7.5] && answer.starts == [0] && answer.ends == [75])
    (plan.from, plan.to) = (QueryDate(instant: 1_000), nil)
    #expect(try store.statistics(plan).intervals.count == 0)
    plan.to = QueryDate(instant: 2_000)
    #expect(try store.statistics(plan).intervals.hasData == [false])
  }
}
