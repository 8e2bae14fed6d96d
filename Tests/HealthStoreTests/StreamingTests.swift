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

  private func store(_ batches: [ExportBatch]) throws -> SampleStore {
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
