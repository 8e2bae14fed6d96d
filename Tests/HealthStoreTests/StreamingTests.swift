import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("Rows handed over one by one")
struct StreamingTests {
  private let watch = Source(name: "Anna’s Apple\u{A0}Watch")
  private let phone = Source(name: "iPhone")
  private let hand = Source(name: "iPhone", isUserEntered: true)

  private struct Row: Equatable {
    let source: Source
    let start: Double
    let end: Double
    let value: Double

    init(_ batch: RecordColumns, _ row: Int) {
      source = batch.source
      (start, end, value) = (batch.starts[row], batch.ends[row], batch.values[row])
    }
  }

  private func store(_ batches: [ImportBatch]) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    _ = try session.finish()
    return store
  }

  /// What the series gives, no more than `limit` rows of it.
  private func streamed(
    _ store: SampleStore, _ type: SampleType, in range: Range<Double>?, isNewestFirst: Bool,
    limit: Int = .max
  ) throws -> [Row] {
    var rows: [Row] = []
    try store.forEachRowRange(of: type, in: range, isNewestFirst: isNewestFirst) { batch, run in
      for row in isNewestFirst ? run.reversed() : Array(run) { rows.append(Row(batch, row)) }
      return rows.count < limit
    }
    return rows
  }

  @Test("Records of all sources come in the order of time, both ways", arguments: 0..<12)
  func order(seed: Int) throws {
    var records = StoreRecords(seed: UInt64(seed))
    // Few instants, so that many records share theirs.
    let spread = seed.isMultiple(of: 2) ? 50 : 100_000
    let type = StoreRecords.steps
    let store = try store([
      .records(records.batch(type, watch, count: 300, label: "count", spread: spread)),
      .records(records.batch(type, phone, count: 200, label: "count", spread: spread)),
      .records(records.batch(type, hand, count: 20, label: "count", spread: spread)),
    ])
    for _ in 0..<8 {
      let bounds = [0, 1].map { _ in
        Double(Int.random(in: -10...spread + 200, using: &records.random))
      }.sorted()
      let range: Range<Double>? = bounds[0] < 0 ? nil : bounds[0]..<bounds[1]
      let batches = try store.records(of: type, in: range)
      let expected = ReferenceTimeOrder.places(of: batches).map { Row(batches[$0.batch], $0.row) }
      #expect(try streamed(store, type, in: range, isNewestFirst: false) == expected)
      #expect(try streamed(store, type, in: range, isNewestFirst: true) == expected.reversed())
    }
  }

  /// The same from a snapshot, some runs at a time.
  private func pulled(
    _ snapshot: StoreSnapshot, _ type: SampleType, in range: Range<Double>?, isNewestFirst: Bool,
    by step: Int
  ) throws -> [Row] {
    let reader = try RowRunReader(
      [SampleScan(of: type, in: range)], isNewestFirst: isNewestFirst, in: snapshot)
    var rows: [Row] = []
    var tables: [Int: [Origin]] = [:]
    var mayContinue = true
    while mayContinue {
      var left = step
      mayContinue = try reader.next { batch, run, chunk in
        // Two batches with one number have one table.
        #expect(
          tables.updateValue(batch.originTable, forKey: chunk) ?? batch.originTable
            == batch.originTable)
        for row in isNewestFirst ? run.reversed() : Array(run) { rows.append(Row(batch, row)) }
        left -= 1
        return left > 0
      }
    }
    return rows
  }

  @Test("A snapshot gives the rows of its moment, whatever is imported meanwhile", arguments: 0..<6)
  func pulls(seed: Int) throws {
    var records = StoreRecords(seed: UInt64(seed))
    let type = StoreRecords.steps
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    func add(_ batch: RecordColumns) throws {
      let session = try store.beginImport()
      try session.add(batch)
      _ = try session.finish()
    }
    var elements = RandomElements(seed: UInt64(seed))
    let session = try store.beginImport()
    for source in [watch, phone] {
      try session.add(records.batch(type, source, count: 200, label: "count", spread: 100))
    }
    for batch in (0..<5).flatMap({ _ in elements.batches() }) { try session.add(batch) }
    _ = try session.finish()
    for isNewestFirst in [false, true] {
      let range: Range<Double>? = seed.isMultiple(of: 2) ? nil : 20..<80
      let expected = try streamed(store, type, in: range, isNewestFirst: isNewestFirst)
      var shown: [AnyHashable] = []
      try store.forEachElement(of: .workout, isNewestFirst: isNewestFirst) { batch in
        shown += batch.elements.rows
        return true
      }
      let snapshot = try StoreSnapshot(of: store)
      let reader = try ElementReader(
        of: .workout, in: nil, isNewestFirst: isNewestFirst, from: snapshot)
      // Later than all others, so that it replaces none of them.
      let first = isNewestFirst ? 20_000.0 : 10_000
      try add(records.batch(type, hand, count: 50, label: "count", from: first, spread: 100))
      for step in [1, 7, .max] {
        #expect(
          try pulled(snapshot, type, in: range, isNewestFirst: isNewestFirst, by: step) == expected)
      }
      var found: [AnyHashable] = []
      while try reader.next({ batch in
        found += batch.elements.rows
        return false
      }) {}
      #expect(found == shown)
      let later = try streamed(store, type, in: range, isNewestFirst: isNewestFirst)
      #expect(later.count == expected.count + (range == nil ? 50 : 0))
    }
  }

  @Test("A snapshot of a temporary store says that the store has changed")
  func changed() throws {
    var records = StoreRecords(seed: 5)
    let store = try store([
      .records(records.batch(StoreRecords.steps, watch, count: 5, label: "count"))
    ])
    let snapshot = try StoreSnapshot(of: store)
    let all = try pulled(snapshot, StoreRecords.steps, in: nil, isNewestFirst: false, by: 1)
    #expect(all.count == 5)
    let session = try store.beginImport()
    try session.add(records.batch(StoreRecords.steps, phone, count: 5, label: "count"))
    _ = try session.finish()
    #expect {
      try pulled(snapshot, StoreRecords.steps, in: nil, isNewestFirst: false, by: 1)
    } throws: {
      ($0 as? StoreError)?.reason == .changed
    }
    #expect(
      try pulled(
        StoreSnapshot(of: store), StoreRecords.steps, in: nil, isNewestFirst: false, by: 1
      ).count == 10)
  }

  @Test("Chunks of one source follow one another, and a reader may stop early")
  func chunks() throws {
    var records = StoreRecords(seed: 3)
    let type = StoreRecords.steps
    let store = try store([
      .records(records.batch(type, watch, count: 130_000, label: "count", spread: 4_000_000)),
      .records(records.batch(type, phone, count: 500, label: "count", spread: 4_000_000)),
    ])
    let batches = try store.records(of: type)
    try #require(batches.count > 2)
    let expected = ReferenceTimeOrder.places(of: batches).map { Row(batches[$0.batch], $0.row) }
    #expect(try streamed(store, type, in: nil, isNewestFirst: false) == expected)
    #expect(try streamed(store, type, in: nil, isNewestFirst: true) == expected.reversed())
    let few = try streamed(store, type, in: nil, isNewestFirst: true, limit: 20)
    #expect(few.count < 5_000 && few == Array(expected.reversed().prefix(few.count)))
  }

  @Test("An error of the taker leaves as it is")
  func takersError() throws {
    struct Full: Error {}
    var records = StoreRecords(seed: 4)
    var elements = RandomElements(seed: 4)
    let store = try store(
      [.records(records.batch(StoreRecords.steps, watch, count: 5, label: "count"))]
        + elements.batches())
    #expect(throws: Full.self) {
      try store.forEachRowRange(of: StoreRecords.steps) { _, _ in throw Full() }
    }
    #expect(throws: Full.self) { try store.forEachElement(of: .workout) { _ in throw Full() } }
  }

  @Test("Elements of every kind come one by one as they come together", arguments: 0..<6)
  func elements(seed: Int) throws {
    var elements = RandomElements(seed: UInt64(seed))
    let store = try store((0..<20).flatMap { _ in elements.batches() })
    func rows(
      _ kind: ElementKind, in range: Range<Double>?, isNewestFirst: Bool = false
    ) throws -> [AnyHashable] {
      var rows: [AnyHashable] = []
      try store.forEachElement(of: kind, in: range, isNewestFirst: isNewestFirst) { batch in
        rows += batch.elements.rows
        return true
      }
      return rows
    }
    func anyRows(_ rows: [some Hashable]) -> [AnyHashable] { rows }
    for range in [nil, 3_000.0..<9_000.0] as [Range<Double>?] {
      #expect(try rows(.workout, in: range) == anyRows(store.workouts(in: range).rows))
      #expect(try rows(.route, in: range) == anyRows(store.routes(in: range).rows))
      #expect(try rows(.correlation, in: range) == anyRows(store.correlations(in: range).rows))
      #expect(try rows(.beatList, in: range) == anyRows(store.beatLists(in: range).rows))
      #expect(
        try rows(.electrocardiogram, in: range) == anyRows(store.electrocardiograms(in: range).rows)
      )
      #expect(try rows(.audiogram, in: range) == anyRows(store.audiograms(in: range).rows))
      #expect(
        try rows(.visionPrescription, in: range)
          == anyRows(store.visionPrescriptions(in: range).rows))
      #expect(
        try rows(.clinicalRecord, in: range) == anyRows(store.clinicalRecords(in: range).rows))
    }
    #expect(try rows(.savedObject, in: nil) == anyRows(store.savedObjects().rows))
    #expect(try rows(.activitySummary, in: nil) == anyRows(store.activitySummaries().rows))
    #expect(try rows(.characteristics, in: nil) == anyRows(store.characteristics().rows))
    for kind in ElementKind.allCases {
      #expect(try rows(kind, in: nil, isNewestFirst: true) == rows(kind, in: nil).reversed())
    }
  }
}
