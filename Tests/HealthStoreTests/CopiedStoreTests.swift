import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

/// Copies of stores, and backups that are put back.
@Suite("A copied store") struct CopiedStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String) throws -> SampleStore {
    try SampleStore(path: folder.file(name), mode: .readWrite)
  }

  /// Imports steps of half a minute each, from an hour on; returns their UUIDs.
  @discardableResult
  private func add(_ count: Int, hours: Int, to store: SampleStore) throws -> [UUID] {
    let before = try store.anchor().serial
    var batch = RecordColumns(type: StoreRecords.steps, source: Source(name: "Watch"))
    for row in 0..<count {
      let start = Double(hours * 3_600 + row * 60)
      try batch.append(start: start, end: start + 30, value: Double(row), label: "count")
    }
    let session = try store.beginImport()
    try session.add(batch)
    _ = try session.finish(exported: Double(hours))
    let after = try store.anchor().serial
    return try store.uuids(of: Array(before + 1...after))
  }

  private func epochs(_ store: SampleStore) throws -> Int {
    try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM epochs") ?? 0 }
  }

  private func isForeign(_ anchor: StoreAnchor, to store: SampleStore) throws -> Bool {
    do {
      try store.check(anchor)
      return false
    } catch {
      #expect(error.reason == .foreignAnchor)
      return true
    }
  }

  @Test("gives its own UUIDs from then on, and both know those from before")
  func copy() throws {
    let original = try open("store")
    let common = try add(5, hours: 1, to: original)
    let anchor = try original.anchor()
    try original.backUp(to: folder.file("copy"))
    let mine = try add(3, hours: 2, to: original)
    let later = try original.anchor()
    let copy = try open("copy")
    #expect(try !isForeign(anchor, to: copy))
    #expect(try isForeign(later, to: copy))
    let others = try add(3, hours: 3, to: copy)
    #expect(try (epochs(original), epochs(copy)) == (0, 1))
    for store in [original, copy] { #expect(try store.serials(of: common).count == 5) }
    #expect(Set(mine).isDisjoint(with: others))
    #expect(try copy.serials(of: mine).isEmpty && original.serials(of: others).isEmpty)
    #expect(try copy.serials(of: others).count == 3)
    #expect(try copy.uuids(of: Array(1...5)) == common)
    #expect(try !isForeign(anchor, to: copy) && isForeign(later, to: copy))
    #expect(try copy.deletions(after: anchor).isEmpty)
    // A copy of the copy.
    try copy.backUp(to: folder.file("third"))
    let third = try open("third")
    let last = try add(2, hours: 4, to: third)
    #expect(try epochs(third) == 2)
    #expect(try third.serials(of: common + others + last).count == 10)
    for store in [original, copy, third] { try store.verify() }
    _ = try original.synchronise(with: third)
    _ = try original.synchronise(with: copy)
    #expect(try original.samples(of: StoreRecords.steps).count == 13)
  }

  @Test("put back over the later state knows no anchor from after it, and gives no UUID again")
  func restored() throws {
    var store: SampleStore? = try open("store")
    let early = try add(5, hours: 1, to: try #require(store))
    try store?.backUp(to: folder.file("backup"))
    let lost = try add(1, hours: 2, to: try #require(store))
    let later = try #require(try store?.anchor())
    store = nil
    // In its place, with the number that the file has on the disk.
    let backup = try Data(contentsOf: URL(fileURLWithPath: folder.file("backup")))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("store")))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: backup)
    try handle.close()
    for name in ["store-wal", "store-shm"] { unlink(folder.file(name)) }
    let again = try open("store")
    #expect(try isForeign(later, to: again))
    let new = try add(1, hours: 3, to: again)
    #expect(try epochs(again) == 1)
    #expect(Set(new).isDisjoint(with: lost))
    #expect(try isForeign(later, to: again))
    #expect(try again.serials(of: early + lost + new).count == 6)
    try again.verify()
  }

  @Test("is put back with its log, and what was there stays beside it")
  func restoring() throws {
    var store: SampleStore? = try open("store")
    let early = try add(5, hours: 1, to: try #require(store))
    try store?.backUp(to: folder.file("backup"))
    try add(2, hours: 2, to: try #require(store))
    #expect {
      _ = try SampleStore.restore(path: folder.file("store"), from: folder.file("store"))
    } throws: {
      ($0 as? StoreError)?.reason == .alreadyThere
    }
    #expect {
      _ = try SampleStore.restore(path: folder.file("store"), from: folder.file("backup"))
    } throws: {
      ($0 as? StoreError)?.reason == .busy
    }
    store = nil
    for round in 1...2 {
      let kept = try SampleStore.restore(
        path: folder.file("store"), from: folder.file("backup"))
      #expect(kept == folder.file(round == 1 ? "store-replaced" : "store-replaced-2"))
      let again = try open("store")
      #expect(try again.samples(of: StoreRecords.steps).count == 5)
      let new = try add(1, hours: 3 + round, to: again)
      #expect(try epochs(again) == 1)
      #expect(try again.serials(of: early + new).count == 6)
    }
    #expect(try open("store-replaced").samples(of: StoreRecords.steps).count == 7)
    // A damaged store is replaced, by a copy that was made with its log.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("store")))
    try Data(bytes.prefix(20_000)).write(to: URL(fileURLWithPath: folder.file("store")))
    #expect {
      _ = try SampleStore.restore(path: folder.file("backup"), from: folder.file("store"))
    } throws: {
      ($0 as? StoreError)?.reason == .damaged
    }
    _ = try SampleStore.restore(path: folder.file("store"), from: folder.file("backup"))
    #expect(try open("store").samples(of: StoreRecords.steps).count == 5)
    // Where there is nothing.
    #expect(
      try SampleStore.restore(path: folder.file("new"), from: folder.file("backup")) == nil)
    #expect(try open("new").samples(of: StoreRecords.steps).count == 5)
  }

  @Test("a store that is opened again, compacted or encrypted is no copy")
  func same() throws {
    let key = StoreKey.passphrase("a passphrase of some length")
    for round in 0..<3 {
      let store = try open("store")
      try add(3, hours: round * 10, to: store)
      try add(3, hours: round * 10 + 1, to: store)
      try store.compact()
      try add(2, hours: round * 10 + 2, to: store)
      #expect(try epochs(store) == 0)
    }
    try SampleStore.encrypt(
      path: folder.file("store"), passphrase: "a passphrase of some length")
    do {
      let sealed = try SampleStore(path: folder.file("store"), mode: .readWrite, key: key)
      try add(2, hours: 100, to: sealed)
      #expect(try epochs(sealed) == 0)
    }
    try SampleStore.decrypt(path: folder.file("store"), key: key)
    let store = try open("store")
    try add(2, hours: 101, to: store)
    #expect(try epochs(store) == 0)
    try store.takeNewIdentity()
    try add(2, hours: 102, to: store)
    #expect(try epochs(store) == 1)
  }
}
