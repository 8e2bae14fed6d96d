import HealthSamples
import HealthStore

/// A SQLite file with one table of samples.
///
/// Dates stand as ISO 8601 text with the offset of the zone, which SQLite's date functions read,
/// and as seconds since 1970; metadata as JSON text, a list of keys and values.
struct TableExport: ExportWriter {
  private let file: TableFile

  private static let schema = """
    CREATE TABLE samples (
      type TEXT NOT NULL,
      "start" TEXT NOT NULL,
      "end" TEXT NOT NULL,
      start_unix REAL NOT NULL,
      end_unix REAL NOT NULL,
      value REAL NOT NULL,
      unit TEXT,              -- NULL for a category
      category TEXT,          -- the constant of a category; NULL for a quantity
      source TEXT NOT NULL,
      entered_by_hand INTEGER NOT NULL,
      source_version TEXT,
      device TEXT,
      created TEXT,
      copies INTEGER NOT NULL,
      metadata TEXT
    ) STRICT
    """
  /// Seconds from 1970 to 2001.
  private static let unixEpoch = 978_307_200.0

  init(path: String) throws(StoreError) { file = try TableFile(path: path, schema: Self.schema) }

  func begin() {}

  func write(_ recorded: RecordedBatch) throws {
    let batch = recorded.batch
    for row in 0..<batch.count {
      let origin = recorded.origin(row)
      let label = TableFile.Value.text(recorded.label(row))
      try file.insert(
        [
          .text(batch.type.identifier), .text(recorded.start(row)), .text(recorded.end(row)),
          .real(batch.starts[row] + Self.unixEpoch), .real(batch.ends[row] + Self.unixEpoch),
          .real(recorded.value(row)), recorded.isCategory ? .null : label,
          recorded.isCategory ? label : .null, .text(batch.source.name),
          .integer(batch.source.isUserEntered ? 1 : 0), .nonEmpty(origin.sourceVersion),
          .nonEmpty(origin.device), recorded.created(row).map { .text($0) } ?? .null,
          .integer(Int(batch.copies[row])), recorded.metadata(row).map { .text($0.text) } ?? .null,
        ], into: "samples")
    }
  }

  func end() throws {
    try file.finish("CREATE INDEX samples_by_type ON samples (type, start_unix)")
  }
}

extension TableFile.Value {
  fileprivate static func nonEmpty(_ text: String) -> Self { text.isEmpty ? .null : .text(text) }
}
