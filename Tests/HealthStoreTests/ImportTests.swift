import Foundation
import HealthLedger
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct ImportTests {
  private let watch = Source(name: "Anna’s Apple\u{A0}Watch")
  private let phone = Source(name: "iPhone")
  private let hand = Source(name: "iPhone", isUserEntered: true)

  /// So small that few rows make a run.
  private let smallRuns = RunSizes(
    full: 16, fewestMovedRows: 6, watermarkRows: 3, mostBufferedBytes: 16_000)

  private func report(
    _ store: SampleStore, _ batches: [RecordColumns], dryRun: Bool = false,
    sizes: RunSizes = RunSizes(), threads: Int = 1, exported: Double = 1
  ) throws -> [String: [Int]] {
    let session = try store.beginImport(threads: threads, sizes: sizes)
    for batch in batches { try session.add(batch) }
    // Types that only the store has say nothing about the export.
    let types = try session.finish(dryRun: dryRun, exported: exported).types.filter { _, counts in
      counts.new + counts.known + counts.duplicates + counts.repeating > 0
    }
    return types.mapValues { counts in
      #expect(counts.skipped == 0)
      return [counts.new, counts.known, counts.duplicates, counts.superseded]
    }
  }

  /// Everything that a store holds of a series, in the form of the slow twin.
  private func contents(_ store: SampleStore, _ series: ReferenceStore.Series) throws
    -> [ReferenceStore.Sample]
  {
    try store.records(of: series.type).filter { $0.source == series.source }.flatMap { batch in
      (0..<batch.count).map { ReferenceStore.Sample(batch, $0) }
    }
  }

  /// The rows of a file by series, each with its payload as its words, and as many as it has copies.
  private func rows(_ batches: [RecordColumns]) -> [History.Row] {
    let rows = Dictionary(
      grouping: batches.flatMap { batch in
        (0..<batch.count).map { row in
          (ReferenceStore.Series(type: batch.type, source: batch.source), Sample(batch, row))
        }
      }, by: \.0)
    return rows.flatMap { series, samples in
      Dictionary(grouping: samples.map(\.1)) { [$0.start, $0.end] }.values
        .flatMap { ReferenceStore.collapsed($0, of: series.type) }.flatMap { sample in
          Array(repeating: row(sample, series), count: sample.copies)
        }
    }
  }

  private func row(_ sample: Sample, _ series: ReferenceStore.Series) -> History.Row {
    let name = (series.type.canonicalUnit == nil ? "cat " : "") + series.type.identifier
    var row = History.Row(
      name, "\(series.source.name) \(series.source.isUserEntered)", sample.start, sample.end,
      sample.canonical, ReferenceStore.text(sample) + "\u{1}\(sample.created)")
    row.ordinal = Int(sample.origin.ordinal)
    return row
  }

  private typealias Sample = ReferenceStore.Sample

  private func expectEqual(_ store: SampleStore, _ twin: HistoryStore) throws {
    var found: [History.Row] = []
    var copies: [Int] = []
    for type in try store.types().map(\.type) {
      for batch in try store.records(of: type) {
        let series = ReferenceStore.Series(type: type, source: batch.source)
        found += (0..<batch.count).map { row(Sample(batch, $0), series) }
        copies += batch.copies.map { Int($0) }.filter { $0 > 1 }
      }
    }
    let wanted = twin.answers()
    #expect(
      Set(found).subtracting(wanted.samples) == [] && Set(wanted.samples).subtracting(found) == [],
      "\(Set(found).subtracting(wanted.samples)) for \(Set(wanted.samples).subtracting(found))")
    #expect(found.count == wanted.samples.count)
    #expect(copies.sorted() == wanted.copies)
    try store.verify()
  }

  /// An export: some batches of several series, with copies and rows of one instant.
  private func export(_ records: inout StoreRecords, spread: Int) -> [RecordColumns] {
    var batches: [RecordColumns] = []
    for _ in 0..<Int.random(in: 1...6, using: &records.random) {
      let source = [watch, phone, hand].randomElement(using: &records.random) ?? watch
      let type =
        [StoreRecords.steps, StoreRecords.energy, StoreRecords.sleep]
        .randomElement(using: &records.random) ?? StoreRecords.steps
      let label = type == StoreRecords.energy ? "kcal" : type == StoreRecords.steps ? "count" : "A"
      var batch = records.batch(
        type, source, count: Int.random(in: 0...60, using: &records.random), label: label,
        spread: spread)
      if type == StoreRecords.sleep { batch.values = batch.values.map { $0.rounded() } }
      for row in batch.values.indices where row % 3 == 0 {
        batch.values[row] = Double(Int.random(in: 0...3, using: &records.random))
      }
      let copies = (0..<batch.count).filter { _ in
        Int.random(in: 0..<10, using: &records.random) == 0
      }
      var doubled = batch.picked(Array(0..<batch.count) + copies)
      for row in batch.count..<doubled.count {
        doubled.created[row] += Double(Int.random(in: -2...2, using: &records.random))
        doubled.metadata[row] = UInt32.random(in: 0...2, using: &records.random)
      }
      batches.append(inOrder(doubled, &records.random))
      // Records inside other elements: most repeat one of the batch, some stand nowhere else.
      var nested = batch.picked((0..<batch.count).filter { $0.isMultiple(of: 4) })
      for row in nested.starts.indices where row.isMultiple(of: 5) { nested.starts[row] -= 0.5 }
      nested.copies = nested.copies.map { _ in 0 }
      batches.append(nested)
    }
    return batches
  }

  /// Rows in one of the orders that files have: any, forwards, backwards, by days that go
  /// backwards, or with strays.
  private func inOrder(_ batch: RecordColumns, _ random: inout SplitMix64) -> RecordColumns {
    let way = Int.random(in: 0..<5, using: &random)
    if way == 0 { return batch }
    let day = Double(Int.random(in: 1...400, using: &random))
    func place(_ row: Int) -> (Double, Double) {
      let start = batch.starts[row]
      return way == 1 ? (start, 0) : way == 2 ? (-start, 0) : (-(start / day).rounded(), start)
    }
    var places = (0..<batch.count).sorted { place($0) < place($1) }
    if way == 4, places.count > 3 {
      for _ in 0..<3 {
        let stray = places.remove(at: Int.random(in: 0..<places.count, using: &random))
        places.insert(stray, at: Int.random(in: 0...places.count, using: &random))
      }
    }
    return batch.picked(places)
  }

  @Test("does what the slow twin does, import after import", arguments: 0..<60)
  func twin(seed: Int) throws {
    var records = StoreRecords(seed: UInt64(seed))
    let twin = HistoryStore("s", HistoryClock())
    let store = try SampleStore.temporary()
    let sizes = seed < 20 ? RunSizes() : smallRuns
    for date in 1...4 {
      let batches = export(&records, spread: [20, 200, 4_000][seed % 3])
      twin.importFiles(
        [History.File(date: Double(date), rows: rows(batches))], replacing: false,
        restoring: false)
      let dry = try report(
        store, batches, dryRun: true, sizes: sizes, threads: 1 + seed % 2,
        exported: Double(date))
      let done = try report(
        store, batches, sizes: sizes, threads: 1 + seed % 4, exported: Double(date))
      #expect(dry == done)
      try expectEqual(store, twin)
    }
  }

  @Test("gives the same store whatever the order of batches and rows", arguments: 0..<20)
  func order(seed: Int) throws {
    var records = StoreRecords(seed: UInt64(1_000 + seed))
    let batches = export(&records, spread: 30)
    var shuffled = batches.flatMap { batch -> [RecordColumns] in
      let places = Array(0..<batch.count).shuffled(using: &records.random)
      let cut = places.count / 2
      return [batch.picked(Array(places[..<cut])), batch.picked(Array(places[cut...]))]
    }
    shuffled.shuffle(using: &records.random)
    let (first, second) = (try SampleStore.temporary(), try SampleStore.temporary())
    let firstReport = try report(first, batches)
    let secondReport = try report(second, shuffled.filter { $0.count > 0 })
    #expect(firstReport == secondReport)
    for series in Set(batches.map { ReferenceStore.Series(type: $0.type, source: $0.source) }) {
      let (left, right) = (try contents(first, series), try contents(second, series))
      #expect(left == right)
    }
  }

  @Test("finds nothing new in the same export, whatever its size", arguments: [1, 3_000, 70_000])
  func again(count: Int) throws {
    var records = StoreRecords(seed: 5)
    let batch = records.batch(
      StoreRecords.energy, watch, count: count, label: "kcal", spread: count * 60)
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    let first = try report(store, [batch])
    let before = try folder.bytes()
    let places = Array(0..<count).shuffled(using: &records.random)
    let second = try report(store, [batch.picked(places)])
    let counts = try #require(first[batch.type.identifier])
    #expect(counts[1] == 0)
    #expect(counts[0] + counts[2] == count)
    #expect(second[batch.type.identifier] == [0, counts[0], counts[2], 0])
    #expect(try folder.bytes() == before)
    #expect(try folder.namesOfStores == ["store.sqlite"])
    try store.verify()
  }

  @Test("finds nothing new in an export in other units", arguments: 0..<10)
  func otherUnit(seed: Int) throws {
    var records = StoreRecords(seed: UInt64(50 + seed))
    let batch = records.batch(StoreRecords.distance, watch, count: 3_000, label: "km", spread: 900)
    var other = batch
    other.labelTable = ["mi"]
    let conversion = try UnitConversion(from: UnitExpression("km"), to: UnitExpression("mi"))
    for row in other.values.indices {
      other.values[row] = try #require(
        Double(String(format: "%.6g", conversion(other.values[row]))))
    }
    let store = try SampleStore.temporary()
    let first = try report(store, [batch])
    let held = try store.samples(of: batch.type)
    let second = try report(store, [other], exported: 2)
    #expect(second[batch.type.identifier]?[0] == 0)
    #expect(first[batch.type.identifier]?[1] == 0)
    let later = try store.samples(of: batch.type)
    #expect(later.starts == held.starts && later.ends == held.ends)
    let scale = zip(later.values, held.values).map { abs($0 - $1) / max(abs($0), abs($1)) }
    #expect(scale.allSatisfy { $0 <= ValueAgreement.tolerance })
    try store.verify()
  }

  @Test("is, after a later export, what a fresh import of it gives and what only the first had")
  func laterExport() throws {
    var records = StoreRecords(seed: 77)
    let count = 5_000
    var first = records.batch(StoreRecords.distance, watch, count: count, label: "km")
    // Every sample has times of its own, so that none has two partners.
    first.starts = (0..<count).map { Double($0 * 60) }
    first.ends = first.starts.map { $0 + 30 }
    var later = first.picked((0..<count).filter { $0 % 7 != 3 })
    later.labelTable = ["mi"]
    later.originTable[0] = Origin(sourceVersion: "11.0", device: "name:Apple Watch")
    later.metadataTable[1] = Metadata([.init(key: "later", value: "1")])
    let conversion = try UnitConversion(from: UnitExpression("km"), to: UnitExpression("mi"))
    for row in later.values.indices {
      later.values[row] = try #require(
        Double(String(format: "%.6g", conversion(later.values[row]))))
    }
    let only = first.picked((0..<count).filter { $0 % 7 == 3 })
    let (store, other) = (try SampleStore.temporary(), try SampleStore.temporary())
    let series = ReferenceStore.Series(type: first.type, source: watch)
    _ = try report(store, [first])
    let session = try store.beginImport()
    try session.add(later)
    let counts = try #require(
      try session.finish(exported: 2).types[first.type.identifier])
    #expect(counts.new == 0 && counts.known == later.count && counts.onlyInStore == only.count)
    _ = try report(other, [later, only], exported: 2)
    #expect(try contents(store, series) == contents(other, series))
    try store.verify()
    // The words of an earlier export change nothing.
    for (exportedAt, isChanged) in [(2.0, false), (1.0, false), (3.0, true)] {
      let before = try contents(store, series)
      let next = try store.beginImport()
      try next.add(exportedAt == 2 ? later : first)
      _ = try next.finish(exported: exportedAt)
      #expect(try (contents(store, series) != before) == isChanged)
    }
  }

  @Test("keeps many samples of one instant apart and finds them again")
  func oneInstant() throws {
    var records = StoreRecords(seed: 8)
    var batch = records.batch(StoreRecords.steps, phone, count: 70_000, label: "count", spread: 1)
    batch.ends = batch.starts
    batch.values = (0..<batch.count).map { exp(Double($0) * 1e-4) }
    let store = try SampleStore.temporary()
    _ = try report(store, [batch])
    let again = try report(store, [batch])
    #expect(again[batch.type.identifier]?[0] == 0)
    #expect(try store.samples(of: batch.type).values == batch.values)
  }

  @Test("rewrites only chunks that something new falls into")
  func onlyChangedChunks() throws {
    var records = StoreRecords(seed: 9)
    let count = 140_000
    var batch = records.batch(StoreRecords.steps, phone, count: count, label: "count", spread: 1)
    batch.starts = (0..<count).map { Double($0 * 60) }
    batch.ends = batch.starts
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    _ = try report(store, [batch])
    func chunks() throws -> [Int64] {
      try store.read { try StoredChunk.all(ofType: 1, source: 1, in: $0).map(\.id) }
    }
    let before = try chunks()
    #expect(before.count == 3)
    var more = batch.picked([70_000])
    more.values[0] += 1_000_000
    let counts = try report(store, [batch, more], exported: 2)
    #expect(counts[batch.type.identifier]?[0] == 1)
    let after = try chunks()
    #expect(Set(before).intersection(after).count == 2)
    #expect(try store.samples(of: batch.type).count == count + 1)
    try store.verify()
  }

  @Test("skips and counts records whose unit does not convert to that of an unknown type")
  func unknownType() throws {
    var records = StoreRecords(seed: 10)
    func batch(_ unit: String) throws -> RecordColumns {
      let type = SampleType(
        identifier: "HKQuantityTypeIdentifierOfTomorrow",
        kind: .quantity(canonicalUnit: try UnitExpression(unit), style: .discreteArithmetic))
      return records.batch(type, phone, count: 50, label: unit, spread: 50_000)
    }
    let store = try SampleStore.temporary()
    let first = try batch("km")
    let session = try store.beginImport()
    try session.add(first)
    try session.add(try batch("mi"))
    try session.add(try batch("kg"))
    let counts = try #require(try session.finish().types[first.type.identifier])
    #expect(counts.new + counts.duplicates == 100)
    #expect(counts.skipped == 50)
    let summary = try #require(try store.types().first)
    #expect(summary.type.canonicalUnit == first.type.canonicalUnit)
    let columns = try store.samples(of: summary.type)
    #expect(columns.count == counts.new)
    #expect(columns.type.canonicalUnit == first.type.canonicalUnit)
  }

  @Test("refuses a batch that breaks the rules of its columns")
  func invalidBatch() throws {
    var records = StoreRecords(seed: 11)
    let sound = records.batch(StoreRecords.steps, phone, count: 5, label: "count")
    let faults: [(Int?, (inout RecordColumns) -> Void)] = [
      (nil, { $0.ends.removeLast() }), (nil, { $0.metadataTable = [] }),
      (2, { $0.values[2] = .nan }), (3, { $0.starts[3] = .infinity }),
      (4, { $0.created[4] = .infinity }), (1, { $0.labels[1] = 1 }),
      (0, { $0.origins[0] = 2 }), (4, { $0.metadata[4] = 3 }),
    ]
    for (row, change) in faults {
      let store = try SampleStore.temporary()
      let session = try store.beginImport()
      try session.add(sound)
      var batch = sound
      change(&batch)
      #expect {
        try session.add(batch)
      } throws: {
        ($0 as? StoreError)?.reason == .invalidBatch(row: row)
      }
      #expect(throws: StoreError.self) { try session.finish() }
      #expect(try store.types().isEmpty)
    }
  }
}
