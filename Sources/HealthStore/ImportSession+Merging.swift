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
      try merge(stream, stream.runs.flatMap { packed[$0].runs }, rules)
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
  }

  private func merge(_ stream: Stream, _ runs: [Run], _ rules: ImportRules) throws {
    let counts = try store.inSession { database in
      let stored = try database.stream(of: stream.type, stream.source)
      let isReplacing = rules.isReplacing && stored.formats.isSubset(of: [format])
      let writes = !rules.isDryRun
      // What is to be replaced is counted first, then gives way to what the export holds.
      // Files of another format may know a sample better.
      let isLater = rules.isLater && stored.formats.isSubset(of: [format])
      var (counts, metRows, lacksCopies) = try merge(
        stream, runs, into: stored.segments, of: database, isLater: isLater,
        writes: writes && !isReplacing)
      let lacking = stored.count - metRows
      let isStale = lacking > 0 || lacksCopies
      counts.onlyInStore = isReplacing ? 0 : lacking
      counts.deleted = isReplacing ? lacking : 0
      if isReplacing, writes {
        if isStale { try database.deleteSegments(of: stored) }
        _ = try merge(
          stream, runs, into: isStale ? [] : stored.segments, of: database,
          isLater: isLater, writes: true)
      }
      if writes {
        try database.noteFormat(format, of: stream.type, stream.source, before: stored)
      }
      return counts
    }
    report.types[stream.type.identifier, default: .init()].add(counts)
  }

  /// Merges runs of a stream with segments; without `writes` they are only counted.
  private func merge(
    _ stream: Stream, _ runs: [Run], into segments: [StoredSegment], of database: Database,
    isLater: Bool, writes: Bool
  ) throws -> (counts: ImportReport.Counts, metRows: Int, lacksCopies: Bool) {
    var known = meanings[stream.type.identifier] ?? LabelMeanings(of: stream.type)
    let runMeanings = known
    let plan = RunPlan(runs, among: segments, fewestAdopted: sizes.fewestAdopted)
    let fresh = RunMerge(plan.merged) { [runFile, path = store.path] run throws(StoreError) in
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
    for run in plan.adopted { try writer?.adopt(run, from: runFile) }
    var merge = StreamMerge(
      fresh, type: stream.type, isLater: isLater, database: database, writer: writer)
    try merge.run(into: plan.places, meanings: &known)
    try writer?.finish()
    var counts = merge.counts
    for run in plan.adopted {
      counts.new += run.count
      counts.duplicates += run.duplicates
    }
    return (counts, merge.metRows, merge.lacksCopies)
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
