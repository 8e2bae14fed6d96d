import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("Sequences of exports of one phone")
struct SequenceTests {
  private typealias Sample = ReferenceStore.Sample

  private func contents(_ store: SampleStore, _ type: SampleType) throws -> [Sample: Int] {
    var samples: [Sample: Int] = [:]
    for batch in try store.records(of: type) {
      for row in 0..<batch.count { samples[Sample(batch, row), default: 0] += 1 }
    }
    return samples
  }

  /// How many samples of each time there are.
  private func times(_ samples: [Sample: Int]) -> [[Double]: Int] {
    samples.reduce(into: [:]) { $0[[$1.key.start, $1.key.end], default: 0] += $1.value }
  }

  /// How many samples of each time the law gives (`History`).
  private func times(of history: PhoneHistory) -> [SampleType: [[Double]: Int]] {
    var times: [SampleType: [[Double]: Int]] = [:]
    for type in PhoneHistory.types {
      let files = history.exports.map { export in
        let rows = export.batches.filter { $0.type == type }.flatMap { batch in
          (0..<batch.count).map { row(Sample(batch, $0), of: type) }
        }
        return History.File(date: export.exportedAt, rows: rows)
      }
      times[type] = law(files).reduce(into: [:]) { $0[[$1.start, $1.end], default: 0] += 1 }
    }
    return times
  }

  private func row(_ sample: Sample, of type: SampleType) -> History.Row {
    History.Row(
      (type.canonicalUnit == nil ? "cat." : "") + type.identifier, "Phone", sample.start,
      sample.end, sample.canonical)
  }

  private func law(_ files: [History.File]) -> [History.Row] {
    let twin = HistoryStore("s", HistoryClock())
    twin.importFiles(files, replacing: false, restoring: false)
    return twin.answers().samples
  }

