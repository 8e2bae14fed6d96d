import HealthSamples
import HealthUnits

/// Records of formats that are not Apple's, gathered into batches of one type and one source.
struct LooseRecords {
  /// One record as such a format has it.
  struct Record {
    var type = ""
    var source = ""
    var origin = Origin()
    var start: Double?
    var end: Double?
    var created = RecordColumns.notRecorded
    /// The value of a quantity, or the raw value of a category.
    var value: Double?
    /// The unit of a quantity.
    var unit = ""
    /// The constant of a category, where it is known by name.
    var constant = ""
    var metadata = Metadata()
  }

  private struct Key: Hashable {
    var type: Int
    var source: Source
  }

  private(set) var types = RecordTypes()
  private(set) var negativeDurations = 0
  private(set) var distantDates = 0
  private var batches: [Key: Batch] = [:]
  private var rowCount = 0

  /// A batch with where its repeated texts stand.
  private struct Batch {
    var rows: RecordColumns
    var labels: [String: UInt16] = [:]
    var origins: [Origin: UInt32] = [:]

    mutating func append(
      _ record: Record, start: Double, end: Double, value: Double, label: String
    ) {
      rows.starts.append(start)
      rows.ends.append(end)
      rows.created.append(record.created)
      rows.values.append(value)
      rows.labels.append(place(ofLabel: label))
      rows.origins.append(place(of: record.origin))
      rows.copies.append(1)
      if record.metadata.isEmpty {
        rows.metadata.append(0)
      } else {
        rows.metadata.append(UInt32(rows.metadataTable.count))
        rows.metadataTable.append(record.metadata)
      }
    }

    private mutating func place(ofLabel label: String) -> UInt16 {
      if let place = labels[label] { return place }
      let place = UInt16(rows.labelTable.count)
      rows.labelTable.append(label)
      labels[label] = place
      return place
    }

    private mutating func place(of origin: Origin) -> UInt32 {
      if let place = origins[origin] { return place }
      let place = UInt32(rows.originTable.count)
      rows.originTable.append(origin)
      origins[origin] = place
      return place
    }
  }

  /// No batch has more rows, so places of labels fit.
  private static let rowsTogether = 1 << 16

  init() {}

  /// Whether the batches should be taken.
  var isFull: Bool { rowCount >= Self.rowsTogether }

  /// Adds a record, or counts why it cannot be kept.
  mutating func add(_ record: Record) {
    var identifier = record.type
    guard let type = identifier.withUTF8({ types.index(of: $0) }) else { return }
    guard let start = record.start, let end = record.end ?? record.start else {
      return types.skip(.invalidDate, type: type)
    }
    let isCategory = types.isCategory(type, hasUnit: !record.unit.isEmpty)
    let label: String
    var value = record.value
    if isCategory {
      let named = Catalogue.rawValue(ofCategoryConstant: record.constant)
      value = named.map(Double.init) ?? value ?? 0
      label =
        record.constant.isEmpty ? Self.constant(of: record.type, value) : record.constant
    } else {
      guard !record.unit.isEmpty else { return types.skip(.missingUnit, type: type) }
      guard record.unit.utf8.count <= RecordTypes.longestName else {
        return types.skip(.nameTooLong, type: type)
      }
      if let objection = types.objection(toUnit: record.unit, type: type) {
        return types.skip(objection, type: type)
      }
      label = record.unit
    }
    guard let value else { return types.skip(.missingValue, type: type) }
    guard value.isFinite else { return types.skip(.invalidValue, type: type) }
    guard let known = types.entries[type].type else {
      return types.skip(.missingType, type: type)
    }
    let source = Source(name: record.source, isUserEntered: record.metadata.saysUserEntered)
    let key = Key(type: type, source: source)
    var batch =
      batches.removeValue(forKey: key) ?? Batch(rows: RecordColumns(type: known, source: source))
    batch.append(record, start: start, end: end, value: value, label: label)
    batches[key] = batch
    types.deliver(1, type: type)
    rowCount += 1
    if end < start { negativeDurations += 1 }
    if start < DateScanner.year1900 || start >= DateScanner.year2201 { distantDates += 1 }
  }

  /// The constant of a raw value; empty where there is none.
  private static func constant(of type: String, _ value: Double?) -> String {
    guard let value, let rawValue = Int(exactly: value) else { return "" }
    return Catalogue.constant(
      ofRawValue: rawValue, of: HKCategoryTypeIdentifier(rawValue: type)) ?? ""
  }

  /// Takes all batches.
  mutating func takeAll() -> [ExportBatch] {
    defer {
      batches = [:]
      rowCount = 0
    }
    return batches.values.map { .records($0.rows) }
  }
}
