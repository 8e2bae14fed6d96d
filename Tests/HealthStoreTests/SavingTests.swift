import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("Samples saved and deleted one by one") struct SavingTests {
  private let phone = Source(name: "Phone", bundleIdentifier: "com.example.steps")

  private func sample(_ start: Double, _ value: Double, uuid: UUID? = nil) -> NewSample {
    NewSample(
      type: StoreRecords.steps, source: phone, start: start, end: start + 60, value: value,
      label: "count", created: start + 61, uuid: uuid)
  }

  /// The rows of a type: serial, start and value.
  private func rows(
    _ store: SampleStore, after serial: Int64 = 0
  ) throws -> [[Double]] {
    var rows: [[Double]] = []
    try store.forEachRowRange(of: StoreRecords.steps, after: serial) { batch, range in
      for row in range {
        rows.append([Double(batch.serials[row]), batch.starts[row], batch.values[row]])
      }
      return true
    }
    return rows
  }

  private func importRecords(
    _ store: SampleStore, _ batch: RecordColumns, replacing: Bool = false, restoring: Bool = false,
    exported: Double
  ) throws -> ImportSummary.Counts {
    let session = try store.beginImport()
    try session.add(batch)
    let report = try session.finish(
      replacing: replacing, restoring: restoring, exported: exported)
    return try #require(report.types[batch.type.identifier])
  }

  @Test("are there with their UUIDs, once")
  func saves() throws {
    let folder = try TemporaryFolder()
    let uuid = UUID()
    do {
      let store = try SampleStore(path: folder.file(), mode: .readWrite)
      let before = try store.anchor()
      let uuids = try store.save([sample(100, 5), sample(50, 7, uuid: uuid)])
      #expect(uuids[1] == uuid)
      #expect(try store.save([sample(900, 9, uuid: uuid)]) == [uuid])
      #expect(try rows(store) == [[2, 50, 7], [1, 100, 5]])
      #expect(try store.uuids(of: [1, 2]) == uuids)
      #expect(try store.serials(of: uuids + [UUID()]) == [uuids[0]: 1, uuids[1]: 2])
      #expect(try before < store.anchor())
      try store.verify()
    }
    let store = try SampleStore(path: folder.file(), mode: .readOnly)
    #expect(try rows(store) == [[2, 50, 7], [1, 100, 5]])
    #expect(try store.sources().map(\.source.bundleIdentifier) == ["com.example.steps"])
  }

  @Test("are refused as a whole when one is wrong")
  func invalid() throws {
    let store = try SampleStore.temporary()
    var wrong = sample(5, .nan)
    for change: (inout NewSample) -> Void in [
      { _ in },
      {
        $0.value = 1
        $0.end = 4
      },
      {
        $0.value = 1
        $0.label = "kg"
      },
    ] {
      change(&wrong)
      #expect {
        try store.save([sample(1, 1), wrong])
      } throws: {
        ($0 as? StoreError)?.reason == .invalidSample(index: 1)
      }
    }
    #expect(try store.types().isEmpty)
    #expect(try store.anchor().serial == 0)
  }

  @Test("are gone when they are deleted, and stay deleted when their export comes again")
  func deletes() throws {
    let store = try SampleStore.temporary()
    var batch = RecordColumns(type: StoreRecords.steps, source: Source(name: "Watch"))
    for minute in 0..<5000 {
      let start = Double(minute) * 60
      try batch.append(start: start, end: start + 60, value: Double(minute % 100), label: "count")
    }
    #expect(try importRecords(store, batch, exported: 1).new == 5000)
    let anchor = try store.anchor()
    let uuids = try store.uuids(of: [1, 2500, 5000])
    #expect(try store.serials(of: uuids).values.sorted() == [1, 2500, 5000])
    #expect(try store.delete(uuids + [UUID()]) == 3)
    #expect(try store.delete(uuids) == 0)
    #expect(try store.deletions(after: anchor).map(\.uuid).sorted() == uuids.sorted())
    #expect(try rows(store).count == 4997)
    try store.verify()
    let again = try importRecords(store, batch, exported: 2)
    #expect((again.new, again.known, again.deletedBefore) == (0, 5000, 0))
    #expect(try rows(store).count == 4997)
    let restored = try importRecords(store, batch, restoring: true, exported: 3)
    #expect((restored.new, restored.known) == (0, 5000))
    #expect(try rows(store, after: anchor.serial).map { $0[1] } == [0, 2499 * 60, 4999 * 60])
    #expect(try importRecords(store, batch, exported: 4).deletedBefore == 0)
    try store.verify()
    #expect(
      try store.delete(.samples(StoreRecords.steps), in: 0..<6000) { batch, row in
        batch.values[row] < 50
      }.deletedSamples == 50)
    #expect(try rows(store).count == 4950)
    try store.verify()
  }

  @Test("leave the same when thousands of them are deleted one by one and at once")
  func thousands() throws {
    var random = SplitMix64(seed: 61)
    var batch = RecordColumns(type: StoreRecords.steps, source: phone)
    for minute in 0..<2_000 {
      let start = Double(minute) * 120
      try batch.append(start: start, end: start + 60, value: Double(minute % 70), label: "count")
    }
    // Half of them are at a time of their own, half the same as those of the file.
    let saves = (0..<2_000).map { place in
      sample(Double(place) * 240 + Double(place % 2) * 60, 7, uuid: UUID())
    }
    let chosen = (0..<2_000).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      .shuffled(using: &random)
    var stores: [SampleStore] = []
    for isAtOnce in [false, true] {
      let store = try SampleStore.temporary()
      _ = try importRecords(store, batch, exported: 1)
      let uuids = try store.uuids(of: (1...2_000).map { Int64($0) })
      let saved = try store.save(saves)
      // Those of files are in the order of time.
      let deleted = chosen.flatMap { [uuids[$0], saved[$0]] }
      if isAtOnce {
        #expect(try store.delete(deleted) == deleted.count)
      } else {
        for uuid in deleted { #expect(try store.delete([uuid]) == 1) }
        #expect(try store.deletions().count == deleted.count)
      }
      stores.append(store)
    }
    func expectSame() throws {
      let all = try stores.map { store in
        try rows(store).map { $0.dropFirst() }.sorted { $0.lexicographicallyPrecedes($1) }
      }
      #expect(all[0] == all[1])
      let out = try stores.map { try $0.keptOut().map { [$0.start, $0.value] } }
      #expect(out[0] == out[1])
      for store in stores { try store.verify() }
    }
    try expectSame()
    for store in stores { _ = try importRecords(store, batch, exported: 2) }
    try expectSame()
    for store in stores { try store.restore(.all, in: 0..<50_000) }
    try expectSame()
    for store in stores { try store.restore(.all) }
    try expectSame()
    #expect(try rows(stores[0]).count > 3_000)
  }

  @Test(
    "tell of damage in what their deletions left",
    arguments: [
      "UPDATE memberSets SET acts = '99' WHERE acts <> ''",
      "UPDATE memberSets SET acts = 'first' WHERE acts <> ''",
      "UPDATE memberSets SET files = '99' WHERE acts <> ''",
      "UPDATE memberSets SET id = id + 1 WHERE id = (SELECT max(id) FROM memberSets)",
      "UPDATE acts SET content = x'00' WHERE kind = 'd'",
      "UPDATE acts SET kind = 'x' WHERE kind = 'd'", "UPDATE acts SET kind = 'i' WHERE kind = 'd'",
    ])
  func damage(change: String) throws {
    let store = try SampleStore.temporary()
    var batch = RecordColumns(type: StoreRecords.steps, source: phone)
    for minute in 0..<9 {
      let start = Double(minute) * 60
      try batch.append(start: start, end: start + 60, value: 5, label: "count")
    }
    _ = try importRecords(store, batch, exported: 1)
    let uuids = try store.uuids(of: [3, 4, 5])
    try store.delete([uuids[0]])
    // Digests hold what the transaction writes: only who reads a set or an act finds it.
    _ = try store.write { database, _ in try database.execute(sql: change) }
    expect(.damaged) { _ = try store.deletions() }
    expect(.damaged) { try store.restore(.all) }
    expect(.damaged) { _ = try importRecords(store, batch, exported: 2) }
    expect(.damaged) { try store.verify() }
  }

  @Test("are deleted and restored together as one by one, in any order", arguments: 0..<12)
  func together(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let folder = try TemporaryFolder()
    let first = try SampleStore(path: folder.file("first"), mode: .readWrite)
    func workout(_ start: Double, _ source: Source) -> Workouts {
      var row = Workouts.Row()
      row.activity = "HKWorkoutActivityTypeRunning"
      (row.facts.source, row.facts.start, row.facts.end) = (source, start, start + 600)
      return Workouts([row])
    }
    var known: Set<UUID> = []
    for round in 0..<3 {
      // Rows of both sources get their serials in turns, and many start at one time.
      let session = try first.beginImport()
      for source in [Source(name: "Watch"), Source(name: "Phone")] {
        var batch = RecordColumns(type: StoreRecords.steps, source: source)
        for _ in 0..<200 {
          let start = Double(Int.random(in: 0..<300, using: &random)) * 60
          try batch.append(
            start: start, end: start + 60, value: Double(Int.random(in: 1..<9, using: &random)),
            label: "count")
        }
        try session.add(batch)
        try session.add(.workouts(workout(Double(round) * 900, source)))
      }
      _ = try session.finish(exported: Double(round))
      var objects = NewObjects()
      objects.samples = (0..<100).map { index in
        sample(
          Double(Int.random(in: 0..<40, using: &random)) * 60, Double(index), uuid: UUID())
      }
      objects.elements = [NewElement(.workouts(workout(Double(round) * 900, phone)))]
      known.formUnion(objects.samples.compactMap(\.uuid) + objects.elements.map(\.uuid))
      try first.save(objects)
    }
    known.formUnion(try first.uuids(of: first.records(of: StoreRecords.steps).flatMap(\.serials)))
    try first.forEachIdentifiedElement(of: .workout) {
      known.insert($0.uuid)
      return true
    }
    let serials = try first.serials(of: known)
    let order = known.sorted { serials[$0] ?? 0 < serials[$1] ?? 0 }
    try #require(serials.count == known.count && known.count > 900)
    try first.backUp(to: folder.file("second"))
    let second = try SampleStore(path: folder.file("second"), mode: .readWrite)
    func counting(_ answers: [String]) -> Int {
      answers.count { $0.hasPrefix("sample ") || $0.hasPrefix("element ") }
    }
    func gain(_ change: HistoryChange) -> Int {
      change.returnedSamples + change.returnedElements - change.deletedSamples
        - change.deletedElements
    }
    var before = try counting(first.answers())
    for round in 0..<8 {
      let count = [1, 7, 60, 200].randomElement(using: &random) ?? 1
      let chosen = order.shuffled(using: &random).prefix(count) + [UUID(), UUID()]
      let isDeletion = round < 2 || Bool.random(using: &random)
      func change(_ store: SampleStore, _ uuids: [UUID]) throws -> Int {
        try gain(isDeletion ? store.delete(uuids, dryRun: false) : store.restore(uuids))
      }
      let together = try change(first, Array(chosen))
      let alone = try chosen.shuffled(using: &random).reduce(0) { try $0 + change(second, [$1]) }
      let answers = try first.answers()
      #expect(try answers == second.answers())
      #expect(together == alone && together == counting(answers) - before)
      before = counting(answers)
      let found = try first.serials(of: known)
      #expect(found.count == known.count)
      for uuid in chosen.prefix(50) where known.contains(uuid) {
        #expect(try first.serials(of: [uuid])[uuid] == found[uuid])
      }
    }
    for store in [first, second] { try store.verify() }
  }

  @Test("keep serials and answers in any history", arguments: 0..<12)
  func histories(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let store = try SampleStore.temporary()
    var model: [Int64: (start: Double, value: Double, uuid: UUID)] = [:]
    var last: Int64 = 0
    var anchors: [(anchor: StoreAnchor, live: Set<Int64>)] = []
    var deleted: [Int64] = []
    for _ in 0..<60 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0..<4:
        let count = [1, 1, 3, 40, 900].randomElement(using: &random) ?? 1
        let isBackdated = Bool.random(using: &random)
        let samples = (0..<count).map { _ in
          sample(
            Double(Int.random(in: isBackdated ? 0..<400 : 390..<400, using: &random)) * 30,
            Double(Int.random(in: 1..<9, using: &random)))
        }
        let uuids = try store.save(samples)
        for (sample, uuid) in zip(samples, uuids) {
          last += 1
          model[last] = (sample.start, sample.value, uuid)
        }
      case 4:
        let count = Int.random(in: 1..<20, using: &random)
        let chosen = model.keys.sorted().shuffled(using: &random).prefix(count)
        #expect(
          try store.delete(chosen.compactMap { model[$0]?.uuid }) == chosen.count)
        deleted += chosen
        for serial in chosen { model[serial] = nil }
      default:
        anchors.append((try store.anchor(), Set(model.keys)))
        if Bool.random(using: &random) { try store.compact() }
      }
      let expected = model.map { [Double($0.key), $0.value.start, $0.value.value] }
      #expect(try Set(rows(store)) == Set(expected))
    }
    try store.verify()
    for (anchor, live) in anchors {
      let added = try rows(store, after: anchor.serial).map { Int64($0[0]) }
      #expect(Set(added) == Set(model.keys.filter { $0 > anchor.serial }))
      let gone = try store.deletions(after: anchor).map(\.serial)
      #expect(live.subtracting(gone).union(added) == Set(model.keys))
    }
    let all = try store.deletions(after: StoreAnchor(before: store.anchor())).map(\.serial)
    #expect(all.count == deleted.count && Set(all) == Set(deleted))
  }
}
