import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct RunTests {
  private let watch = Source(name: "Watch")

  private func run(_ starts: ClosedRange<Int>, count: Int, isWhole: Bool = true) -> Run {
    Run(
      count: count, duplicates: 0, firstStart: Double(starts.lowerBound),
      lastStart: Double(starts.upperBound), lastEnd: Double(starts.upperBound), isWhole: isWhole,
      core: 0..<0, detail: 0..<0, statistics: 0..<0, zoneMap: 0..<0)
  }

  /// Spans that may overlap, touch or lie apart.
  private func spans(_ random: inout SplitMix64) -> [ClosedRange<Int>] {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in
      let first = Int.random(in: 0...40, using: &random)
      return first...first + Int.random(in: 0...8, using: &random)
    }
  }

  @Test("moves just the runs that share no start with anything else", arguments: 0..<300)
  func plan(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let fresh = spans(&random)
    let counts = fresh.map { _ in Int.random(in: 1...20, using: &random) }
    let areWhole = fresh.map { _ in Int.random(in: 0...4, using: &random) > 0 }
    let stored = seed % 3 == 0 ? [] : spans(&random)
    let plan = RunPlan(
      fresh.indices.map { run(fresh[$0], count: counts[$0], isWhole: areWhole[$0]) },
      among: stored.enumerated().map { number, span in
        StoredChunk(
          id: Int64(number), count: 1, firstStart: Double(span.lowerBound),
          lastStart: Double(span.upperBound), lastEnd: Double(span.upperBound))
      }, fewestMovedRows: 10)
    let expected = fresh.indices.filter { index in
      let others = stored + fresh.indices.filter { $0 != index }.map { fresh[$0] }
      return areWhole[index] && (counts[index] >= 10 || others.isEmpty)
        && others.allSatisfy { !$0.overlaps(fresh[index]) }
    }
    #expect(
      Set(plan.moved.map(\.firstStart)) == Set(expected.map { Double(fresh[$0].lowerBound) }))
    #expect(plan.moved.count == expected.count)
    #expect(plan.moved.count + plan.merged.count == fresh.count)
    let starts = plan.slots.map(\.firstStart)
    #expect(starts == starts.sorted())
    #expect(starts.count == stored.count + expected.count)
  }

  @Test("sorts rows of any order as a plain sort does", arguments: 0..<200)
  func order(seed: Int) throws {
    var records = StoreRecords(seed: UInt64(seed))
    var batch = records.batch(
      StoreRecords.steps, watch, count: Int.random(in: 0...60, using: &records.random),
      label: "count", spread: [3, 50, 10_000][seed % 3])
    for row in batch.values.indices where row % 2 == 0 {
      batch.values[row] = [0, -0.0, 1][row / 2 % 3]
    }
    func key(_ row: Int) -> (Double, Double, Double, Int) {
      let value = batch.values[row]
      return (batch.starts[row], batch.ends[row], value, value.sign == .minus ? 0 : 1)
    }
    var places = Array(0..<batch.count)
    switch seed % 4 {
    case 0: places.sort { key($0) < key($1) }
    case 1: places.sort { key($0) > key($1) }
    case 2:
      places.sort {
        (-(key($0).0 / 9).rounded(), key($0).0) < (-(key($1).0 / 9).rounded(), key($1).0)
      }
    default: break
    }
    batch = batch.picked(places)
    var sorted = batch.starts.indices.map(UInt32.init)
    batch.putInChunkOrder(&sorted, canonical: batch.values)
    #expect(sorted.sorted() == batch.starts.indices.map(UInt32.init))
    for (left, right) in zip(sorted, sorted.dropFirst()) {
      #expect(key(Int(left)) <= key(Int(right)))
    }
  }

  @Test("holds back what a file that goes forwards or backwards by days may go on with")
  func watermark() throws {
    let days = (0..<40).map { (day: Int) in (day * 100..<day * 100 + 50).map(Double.init) }
    let forwards = days.flatMap(\.self)
    let watermark = try #require(Watermark(forwards, last: 100))
    #expect(
      watermark.isForwards && watermark.defers(forwards[1_999])
        && !watermark.defers(forwards[1_899]))
    let backwards = days.reversed().flatMap(\.self)
    let cut = Array(backwards[..<1_975])
    let other = try #require(Watermark(cut, last: 100))
    #expect(!other.isForwards)
    // What follows lies among what is held back.
    #expect(backwards[1_975...].allSatisfy(other.defers))
    #expect(cut.count(where: other.defers) <= 100)
    var random = SplitMix64(seed: 1)
    #expect(Watermark(forwards.shuffled(using: &random), last: 100) == nil)
    #expect(Watermark(Array(forwards[..<399]), last: 100) == nil)
  }

  @Test("moves nearly all of an export that goes forwards or backwards", arguments: [false, true])
  func moves(isReversed: Bool) throws {
    var records = StoreRecords(seed: 4)
    let count = 1_000
    var all = records.batch(StoreRecords.steps, watch, count: count, label: "count")
    all.starts = (0..<count).map { Double($0 / 2 * 60) }
    all.ends = all.starts
    if isReversed { all = all.picked(Array((0..<count).reversed())) }
    let store = try SampleStore.temporary()
    let sizes = RunSizes(full: 100, fewestMovedRows: 25, watermarkRows: 8)
    let session = try store.beginImport(sizes: sizes)
    for start in stride(from: 0, to: count, by: 75) {
      try session.add(all.picked(Array(start..<min(start + 75, count))))
    }
    _ = try session.finish()
    let counts = try store.read { database in
      try StoredChunk.all(ofType: 1, source: 1, in: database).map(\.count)
    }
    // What is merged comes out as one chunk.
    #expect(counts.count >= 8 && counts.allSatisfy { $0 <= 150 })
    try store.verify()
  }

  @Test("makes the same file whatever the number of threads", arguments: [2, 3, 8])
  func threads(count: Int) throws {
    let folder = try TemporaryFolder()
    for (name, threads) in [("one", 1), ("more", count)] {
      var records = StoreRecords(seed: 9)
      let store = try SampleStore(path: folder.file(name), mode: .readWrite)
      let sizes = RunSizes(
        full: 200, fewestMovedRows: 50, watermarkRows: 16, mostBufferedBytes: 30_000)
      let session = try store.beginImport(threads: threads, sizes: sizes)
      for part in 0..<60 {
        let type = part % 2 == 0 ? StoreRecords.steps : StoreRecords.energy
        try session.add(
          records.batch(
            type, watch, count: 90, label: part % 2 == 0 ? "count" : "kcal",
            from: Double(part * 1_000), spread: 1_200))
      }
      _ = try session.finish()
    }
    // The files differ in their identities, which are random.
    func contents(_ name: String) throws -> [Row] {
      try DatabaseQueue(path: folder.file(name)).read { database in
        try ["chunks", "zoneMaps", "series", "changes", "types", "sources"].flatMap { table in
          try Row.fetchAll(database, sql: "SELECT * FROM \(table)")
        }
      }
    }
    #expect(try contents("one") == contents("more"))
  }

  @Test("carries an error of any thread to the caller", arguments: [1, 2, 5])
  func failure(threads: Int) throws {
    let encoder = RunEncoder(
      file: SpillFile(folder: "/nowhere/at/all", isSealed: false), threads: threads)
    var records = StoreRecords(seed: 2)
    var batch = records.batch(StoreRecords.steps, watch, count: 5_000, label: "count")
    // Texts that fill what waits in memory.
    batch.metadataTable += (0..<300).map { number in
      Metadata([.init(key: "note", value: String(repeating: "\(number)", count: 10_000))])
    }
    for row in 0..<batch.count { batch.metadata[row] = UInt32(row % 300) }
    var rows = UnsortedRows(
      buffered: RecordColumns.Builder(type: batch.type, source: batch.source), sizes: RunSizes())
    rows.batch = batch
    rows.canonical = batch.values
    #expect {
      for _ in 0..<20 { _ = try encoder.add(rows) }
      _ = try encoder.finish()
    } throws: {
      ($0 as? StoreError)?.reason == .notFound
    }
    encoder.close()
  }

  @Test("ends its threads when it is dropped")
  func dropped() throws {
    let store = try SampleStore.temporary()
    var records = StoreRecords(seed: 3)
    do {
      let sizes = RunSizes(full: 200, fewestMovedRows: 50, watermarkRows: 10)
      let session = try store.beginImport(threads: 4, sizes: sizes)
      for _ in 0..<20 {
        try session.add(records.batch(StoreRecords.steps, watch, count: 400, label: "count"))
      }
    }
    #expect(try store.types().isEmpty)
    let session = try store.beginImport(threads: 4)
    try session.add(records.batch(StoreRecords.steps, watch, count: 10, label: "count"))
    _ = try session.finish()
    #expect(try store.types().count == 1)
  }
}
