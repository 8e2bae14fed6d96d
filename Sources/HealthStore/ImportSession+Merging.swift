import GRDB
import HealthSamples

extension ImportSession {
  /// Merges all records, and counts or deletes what the export lacks.
  func mergeRecords(_ rules: ImportRules) throws {
    for key in streams.keys {
      guard var stream = streams.removeValue(forKey: key) else { continue }
      try pack(&stream)
      streams[key] = stream
    }
    let packed = try packer.finish()
    let table = try store.inSession { try TellingTable($0) }
    if format == .appleHealth { export = table.export(made: rules.made) }
    var absent: [StreamKey: StoredStream] = [:]
    for stream in try store.inSession({ try $0.streams() }) {
      absent[StreamKey(type: stream.type, source: stream.source)] = stream
    }
    let order = streams.keys.sorted {
      ($0.type, $0.source.matchingName, $0.source.isUserEntered ? 0 : 1)
        < ($1.type, $1.source.matchingName, $1.source.isUserEntered ? 0 : 1)
    }
    for key in order {
      guard let stream = streams.removeValue(forKey: key) else { continue }
      absent[key] = nil
      for number in stream.runs {
        report.types[key.type, default: .init()].repeating += packed[number].repeating
      }
      try merge(stream, stream.runs.flatMap { packed[$0].runs }, rules, table)
    }
    for stream in absent.values where stream.formats.contains(format) {
      let isDeleted = rules.isReplacing && stream.formats == [format]
      if isDeleted, !rules.isDryRun {
        try store.inSession { try $0.deleteSegments(of: stream) }
      }
      var counts = ImportReport.Counts()
      counts.onlyInStore = isDeleted ? 0 : stream.count
      counts.deleted = isDeleted ? stream.count : 0
      report.types[stream.type, default: .init()].add(counts)
    }
    if !rules.isDryRun { try store.inSession { try table.write(to: $0) } }
  }

  private func merge(
    _ stream: Stream, _ runs: [Run], _ rules: ImportRules, _ table: TellingTable
  ) throws {
    let counts = try store.inSession { database in
      let stored = try database.stream(of: stream.type, stream.source)
      let tellings = try tellings(of: stream, stored, rules, table, database)
      guard rules.isDryRun else {
        return try merge(stream, runs, stored, rules, tellings, database, writes: true).counts
      }
      let (counts, isReviewed) = try merge(
        stream, runs, stored, rules, tellings, database, writes: false)
      guard isReviewed, !store.isReadOnly else { return counts }
      // What a review finds depends on what is written: it is taken back.
      var outcome = counts
      try database.inSavepoint {
        outcome =
          try merge(stream, runs, stored, rules, tellings, database, writes: true).counts
        return .rollback
      }
      return outcome
    }
    report.types[stream.type.identifier, default: .init()].add(counts)
  }

  private func tellings(
    of stream: Stream, _ stored: StoredStream, _ rules: ImportRules, _ table: TellingTable,
    _ database: Database
  ) throws -> StreamTellings {
    // Files of another format may know a sample better.
    let isAlone = stored.formats.isSubset(of: [format])
    return StreamTellings(
      table,
      known: try database.exports(
        ofType: database.storedIdentifier(of: stream.type),
        source: database.storedIdentifier(of: stream.source)),
      export: format == .appleHealth ? table.export(made: rules.made) : nil,
      isLater: rules.isLater, mayReword: isAlone, isReplacing: rules.isReplacing && isAlone)
  }

