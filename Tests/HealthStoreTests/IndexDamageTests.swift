import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct IndexDamageTests {
  /// The indexes that SQLite makes by itself have no digest.
  @Test(
    "answers rightly where an index of names is damaged, or says that it is",
    arguments: ["sqlite_autoindex_types_1", "sqlite_autoindex_sources_1"])
  func names(index: String) throws {
    let folder = try TemporaryFolder()
    let type = StoreRecords.steps
    var records = StoreRecords(seed: 4)
    let batch = records.batch(type, Source(name: "Watch"), count: 50, label: "count")
    do {
      let session = try SampleStore(path: folder.file(), mode: .readWrite).beginImport()
      try session.add(batch)
      _ = try session.finish()
    }
    let expected = try SampleStore(path: folder.file(), mode: .readOnly).samples(of: type).values
    #expect(!expected.isEmpty)
    let whole = try folder.bytes()
    let page = try #require(
      try DatabaseQueue(path: folder.file()).read {
        try Int.fetchOne($0, sql: "SELECT pageno FROM dbstat WHERE name = ?", arguments: [index])
      })
    let name = Data((index.contains("types") ? type.identifier : "Watch").utf8)
    let size = Int(whole[16]) << 8 | Int(whole[17])
    let place = try #require(
      whole.range(of: name, in: (page - 1) * size..<page * size)?.lowerBound)
    var damaged = whole
    damaged[place] ^= 1
    try damaged.write(to: URL(fileURLWithPath: folder.file()))
    do {
      let store = try SampleStore(path: folder.file(), mode: .readOnly)
      #expect(try store.samples(of: type).values == expected)
      #expect(try store.sources(of: type).count == 1)
    } catch {
      #expect(error.reason == .damaged)
    }
  }
}
