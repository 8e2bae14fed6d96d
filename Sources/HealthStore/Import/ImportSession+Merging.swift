import GRDB
import HealthSamples

extension ImportSession {
  /// Merges all records, and counts or deletes those that the export lacks.
  func mergeRecords(_ rules: ImportRules) throws {
    for key in pending.keys {
      guard var series = pending.removeValue(forKey: key) else { continue }
      try encode(&series)
      pending[key] = series
    }
    let encoded = try encoder.finish()
    let table = try transaction.run { try ExportSets($0) }
    if format == .appleHealth { export = table.export(at: rules.exportedAt) }
    var absent: [SeriesKey: StoredSeries] = [:]
    for series in try transaction.run({ try $0.allSeries() }) {
      absent[SeriesKey(type: series.type, source: series.source)] = series
    }
    let order = pending.keys.sorted { ($0.type, $0.source) < ($1.type, $1.source) }
    for key in order {
      guard let series = pending.removeValue(forKey: key) else { continue }
      absent[key] = nil
      for number in series.runs {
        report.types[key.type, default: .init()].repeating += encoded[number].repeating
      }
      try merge(series, series.runs.flatMap { encoded[$0].runs }, rules, table)
    }
    for series in absent.values where series.formats.contains(format) {
      var counts = ImportReport.Counts()
      if rules.isReplacing, series.formats == [format] {
        counts.deleted = try transaction.run { database in
          guard rules.isDryRun else {
            return try database.deleteRows(of: series, in: transaction.revision)
          }
          return try database.importedRowCount(of: series)
        }
      } else {
        counts.onlyInStore = series.count
      }
      report.types[series.type, default: .init()] += counts
    }
    if !rules.isDryRun { try transaction.run { try table.write(to: $0) } }
  }

  private func merge(
    _ series: PendingSeries, _ runs: [Run], _ rules: ImportRules, _ table: ExportSets
  ) throws {
    let counts = try transaction.run { database in
      let stored = try database.series(of: series.type, series.source)
      let exports = try exports(of: series, stored, rules, table, database)
      guard rules.isDryRun else {
        return try merge(series, runs, stored, rules, exports, database, writes: true).counts
      }
      let (counts, isReviewed) = try merge(
        series, runs, stored, rules, exports, database, writes: false)
      guard isReviewed, !store.isReadOnly else { return counts }
      // The result of a review depends on what is written: a dry run writes and rolls back.
      var outcome = counts
      try database.inSavepoint {
        outcome =
          try merge(series, runs, stored, rules, exports, database, writes: true).counts
        return .rollback
      }
      return outcome
    }
    report.types[series.type.identifier, default: .init()] += counts
  }

  private func exports(
    of series: PendingSeries, _ stored: StoredSeries, _ rules: ImportRules, _ table: ExportSets,
    _ database: Database
  ) throws -> SeriesExports {
    // Files of another format may have a better version of a sample.
    let isAlone = stored.formats.isSubset(of: [format])
    return SeriesExports(
      table,
      known: try database.exports(
        ofType: database.storedIdentifier(of: series.type),
        source: database.storedIdentifier(of: series.source)),
      export: format == .appleHealth ? table.export(at: rules.exportedAt) : nil,
      isLater: rules.isLater, mayUpdate: isAlone, isReplacing: rules.isReplacing && isAlone)
  }

  /// Merges a series; returns whether its superseded rows must be reviewed.
  private func merge(
    _ series: PendingSeries, _ runs: [Run], _ stored: StoredSeries, _ rules: ImportRules,
    _ exports: SeriesExports, _ database: Database, writes: Bool
  ) throws -> (counts: ImportReport.Counts, isReviewed: Bool) {
    let isReplacing = rules.isReplacing && stored.formats.isSubset(of: [format])
    let merge = try merge(
      series, runs, into: stored.chunks, of: database, exports, rules, writes: writes)
    var counts = merge.counts
    let lacking = stored.count - merge.matchedRows
    counts.onlyInStore = isReplacing ? 0 : lacking
    counts.deleted = isReplacing ? lacking : 0
    if isReplacing, writes, let type = try database.storedIdentifier(of: series.type),
      let source = try database.storedIdentifier(of: series.source)
    {
      try database.forgetExports(ofType: type, source: source)
    }
    if writes { try note(series, stored, rules, isReplacing: isReplacing, database) }
    let isReviewed =
      try !isReplacing && !stored.chunks.isEmpty
      && isReviewed(merge, series, exports, database)
    if isReviewed, writes {
      var units = units[series.type.identifier] ?? RecordedUnits(of: series.type)
      var review = SeriesReview(
        series.type, series.source, exports: exports, units: units, in: database,
        revision: transaction.revision)
      let outcome = try review.run(&units)
      counts.superseded = outcome.superseded
      counts.onlyInStore -= outcome.superseded
      let known = min(outcome.known, counts.new)
      counts.new -= known
      counts.known += known
    }
    return (counts, isReviewed)
  }

