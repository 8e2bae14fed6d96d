import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit
@testable import HealthQuery

/// Predicates as conditions of a store, against the same predicates on the objects of the rows.
@Suite struct PredicateRowsTests {
  private struct Batch {
    var columns: RecordColumns
    var samples: [HKSample]
    var known: [UUID: Int64]
  }

  private static let sources = [
    Source(name: "Watch", bundleIdentifier: "com.example.watch"),
    Source(name: "Watch", bundleIdentifier: "com.example.other"),
    Source(name: "Scale", isUserEntered: true), Source(name: "Scale"), Source(name: "Watch"),
    // What another store has under the identifiers that imports get here.
    Source(
      name: "Watch", bundleIdentifier: HKSource(Source(name: "Watch")).bundleIdentifier),
    Source(name: "Scale", bundleIdentifier: "com.apple.Health"),
  ]

  private static let devices = [
    "", Trial.watch.text, Trial.scale.text, "Watch", "Watch, model:M, name:Scale",
  ]

  private static func batch(
    _ type: SampleType, _ labels: [String], _ source: Source, using random: inout SplitMix64
  ) throws -> Batch {
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    var columns = RecordColumns(type: type, source: source)
    for _ in 0..<40 {
      var entries: [Metadata.Entry] = []
      if source.isUserEntered { entries.append(.init(key: "HKWasUserEntered", value: "1")) }
      for key in ["a", "a", "b.c", "HKTimeZone"] where Bool.random(using: &random) {
        entries.append(
          pick([
            .init(key: key, .number(pick([0, 1, 1.5, 75]))), .init(key: key, value: "1"),
            .init(key: key, .string("Europe/Berlin")), .init(key: key, .date(pick([0, 1, 2, 3]))),
          ]))
      }
      let start = Double(Int.random(in: 0..<16, using: &random)) / 2
      try columns.append(
        start: start, end: start + Double(Int.random(in: -1..<4, using: &random)) / 2,
        value: Double(Int.random(in: 0..<8, using: &random)) / (labels.isEmpty ? 1 : 2),
        label: labels.isEmpty ? "" : pick(labels),
        origin: Origin(
          sourceVersion: pick(["", "1", "2"]), device: pick(devices),
          productType: source.bundleIdentifier.isEmpty ? "" : pick(["", "Watch6,1"]),
          operatingSystem: source.bundleIdentifier.isEmpty ? "" : pick(["", "10.1.0"])),
        metadata: Metadata(entries))
    }
    columns.serials = (1...40).map { Int64($0 * 3) }
    let identities = (0..<40).map { _ in UUID() }
    return Batch(
      columns: columns, samples: columns.samples(identities: identities),
      known: Dictionary(uniqueKeysWithValues: zip(identities, columns.serials)))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func rowsAndObjectsAgree(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
    let steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
    let sleep = try #require(Catalogue.type("HKCategoryTypeIdentifierSleepAnalysis"))
    let batches = try Self.sources.flatMap { source in
      [
        try Self.batch(mass, ["kg", "lb", "g"], source, using: &random),
        try Self.batch(steps, ["count"], source, using: &random),
        try Self.batch(sleep, [], source, using: &random),
      ]
    }
    var predicates = RandomPredicates(seed: seed &+ 100)
    predicates.sources = Self.sources.map(HKSource.init)
    predicates.devices = [Trial.watch, Trial.scale, HKDevice(text: "Watch")]
    predicates.uuids = batches.flatMap { $0.samples.prefix(2).map(\.uuid) }
    var (exact, selective, hits) = (0, 0, 0)
    for number in 0..<160 {
      let tree = predicates.tree(depth: number % 3)
      for batch in batches {
        let rows = tree.rows(of: batch.columns.type)
        let passes = rows.condition.test(of: batch.columns, batch.known)
        exact += rows.isExact ? 1 : 0
        selective += rows.condition == .all([]) ? 0 : 1
        for (row, sample) in batch.samples.enumerated() {
          let matches = try tree.holds(for: sample)
          hits += matches ? 1 : 0
          // An expectation each takes ten times as long as all else.
          if rows.isExact ? passes(row) != matches : matches && !passes(row) {
            Issue.record("row \(row) of \(tree.format)")
          }
        }
      }
    }
    let pairs = 160 * batches.count
    #expect(exact > pairs / 8 && selective > pairs / 4, "\(exact) and \(selective) of \(pairs)")
    #expect(hits > pairs * 4 && hits < pairs * 36, "both outcomes occur often")
  }

  /// What clients ask most is decided by a store alone.
  @Test func theUsualPredicatesNeedNoObjects() throws {
    let steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
    let (start, end) = (Trial.date(100), Trial.date(200))
    let period = HKQuery.predicateForSamples(withStart: start, end: end)
    let rows = period.tree.rows(of: steps)
    #expect(rows.isExact)
    #expect(rows.condition == .overlaps(100..<200))
    for predicate in [
      HKQuery.predicateForSamples(withStart: start, end: end, options: .strictStartDate),
      HKQuery.predicateForObjects(from: HKSource.default()),
      HKQuery.predicateForObjects(with: [UUID(), UUID()]),
      HKQuery.predicateForObjects(withMetadataKey: HKMetadataKeyTimeZone),
      NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered),
      NSCompoundPredicate(
        notPredicateWithSubpredicate: NSCompoundPredicate(orPredicateWithSubpredicates: [
          period, NSPredicate(value: false),
        ])),
    ] {
      #expect(predicate.tree.rows(of: steps).isExact, "\(predicate.tree.format)")
    }
    for predicate in [
      NSPredicate { _, _ in true }, NSPredicate(format: "startDate == endDate"),
      HKQuery.predicateForObjectsWithNoCorrelation(),
    ] {
      #expect(predicate.tree.rows(of: steps).isExact == false)
      #expect(predicate.tree.rows(of: steps).condition == .all([]))
    }
  }

  /// A quantity has no order beside several, so no row may be left out of the opposite.
  @Test(arguments: ["<", "<=", ">", ">=", "==", "!="], [0, 1, 2])
  func comparisonsWithSeveralQuantitiesAreLeftToObjects(words: String, count: Int) throws {
    let mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
    let list = (0..<count).map { HKQuantity(unit: .pound(), doubleValue: Double($0)) }
    let predicate = NSPredicate(format: "quantity \(words) %@", list)
    for isNegated in [false, true] {
      let rows = predicate.tree.rows(of: mass, isNegated: isNegated)
      #expect(rows.condition == .all([]) && !rows.isExact)
    }
  }

  @Test func conditionsOnValuesAreSentToTheStore() throws {
    let mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
    let heavy = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: .pound(), doubleValue: 150))
    let steps = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 150))
    guard case .value(.greaterOrEqual, let bound, .some) = heavy.tree.rows(of: mass).condition
    else { return #expect(Bool(false), "a store knows masses") }
    #expect(bound < 150 && bound > 149.99)
    #expect(steps.tree.rows(of: mass).condition == .any([]), "no mass is a number of steps")
  }
}
