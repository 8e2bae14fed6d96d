import GRDB
import HealthSamples

extension ImportSession {
  /// Merges all records, and counts or deletes what the export lacks.
  func mergeRecords(_ rules: ImportRules) throws {
    for key in streams.keys { try makeRun(of: key) }
    var absent = try store.inSession { try $0.streams() }
    let order = streams.keys.sorted {
      ($0.type, $0.source.matchingName, $0.source.isUserEntered ? 0 : 1)
        < ($1.type, $1.source.matchingName, $1.source.isUserEntered ? 0 : 1)
    }
    for key in order {
      guard let stream = streams.removeValue(forKey: key) else { continue }
      absent.removeAll { $0.type == key.type && $0.source == key.source }
      try merge(stream, rules)
    }
    for stream in absent where stream.formats.contains(format) {
      let isDeleted = rules.isReplacing && stream.formats == [format]
      if isDeleted, !rules.isDryRun {
        try store.inSession { try $0.deleteSegments(of: stream) }
      }
      var counts = ImportReport.Counts()
      counts.onlyInStore = isDeleted ? 0 : stream.count
      counts.deleted = isDeleted ? stream.count : 0
      report.types[stream.type, default: .init()].add(counts)
    }
  }

  private func merge(_ stream: Stream, _ rules: ImportRules) throws {
    let counts = try store.inSession { database in
      let stored = try database.stream(of: stream.type, stream.source)
      let isReplacing = rules.isReplacing && stored.formats.isSubset(of: [format])
      let writes = !rules.isDryRun
      // What is to be replaced is counted first, then gives way to what the export holds.
      // Files of another format may know a sample better.
      let isLater = rules.isLater && stored.formats.isSubset(of: [format])
      var (counts, metRows, lacksCopies) = try merge(
        stream, into: stored.segments, of: database, isLater: isLater,
        writes: writes && !isReplacing)
      let lacking = stored.count - metRows
      let isStale = lacking > 0 || lacksCopies
      counts.onlyInStore = isReplacing ? 0 : lacking
      counts.deleted = isReplacing ? lacking : 0
      if isReplacing, writes {
        if isStale { try database.deleteSegments(of: stored) }
        _ = try merge(
          stream, into: isStale ? [] : stored.segments, of: database, isLater: isLater,
          writes: true)
      }
      if writes {
        try database.noteFormat(format, of: stream.type, stream.source, before: stored)
      }
      return counts
    }
    report.types[stream.type.identifier, default: .init()].add(counts)
  }

  /// Merges a stream with segments; without `writes` it is only counted.
  private func merge(
    _ stream: Stream, into segments: [StoredSegment], of database: Database, isLater: Bool,
    writes: Bool
  ) throws -> (counts: ImportReport.Counts, metRows: Int, lacksCopies: Bool) {
    var known = meanings[stream.type.identifier] ?? LabelMeanings(of: stream.type)
    let runMeanings = known
    let fresh = RunMerge(stream.runs) { [runFile, path = store.path] run throws(StoreError) in
      var meanings = runMeanings
      do {
        return try RowCursor(
          core: try runFile.bytes(run.core), detail: try runFile.bytes(run.detail),
          meanings: &meanings)
      } catch {
        throw StoreError(error, path: path)
      }
    }
    let writer =
      writes ? SegmentWriter(type: stream.type, source: stream.source, database: database) : nil
    var merge = StreamMerge(
      fresh, type: stream.type, isLater: isLater, database: database, writer: writer)
    try merge.run(into: segments, meanings: &known)
    try writer?.finish()
    return (merge.counts, merge.metRows, merge.lacksCopies)
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
  }
}
