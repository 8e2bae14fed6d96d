import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthStoreSupport

@testable import ExportGenerator

/// Two exports that one phone made, some days apart.
struct ExportPair: CustomTestStringConvertible {
  let seed: UInt64
  let profile: Profile
  let from: ExportVersion
  let to: ExportVersion
  let units: RecordUnit.Preference
  let laterUnits: RecordUnit.Preference

  static let all = [
    Self(.watch, .version11, .version13, .metric, .imperial),
    Self(.watch, .version13, .ios27, .imperial, .kilojoules),
    Self(.watch, .version8, .version11, .kilojoules, .metric),
    Self(.iphone, .version11a, .version14, .metric, .kilojoules),
    Self(.iphone, .version3, .version8, .imperial, .imperial),
    Self(.garmin, .version12, .version12, .metric, .imperial),
    Self(.garmin, .ios8, .ios8, .imperial, .metric),
    Self(.food, .version11, .version12, .metric, .metric),
    Self(.food, .version14, .ios27, .imperial, .metric),
  ].enumerated().map { number, pair in pair.seeded(UInt64(number + 1)) }

  private init(
    _ profile: Profile, _ from: ExportVersion, _ to: ExportVersion,
    _ units: RecordUnit.Preference, _ laterUnits: RecordUnit.Preference, seed: UInt64 = 0
  ) {
    (self.profile, self.from, self.to, self.seed) = (profile, from, to, seed)
    (self.units, self.laterUnits) = (units, laterUnits)
  }

  private func seeded(_ seed: UInt64) -> Self {
    Self(profile, from, to, units, laterUnits, seed: seed)
  }

  var testDescription: String { "\(profile) \(from.name) → \(to.name), seed \(seed)" }

  /// Writes both, and gives what their generator knows of the later one.
  func write(to scratch: Scratch) throws -> Truth {
    let days = profile == .iphone ? 16 : 12
    let first = try ExportPlan.sample(
      seed: seed, days: days, offset: "+0100", deviceSeed: 7, version: from, preference: units,
      density: 0.1, profile: profile, language: Language.all[Int(seed) % Language.all.count])
    let second = try ExportPlan.sample(
      seed: seed, days: days, offset: "+0100", deviceSeed: 8, version: to,
      preference: laterUnits, density: 0.1, profile: profile,
      language: Language.all[Int(seed) % Language.all.count]
    ).laterSample(days: 4, from: from, offset: "-0330")
    _ = try ExportFiles(plan: first, detail: .counts).write(to: scratch.path("first.zip"))
    return try ExportFiles(plan: second, detail: .counts).write(to: scratch.path("second.zip"))
  }
}

@Suite("A later export of the same phone, imported after an earlier one")
final class TwoExportsTests: StoreSuite {
  /// What an import says of one type or kind.
  private struct Report: Equatable {
    var counts: [String: [String: Int]] = [:]
    var differences: [String: [String: Int]] = [:]

    init(_ run: ProgramRun) throws {
      let object = try run.object()
      try expectSums(in: object)
      for key in ["types", "elements"] {
        let part = try #require(object[key] as? [String: [String: Int]])
        counts.merge(part) { one, _ in one }
      }
      differences = try #require(object["differences"] as? [String: [String: Int]])
    }

    /// One count by type and kind, where it is not zero.
    func named(_ name: String) -> [String: Int] {
      counts.merging(differences) { $0.merging($1) { one, _ in one } }
        .compactMapValues { $0[name] }.filter { $0.value > 0 }
    }
  }

  private func `import`(_ name: String, into store: String, _ options: String...) throws -> Report {
    let run = try ProgramRun.hkstats(
      ["import", scratch.path(name), "--json", "--store", scratch.path(store)] + options)
    try #require(run.exitCode == 0, "\(run.errors)")
    return try Report(run)
  }

