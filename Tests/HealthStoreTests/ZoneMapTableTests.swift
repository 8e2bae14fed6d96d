import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

/// The tables that stand beside the chunks: they are found out again, and checked.
@Suite struct SummaryTableTests {
  private let watch = Source(name: "Watch")
  private let phone = Source(name: "iPhone")

  private func fill(_ store: SampleStore, seed: UInt64) throws {
    var records = StoreRecords(seed: seed)
    let session = try store.beginImport()
    for source in [watch, phone] {
      try session.add(
        records.batch(StoreRecords.distance, source, count: 1_500, label: "km", from: 1e6))
      try session.add(
        records.batch(StoreRecords.steps, source, count: 300, label: "count", from: 2e6))
    }
    _ = try session.finish()
  }

  private func isDamaged(_ store: SampleStore) -> Bool {
    do {
      try store.verify()
      return false
    } catch {
      return error.reason == .damaged
    }
  }

  @Test("agree with the chunks after each of several imports")
  func imports() throws {
    let store = try SampleStore.temporary()
    for seed in 0..<4 {
      try fill(store, seed: UInt64(seed % 3))
      try store.verify()
    }
    let columns = try store.samples(of: StoreRecords.distance)
    let sources = try store.sources(of: StoreRecords.distance)
    #expect(sources.reduce(0) { $0 + $1.count } == columns.count)
  }

  @Test(
    "are checked against the chunks",
    arguments: [
      "UPDATE zoneMaps SET lastEnd = lastEnd + 1 WHERE chunk = 2",
      "UPDATE zoneMaps SET firstStart = firstStart - 1",
      "UPDATE zoneMaps SET lengthClass = 2 * lengthClass",
      "UPDATE zoneMaps SET blocks = x'' WHERE chunk = 1", "DELETE FROM zoneMaps",
      "UPDATE zoneMaps SET type = 3 - type",
      "UPDATE zoneMaps SET blocks = (SELECT blocks FROM zoneMaps WHERE chunk = 1)",
      "UPDATE series SET count = count + 1", "UPDATE series SET counts = x''",
      "DELETE FROM series WHERE type = 1",
    ])
  func tampered(sql: String) throws {
    let store = try SampleStore.temporary()
    try fill(store, seed: 1)
    try store.verify()
    try store.queue.write { try $0.execute(sql: sql) }
    #expect(isDamaged(store))
  }

  @Test("find the chunks of a range as a look at each does, however long some samples are")
  func search() throws {
    let store = try SampleStore.temporary()
    var random = SplitMix64(seed: 9)
    let lengths = [0, 1, 60, 3_600, 1e5, 1e9, 6.3e9, 1e300]
    var spans: [(Double, Double)] = []
    let session = try store.beginImport()
    for index in 0..<200 {
      var batch = RecordColumns(type: StoreRecords.steps, source: Source(name: "\(index)"))
      let start = Double(Int.random(in: -1_000_000...1_000_000, using: &random))
      let length = try #require(lengths.randomElement(using: &random))
      spans.append((start, start + length))
      batch.starts = [start]
      batch.ends = [start + length]
      batch.created = [RecordColumns.notRecorded]
      batch.values = [1]
      batch.labels = [0]
      batch.origins = [0]
      batch.metadata = [0]
      batch.copies = [1]
      batch.labelTable = ["count"]
      batch.originTable = [Origin(sourceVersion: "", device: "")]
      try session.add(batch)
    }
    _ = try session.finish()
    for _ in 0..<300 {
      let lower = Double(Int.random(in: -1_200_000...1_200_000, using: &random))
      let upper = lower + Double(Int.random(in: 1...500_000, using: &random))
      let found = try store.read {
        try $0.sources(of: StoreRecords.steps, in: lower..<upper, among: SourceSelection())
      }
      let expected = spans.filter { $0.0 < upper && $0.1 >= lower }
      #expect(found.reduce(0) { $0 + $1.chunks.count } == expected.count)
    }
    #expect(try store.samples(of: StoreRecords.steps).count == 200)
  }

  @Test("one sample of 200 years makes no question read the chunks of other days")
  func longSample() throws {
    let store = try SampleStore.temporary()
    var records = StoreRecords(seed: 5)
    var batch = records.batch(
      StoreRecords.steps, phone, count: 150_000, label: "count", spread: 1)
    batch.starts = (0..<batch.count).map { Double($0 * 60) }
    batch.ends = batch.starts
    batch.ends[10] += 200 * 366 * 86_400
    let session = try store.beginImport()
    try session.add(batch)
    _ = try session.finish()
    let day = 100_000 * 60.0..<101_440 * 60.0
    let touched = try store.read {
      try $0.sources(of: batch.type, in: day, among: SourceSelection())[0].chunks
    }
    #expect(touched.count == 2)
    try store.queue.write { database in
      try database.execute(
        sql: """
          UPDATE chunks SET core = x'00'
          WHERE id NOT IN (\(touched.map(String.init).joined(separator: ",")))
          """)
    }
    #expect(try store.samples(of: batch.type, in: day).count == 1_441)
  }
}
