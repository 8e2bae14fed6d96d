public import HealthSamples

/// Seeded records for tests of the store.
public struct StoreRecords {
  public var random: SplitMix64

  public init(seed: UInt64) { random = SplitMix64(seed: seed) }

  public static let steps = SampleType(named: "HKQuantityTypeIdentifierStepCount")
  public static let energy = SampleType(named: "HKQuantityTypeIdentifierActiveEnergyBurned")
  public static let distance = SampleType(named: "HKQuantityTypeIdentifierDistanceWalkingRunning")
  public static let heartRate = SampleType(named: "HKQuantityTypeIdentifierHeartRate")
  public static let sleep = SampleType(named: "HKCategoryTypeIdentifierSleepAnalysis")

  /// A number with at most six significant digits, as exports print them.
  public mutating func decimal() -> Double {
    let digits = Int.random(in: 1...999_999, using: &random)
    return Double("\(digits)e\(Int.random(in: -8...0, using: &random))") ?? 0
  }

  /// A batch like those of exports: times in whole seconds, few rows that share their times.
  public mutating func batch(
    _ type: SampleType, _ source: Source, count: Int, label: String, from first: Double = 0,
    spread: Int = 3_600
  ) -> RecordColumns {
    var batch = RecordColumns(type: type, source: source)
    batch.labelTable = [label]
    batch.originTable = [
      Origin(sourceVersion: "10.1", device: "name:Apple Watch, model:Watch, hardware:Watch6,7"),
      Origin(sourceVersion: "10.2", device: "name:iPhone, model:iPhone, hardware:iPhone10,1"),
    ]
    batch.metadataTable.append(
      Metadata([.init(key: "HKMetadataKeyHeartRateMotionContext", value: "1")]))
    batch.metadataTable.append(
      Metadata([.init(key: "meal", value: "β & 🍎"), .init(key: "meal", value: "")]))
    for _ in 0..<count {
      let start = first + Double(Int.random(in: 0..<spread, using: &random))
      let end = start + Double(Int.random(in: 0...2, using: &random) * 60)
      let hasDate = Int.random(in: 0..<8, using: &random) > 0
      batch.starts.append(start)
      batch.ends.append(end)
      batch.created.append(
        hasDate
          ? end + Double(Int.random(in: -10...600, using: &random)) : RecordColumns.notRecorded)
      batch.values.append(decimal())
      batch.labels.append(0)
      batch.origins.append(UInt32.random(in: 0...1, using: &random))
      batch.metadata.append(UInt32.random(in: 0...2, using: &random))
      batch.copies.append(1)
    }
    return batch
  }
}

extension RecordColumns {
  /// The rows at `places` with the same tables.
  public func picked(_ places: [Int]) -> RecordColumns {
    var rows = self
    rows.starts = places.map { starts[$0] }
    rows.ends = places.map { ends[$0] }
    rows.created = places.map { created[$0] }
    rows.values = places.map { values[$0] }
    rows.labels = places.map { labels[$0] }
    rows.origins = places.map { origins[$0] }
    rows.metadata = places.map { metadata[$0] }
    rows.copies = places.map { copies[$0] }
    return rows
  }
}

extension SampleType {
  /// A type of the catalogue, or a category type where the catalogue lacks it.
  fileprivate init(named identifier: String) {
    self = Catalogue.type(identifier) ?? SampleType(identifier: identifier, kind: .category)
  }
}
