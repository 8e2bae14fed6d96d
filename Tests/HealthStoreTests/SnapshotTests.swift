import Foundation
import HealthSamples
import Synchronization
import Testing

@testable import HealthStore

@Suite struct SnapshotTests {
  private func add(_ start: Double, to store: SampleStore) throws {
    var batch = RecordColumns(type: SampleType(.stepCount), source: Source(name: "Phone"))
    batch.labelTable = ["count"]
    batch.originTable = [Origin()]
    (batch.starts, batch.ends, batch.values, batch.created) = ([start], [start], [1], [0])
    (batch.labels, batch.origins, batch.metadata, batch.copies) = ([0], [0], [0], [1])
    let session = try store.beginImport()
    try session.add(batch)
    _ = try session.finish()
  }

  @Test("keeps one state while an import commits, and gives the new one after")
  func commits() throws {
    let folder = try TemporaryFolder()
    let writer = try SampleStore(path: folder.file(), mode: .readWrite)
    try add(0, to: writer)
    let reader = try SampleStore(path: folder.file(), mode: .readOnly)
    let failure = Mutex<String?>(nil)
    let isDone = Atomic(false)
    try reader.snapshot {
      #expect(try reader.types().map(\.count) == [1])
      let thread = Thread {
        do {
          try self.add(10, to: writer)
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
        isDone.store(true, ordering: .releasing)
      }
      thread.start()
      while !isDone.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.01) }
      // A snapshot within a snapshot is the same one.
      let count = try reader.snapshot { try reader.samples(of: SampleType(.stepCount)).count }
      #expect(count == 1)
      #expect(try reader.sources().map(\.count) == [1])
    }
    let message = failure.withLock { $0 }
    #expect(message == nil)
    #expect(try reader.samples(of: SampleType(.stepCount)).count == 2)
  }

  @Test("what the body throws leaves, and the store answers on")
  func thrown() throws {
    struct Stop: Error {}
    let store = try SampleStore.temporary()
    try add(0, to: store)
    #expect(throws: Stop.self) { try store.snapshot { throw Stop() } }
    #expect(throws: StoreError.self) {
      try store.snapshot { try store.setDefaultZone("Europe/Paris") }
    }
    try add(1, to: store)
    #expect(try store.types().map(\.count) == [2])
  }

  @Test("the default zone stays in the file until it is taken back")
  func zone() throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    #expect(try store.defaultZone() == nil)
    try store.setDefaultZone("Europe/Paris")
    try store.setDefaultZone("Asia/Tokyo")
    let reader = try SampleStore(path: folder.file(), mode: .readOnly)
    #expect(try reader.defaultZone() == "Asia/Tokyo")
    #expect(throws: StoreError.self) { try reader.setDefaultZone(nil) }
    try store.setDefaultZone(nil)
    #expect(try reader.defaultZone() == nil)
  }
}
