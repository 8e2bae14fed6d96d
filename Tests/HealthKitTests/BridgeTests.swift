import Foundation
import HealthImport
import HealthKit
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@Suite struct BridgeTests {
  @Test("rows become objects and the same rows again", arguments: [UInt64](1...20))
  func randomRows(seed: UInt64) throws {
    var records = StoreRecords(seed: seed)
    let watch = Source(name: "Watch", bundleIdentifier: seed % 2 == 0 ? "com.example" : "")
    let batches = [
      records.batch(StoreRecords.steps, watch, count: 200, label: "count"),
      records.batch(StoreRecords.heartRate, Source(name: "Phone"), count: 100, label: "count/min"),
      records.batch(
        SampleType(
          identifier: "HKQuantityTypeIdentifierNew",
          kind: .quantity(canonicalUnit: .null, style: .cumulative)), watch, count: 9, label: "x"),
    ]
    try compare(batches, with: batches.flatMap { $0.samples() })
  }

  @Test("an import's rows become objects and the same rows again", arguments: [UInt64](1...10))
  func importedRows(seed: UInt64) throws {
    var source = RandomExport(seed: seed)
    let folder = try TemporaryFolder()
    let path = try folder.write(source.document(300), to: "export.xml")
    var reader = try ImportReader(path: path)
    var batches: [String: [RecordColumns]] = [:]
    while let batch = try reader.next() {
      guard case .records(let rows) = batch else { continue }
      batches[rows.type.identifier + "\n\(rows.source)", default: []].append(rows)
    }
    #expect(!batches.isEmpty)
    for parts in batches.values {
      for rows in parts { try compare([rows], with: rows.samples()) }
    }
  }

  /// Compares the rows of samples with the batches that they come from.
  private func compare(_ batches: [RecordColumns], with samples: [HKSample]) throws {
    let rows = try SampleRows.rows(of: samples)
    #expect(rows.count == batches.count)
    for (found, batch) in zip(rows, batches) {
      #expect(found.columns.type == batch.type)
      #expect(found.columns.source == batch.source)
      #expect(found.columns.source.name == batch.source.name)
      #expect(found.columns.starts == batch.starts)
      #expect(found.columns.ends == batch.ends)
      #expect(found.columns.values == batch.values)
      for row in 0..<batch.count {
        #expect(Facts(found.columns, row) == Facts(batch, row))
      }
      try found.columns.check()
    }
    #expect(rows.flatMap(\.identities) == samples.map(\.uuid))
    #expect(Set(samples.map(\.uuid)).count == samples.count)
  }

  /// What a row has by way of the tables of its batch.
  private struct Facts: Equatable {
    let label: String
    let origin: Origin
    let metadata: Metadata
    let creation: Double?
    let copies: UInt32

    init(_ batch: RecordColumns, _ row: Int) {
      label = batch.labelTable[Int(batch.labels[row])]
      origin = batch.originTable[Int(batch.origins[row])]
      metadata = batch.metadataTable[Int(batch.metadata[row])]
      creation = batch.creation(row: row)
      copies = batch.copies[row]
    }
  }

  @Test("a sample from a row says what the row says")
  func properties() throws {
    var rows = RecordColumns(
      type: SampleType(.heartRate), source: Source(name: "Watch", bundleIdentifier: "w"))
    try rows.append(
      start: 10, end: 20, value: 61.5, label: "count/min", creation: 30,
      origin: Origin(sourceVersion: "11", device: "name:Watch, hardware:Watch6,1"),
      metadata: Metadata([.init(key: HKMetadataKeyHeartRateMotionContext, value: "1")]))
    let identity = UUID()
    let sample = try #require(
      rows.samples(identities: [identity]).first as? HKDiscreteQuantitySample)
    #expect(sample.uuid == identity)
    #expect(sample.quantityType == HKQuantityType(.heartRate))
    #expect(sample.quantity.doubleValue(for: HKUnit(from: "count/min")) == 61.5)
    #expect(sample.averageQuantity == sample.quantity)
    #expect(sample.count == 1)
    #expect(sample.startDate == Date(timeIntervalSinceReferenceDate: 10))
    #expect(sample.endDate == Date(timeIntervalSinceReferenceDate: 20))
    #expect(sample.sourceRevision.source.bundleIdentifier == "w")
    #expect(sample.sourceRevision.version == "11")
    #expect(sample.device?.hardwareVersion == "Watch6,1")
    let context = sample.metadata?[HKMetadataKeyHeartRateMotionContext] as? Int
    #expect(context == HKHeartRateMotionContext.sedentary.rawValue)
  }

  @Test("a row that ends before it starts has an interval of its latest quantity")
  func endBeforeStart() throws {
    let type = try #require(Catalogue.type("HKQuantityTypeIdentifierHeartRate"))
    var columns = RecordColumns(type: type, source: Source(name: "Watch"))
    try columns.append(start: 10, end: 5, value: 60, label: "count/min")
    let sample = try #require(columns.samples().first as? HKDiscreteQuantitySample)
    #expect(
      sample.mostRecentQuantityDateInterval == DateInterval(start: sample.startDate, duration: 0))
    #expect(
      HKQuery.predicateForSamples(withStart: sample.startDate, end: nil).evaluate(with: sample))
  }

  @Test("objects that an app makes become rows that read back as the same objects")
  func madeObjects() throws {
    let made = try [
      SampleTests.sample(.bodyMass, .pound(), value: 154.5, metadata: ["note": "a", "n": 3]),
      SampleTests.sample(.bodyMass, .gramUnit(with: .kilo), value: 70),
      HKCategorySample.validated(
        type: HKCategoryType(.sleepAnalysis),
        value: HKCategoryValueSleepAnalysis.asleepREM.rawValue, start: SampleTests.start,
        end: SampleTests.end, device: .local()),
    ]
    let rows = try SampleRows.rows(of: made)
    #expect(rows.map(\.columns.count) == [2, 1])
    #expect(rows[0].columns.labelTable == ["lb", "kg"])
    #expect(rows[1].columns.labelTable == ["HKCategoryValueSleepAnalysisAsleepREM"])
    let read = rows.flatMap { $0.columns.samples(identities: $0.identities) }
    #expect(read == made)
    for (found, sample) in zip(read, made) {
      #expect(found.startDate == sample.startDate)
      #expect(found.device == sample.device)
      #expect(
        (found as? HKQuantitySample)?.quantity == (sample as? HKQuantitySample)?.quantity)
      #expect((found as? HKCategorySample)?.value == (sample as? HKCategorySample)?.value)
      #expect(found.metadata?["n"] as? Int == sample.metadata?["n"] as? Int)
    }
  }
}