  private func orders<Item>(_ items: [Item]) -> [[Item]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
      var rest = items
      let first = rest.remove(at: index)
      return orders(rest).map { [first] + $0 }
    }
  }

  private func add(
    _ batches: [RecordColumns], exportedAt: Double?, to store: SampleStore, dryRun: Bool = false,
    from format: ImportFormat = .appleHealth
  ) throws -> ImportSummary {
    let session = try store.beginImport(from: format)
    for batch in batches { try session.add(batch) }
    return try session.finish(dryRun: dryRun, exported: exportedAt)
  }

  private func counts(_ report: ImportSummary) -> ImportSummary.Counts {
    report.types.values.reduce(into: ImportSummary.Counts()) {
      $0.new += $1.new
      $0.known += $1.known
      $0.duplicates += $1.duplicates
      $0.superseded += $1.superseded
    }
  }

  /// The long form, as part of a soak: every order of up to six exports.
  @Test(
    "end in one content whatever their order, which is what the slow twin says",
    arguments: 0..<(Soak.isLong ? 200 : 10))
  func everyOrder(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let count = Soak.isLong ? 2 + seed % 5 : 2 + seed % 3
    let history = PhoneHistory(
      seed: UInt64(seed), exports: count, honest: seed.isMultiple(of: 3))
    let wanted = times(of: history)
    var orders = orders(Array(history.exports.indices))
    if !Soak.isLong, orders.count > 6 {
      orders =
        Array(orders.prefix(1)) + orders.dropFirst().shuffled(using: &random).prefix(4)
    }
    let hasTwins = Set(history.exports.map(\.exportedAt)).count < history.exports.count
    // The store after each export of an order; the next order takes over those of its beginning.
    var path: [(index: Int, store: SampleStore)] = []
    var steps = 0
    var first: [SampleType: [Sample: Int]] = [:]
    for order in orders {
      path.removeLast(path.count - zip(path, order).prefix { $0.index == $1 }.count)
      for index in order.dropFirst(path.count) {
        let export = history.exports[index]
        let store = try SampleStore.temporary()
        try path.last?.store.queue.backup(to: store.queue)
        let dry = try add(export.batches, exportedAt: export.exportedAt, to: store, dryRun: true)
        let before = try store.types().reduce(0) { $0 + $1.count }
        let report = try add(export.batches, exportedAt: export.exportedAt, to: store)
        #expect(dry == report)
        let counts = counts(report)
        let read = export.batches.reduce(0) { $0 + $1.count }
        #expect(counts.new + counts.known + counts.duplicates == read)
        let isNewest =
          export.exportedAt
          == (path.map(\.index) + [index]).compactMap { history.exports[$0].exportedAt }.max()
        if !hasTwins, isNewest {
          #expect(
            try store.types().reduce(0) { $0 + $1.count }
              == before + counts.new - counts.superseded)
        }
        path.append((index, store))
        steps += 1
      }
      let store = try #require(path.last).store
      try store.verify()
      for type in PhoneHistory.types {
        let found = try contents(store, type)
        #expect(
          times(found) == wanted[type] ?? [:], "\(type.identifier) in the order \(order)")
        #expect(found == first[type] ?? found, "\(type.identifier) in the order \(order)")
        first[type] = found
      }
    }
    if Soak.isLong { print("seed \(seed): \(steps) steps in \(orders.count) orders") }
  }

  /// Samples of a type, each a start, an end and a value.
  private func batch(_ type: SampleType, _ rows: [[Double]]) -> RecordColumns {
    var batch = RecordColumns(type: type, source: Source(name: "Phone"))
    let labels: [SampleType: String] = [
      StoreRecords.sleep: "A", StoreRecords.heartRate: "count/s", StoreRecords.energy: "kcal",
    ]
    batch.labelTable = [labels[type] ?? "count"]
    batch.originTable = [Origin()]
    for row in rows {
      batch.starts.append(row[0])
      batch.ends.append(row[1])
      batch.values.append(row[2])
      batch.created.append(row[1])
      batch.labels.append(0)
      batch.origins.append(0)
      batch.metadata.append(0)
      batch.copies.append(1)
    }
    return batch
  }

  /// Samples of one length and one value that touch.
  private func row(_ count: Int, length: Double, value: Double, from first: Double = 0)
    -> [[Double]]
  {
    (0..<count).map { place in
      let start: Double = first + Double(place) * length
      return [start, start + length, value]
    }
  }

  @Test(
    "the rule says of small sets of rows what its slow twin says", arguments: 0..<3,
    [StoreRecords.steps, StoreRecords.heartRate, StoreRecords.sleep])
  func smallSets(seed: Int, type: SampleType) throws {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<100 {
      func side() -> [[Double]] {
        (0..<Int.random(in: 1...5, using: &random)).map { _ in
          let start = Double(Int.random(in: 0...6, using: &random))
          let end: Double = start + Double(Int.random(in: 0...3, using: &random))
          return [start, end, Double(Int.random(in: -1...3, using: &random))]
        }
      }
      let (old, all) = (Array(Set(side())), Array(Set(side())))
      let exports = [(old, 100.0), (all, 200)].map { rows, date in
        (batch: batch(type, rows), date: date)
      }
      let wanted = law(
        exports.map { export in
          History.File(
            date: export.date,
            rows: (0..<export.batch.count).map { row(Sample(export.batch, $0), of: type) })
        })
      let store = try SampleStore.temporary()
      for export in exports {
        _ = try add([export.batch], exportedAt: export.date, to: store)
      }
      let found = try contents(store, type).keys.map { row($0, of: type) }
      #expect(found.sorted() == wanted, "\(old) \(all)")
      if found.sorted() != wanted { return }
    }
  }

  @Test("joined samples take the place of the finer ones, and give it back when they are restored")
  func joinedAndRestored() throws {
    let fine = batch(StoreRecords.steps, [[0, 50, 51], [50, 75, 30], [100, 160, 7]])
    let joined = batch(StoreRecords.steps, [[0, 75, 81], [100, 160, 7]])
    let store = try SampleStore.temporary()
    #expect(counts(try add([fine], exportedAt: 100, to: store)).new == 3)
    let second = counts(try add([joined], exportedAt: 200, to: store))
    #expect([second.new, second.known, second.superseded] == [1, 1, 2] as [Int])
    #expect(try store.samples(of: StoreRecords.steps).values == [81, 7])
    // Another program's file tells the finer ones again.
    let other = counts(try add([fine], exportedAt: 150, to: store, from: .simpleHealthExport))
    #expect([other.new, other.known, other.superseded] == [0, 3, 0] as [Int])
    #expect(try store.samples(of: StoreRecords.steps).values == [81, 7])
    let third = counts(try add([fine], exportedAt: 300, to: store))
    #expect([third.new, third.known, third.superseded] == [2, 1, 1] as [Int])
    #expect(try store.samples(of: StoreRecords.steps).values == [51, 30, 7])
    let again = counts(try add([joined], exportedAt: 200, to: store))
    #expect([again.new, again.known, again.superseded] == [0, 2, 0] as [Int])
    #expect(try store.samples(of: StoreRecords.steps).values == [51, 30, 7])
    try store.verify()
  }

  @Test(
    "superseded samples stay superseded when an export between two others comes late",
    arguments: [true, false])
  func lateBetween(tellsFine: Bool) throws {
    let fine: [[Double]] = [[0, 50, 51], [50, 75, 30]]
    let joined: [[Double]] = [[0, 75, 81]]
    let store = try SampleStore.temporary()
    _ = try add([batch(StoreRecords.steps, fine + [[100, 160, 7]])], exportedAt: 200, to: store)
    _ = try add([batch(StoreRecords.steps, joined + [[100, 160, 7]])], exportedAt: 400, to: store)
    let between = batch(StoreRecords.steps, (tellsFine ? fine : joined) + [[200, 260, 9]])
    for _ in 0..<2 {
      _ = try add([between], exportedAt: 300, to: store)
      #expect(try store.samples(of: StoreRecords.steps).values == [81, 7, 9])
    }
    // The first export once more.
    _ = try add([batch(StoreRecords.steps, fine)], exportedAt: 200, to: store)
    #expect(try store.samples(of: StoreRecords.steps).values == [81, 7, 9])
    try store.verify()
  }

  @Test("what a later export tells otherwise counts as it tells it")
  func toldOtherwise() throws {
    var joinedRows = row(200, length: 60, value: 5)
    joinedRows[77][2] = 9
    let joined = batch(StoreRecords.energy, joinedRows)
    let fineRows = joinedRows.flatMap { span -> [[Double]] in
      [[span[0], span[0] + 30, 2], [span[0] + 30, span[1], 3]]
    }
    let fine = batch(StoreRecords.energy, fineRows)
    let store = try SampleStore.temporary()
    _ = try add([fine], exportedAt: 20_000, to: store)
    let found = counts(try add([joined], exportedAt: 30_000, to: store))
    #expect([found.new, found.superseded] == [200, 400] as [Int])
    #expect(try store.samples(of: StoreRecords.energy).values.reduce(0, +) == 1_004)
    try store.verify()
  }

  @Test("a hundred thousand samples that touch take no more than their share of time")
  func manyTouching() throws {
    let count = 100_000
    let fine = batch(StoreRecords.energy, row(count, length: 60, value: 2))
    let joined = batch(StoreRecords.energy, row(count / 4, length: 240, value: 8))
    // Every one overlaps two.
    let crossed = batch(StoreRecords.energy, row(count / 4, length: 240, value: 8, from: 7))
    for orders in [[fine, joined], [joined, crossed]] {
      let started = ContinuousClock.now
      let store = try SampleStore.temporary()
      for (place, batch) in orders.enumerated() {
        _ = try add([batch], exportedAt: Double(7_000_000 + place), to: store)
      }
      #expect(try store.samples(of: StoreRecords.energy).count == count / 4)
      // Each with each would be thousands of millions of comparisons.
      #expect(ContinuousClock.now - started < .seconds(60))
    }
  }
}
