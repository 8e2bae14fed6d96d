import ArgumentParser
import HealthQuery
import HealthSamples

/// The forms in which health data can leave.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, json, ndjson, sqlite, fhir
  case fhirLines = "fhir-ndjson"
  case gpx, geojson

  /// Whether only places can be written in this form.
  var isOfRoutes: Bool { self == .gpx || self == .geojson }

  /// Whether it is one of FHIR, whose codes choose units.
  var isClinical: Bool { self == .fhir || self == .fhirLines }

  /// What writes this form.
  ///
  /// - Parameters:
  ///   - target: where it goes
  ///   - table: the table of the only kind of elements that leaves; `nil` for samples
  ///   - zone: the zones of instants
  ///   - panelMembers: records that leave as parts of a panel, for FHIR
  /// - Returns: a writer that has not begun
  /// - Throws: ``Failure`` or `StoreError` when a file cannot be made
  func writer(
    to target: ExportTarget, of table: OutputTable?, in zone: ZoneTimeline,
    panelMembers: Set<RecordLink>
  ) throws -> any ExportWriter {
    switch self {
    case .csv where target.isFolder:
      try CommaSeparatedFolder(target: target, zone: zone)
    case .csv: CommaSeparatedExport(to: try target.output(), of: table, in: zone)
    case .json: ArrayExport(to: try target.output(), in: zone)
    case .ndjson: LineExport(to: try target.output(), in: zone)
    case .sqlite: try TableExport(target: target, zone: zone)
    case .fhir, .fhirLines:
      FHIRExport(
        to: try target.output(), in: zone, isBundle: self == .fhir, panelMembers: panelMembers)
    case .gpx: GPXExport(to: try target.output())
    case .geojson: GeoJSONExport(to: try target.output(), in: zone)
    }
  }
}

/// Where an export goes.
struct ExportTarget {
  /// The file or folder; `nil` for stdout.
  let path: String?
  /// Whether files that stand there are replaced.
  let replaces: Bool

  /// Whether comma-separated text goes into a folder with a file a table.
  var isFolder: Bool { path.map { !$0.lowercased().hasSuffix(".csv") } ?? false }

  /// One text.
  func output() throws(Failure) -> TextOutput {
    guard let path else { return StandardOutput() }
    return try OutputFile(path: path, replaces: replaces)
  }
}

/// Writes what leaves a store, piece by piece.
protocol ExportWriter {
  /// Writes what stands before everything.
  func begin() throws
  /// Writes the samples of a batch.
  func write(_ recorded: RecordedBatch) throws
  /// Writes elements that are no samples of a type.
  func write(_ elements: ExportBatch) throws
  /// Writes what stands behind everything, and makes sure that all has arrived.
  func end() throws
}

extension ExportBatch {
  /// The kind of the elements; `nil` for records.
  var kind: ElementKind? {
    switch self {
    case .records: nil
    case .workouts: .workout
    case .routes: .route
    case .correlations: .correlation
    case .activitySummaries: .activitySummary
    case .beatLists: .beatList
    case .electrocardiograms: .electrocardiogram
    case .audiograms: .audiogram
    case .visionPrescriptions: .visionPrescription
    case .clinicalRecords: .clinicalRecord
    case .characteristics: .characteristics
    }
  }

  /// Hands over each element as a row of the table of its kind.
  func forEachRow(_ body: (OutputRow, OutputTable, ElementKind) throws -> Void) rethrows {
    guard let kind else { return }
    let table = OutputTable.table(of: kind)
    for row in OutputRow.rows(of: self) { try body(row, table, kind) }
  }
}
