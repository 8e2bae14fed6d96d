import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("Numbers of imports") struct ImportNumberTests {
  private static let source = Source(name: "Watch")

  /// Imports a file of some rows, which has more of them than those before; returns its number.
  private func importFile(_ file: Int, into store: SampleStore, replacing: Bool) throws -> Int64? {
    var batch = RecordColumns(type: StoreRecords.steps, source: Self.source)
    for row in 0..<(5 + file) {
      let start = Double(row) * 60
      try batch.append(start: start, end: start + 60, value: Double(row + 1), label: "count")
    }
    let session = try store.beginImport()
    try session.add(batch)
    return try session.finish(
      replacing: replacing, file: "\(file)", exported: Double(file + 1) * 1e6
    ).number
  }

  @Test(
    "mean one import for ever, whatever is undone, deleted, restored and exchanged",
    arguments: 0..<12)
  func law(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let stores = [try SampleStore.temporary(), try SampleStore.temporary()]
    /// The file of each number that a store ever gave.
    var given: [[Int64: String]] = [[:], [:]]
    /// The numbers of undone imports of each store.
    var undone: [Set<Int64>] = [[], []]
    func check() throws {
      for (place, store) in stores.enumerated() {
        let imports = try store.imports()
        #expect(Set(imports.map(\.id)).count == imports.count)
        for one in imports {
          #expect(given[place][one.id] ?? one.file == one.file, "seed \(seed)")
          #expect(!undone[place].contains(one.id), "seed \(seed)")
          given[place][one.id] = one.file
        }
      }
    }
    for _ in 0..<24 {
      let place = Int.random(in: 0..<2, using: &random)
      let store = stores[place]
      let before = try store.imports()
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1, 2:
        let file = Int.random(in: 0..<3, using: &random)
        let number = try importFile(
          file, into: store, replacing: Int.random(in: 0..<4, using: &random) == 0)
        #expect(try store.imports().contains { $0.id == number && $0.file == "\(file)" })
      case 3:
        guard let one = before.randomElement(using: &random) else { continue }
        #expect(try store.undoImport(one.id) != nil)
        #expect(try store.undoImport(one.id) == nil)
        undone[place].insert(one.id)
      case 4:
        let deletions = try store.deletions()
        if let one = deletions.randomElement(using: &random), Bool.random(using: &random) {
          _ = try store.restoreDeletion(one.id)
        } else {
          try store.delete(.samples(StoreRecords.steps), in: 0..<120)
        }
      default:
        _ = try stores[0].synchronise(with: stores[1])
        // What one took back the other has not, either.
        for place in 0..<2 {
          let there = Set(try stores[place].imports().map(\.id))
          undone[place].formUnion(Set(given[place].keys).subtracting(there))
        }
      }
      try check()
    }
  }

  @Test("a file that is imported again after an undo is another import")
  func again() throws {
    let store = try SampleStore.temporary()
    let first = try importFile(0, into: store, replacing: false)
    _ = try store.undoImport(try #require(first))
    let second = try importFile(0, into: store, replacing: false)
    #expect(first != second)
    #expect(try store.imports().map(\.id) == [second])
  }
}
