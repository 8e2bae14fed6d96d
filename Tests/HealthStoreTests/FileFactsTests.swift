import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("What files say besides their data")
struct FileFactsTests {
  private let steps = StoreRecords.steps

  /// Imports steps of sources, with what the file says.
  @discardableResult
  private func `import`(
    _ names: [String], saying facts: FileFacts, exported: Double? = nil, dryRun: Bool = false,
    into store: SampleStore
  ) throws -> Int64? {
    let session = try store.beginImport(from: .healthConnect)
    for name in names {
      var batch = RecordColumns(type: steps, source: Source(name: name))
      try batch.append(start: 0, end: 60, value: 5, label: "count")
      try session.add(batch)
    }
    return try session.finish(dryRun: dryRun, exported: exported, facts: facts).number
  }

  private func order(_ names: String...) -> FileFacts {
    FileFacts(sourceOrders: [steps.identifier: names])
  }

  @Test("the last file that counts decides the order of sources where the owner has none")
  func orders() throws {
    let store = try SampleStore.temporary()
    try `import`(["A", "B"], saying: order("B", "gone", "A"), dryRun: true, into: store)
    #expect(try store.preferredSources(of: steps).isEmpty)
    try `import`(["A", "B"], saying: order("B", "gone", "A"), exported: 10, into: store)
    #expect(try store.preferredSources(of: steps) == ["B", "A"])
    #expect(try store.preferredSources(of: StoreRecords.energy).isEmpty)
    let later = try `import`(["A", "B", "C"], saying: order("C", "A"), exported: 20, into: store)
    try `import`(["A"], saying: order("A"), exported: 5, into: store)
    try `import`(["A"], saying: FileFacts(), exported: 30, into: store)
    #expect(try store.preferredSources(of: steps) == ["C", "A"])
    try store.setPreferredSources(["B"], of: nil)
    #expect(try store.preferredSources(of: steps) == ["B"])
    try store.setPreferredSources([], of: nil)
    _ = try store.undoImport(try #require(later))
    #expect(try store.preferredSources(of: steps) == ["B", "A"])
    try store.verify()
  }

  @Test(
    "a file that is told again with another order has that one, and writes nothing with the same")
  func again() throws {
    let store = try SampleStore.temporary()
    try `import`(["A", "B"], saying: order("A", "B"), exported: 10, into: store)
    let registers = { try store.read { try $0.settings(of: .file) } }
    let first = try registers()
    try `import`(["A", "B"], saying: order("A", "B"), exported: 10, into: store)
    #expect(try registers() == first)
    try `import`(["A", "B"], saying: order("B", "A"), exported: 10, into: store)
    #expect(try store.preferredSources(of: steps) == ["B", "A"])
    #expect(try registers().count == 1)
  }

  @Test("its zones are among those of samples, as long as the file counts")
  func zones() throws {
    let store = try SampleStore.temporary()
    #expect(try store.zonesOfDates() == nil)
    let spans = [
      FileFacts.ZoneSpan(start: 0, end: 100, zone: "GMT+0200"),
      FileFacts.ZoneSpan(start: 200, end: 300, zone: "GMT+0100"),
    ]
    let number = try `import`(["A"], saying: FileFacts(zones: spans), into: store)
    let found = try #require(try store.zonesOfDates())
    #expect(found.starts == [0, 200] && found.ends == [100, 300])
    #expect(found.zoneTable == ["GMT+0200", "GMT+0100"])
    #expect(try store.recordedZones() == found)
    _ = try store.undoImport(try #require(number))
    #expect(try store.zonesOfDates() == nil)
  }

  @Test("another store learns it with the file")
  func synced() throws {
    let (one, other) = (try SampleStore.temporary(), try SampleStore.temporary())
    try `import`(["A", "B"], saying: order("B", "A"), into: one)
    _ = try one.synchronise(with: other)
    #expect(try other.preferredSources(of: steps) == ["B", "A"])
    try one.verify()
    try other.verify()
  }
}