  private func note(
    _ series: PendingSeries, _ stored: StoredSeries, _ rules: ImportRules, isReplacing: Bool,
    _ database: Database
  ) throws {
    try database.noteFormat(format, of: series.type, series.source, before: stored)
    guard let export else { return }
    try database.noteExport(
      export, ofType: database.identifier(of: series.type),
      source: database.identifier(of: series.source), isReplacing: isReplacing)
  }

  /// Whether rows may have become superseded, or an export of an earlier date may change which ones
  /// are.
  private func isReviewed(
    _ merge: Merged, _ series: PendingSeries, _ exports: SeriesExports, _ database: Database
  ) throws -> Bool {
    if merge.counts.new == 0, exports.index == nil || exports.isNewest { return false }
    guard exports.index != nil, !exports.isNewest else {
      let hasRivals = exports.index != nil && merge.lacksPresent
      return try hasRivals
        || !database.supersededChunks(of: series.type, series.source).isEmpty
    }
    // The date of an export between two others matters, whatever it contains.
    return merge.counts.new > 0 || merge.changesExportSets || !exports.isKnown
  }

  /// The result of merging runs of a series with chunks.
  private struct Merged {
    var counts = ImportReport.Counts()
    /// The number of stored rows that the export also contains.
    var matchedRows = 0
    var lacksPresent = false
    var changesExportSets = false
  }

  /// Merges runs of a series with chunks; without `writes` they are only counted.
  private func merge(
    _ series: PendingSeries, _ runs: [Run], into chunks: [StoredChunk], of database: Database,
    _ exports: SeriesExports, _ rules: ImportRules, writes: Bool
  ) throws -> Merged {
    var known = units[series.type.identifier] ?? RecordedUnits(of: series.type)
    let runUnits = known
    let deleted = try RowMatches(
      of: series.type, series.source, isRestoring: rules.isRestoring, in: database, units: &known)
    let plan = RunPlan(
      runs, among: chunks, around: deleted.span, fewestMovedRows: sizes.fewestMovedRows)
    let fresh = RunMerge(plan.merged) {
      [spillFile, path = store.path, exportSet = exports.fresh] run throws(StoreError) in
      var units = runUnits
      do {
        return try RowCursor(
          core: try spillFile.bytes(run.core), detail: try spillFile.bytes(run.detail),
          exportSet: exportSet, units: &units)
      } catch {
        throw StoreError(error, path: path)
      }
    }
    let writer =
      writes
      ? ChunkWriter(
        type: series.type, source: series.source, database: database,
        revision: transaction.revision) : nil
    for run in plan.moved {
      try writer?.move(run, from: spillFile, exportSet: exports.fresh)
    }
    var merge = SeriesMerge(
      fresh, type: series.type, exports: exports, deleted: deleted, database: database,
      writer: writer)
    try merge.run(into: plan.slots, units: &known)
    if writes {
      try merge.deleted.forgetRestored(
        series.type, series.source, in: database, revision: transaction.revision, units: &known)
    }
    try writer?.finish()
    var merged = Merged(
      counts: merge.counts, matchedRows: merge.matchedRows, lacksPresent: merge.lacksPresent,
      changesExportSets: merge.changesExportSets)
    for run in plan.moved {
      merged.counts.new += run.count
      merged.counts.duplicates += run.duplicates
    }
    return merged
  }
}
