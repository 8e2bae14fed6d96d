import Foundation
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@Suite("Samples by identity and by what changed")
struct SampleChangesTests {
  private static let types = [SampleType(.stepCount), SampleType(.bodyMass)]
  private static let labels = ["count", "kg"]

  private static func sample(using random: inout SplitMix64) -> NewSample {
    let place = Int.random(in: 0...1, using: &random)
    let name = ["Phone", "Watch"].randomElement(using: &random) ?? "Phone"
    let start = Double(Int.random(in: 0...50, using: &random))
    return NewSample(
      type: types[place], source: Source(name: name, bundleIdentifier: "com.example.\(name)"),
      start: start, end: start, value: Double(Int.random(in: 0...9, using: &random)),
      label: labels[place])
  }

  /// A store after random saves and deletions, with the samples by UUID in the order of saving.
  private static func store(
    using random: inout SplitMix64
  ) throws -> (SampleStore, [(uuid: UUID, sample: NewSample)]) {
    let store = try SampleStore.temporary()
    var all: [(uuid: UUID, sample: NewSample)] = []
    for _ in 0..<12 {
      let samples = (0..<Int.random(in: 1...6, using: &random)).map { _ in sample(using: &random) }
      all += zip(try store.save(samples), samples).map { ($0, $1) }
      let gone = all.indices.filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
      let uuids = Set(gone.map { all[$0].uuid })
      try store.delete(uuids)
      all.removeAll { uuids.contains($0.uuid) }
    }
    return (store, all)
  }

  private func uuids(_ batches: [RecordColumns], in store: SampleStore) throws -> [UUID] {
    try store.uuids(of: batches.flatMap(\.serials))
  }

  @Test("a UUID finds its sample, and no other", arguments: 0..<10)
  func identity(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let (store, all) = try Self.store(using: &random)
    for (uuid, sample) in all {
      let found = try store.records(
        SampleQuery(types: Self.types, predicate: .any([.uuid([uuid, UUID()]), .any([])])))
      #expect(try uuids(found, in: store) == [uuid])
      #expect(found.first?.starts == [sample.start] && found.first?.values == [sample.value])
    }
    let chosen = Set(all.prefix(3).map(\.uuid))
    let others = try store.records(
      SampleQuery(types: Self.types, predicate: .not(.uuid(chosen)), sort: [SampleSort(.added)]))
    #expect(try uuids(others, in: store) == all.map(\.uuid).filter { !chosen.contains($0) })
    #expect(try store.records(SampleQuery(types: Self.types, predicate: .uuid([UUID()]))).isEmpty)
  }

  @Test("changes since any anchor are those of the two states, page by page", arguments: 0..<20)
  func changes(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(90 + seed))
    let store = try SampleStore.temporary()
    var states: [(anchor: StoreAnchor, present: [UUID: NewSample])] = []
    var present: [UUID: NewSample] = [:]
    states.append((try store.anchor(), present))
    for _ in 0..<10 {
      let samples = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        Self.sample(using: &random)
      }
      for (uuid, sample) in zip(try store.save(samples), samples) { present[uuid] = sample }
      let gone = present.keys.sorted { $0.uuidString < $1.uuidString }
        .filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
      try store.delete(gone)
      for uuid in gone { present[uuid] = nil }
      states.append((try store.anchor(), present))
    }
    for state in states {
      for types in [Self.types, [Self.types[0]]] {
        for limit in [nil, 1, 3, 100] as [Int?] {
          var query = SampleQuery(types: types, limit: limit)
          query.after = state.anchor
          var (added, deleted): ([UUID], Set<UUID>) = ([], [])
          var pages = 0
          while true {
            let page = try store.changes(query)
            added += try uuids(page.added, in: store)
            deleted.formUnion(page.deleted.map(\.uuid))
            let count = page.added.reduce(0) { $0 + $1.count } + page.deleted.count
            if let limit { #expect(count <= limit) }
            query.after = page.anchor
            pages += 1
            try #require(pages < 200)
            if page.isComplete { break }
          }
          func isAsked(_ sample: NewSample) -> Bool { types.contains(sample.type) }
          let (old, new) = (
            state.present.filter { isAsked($0.value) }, present.filter { isAsked($0.value) }
          )
          #expect(Set(added) == Set(new.keys).subtracting(old.keys))
          #expect(Set(added).count == added.count)
          #expect(deleted.isSuperset(of: Set(old.keys).subtracting(new.keys)))
          #expect(deleted.isDisjoint(with: new.keys))
          #expect(try query.after == store.anchor())
        }
      }
    }
  }

  @Test("an anchor of another store is refused")
  func foreign() throws {
    let (store, other) = (try SampleStore.temporary(), try SampleStore.temporary())
    var query = SampleQuery(types: Self.types)
    query.after = try other.anchor()
    let error = #expect(throws: StoreError.self) { try store.changes(query) }
    #expect(error?.reason == .foreignAnchor)
  }
}
