import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Some sources alone")
struct SelectionTests {
  private let steps = SampleType(.stepCount)

  private static let selections: [(SourceSelection, @Sendable (Source) -> Bool)] = [
    (SourceSelection(only: ["Anna's iPhone"]), { $0.name == "Anna’s iPhone" }),
    (SourceSelection(only: ["Anna’s iPhone (entered by hand)"]), { $0.isUserEntered }),
    (SourceSelection(excluding: ["Anna's iPhone (entered by hand) "]), { !$0.isUserEntered }),
    (SourceSelection(excluding: ["Anna’s iPhone"]), { $0.name != "Anna’s iPhone" }),
    (
      SourceSelection(
        only: ["Anna's iPhone", "Anna's Apple Watch"],
        excluding: ["Anna's iPhone (entered by hand)"]), { !$0.isUserEntered }
    ),
    (SourceSelection(only: ["Nobody"]), { _ in false }),
  ]

  @Test("answer as if the others had never measured", arguments: 0..<36)
  func laws(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(2_100 + seed))
    let stores = RandomStores()
    let kind = seed.isMultiple(of: 3) ? RandomStores.Kind.turns : .together
    let rows = Array(stores.rows(kind, using: &random).prefix(500))
    let (selection, takes) = Self.selections[seed % 6]
    let chosen = try stores.store(rows, of: steps, label: "count").choosing(selection)
    let alone = try stores.store(rows.filter { takes($0.source) }, of: steps, label: "count")
    var plan = try stores.plan(steps, from: rows.map(\.start).min() ?? 0, using: &random)
    // Where no sample is left, the unit of the others is still known.
    plan.unit = steps.canonicalUnit
    let (found, expected) = (try chosen.statistics(plan), try alone.statistics(plan))
    #expect(found.intervals == expected.intervals && found.priority == expected.priority)
    #expect(try chosen.samples(of: steps) == alone.samples(of: steps))
    #expect(try chosen.sources(of: steps) == alone.sources(of: steps))
    #expect(
      try chosen.datedSamples(of: steps).samples == alone.datedSamples(of: steps).samples)
    if plan.policy != .highest {
      let range = -1e10..<1e10
      #expect(
        try chosen.mergedSamples(of: steps, in: range, policy: plan.policy)
          == alone.mergedSamples(of: steps, in: range, policy: plan.policy))
    }
    var counts = (chosen: 0, alone: 0)
    try chosen.forEachBatch(of: steps) { counts.chosen += $0.count }
    try chosen.forEachRowRange(of: steps) { _, run in
      counts.alone += run.count
      return true
    }
    #expect(counts.chosen == counts.alone && counts.alone == rows.filter { takes($0.source) }.count)
  }

  @Test("a name means what is printed for it")
  func names() {
    let hand = Source(name: "Health", isUserEntered: true)
    let device = Source(name: "Health")
    let marked = Source(name: "Health (entered by hand)")
    #expect(hand.isNamed("Health") && hand.isNamed("\u{A0}Health (entered by hand)"))
    #expect(device.isNamed("Health") && !device.isNamed("Health (entered by hand)"))
    #expect(marked.isNamed("Health (entered by hand)") && !marked.isNamed("Health"))
    let facts = [device, hand].map {
      SourceFacts(source: $0, deviceKind: .other, firstStart: 0)
    }
    let watch = SourceFacts(source: Source(name: "Watch"), deviceKind: .watch, firstStart: 0)
    let order = SourcePriority.standard(
      for: facts + [watch], preferred: ["Watch", "Health (entered by hand)"]
    ).order
    #expect(order == [watch.source, hand, device])
    #expect(
      SourcePriority.unmatched(["Health (entered by hand)", "Healt"], in: facts) == ["Healt"])
  }
}
