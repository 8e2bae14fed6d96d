import GRDB
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct QueryTests {
  private let watch = Source(name: "Anna’s Apple\u{A0}Watch")
  private let phone = Source(name: "iPhone")
  private let hand = Source(name: "iPhone", isUserEntered: true)

  private func store(_ batches: [RecordColumns]) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    _ = try session.finish()
    return store
  }

  private func rows(_ batches: [RecordColumns]) -> [SampleColumns.Row] {
    batches.flatMap { batch in
      (0..<batch.count).map { row in
        SampleColumns.Row(
          source: batch.source, start: batch.starts[row], end: batch.ends[row],
          value: ReferenceStore.canonical(
            batch.values[row], batch.labelTable[Int(batch.labels[row])], batch.type))
      }
    }
  }

  @Test("gives samples in canonical units and order, whole or of a range", arguments: 0..<12)
  func samples(seed: Int) throws {
    var records = StoreRecords(seed: UInt64(seed))
    let spread = 100_000
    var batches = [
      records.batch(StoreRecords.distance, watch, count: 400, label: "km", spread: spread),
      records.batch(StoreRecords.distance, phone, count: 400, label: "mi", spread: spread),
      records.batch(StoreRecords.distance, phone, count: 300, label: "km", spread: spread),
      records.batch(StoreRecords.distance, hand, count: 20, label: "m", spread: spread),
    ]
    for row in 0..<20 { batches[3].ends[row] = batches[3].starts[row] - 500 }
    let all = Set(rows(batches))
    let store = try store(batches)
    #expect(
      try store.samples(of: StoreRecords.distance)
        == SampleColumns(type: StoreRecords.distance, rows: all))
    for _ in 0..<20 {
      let bounds = [0, 1].map { _ in
        Double(Int.random(in: -10...spread + 200, using: &records.random))
      }.sorted()
      let range = bounds[0]..<bounds[1]
      let kept = all.filter {
        max($0.start, $0.end) >= range.lowerBound && $0.start < range.upperBound
      }
      let found = try store.samples(of: StoreRecords.distance, in: range)
      #expect(found == SampleColumns(type: StoreRecords.distance, rows: kept))
      let recorded = try store.records(of: StoreRecords.distance, in: range)
      #expect(recorded.reduce(0) { $0 + $1.count } == kept.count)
    }
    #expect(try store.samples(of: StoreRecords.steps).isEmpty)
  }

  @Test("reads only chunks that can overlap the range")
  func onlyOverlapping() throws {
    var records = StoreRecords(seed: 1)
    var batch = records.batch(
      StoreRecords.steps, phone, count: 150_000, label: "count", spread: 1)
    batch.starts = (0..<batch.count).map { Double($0 * 60) }
    batch.ends = batch.starts
    let store = try store([batch])
    try store.queue.write { database in
      try database.execute(sql: "UPDATE chunks SET core = x'00' WHERE firstStart > 0")
    }
    #expect(
      try store.samples(of: batch.type, in: 0..<600).starts == (0..<10).map { Double($0) * 60 })
    #expect(throws: StoreError.self) { try store.samples(of: batch.type, in: 0..<9e6) }
  }

  @Test("tells of types and sources without decoding a chunk")
  func summaries() throws {
    var records = StoreRecords(seed: 2)
    var watchBatch = records.batch(StoreRecords.distance, watch, count: 90, label: "km", from: 1e6)
    watchBatch.origins = watchBatch.origins.map { _ in 0 }
    let batches = [
      watchBatch, records.batch(StoreRecords.distance, phone, count: 40, label: "mi", from: 2e6),
      records.batch(StoreRecords.distance, hand, count: 30, label: "mi", from: 3e6),
      records.batch(StoreRecords.sleep, watch, count: 10, label: "Asleep"),
    ]
    let store = try store(batches)
    let columns = try store.samples(of: StoreRecords.distance)
    try store.queue.write { database in
      try database.execute(sql: "UPDATE chunks SET core = x'00', detail = x'00'")
    }
    let types = try store.types()
    #expect(types.map(\.type) == [StoreRecords.sleep, StoreRecords.distance])
    #expect(types.map(\.recordedUnit) == [nil, "km"])
    #expect(types[1].count == columns.count)
    #expect(types[1].firstStart == columns.starts.min())
    #expect(types[1].lastStart == columns.starts.max())
    #expect(types[1].lastEnd == columns.ends.max())
    let sources = try store.sources(of: StoreRecords.distance)
    #expect(sources.map(\.source) == columns.sources)
    #expect(sources.map(\.source.name) == columns.sources.map(\.name))
    #expect(
      sources.map(\.count) == columns.sources.indices.map { columns.rows(ofSource: $0).count })
    #expect(sources.first { $0.source == watch }?.deviceKind == .watch)
    #expect(try store.sources().count == 4)
  }

  @Test("keeps the order of sources that the user gives")
  func preferences() throws {
    let store = try SampleStore.temporary()
    #expect(try store.preferredSources(of: StoreRecords.steps).isEmpty)
    try store.setPreferredSources(["iPhone", "Watch", "iPhone\u{A0}"], of: nil)
    #expect(try store.preferredSources(of: StoreRecords.steps) == ["iPhone", "Watch"])
    try store.setPreferredSources(["Ring"], of: StoreRecords.steps)
    #expect(try store.preferredSources(of: StoreRecords.steps) == ["Ring"])
    #expect(try store.preferredSources(of: StoreRecords.energy) == ["iPhone", "Watch"])
    try store.setPreferredSources([], of: StoreRecords.steps)
    #expect(try store.preferredSources(of: StoreRecords.steps) == ["iPhone", "Watch"])
  }

  @Test("takes spellings of one name for one source, and keeps the first")
  func spellings() throws {
    var records = StoreRecords(seed: 3)
    let names = ["Anna’s Watch", "Anna's\u{A0}Watch ", "Anna\u{2019}s\u{202F}Watch"]
    let batches = names.map {
      records.batch(StoreRecords.steps, Source(name: $0), count: 10, label: "count")
    }
    let store = try store([batches[0]])
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    _ = try session.finish()
    let accented = records.batch(
      StoreRecords.steps, Source(name: "Zoe\u{301}"), count: 1, label: "count")
    var composed = RecordColumns(type: accented.type, source: Source(name: "Zo\u{E9}"))
    (composed.labelTable, composed.originTable) = (accented.labelTable, accented.originTable)
    (composed.starts, composed.ends) = (accented.starts, accented.ends)
    (composed.created, composed.values) = (accented.created, accented.values)
    (composed.labels, composed.origins) = ([0], [0])
    (composed.metadata, composed.copies) = ([0], [1])
    for batch in [accented, composed] {
      let session = try store.beginImport()
      try session.add(batch)
      _ = try session.finish()
    }
    #expect(try store.sources(of: nil).map(\.source.name) == [names[0], "Zoe\u{301}"])
    #expect(try store.sources(of: nil).last?.count == 1)
  }
}
