import ArgumentParser

/// The forms in which samples can leave.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, json, ndjson, sqlite, fhir

  /// What writes this form; `out` is the new file of ``sqlite``.
  func writer(out: String?) throws -> any ExportWriter {
    switch self {
    case .csv: CommaSeparatedExport()
    case .json: ArrayExport()
    case .ndjson: LineExport()
    case .sqlite: try TableExport(path: out ?? "")
    case .fhir: FHIRExport()
    }
  }
}

/// Writes samples batch by batch.
protocol ExportWriter {
  /// Writes what stands before the first sample.
  func begin() throws
  /// Writes the samples of a batch.
  func write(_ recorded: RecordedBatch) throws
  /// Writes what stands after the last sample, and makes sure that all has arrived.
  func end() throws
}
