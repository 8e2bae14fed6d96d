import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

/// Stores that an earlier program wrote, as SQL: see `Fixtures/README.md`.
@Suite("Stores of earlier formats") struct FixtureTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Fixtures")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// A store as the earlier program left it.
  private func store(_ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.file()
    let queue = try DatabaseQueue(path: path)
    let sql = (name == "format2" ? "" : try text("format1.sql")) + (try text("\(name).sql"))
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    return path
  }

  @Test(
    "answer what they answered, read as they are and migrated",
    arguments: ["everything", "format2"]
  )
  func answers(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try store(name, in: folder)
    for mode in [SampleStore.Mode.readOnly, .readWrite] {
      let store = try SampleStore(path: path, mode: mode)
      try store.verify()
      #expect(
        try store.read { try $0.isFormatOne } == (mode == .readOnly && name == "everything"))
      let wanted = try text("\(name).txt").split(separator: "\n").map(String.init)
      #expect(try store.answers() == wanted.filter { !$0.hasPrefix("import ") })
    }
  }

  @Test(
    "have no names of what they deleted, and keep those of what is deleted from then on",
    arguments: ["everything", "format2"])
  func deletions(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try store(name, in: folder)
    func deletions(_ mode: SampleStore.Mode) throws -> [DeletedRow] {
      let store = try SampleStore(path: path, mode: mode)
      try store.verify()
      return try store.deletions(after: StoreAnchor(before: store.anchor()))
    }
    let before = try deletions(.readOnly)
    #expect(!before.isEmpty)
    #expect(before.allSatisfy { $0.syncIdentifier == nil && $0.syncVersion == nil })
    #expect(try deletions(.readWrite).map(\.uuid) == before.map(\.uuid))
    let store = try SampleStore(path: path, mode: .readWrite)
    let mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
    var names: [UUID: String] = [:]
    for batch in try store.records(of: mass) {
      for (row, uuid) in try store.uuids(of: batch.serials).enumerated() {
        let entries = batch.metadataTable[Int(batch.metadata[row])].entries
        names[uuid] = entries.first { $0.key == "HKMetadataKeySyncIdentifier" }?.value
      }
    }
    #expect(names.count > 2)
    try store.delete(.samples(mass))
    let all = try deletions(.readOnly)
    #expect(Array(all.prefix(before.count)) == before)
    let added = all.dropFirst(before.count).filter { names[$0.uuid] != nil }
    #expect(Set(added.map(\.uuid)) == Set(names.keys))
    #expect(added.allSatisfy { $0.syncIdentifier == names[$0.uuid] && $0.syncVersion != nil })
    // What was deleted once, and counts again, keeps them when it is deleted again: all but a version
    // that a higher one has replaced.
    if name == "format2" {
      try store.restore(before.map(\.uuid))
      try store.delete(before.map(\.uuid))
      let again = try deletions(.readOnly).dropFirst(all.count)
      #expect(Set(before.map(\.uuid)).subtracting(again.map(\.uuid)).count == 1)
      #expect(again.allSatisfy { $0.syncIdentifier != nil })
    }
  }

  @Test("count once what they counted twice, and are not written by queries")
  func twice() throws {
    let folder = try TemporaryFolder()
    let path = try store("twice", in: folder)
    let before = try folder.bytes()
    let old = try SampleStore(path: path, mode: .readOnly)
    #expect(try old.samples(of: StoreRecords.steps).values.reduce(0, +) == 362)
    #expect(try old.samples(of: StoreRecords.distance).values.reduce(0, +) == 1_781)
    #expect {
      try old.beginImport()
    } throws: {
      ($0 as? StoreError)?.reason == .olderSchema
    }
    #expect(try folder.bytes() == before)
    let store = try SampleStore(path: path, mode: .readWrite)
    try store.verify()
    #expect(try store.samples(of: StoreRecords.distance).values.reduce(0, +) == 868)
    #expect(try store.imports().map(\.file) == ["0.zip", "2.zip", "older.zip", "newer.zip"])
    // The undo of an export has left wrong sets, which only the export itself can mend.
    #expect(try store.samples(of: StoreRecords.steps).values.reduce(0, +) == 362)
    var export = RecordColumns(type: StoreRecords.steps, source: Source(name: "Watch"))
    try export.append(start: 0, end: 75, value: 81, label: "count")
    try export.append(start: 100, end: 160, value: 200, label: "count")
    let session = try store.beginImport()
    try session.add(export)
    _ = try session.finish(file: "again.zip", exported: 3_000)
    #expect(try store.samples(of: StoreRecords.steps).values.reduce(0, +) == 281)
    #expect(
      try Set(store.imports().map(\.file)) == ["0.zip", "again.zip", "older.zip", "newer.zip"])
    try store.verify()
  }
}
