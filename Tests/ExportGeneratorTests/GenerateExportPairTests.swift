import Foundation
import Testing
import _HealthTestSupport

@testable import ExportGenerator

@Suite("Two generated exports of one phone")
struct GenerateExportPairTests {
  /// A measurement as both exports should have it, whatever the offset and the version.
  private struct Measurement: Hashable {
    let start: Date
    let end: Date
    let source: String
    let value: String
  }

  private let formatter: DateFormatter

  init() {
    formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
  }

  private func measurements(of export: GeneratedExport) throws -> [String: Set<Measurement>] {
    try export.elements.records.reduce(into: [:]) { sets, record in
      let value = record["value"]
      let measurement = Measurement(
        start: try #require(formatter.date(from: record["startDate"])),
        end: try #require(formatter.date(from: record["endDate"])),
        source: record["sourceName"],
        value: value.hasSuffix("AsleepUnspecified") ? String(value.dropLast(11)) : value)
      sets[record["type"], default: []].insert(measurement)
    }
  }

  @Test(
    "The truth knows what only one of them has",
    arguments: [
      (Profile.watch, ExportVersion.version11, ExportVersion.version13),
      (.garmin, .version13, .version14), (.food, .version8, .version11),
    ])
  func changes(profile: Profile, from: ExportVersion, to: ExportVersion) throws {
    let first = try ExportPlan.sample(days: 9, version: from, density: 0.05, profile: profile)
    let second = try ExportPlan.sample(days: 9, version: to, density: 0.05, profile: profile)
      .laterSample(days: 3, from: from, offset: "+0200")
    let before = try measurements(of: GeneratedExport(first))
    let export = try GeneratedExport(second)
    let after = try measurements(of: export)
    let changes = try #require(export.truth.changes)
    for type in Set(before.keys).union(after.keys) where !type.hasSuffix("EffortScore") {
      let old = before[type] ?? []
      let new = after[type] ?? []
      let known = try #require(changes[type], "\(type)")
      // What stands inside correlations alone is in the truth, and not in these sets.
      guard export.truth.records[type]?.nestedOnly == 0 else { continue }
      #expect(known.both == old.intersection(new).count, "\(type)")
      #expect(known.onlyEarlier == old.subtracting(new).count, "\(type)")
      #expect(known.onlyLater == new.subtracting(old).count, "\(type)")
    }
    let all = changes.values
    #expect(all.contains { $0.both > 0 } && all.contains { $0.onlyLater > 0 })
    #expect(all.contains { $0.onlyEarlier > 0 })
  }

  @Test("A later export has other numbers for some workouts, and the same for the rest")
  func workouts() throws {
    let first = try ExportPlan.sample(days: 40, density: 0.01)
    let second = try first.laterSample(days: 20, from: .version13, offset: "-0700")
    func workouts(_ plan: ExportPlan) -> [Int: WorkoutPlan] {
      let all = (0..<plan.timeline.count).flatMap { plan.workouts(of: plan.person.plan(ofDay: $0)) }
      return Dictionary(uniqueKeysWithValues: all.map { ($0.start, $0) })
    }
    let before = workouts(first)
    let after = workouts(second)
    #expect(Set(before.keys).isStrictSubset(of: after.keys))
    let changed = before.filter { after[$0.key]?.energy != $0.value.energy }
    #expect(!changed.isEmpty && changed.count * 2 < before.count)
    #expect(before.allSatisfy { after[$0.key]?.seconds == $0.value.seconds })
  }

  @Test("Coalesced rows keep sums and span, and never join two devices or an interruption")
  func condensed() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      var now = 0
      let rows = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        now += Int.random(in: 0...200, using: &random)
        let end = now + Int.random(in: 1...60, using: &random)
        defer { now = end }
        return Row(
          start: now, end: end, created: end, value: Double.random(in: 0...9, using: &random),
          writer: Bool.random(using: &random) ? .watch : .phone,
          extra: Int.random(in: 0...9, using: &random) == 0 ? .userEntered : .none)
      }
      let condensed = rows.condensed()
      for writer in [Writer.watch, .phone] {
        let own = rows.filter { $0.writer == writer }
        let joined = condensed.filter { $0.writer == writer }
        let sum = own.reduce(0) { $0 + $1.value }
        #expect(abs(joined.reduce(0) { $0 + $1.value } - sum) < 1e-9)
        #expect(joined.map(\.start).min() == own.map(\.start).min())
        #expect(joined.map(\.end).max() == own.map(\.end).max())
        #expect(joined.count * 4 >= own.count)
        #expect(joined.count { $0.extra != .none } == own.count { $0.extra != .none })
        for row in joined {
          let members = own.filter { $0.start >= row.start && $0.end <= row.end }
          #expect((1...4).contains(members.count))
          #expect(
            zip(members, members.dropFirst()).allSatisfy { $1.start - $0.end <= 90 })
        }
      }
    }
  }

  @Test("Each second of a day counts for the highest source, an instant for one nobody covers")
  func daySums() {
    func row(_ start: Int, _ end: Int, _ value: Double, _ writer: Writer) -> Row {
      Row(start: start, end: end, created: end, value: value, writer: writer)
    }
    var sums = DaySums(midnights: [0, 1_000, 2_000])
    sums.add(
      [
        row(100, 200, 100, .watch), row(150, 250, 200, .phone), row(200, 200, 7, .food),
        row(260, 260, 5, .food), row(950, 1_050, 50, .phone),
      ], ofDay: 0)
    sums.add([row(1_000, 1_100, 10, .watch)], ofDay: 1)
    #expect(sums.days[0].raw == 100 + 200 + 7 + 5 + 25)
    #expect(sums.days[0].merged == 100 + 100 + 5 + 25)
    #expect(sums.days[1].raw == 25 + 10)
    #expect(sums.days[1].merged == 10)
    #expect(sums.days[1].sources[Writer.phone.name] == 25)
  }
}