  private func contents(_ store: String) throws -> StoreContents {
    let opened = try SampleStore(path: scratch.path(store), mode: .readOnly)
    try opened.verify()
    return try StoreContents(opened)
  }

  private func copy(_ store: String, to other: String) throws {
    try FileManager.default.copyItem(at: scratch.url(store), to: scratch.url(other))
  }

  @Test(
    "The store is what a fresh import of the later one gives and what only the earlier one had",
    arguments: ExportPair.all)
  func later(pair: ExportPair) throws {
    let truth = try pair.write(to: scratch)
    _ = try `import`("first.zip", into: "store")
    let before = try contents("store")
    try copy("store", to: "replaced")

    let bytes = try Data(contentsOf: scratch.url("store"))
    let dry = try `import`("second.zip", into: "store", "--dry-run")
    #expect(try Data(contentsOf: scratch.url("store")) == bytes)
    let report = try `import`("second.zip", into: "store")
    #expect(report == dry)

    _ = try `import`("second.zip", into: "fresh")
    let fresh = try contents("fresh")
    let after = try contents("store")
    #expect(fresh.subtracting(after).isEmpty)
    // The rest stands there in the words of the earlier one, but for copies that only it had.
    for (item, count) in after.subtracting(fresh) where fresh.counts[item] == nil {
      #expect(before.counts[item, default: 0] >= count)
    }
    let onlyEarlier = after.surplus(over: fresh)
    #expect(report.named("onlyInStore") == onlyEarlier)
    #expect(report.named("deleted").isEmpty)
    try check(report, truth, pair)

    // What stayed of the earlier one has no rival in the later one.
    let (left, added) = (after.records(over: fresh), fresh.records(over: before))
    for (type, records) in left {
      let rivals = added[type] ?? []
      let count = records.count { record in rivals.contains { record.isRival(of: $0) } }
      #expect(count == 0, "\(type)")
    }

    let replaced = try `import`("second.zip", into: "replaced", "--replace")
    #expect(try contents("replaced") == fresh)
    let lacking = onlyEarlier.merging(report.named("superseded"), uniquingKeysWith: +)
    #expect(replaced.named("deleted") == lacking)
    #expect(replaced.named("onlyInStore").isEmpty)

    _ = try `import`("first.zip", into: "fresh")
    #expect(try contents("fresh") == after)
    let again = try `import`("first.zip", into: "store")
    #expect(again.named("new").isEmpty && again.named("superseded").isEmpty)
    #expect(try contents("store") == after)
    let last = try `import`("second.zip", into: "store")
    #expect(last.named("new").isEmpty && last.named("superseded").isEmpty)
    #expect(try contents("store") == after)
  }

  /// The report says of each record what the generator knows; hours of iOS 8 it does not compare.
  private func check(_ report: Report, _ truth: Truth, _ pair: ExportPair) throws {
    guard pair.from > .ios8 else { return }
    for (name, changes) in try #require(truth.changes) {
      let counts = report.counts[name] ?? [:]
      #expect(counts["known", default: 0] == changes.both, "\(name)")
      #expect(counts["new", default: 0] == changes.onlyLater, "\(name)")
      let differences = report.differences[name] ?? [:]
      let lacking = differences["onlyInStore", default: 0] + differences["superseded", default: 0]
      #expect(lacking == changes.onlyEarlier, "\(name)")
      // A version that says more of a workout changes every one.
      if pair.from.tellsOfWorkouts == pair.to.tellsOfWorkouts {
        #expect(differences["changed", default: 0] == changes.replaced, "\(name)")
      }
    }
  }
}

extension ExportVersion {
  /// What the version tells of workouts.
  fileprivate var tellsOfWorkouts: [Bool] {
    [hasEventDurations, hasWorkoutStatistics, hasZones, hasEfforts]
  }
}

extension StoredRecord {
  /// Whether another record of the source says something of the same time.
  fileprivate func isRival(of other: Self) -> Bool {
    source == other.source && start < other.end && other.start < end
  }
}
