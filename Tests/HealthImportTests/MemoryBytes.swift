import HealthSamples
import _HealthTestSupport

@testable import HealthImport

/// Bytes in memory, given in pieces of changing size.
final class MemoryBytes: ByteSource {
  private let bytes: [UInt8]
  private let mostAtOnce: Int
  private var position = 0

  init(_ bytes: [UInt8], mostAtOnce: Int = .max) {
    self.bytes = bytes
    self.mostAtOnce = mostAtOnce
  }

  var byteCount: Int { bytes.count }
  var endedEarly: Bool { false }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    let count = min(buffer.count, bytes.count - position, 1 + position % mostAtOnce)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }
}

/// All that a reader gives for one text.
struct Reading {
  var batches: [RecordColumns] = []
  var workouts: [Workouts.Row] = []
  var routes: [Routes.Row] = []
  var correlations: [Correlations.Row] = []
  var activitySummaries: [ActivitySummaries.Row] = []
  var beatLists: [BeatLists.Row] = []
  var electrocardiograms: [Electrocardiograms.Row] = []
  var audiograms: [Audiograms.Row] = []
  var visionPrescriptions: [VisionPrescriptions.Row] = []
  var clinicalRecords: [ClinicalRecords.Row] = []
  var characteristics: [Metadata] = []
  var savedObjects: [SavedObjects.Row] = []
  var exported: Double?
  var summary = ExportSummary()

  init(
    _ text: [UInt8], mostAtOnce: Int = .max, limits: ImportLimits = .standard,
    isReadingAhead: Bool = false
  ) throws {
    var scanner = RecordScanner(
      source: MemoryBytes(text, mostAtOnce: mostAtOnce), limits: limits,
      isReadingAhead: isReadingAhead)
    while let batch = try scanner.next() { take(batch) }
    exported = scanner.exported
    summary = scanner.summary
  }

  init(_ text: String) throws { try self.init(Array(text.utf8)) }

  init(path: String, limits: ImportLimits = .standard, isConcurrent: Bool = true) throws {
    var reader = try ImportReader(path: path, limits: limits, isConcurrent: isConcurrent)
    while let batch = try reader.next() { take(batch) }
    exported = reader.exported
    summary = reader.summary
  }

  /// All that a reader gives.
  init(_ opened: consuming some BatchReader & ~Copyable) throws {
    var reader = opened
    while let batch = try reader.next() { take(batch) }
    exported = reader.exported
    summary = reader.summary
  }

  private mutating func take(_ batch: ImportBatch) {
    switch batch {
    case .records(let columns): batches.append(columns)
    case .workouts(let columns): workouts += columns.rows
    case .routes(let columns): routes += columns.rows
    case .correlations(let columns): correlations += columns.rows
    case .activitySummaries(let columns): activitySummaries += columns.rows
    case .beatLists(let columns): beatLists += columns.rows
    case .electrocardiograms(let columns): electrocardiograms += columns.rows
    case .audiograms(let columns): audiograms += columns.rows
    case .visionPrescriptions(let columns): visionPrescriptions += columns.rows
    case .clinicalRecords(let columns): clinicalRecords += columns.rows
    case .characteristics(let columns): characteristics += columns.rows
    case .savedObjects(let columns): savedObjects += columns.rows
    }
  }

  /// The rows of all batches, by batch.
  var records: [NaiveExport.Record] { batches.flatMap(\.records) }

  /// The batches of a type, by its identifier; `nil` when there is none.
  subscript(type: String) -> [RecordColumns]? {
    let found = batches.filter { $0.type.identifier == type }
    return found.isEmpty ? nil : found
  }

  /// What stands beside the values of a type.
  func labels(_ type: String) -> [String] {
    (self[type] ?? []).flatMap { rows in rows.labels.map { rows.labelTable[Int($0)] } }
  }
}

extension RecordColumns {
  /// The rows, one by one.
  var records: [NaiveExport.Record] {
    (0..<count).map { row in
      var record = NaiveExport.Record()
      record.type = type.identifier
      record.source = source.name
      record.isUserEntered = source.isUserEntered
      record.version = originTable[Int(origins[row])].sourceVersion
      record.device = originTable[Int(origins[row])].device
      record.label = labelTable[Int(labels[row])]
      record.value = values[row]
      record.start = starts[row]
      record.end = ends[row]
      record.created = created[row]
      record.metadata = metadataTable[Int(metadata[row])]
      record.isNested = copies[row] == 0
      return record
    }
  }
}

/// An export around some elements.
func export(_ elements: String) -> String {
  "<?xml version=\"1.0\"?>\n<HealthData locale=\"en_US\">\n\(elements)\n</HealthData>\n"
}

/// A record of steps, some attributes of which are given.
func record(
  type: String = "HKQuantityTypeIdentifierStepCount", source: String = "Phone",
  unit: String? = "count", value: String? = "92", start: String = "2024-05-01 08:00:00 +0100",
  end: String = "2024-05-01 08:04:00 +0100", more: String = "", children: String? = nil
) -> String {
  " <Record type=\"\(type)\" sourceName=\"\(source)\" sourceVersion=\"9.0\""
    + (unit.map { " unit=\"\($0)\"" } ?? "") + more
    + " creationDate=\"2024-05-01 08:05:00 +0100\" startDate=\"\(start)\" endDate=\"\(end)\""
    + (value.map { " value=\"\($0)\"" } ?? "") + (children.map { ">\($0)</Record>\n" } ?? "/>\n")
}
