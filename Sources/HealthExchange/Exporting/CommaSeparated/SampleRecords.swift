import Foundation
import HealthQuery
import HealthSamples

/// Samples as records of comma-separated text.
///
/// Origins and metadata are long and shared by many rows: their quoted fields are cached.
struct SampleRecords {
  private let csv: CommaSeparated
  /// Whether records end with a UUID.
  private let hasUUIDs: Bool
  private var origins = RecentFields<Origin>()
  private var metadata = RecentFields<Metadata>()
  /// The last fields of origins: where samples were saved.
  private var places = RecentFields<Origin>()

  /// The keys of the fields.
  static let titles = OwnFile.sampleColumns

  init(as csv: CommaSeparated, hasUUIDs: Bool = false) {
    (self.csv, self.hasUUIDs) = (csv, hasUUIDs)
  }

  /// Appends the record of a row.
  mutating func append(_ row: Int, of recorded: RecordedBatch, to bytes: inout [UInt8]) {
    let csv = csv
    csv.append(recorded.batch.type.identifier, to: &bytes)
    csv.append(separatorTo: &bytes)
    recorded.time(recorded.batch.starts[row]).append(isoTo: &bytes)
    csv.append(separatorTo: &bytes)
    recorded.time(recorded.batch.ends[row]).append(isoTo: &bytes)
    csv.append(separatorTo: &bytes)
    csv.append(recorded.value(row), to: &bytes)
    csv.append(separatorTo: &bytes)
    csv.append(recorded.label(row), to: &bytes)
    csv.append(separatorTo: &bytes)
    csv.append(recorded.batch.source.name, to: &bytes)
    csv.append(separatorTo: &bytes)
    bytes.append(text: recorded.batch.source.isUserEntered ? "true" : "false")
    csv.append(separatorTo: &bytes)
    origins.append(Int(recorded.batch.origins[row]), of: recorded.batch.originTable, to: &bytes) {
      csv.append($0.sourceVersion, to: &$1)
      csv.append(separatorTo: &$1)
      csv.append($0.device, to: &$1)
      csv.append(separatorTo: &$1)
    }
    if let created = recorded.batch.creation(row: row) {
      recorded.time(created).append(isoTo: &bytes)
    }
    csv.append(separatorTo: &bytes)
    bytes.append(integer: Int(recorded.batch.copies[row]))
    csv.append(separatorTo: &bytes)
    metadata.append(Int(recorded.batch.metadata[row]), of: recorded.batch.metadataTable, to: &bytes)
    {
      if !$0.isEmpty { csv.append(JSON(pairsOf: $0).text, to: &$1) }
    }
    places.append(Int(recorded.batch.origins[row]), of: recorded.batch.originTable, to: &bytes) {
      csv.append(separatorTo: &$1)
      csv.append($0.productType, to: &$1)
      csv.append(separatorTo: &$1)
      csv.append($0.operatingSystem, to: &$1)
    }
    if hasUUIDs {
      csv.append(separatorTo: &bytes)
      bytes.append(text: recorded.uuids[row]?.uuidString ?? "")
    }
    bytes.append(mark: "\n")
  }
}

/// A cache of the most recent fields, keyed by table and index.
///
/// The values cannot be keys: strings with different bytes may be equal.
private struct RecentFields<Fact> {
  private struct Field {
    /// Retained so that no other table can have its address.
    let table: [Fact]
    let address: UnsafePointer<Fact>?
    let index: Int
    let bytes: [UInt8]
  }

  private var fields: [Field] = []
  private var oldest = 0

  /// Searching more entries takes longer than writing a field.
  private static var most: Int { 8 }

  mutating func append(
    _ index: Int, of table: [Fact], to bytes: inout [UInt8], write: (Fact, inout [UInt8]) -> Void
  ) {
    // A key path of a generic type would be made anew for each row.
    let address = table.withUnsafeBufferPointer { $0.baseAddress }
    for place in fields.indices
    where fields[place].index == index && fields[place].address == address {
      return bytes.append(contentsOf: fields[place].bytes)
    }
    var written: [UInt8] = []
    write(table[index], &written)
    bytes.append(contentsOf: written)
    let field = Field(table: table, address: address, index: index, bytes: written)
    if fields.count < Self.most {
      fields.append(field)
    } else {
      fields[oldest] = field
      oldest = (oldest + 1) % Self.most
    }
  }
}
