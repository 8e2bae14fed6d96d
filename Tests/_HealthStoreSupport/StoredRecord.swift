public import HealthSamples
public import HealthStore

/// One record of a store by itself.
public struct StoredRecord: Hashable {
  public let source: Source
  /// The name as written.
  public let sourceName: String
  public let start: Double
  public let end: Double
  public let value: Double
  public let created: Double
  public let label: String
  public let origin: Origin
  public let metadata: Metadata
  public var copies: Int
}

extension StoredRecord {
  /// The same, once.
  public var single: Self {
    var single = self
    single.copies = 1
    return single
  }
}

extension SampleStore {
  /// Every record of a type in the order of the store.
  public func allRecords(of type: SampleType) throws -> [StoredRecord] {
    try records(of: type).flatMap { batch in
      (0..<batch.count).map { row in
        StoredRecord(
          source: batch.source, sourceName: batch.source.name, start: batch.starts[row],
          end: batch.ends[row], value: batch.values[row], created: batch.created[row],
          label: batch.labelTable[Int(batch.labels[row])],
          origin: batch.originTable[Int(batch.origins[row])],
          metadata: batch.metadataTable[Int(batch.metadata[row])], copies: Int(batch.copies[row]))
      }
    }
  }
}
