import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("An export that replaces others")
struct ReplacingTests {
  /// A walk of some copies, in the words of an export.
  private func walk(copies: UInt32, created: Double, version: String) -> RecordColumns {
    var batch = RecordColumns(type: StoreRecords.steps, source: Source(name: "Phone"))
    batch.labelTable = ["count"]
    batch.originTable = [Origin(sourceVersion: version)]
    for copy in 0..<copies {
      batch.starts.append(100)
      batch.ends.append(200)
      batch.created.append(created + Double(copy))
      batch.values.append(40)
      batch.labels.append(0)
      batch.origins.append(0)
      batch.metadata.append(0)
      batch.copies.append(1)
    }
    return batch
  }

  /// The copies, the date and the words of the only record.
  private func record(_ store: SampleStore) throws -> [String] {
    let batch = try #require(try store.records(of: StoreRecords.steps).first)
    #expect(batch.count == 1)
    return [
      "\(batch.copies[0])", "\(batch.created[0])",
      batch.originTable[Int(batch.origins[0])].sourceVersion,
    ]
  }

  private func add(
    _ batch: RecordColumns, to store: SampleStore, exported: Double, replacing: Bool
  ) throws {
    let session = try store.beginImport(from: .appleHealth)
    try session.add(batch)
    _ = try session.finish(replacing: replacing, exported: exported)
  }

  @Test(
    "takes away copies that it lacks, and speaks for itself however old it is",
    arguments: [1, 2, 3] as [UInt32], [1, 2, 3] as [UInt32])
  func copies(before: UInt32, after: UInt32) throws {
    for exported in [500.0, 700] {
      let store = try SampleStore.temporary()
      try add(
        walk(copies: before, created: 210, version: "17.1"), to: store, exported: 600,
        replacing: false)
      try add(
        walk(copies: after, created: 230, version: "17.2"), to: store, exported: exported,
        replacing: true)
      #expect(try record(store) == ["\(after)", "230.0", "17.2"])
    }
  }

  @Test(
    "or comes later says a sample in its words, with its copies",
    arguments: [1, 2, 3] as [UInt32], [1, 2, 3] as [UInt32])
  func payload(before: UInt32, after: UInt32) throws {
    let store = try SampleStore.temporary()
    try add(
      walk(copies: before, created: 210, version: "17.1"), to: store, exported: 600,
      replacing: false)
    try add(
      walk(copies: after, created: 230, version: "17.2"), to: store, exported: 700,
      replacing: false)
    #expect(try record(store) == ["\(after)", "230.0", "17.2"])
  }
}
