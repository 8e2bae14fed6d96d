import GRDB
import HealthSamples

/// The stored chunks of one type and one source, not decoded.
struct StoredSeries {
  /// The identifier of the type.
  var type: String
  var source: Source
  var chunks: [StoredChunk] = []
  /// The formats of the files with rows of it; empty when there are no rows.
  var formats: Set<ImportFormat> = []

  /// The number of samples.
  var count: Int { chunks.reduce(0) { $0 + $1.count } }
}

extension Database {
  /// The stored chunks of a type and a source.
  func series(of type: SampleType, _ source: Source) throws -> StoredSeries {
    var series = StoredSeries(type: type.identifier, source: source)
    series.chunks = try chunks(of: type, source)
    series.formats = try formats(of: series)
    return series
  }

  /// All types and sources with samples in the store.
  func allSeries() throws -> [StoredSeries] {
    try Row.fetchAll(
      self,
      sql: """
        SELECT DISTINCT types.identifier, sources.name, bundleIdentifier, isUserEntered, types.id,
          sources.id
        FROM chunks JOIN types ON types.id = chunks.type
          JOIN sources ON sources.id = chunks.source
        ORDER BY types.identifier, sources.id
        """
    ).map { row in
      var series = StoredSeries(
        type: try row.decode(atIndex: 0), source: try Source(row, from: 1))
      series.chunks = try StoredChunk.all(
        ofType: try row.decode(atIndex: 4), source: try row.decode(atIndex: 5), in: self)
      series.formats = try formats(of: series)
      return series
    }
  }

  /// A series without a record is from exports of the Health app.
  private func formats(of series: StoredSeries) throws -> Set<ImportFormat> {
    guard let type = try typeNumber(of: series),
      let source = try storedIdentifier(of: series.source)
    else { return [] }
    let names = try String.fetchAll(
      self, sql: "SELECT format FROM provenance WHERE type = ? AND source = ?",
      arguments: [type, source])
    if names.isEmpty { return series.chunks.isEmpty ? [] : [.appleHealth] }
    return Set(names.compactMap(ImportFormat.init))
  }

  private func typeNumber(of series: StoredSeries) throws -> Int64? {
    try Int64.fetchOne(
      self, sql: "SELECT id FROM types NOT INDEXED WHERE identifier = ?", arguments: [series.type])
  }

  /// Records that a file of a format contains a type and a source; `stored` is its state before.
  func noteFormat(
    _ format: ImportFormat, of type: SampleType, _ source: Source, before stored: StoredSeries
  ) throws {
    if stored.formats.isEmpty && format == .appleHealth || stored.formats == [format] { return }
    for format in stored.formats.union([format]).sorted(by: { $0.rawValue < $1.rawValue }) {
      try execute(
        sql: "INSERT OR IGNORE INTO provenance (type, source, format) VALUES (?, ?, ?)",
        arguments: [identifier(of: type), identifier(of: source), format.rawValue])
    }
  }

  /// The samples of a type and a source that imports brought.
  func importedRowCount(of series: StoredSeries) throws -> Int {
    guard let type = try sampleTypes()[series.type] else { return 0 }
    var units = RecordedUnits(of: type)
    var count = 0
    for chunk in series.chunks {
      let cursor = try cursor(of: chunk.id, hasExportSets: true, units: &units)
      while !cursor.isAtEnd {
        count += (0..<cursor.rowCount).count { cursor.exportSet($0) != ExportSets.saved }
        try cursor.advanceBlock()
      }
    }
    return count
  }

  /// Deletes all samples of a type and a source but those that apps saved; returns how many.
  func deleteRows(of series: StoredSeries, in revision: Revision) throws -> Int {
    guard let number = try typeNumber(of: series),
      let source = try storedIdentifier(of: series.source),
      let type = try sampleTypes()[series.type]
    else { return 0 }
    var editor = try SeriesEditor(type, series.source, database: self, revision: revision)
    var count = 0
    for chunk in series.chunks {
      count += try editor.delete(from: chunk.id, keepsIdentity: false) { cursor, row in
        cursor.exportSet(row) != ExportSets.saved
      }
    }
    try editor.finish()
    try forgetExports(ofType: number, source: source)
    try updateSeries(type: number, source: source)
    return count
  }

  /// The date of the latest imported file of a format.
  func lastExport(of format: ImportFormat) throws -> Double? {
    try Double.fetchOne(
      self, sql: "SELECT exportedAt FROM exports WHERE format = ?", arguments: [format.rawValue])
  }

  /// Sets the date of the latest imported file of a format.
  func setLastExport(_ exportedAt: Double, of format: ImportFormat) throws {
    if try lastExport(of: format) == exportedAt { return }
    try execute(
      sql: "INSERT OR REPLACE INTO exports (format, exportedAt) VALUES (?, ?)",
      arguments: [format.rawValue, exportedAt])
  }
}
