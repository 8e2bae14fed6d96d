import Foundation
import GRDB
import HealthSamples
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("Stores that are synchronised or take an import back") struct SyncingTests {
  private let watch = Source(name: "Watch")
  private let app = Source(name: "Scale", bundleIdentifier: "com.example.scale")

  /// Exports of one phone: each later one has what the earlier has, and more.
  private func export(_ number: Int) throws -> RecordColumns {
    var batch = RecordColumns(type: StoreRecords.steps, source: watch)
    for row in 0..<(20 + 10 * number) {
      let start = Double(row) * 60
      try batch.append(start: start, end: start + 60, value: Double(row % 7 + 1), label: "count")
    }
    return batch
  }

  private func importFile(_ number: Int, into store: SampleStore) throws {
    let session = try store.beginImport()
    try session.add(export(number))
    _ = try session.finish(file: "export-\(number).zip", exported: Double(number) * 1_000_000)
  }

  private func save(_ count: Int, into store: SampleStore, _ random: inout SplitMix64) throws {
    try store.save(
      (0..<count).map { _ in
        let start = Double(Int.random(in: 0..<30, using: &random)) * 60
        return NewSample(
          type: StoreRecords.steps, source: app, start: start, end: start + 60,
          value: Double(Int.random(in: 1..<5, using: &random)), label: "count")
      })
  }

  private func delete(_ count: Int, from store: SampleStore, _ random: inout SplitMix64) throws {
    let serials = try store.records(of: StoreRecords.steps).flatMap(\.serials).sorted()
    try store.delete(store.uuids(of: serials.shuffled(using: &random).prefix(count)))
  }

  /// What is the same in equal stores: samples, and what no sync or import may bring.
  private func state(_ store: SampleStore) throws -> [String] {
    try store.verify()
    var lines: [String] = []
    for batch in try store.records(of: StoreRecords.steps) {
      for row in 0..<batch.count {
        lines.append(
          "\(batch.source.bundleIdentifier) \(batch.starts[row]) \(batch.ends[row]) "
            + "\(batch.values[row]) \(batch.copies[row])")
      }
    }
    return lines.sorted()
  }

  @Test("become equal in any order of exchange, and stay so", arguments: 0..<8)
  func histories(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let stores = try (0..<3).map { _ in try SampleStore.temporary() }
    for _ in 0..<12 {
      let store = try #require(stores.randomElement(using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try importFile(Int.random(in: 1..<4, using: &random), into: store)
      case 1: try save(Int.random(in: 1..<6, using: &random), into: store, &random)
      case 2: try delete(Int.random(in: 1..<5, using: &random), from: store, &random)
      default:
        let pair = stores.indices.shuffled(using: &random).prefix(2)
        let (left, right) = (stores[pair[0]], stores[pair[1]])
        _ = try left.synchronise(with: right)
        #expect(try state(left) == state(right))
      }
    }
    let pairs = [(0, 1), (1, 2), (0, 2), (0, 1)].map {
      Bool.random(using: &random) ? $0 : ($0.1, $0.0)
    }
    for (left, right) in pairs { _ = try stores[left].synchronise(with: stores[right]) }
    let states = try stores.map(state)
    #expect(states[0] == states[1] && states[1] == states[2])
    let again = try stores[0].synchronise(with: stores[1])
    #expect(again.received == StoreSync() && again.sent == StoreSync())
  }

  @Test("become equal also where they have one identity, as clones of a machine have")
  func clones() throws {
    var random = SplitMix64(seed: 1)
    let stores = try (0..<2).map { _ in try SampleStore.temporary() }
    let identity = try stores[0].read { try Int64.fetchOne($0, sql: "SELECT store FROM identity") }
    try stores[1].write { database, _ in
      try database.execute(sql: "UPDATE identity SET store = ?", arguments: [identity])
    }
    for round in 1..<4 {
      for store in stores {
        try save(round, into: store, &random)
        try delete(1, from: store, &random)
      }
      _ = try stores[0].synchronise(with: stores[1])
      #expect(try state(stores[0]) == state(stores[1]))
    }
    let again = try stores[0].synchronise(with: stores[1])
    #expect(again.received == StoreSync() && again.sent == StoreSync())
  }

  /// What several threads threw.
  private final class Reasons: Sendable {
    let all = Mutex<[StoreError.Reason]>([])
  }

  @Test("become equal at the same time: one waits for the other, and nothing is damaged")
  func twoAtOnce() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 3)
    for round in 0..<5 {
      func open(_ name: String) throws -> SampleStore {
        try SampleStore(path: folder.file("\(name)\(round)"), mode: .readWrite)
      }
      let (left, right) = (try open("left"), try open("right"))
      for number in 1..<9 { try importFile(number, into: left) }
      for store in [left, right] {
        try save(5, into: store, &random)
        try delete(2, from: store, &random)
      }
      let reasons = Reasons()
      let group = DispatchGroup()
      for isTurned in [false, round % 2 == 1] {
        let (one, other) = (try open("left"), try open("right"))
        group.enter()
        Thread {
          defer { group.leave() }
          do throws(StoreError) {
            _ = try isTurned ? other.synchronise(with: one) : one.synchronise(with: other)
          } catch {
            reasons.all.withLock { $0.append(error.reason) }
          }
        }.start()
      }
      group.wait()
      #expect(reasons.all.withLock { $0 }.allSatisfy { $0 == .busy })
      _ = try left.synchronise(with: right)
      #expect(try state(left) == state(right))
      #expect(try left.imports().count == 8 && right.imports().count == 8)
    }
  }

  @Test("leave the store as it was when they fail on the way")
  func failing() throws {
    var random = SplitMix64(seed: 4)
    let (store, other) = (try SampleStore.temporary(), try SampleStore.temporary())
    try save(2, into: store, &random)
    try save(3, into: other, &random)
    try importFile(1, into: other)
    let before = try state(store)
    let anchor = try store.anchor()
    // What was saved is read before, and is whole.
    try other.queue.write { database in
      try database.execute(
        sql: """
          UPDATE chunks SET core = x'00' WHERE source = (SELECT id FROM sources WHERE name = ?)
          """, arguments: [watch.name])
    }
    let error = #expect(throws: StoreError.self) { _ = try store.absorb(other) }
    #expect(error?.reason == .damaged)
    #expect(try state(store) == before)
    #expect(try store.anchor() == anchor && store.imports().isEmpty)
    // It is free for the next one.
    try save(1, into: store, &random)
    #expect(try state(store).count == before.count + 1)
  }

  @Test("keep the UUID of a sample whose file is undone elsewhere, where another file has it, too")
  func undoneElsewhere() throws {
    let (store, other) = (
      try SampleStore.temporary().at(Now(Date(timeIntervalSinceReferenceDate: 1_000))),
      try SampleStore.temporary().at(Now(Date(timeIntervalSinceReferenceDate: 2_000)))
    )
    // Six pairs of files, of which the later one has the samples of the earlier one.
    func importFile(_ pair: Int, isLater: Bool, into store: SampleStore) throws -> Int64? {
      var batch = RecordColumns(type: StoreRecords.steps, source: watch)
      for row in 0..<(isLater ? 6 : 5) {
        let start = Double(pair * 10_000 + row * 60)
        try batch.append(start: start, end: start + 60, value: Double(row + 1), label: "count")
      }
      let session = try store.beginImport()
      try session.add(batch)
      return try session.finish(exported: Double(pair * 2 + (isLater ? 1 : 0))).number
    }
    func uuids() throws -> [Double: UUID] {
      var uuids: [Double: UUID] = [:]
      for batch in try store.records(of: StoreRecords.steps) {
        for (start, uuid) in zip(batch.starts, try store.uuids(of: batch.serials)) {
          uuids[start] = uuid
        }
      }
      return uuids
    }
    for pair in 0..<6 { _ = try importFile(pair, isLater: false, into: store) }
    let before = try uuids()
    let undone = try (0..<6).map { pair in
      let number = try importFile(pair, isLater: false, into: other)
      _ = try importFile(pair, isLater: true, into: other)
      return try #require(number)
    }
    for number in undone { _ = try other.undoImport(number) }
    _ = try store.synchronise(with: other)
    let after = try uuids()
    #expect(after.count == before.count + 6)
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(try state(store) == state(other))
  }

  @Test("count a saved sample that an import has, too, once among what was deleted")
  func deletedSaves() throws {
    let store = try SampleStore.temporary()
    try importFile(1, into: store)
    let first = try #require(try store.records(of: StoreRecords.steps).first)
    // The first one is that of the import.
    try store.save(
      [first.starts[0], 100_000].map { start in
        NewSample(
          type: StoreRecords.steps, source: watch, start: start, end: start + 60,
          value: first.values[0], label: "count")
      })
    let count = try state(store).count
    #expect(count == first.count + 1)
    try store.delete(.samples(StoreRecords.steps))
    let deletion = try #require(try store.deletions().first)
    #expect(deletion.keptOut == [StoreRecords.steps: first.count])
    #expect(deletion.saved == [StoreRecords.steps: 1])
    _ = try store.restoreDeletion(deletion.id)
    #expect(try state(store).count == count)
    #expect(try store.deletions().map(\.saved) == [[:]])
  }

  @Test("give back what an import alone had, and keep what others had")
  func undo() throws {
    let store = try SampleStore.temporary()
    let fresh = try SampleStore.temporary()
    try importFile(1, into: store)
    try importFile(1, into: fresh)
    try importFile(2, into: store)
    #expect(try store.imports().map(\.file) == ["export-1.zip", "export-2.zip"])
    let undone = try #require(try store.undoImport(2))
    #expect(undone.deletedSamples == 10)
    #expect(try state(store) == state(fresh))
    #expect(try store.undoImport(2) == nil)
    try importFile(2, into: store)
    #expect(try store.records(of: StoreRecords.steps).reduce(0) { $0 + $1.count } == 40)
    #expect(try store.undoImport(1)?.deletedSamples == 0)
    // The number of an undone import is no other's, not even that of the same file.
    #expect(try store.undoImport(2) == nil)
    let again = try #require(try store.imports().first)
    #expect(try store.undoImport(again.id)?.deletedSamples == 40)
    #expect(try store.types().isEmpty)
  }
}
