import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct StoreFileTests {
  /// How an import may come to nothing.
  enum Ending: CaseIterable {
    case dropped, refused, dryRun
  }

  private func batch(count: Int = 20) -> RecordColumns {
    var records = StoreRecords(seed: 6)
    return records.batch(StoreRecords.steps, Source(name: "a"), count: count, label: "count")
  }

  private func fail(_ store: SampleStore, _ ending: Ending) throws {
    let session = try store.beginImport(threads: 2)
    try session.add(batch(count: 300))
    switch ending {
    case .dropped: break
    case .refused:
      var wrong = batch()
      wrong.values[3] = .nan
      #expect(throws: StoreError.self) { try session.add(wrong) }
    case .dryRun: _ = try session.finish(dryRun: true)
    }
  }

  @Test("leaves nothing where there was no store", arguments: Ending.allCases)
  func nothing(ending: Ending) throws {
    let folder = try TemporaryFolder()
    try fail(SampleStore(path: folder.file("new/deep/store.sqlite"), mode: .readWrite), ending)
    #expect(try folder.names == [])
    try FileManager.default.createDirectory(
      atPath: folder.file("new"), withIntermediateDirectories: false)
    try fail(SampleStore(path: folder.file("new/deep/store.sqlite"), mode: .readWrite), ending)
    #expect(try folder.names == ["new"])
  }

  @Test("keeps a store that was there, byte for byte", arguments: Ending.allCases, [0, 20])
  func existing(ending: Ending, count: Int) throws {
    let folder = try TemporaryFolder()
    do {
      let store = try SampleStore(path: folder.file(), mode: .readWrite)
      if count > 0 {
        let session = try store.beginImport()
        try session.add(batch(count: count))
        _ = try session.finish()
      }
    }
    let before = try folder.bytes()
    try fail(SampleStore(path: folder.file(), mode: .readWrite), ending)
    #expect(try folder.bytes() == before)
    #expect(try folder.names == ["store.sqlite"])
  }

  @Test("keeps what a second import brings after one that failed")
  func secondAttempt() throws {
    let folder = try TemporaryFolder()
    do {
      let store = try SampleStore(path: folder.file(), mode: .readWrite)
      try fail(store, .refused)
      let session = try store.beginImport()
      try session.add(batch())
      _ = try session.finish()
    }
    let store = try SampleStore(path: folder.file(), mode: .readOnly)
    #expect(try store.samples(of: StoreRecords.steps).count > 0)
  }

  @Test("keeps preferences although the import failed")
  func preferences() throws {
    let folder = try TemporaryFolder()
    do {
      let store = try SampleStore(path: folder.file(), mode: .readWrite)
      try store.setPreferredSources(["a"], of: nil)
      try fail(store, .dropped)
    }
    #expect(try folder.names == ["store.sqlite"])
  }

  @Test("keeps a store with a row of any table although the import failed")
  func anyRow() throws {
    let tables = try SampleStore.temporary().read { try $0.tables() }
    #expect(tables.count > 20 && Schema.describing.isSubset(of: tables))
    for table in tables where !Schema.describing.contains(table) {
      let folder = try TemporaryFolder()
      do {
        let store = try SampleStore(path: folder.file(), mode: .readWrite)
        try store.queue.writeWithoutTransaction { database in
          try database.execute(sql: "PRAGMA foreign_keys = OFF")
          let values = try database.columns(in: table).map { column in
            ["TEXT": "'a'", "BLOB": "x'00'"][column.type] ?? "1"
          }
          try database.execute(
            sql: "INSERT INTO \(table) VALUES (\(values.joined(separator: ", ")))")
        }
        store.file.recordFailure()
      }
      #expect(try folder.names == ["store.sqlite"], "\(table)")
    }
  }

  @Test("refuses to write into a file that was deleted or replaced")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    try FileManager.default.removeItem(atPath: folder.file())
    func expectRefused() {
      #expect {
        _ = try store.beginImport()
      } throws: {
        ($0 as? StoreError)?.reason == .notFound
      }
    }
    expectRefused()
    let other = try SampleStore(path: folder.file(), mode: .readWrite)
    expectRefused()
    let session = try other.beginImport()
    try session.add(batch())
    _ = try session.finish()
    #expect(try other.samples(of: StoreRecords.steps).count > 0)
  }
}