  /// Merges a stream, and says whether its superseded rows are to be found anew.
  private func merge(
    _ stream: Stream, _ runs: [Run], _ stored: StoredStream, _ rules: ImportRules,
    _ tellings: StreamTellings, _ database: Database, writes: Bool
  ) throws -> (counts: ImportReport.Counts, isReviewed: Bool) {
    let isReplacing = rules.isReplacing && stored.formats.isSubset(of: [format])
    // What is to be replaced is counted first, then gives way to what the export holds.
    var merge = try merge(
      stream, runs, into: stored.segments, of: database, tellings,
      writes: writes && !isReplacing)
    var counts = merge.counts
    let lacking = stored.count - merge.metRows
    let isStale = lacking > 0 || merge.lacksCopies
    counts.onlyInStore = isReplacing ? 0 : lacking
    counts.deleted = isReplacing ? lacking : 0
    if isReplacing, writes {
      if isStale { try database.deleteSegments(of: stored) }
      merge = try self.merge(
        stream, runs, into: isStale ? [] : stored.segments, of: database, tellings,
        writes: true)
    }
    if writes { try note(stream, stored, rules, isReplacing: isReplacing, database) }
    let isReviewed =
      try !isReplacing && !stored.segments.isEmpty
      && isReviewed(merge, stream, tellings, database)
    if isReviewed, writes {
      var meanings = meanings[stream.type.identifier] ?? LabelMeanings(of: stream.type)
      var review = StreamReview(
        stream.type, stream.source, tellings: tellings, meanings: meanings, in: database)
      let outcome = try review.run(&meanings)
      counts.superseded = outcome.superseded
      counts.disagreeing = outcome.disagreeing
      counts.onlyInStore -= outcome.superseded
      let known = min(outcome.known, counts.new)
      counts.new -= known
      counts.known += known
    }
    return (counts, isReviewed)
  }

  private func note(
    _ stream: Stream, _ stored: StoredStream, _ rules: ImportRules, isReplacing: Bool,
    _ database: Database
  ) throws {
    try database.noteFormat(format, of: stream.type, stream.source, before: stored)
    guard let export else { return }
    try database.noteExport(
      export, ofType: database.identifier(of: stream.type),
      source: database.identifier(of: stream.source), isReplacing: isReplacing)
  }

  /// Whether rows may have been superseded, or a late export may tell otherwise which were.
  private func isReviewed(
    _ merge: Merged, _ stream: Stream, _ tellings: StreamTellings, _ database: Database
  ) throws -> Bool {
    if merge.counts.new == 0, tellings.place == nil || tellings.isNewest { return false }
    guard tellings.place != nil, !tellings.isNewest else {
      let hasRivals = tellings.place != nil && merge.lacksTold
      return try hasRivals
        || !database.supersededSegments(of: stream.type, stream.source).isEmpty
    }
    // The date of an export between two others counts, whatever it tells.
    return merge.counts.new > 0 || merge.isRetold || !tellings.isKnown
  }

  /// What came of merging runs of a stream with segments.
  private struct Merged {
    var counts = ImportReport.Counts()
    /// How many stored rows the export holds too.
    var metRows = 0
    var lacksCopies = false
    var lacksTold = false
    var isRetold = false
  }

  /// Merges runs of a stream with segments; without `writes` they are only counted.
  private func merge(
    _ stream: Stream, _ runs: [Run], into segments: [StoredSegment], of database: Database,
    _ tellings: StreamTellings, writes: Bool
  ) throws -> Merged {
    var known = meanings[stream.type.identifier] ?? LabelMeanings(of: stream.type)
    let runMeanings = known
    let plan = RunPlan(runs, among: segments, fewestAdopted: sizes.fewestAdopted)
    let fresh = RunMerge(plan.merged) {
      [runFile, path = store.path, telling = tellings.fresh] run throws(StoreError) in
      var meanings = runMeanings
      do {
        return try RowCursor(
          core: try runFile.bytes(run.core), detail: try runFile.bytes(run.detail),
          telling: telling, meanings: &meanings)
      } catch {
        throw StoreError(error, path: path)
      }
    }
    let writer =
      writes ? SegmentWriter(type: stream.type, source: stream.source, database: database) : nil
    for run in plan.adopted {
      try writer?.adopt(run, from: runFile, telling: tellings.fresh)
    }
    var merge = StreamMerge(
      fresh, type: stream.type, tellings: tellings, database: database, writer: writer)
    try merge.run(into: plan.places, meanings: &known)
    try writer?.finish()
    var merged = Merged(
      counts: merge.counts, metRows: merge.metRows, lacksCopies: merge.lacksCopies,
      lacksTold: merge.lacksTold, isRetold: merge.isRetold)
    for run in plan.adopted {
      merged.counts.new += run.count
      merged.counts.duplicates += run.duplicates
    }
    return merged
  }
}

extension ImportReport.Counts {
  fileprivate mutating func add(_ other: Self) {
    new += other.new
    known += other.known
    duplicates += other.duplicates
    skipped += other.skipped
    repeating += other.repeating
    changed += other.changed
    onlyInStore += other.onlyInStore
    deleted += other.deleted
    superseded += other.superseded
    disagreeing += other.disagreeing
  }
}
