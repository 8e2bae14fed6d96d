import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("A saved sample replaced by another") struct ReplacingSamplesTests {
  private let folder: TemporaryFolder
  private let store: SampleStore
  private let person = Source(name: "hkstats", isUserEntered: true)

  init() throws {
    folder = try TemporaryFolder()
    store = try SampleStore(path: folder.file(), mode: .readWrite)
  }

  private func sample(
    _ start: Double, _ value: Double, from source: Source? = nil, version: (String, Int)? = nil
  ) -> NewSample {
    NewSample(
      type: StoreRecords.steps, source: source ?? person, start: start, end: start + 60,
      value: value, label: "count", created: start + 61,
      metadata: Metadata(
        version.map {
          [
            .init(key: "HKMetadataKeySyncIdentifier", .string($0.0)),
            .init(key: "HKMetadataKeySyncVersion", .number(Double($0.1))),
          ]
        } ?? []))
  }

  private func values(_ store: SampleStore) throws -> [Double] {
    var values: [Double] = []
    try store.forEachRowRange(of: StoreRecords.steps, after: 0) { batch, range in
      values += range.map { batch.values[$0] }
      return true
    }
    return values.sorted()
  }

  @Test("The new one stands for the old one, also after a sync and an import of neither")
  func replaces() throws {
    let old = try store.save([sample(0, 5), sample(100, 7)])[0]
    let other = try SampleStore(path: folder.file("other"), mode: .readWrite)
    _ = try store.synchronise(with: other)
    let new = try #require(try store.replace(old, with: sample(10, 6)))
    #expect(new != old)
    #expect(try values(store) == [6, 7])
    // Once only.
    #expect(try store.replace(old, with: sample(10, 8)) == nil)
    #expect(try values(store) == [6, 7])
    _ = try store.synchronise(with: other)
    #expect(try values(other) == [6, 7])
    try store.verify()
  }

  @Test("A version is replaced by the next one, which associations mean")
  func versions() throws {
    let app = Source(name: "hkstats")
    let uuids = try store.save([
      sample(0, 5, from: app, version: ("x", 3)), sample(100, 7, from: app),
    ])
    var objects = NewObjects()
    objects.associations = [Association(uuids[1], uuids[0], .workout)]
    try store.save(objects)
    let new = try #require(
      try store.replace(uuids[0], with: sample(0, 6, from: app, version: ("x", 3))))
    #expect(try values(store) == [6, 7])
    #expect(try store.associations(.workout).map(\.member) == [new])
    // What an app saved as the old version afterwards is left out.
    _ = try store.save([sample(0, 9, from: app, version: ("x", 3))])
    #expect(try values(store) == [6, 7])
    try store.verify()
  }

  @Test(
    "A deletion keeps identifier and version, alone or among thousands, as do copies of the store")
  func names() throws {
    let app = Source(name: "hkstats")
    func version(_ place: Int) -> (String, Int)? { place % 3 == 0 ? nil : ("x \(place)", place) }
    let uuids = try store.save(
      (0..<2_600).map { sample(Double($0) * 100, 1, from: app, version: version($0)) })
    // Small entries of the table, which are joined, and full ones.
    for uuid in uuids.prefix(100) { try store.delete([uuid]) }
    try store.delete(uuids.dropFirst(100))
    try store.verify()
    try store.backUp(to: folder.file("copy"))
    let places = Dictionary(uniqueKeysWithValues: zip(uuids, uuids.indices))
    for store in [store, try SampleStore(path: folder.file("copy"), mode: .readOnly)] {
      let rows = try store.deletions(after: StoreAnchor(before: store.anchor()))
      #expect(rows.count == uuids.count)
      let isRight = rows.map { row in
        let wanted = places[row.uuid].flatMap(version)
        return row.syncIdentifier == wanted?.0 && row.syncVersion == wanted.map { Double($0.1) }
      }
      #expect(!isRight.contains(false))
    }
  }

  @Test("What is imported, of an app, or not there is told apart; an invalid one changes nothing")
  func others() throws {
    let phone = Source(name: "Phone", bundleIdentifier: "com.example.steps")
    let saved = try store.save([sample(0, 5), sample(100, 7, from: phone)])
    #expect(try store.saver(of: saved[0]) == .owner)
    #expect(try store.saver(of: saved[1]) == .app("com.example.steps"))
    #expect(try store.saver(of: UUID()) == nil)
    var batch = RecordColumns(type: StoreRecords.steps, source: Source(name: "Watch"))
    try batch.append(start: 500, end: 560, value: 3, label: "count")
    let session = try store.beginImport()
    try session.add(batch)
    _ = try session.finish(replacing: false, restoring: false, exported: 1)
    let imported = try store.uuids(of: [3])[0]
    #expect(try store.saver(of: imported) == .imports)
    #expect(try store.replace(imported, with: sample(0, 1)) == nil)
    #expect(try store.replace(UUID(), with: sample(0, 1)) == nil)
    #expect(throws: StoreError.self) { try store.replace(saved[0], with: sample(0, .nan)) }
    #expect(try values(store) == [3, 5, 7])
  }
}
