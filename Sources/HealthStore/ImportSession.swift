import GRDB
public import HealthSamples

/// One import on its way into a store: records go in, ``finish(dryRun:)`` makes them stay.
///
/// The store is as it was until the session finishes, and stays so when it is dropped or fails.
/// Nobody else can import meanwhile. Records may come in any order; they wait as sorted runs in a
/// nameless file beside the store, so memory does not grow with their number.
///
/// ```swift
/// let session = try store.beginImport()
/// while let batch = try reader.next() { try session.add(batch) }
/// let report = try session.finish()
/// ```
public final class ImportSession {
  private let store: SampleStore
  private let runFile: RunFile
  private let room = RowBlock()
  private var streams: [StreamKey: Stream] = [:]
  private var meanings: [String: LabelMeanings] = [:]
  private var types: [String: SampleType]
  private var report = ImportReport()
  /// The bytes that gathered rows take, roughly.
  private var gatheredBytes = 0
  private var isOpen = true

  /// A batch of so many rows makes a run of its own.
  private static let runRows = EncodedSegment.rowCount / 2
  /// What gathered rows may take before all of them become runs.
  private static let mostGatheredBytes = 24 << 20

  private struct StreamKey: Hashable {
    var type: String
    var source: Source
  }

  /// What the export holds of one type and one source.
  private struct Stream {
    var type: SampleType
    var source: Source
    var runs: [Run] = []
    var gathered: RowGatherer
  }

  init(store: SampleStore, types: [String: SampleType]) {
    self.store = store
    self.types = types
    runFile = RunFile(folder: store.runFolder)
  }

  deinit {
    if isOpen { store.rollback() }
  }

  /// Takes a batch in.
  ///
  /// A batch with a non-finite number, unequal columns or a place outside of its tables is refused
  /// and ends the session.
  ///
  /// - Complexity: O(*n* log *n*), O(*n*) when rows stand forwards or backwards
  public func add(_ batch: consuming RecordColumns) throws(StoreError) {
    guard isOpen else { throw StoreError(.sessionEnded, path: store.path) }
    do {
      try take(batch)
    } catch {
      close()
      throw StoreError(error, path: store.path)
    }
  }

  /// Merges all records into the store, in one transaction, and ends the session.
  ///
  /// - Parameter dryRun: counts only; the file stays as it is, byte for byte
  /// - Returns: what the import did, or would do
  /// - Throws: ``StoreError``; the store is then as it was before the session
  /// - Complexity: O(*n* log *k*) for *n* records of the export and samples of the same type and
  ///   source in the store, and *k* runs that overlap
  public func finish(dryRun: Bool = false) throws(StoreError) -> ImportReport {
    guard isOpen else { throw StoreError(.sessionEnded, path: store.path) }
    guard dryRun || !store.isReadOnly else {
      close()
      throw StoreError(.readOnly, path: store.path)
    }
    do {
      for key in streams.keys { try makeRun(of: key) }
      let order = streams.keys.sorted {
        ($0.type, $0.source.matchingName, $0.source.isUserEntered ? 0 : 1)
          < ($1.type, $1.source.matchingName, $1.source.isUserEntered ? 0 : 1)
      }
      for key in order {
        if let stream = streams.removeValue(forKey: key) { try merge(stream, dryRun: dryRun) }
      }
      if !dryRun { try store.commit() }
    } catch {
      close()
      throw StoreError(error, path: store.path)
    }
    close()
    return report
  }

  private func close() {
    isOpen = false
    streams = [:]
    store.rollback()
  }

  private func take(_ batch: consuming RecordColumns) throws(StoreError) {
    var batch = batch
    switch batch.fault {
    case .lengths: throw StoreError(.invalidBatch(row: nil), path: store.path)
    case .row(let row): throw StoreError(.invalidBatch(row: row), path: store.path)
    case nil: batch.normaliseZeros()
    }
    let type =
      types[batch.type.identifier] ?? Catalogue.type(batch.type.identifier) ?? batch.type
    types[type.identifier] = type
    let resolved = resolve(&batch, type)
    guard batch.count > 0 else { return }
    let canonical = batch.canonicalValues(resolved)
    let key = StreamKey(type: type.identifier, source: batch.source)
    var stream =
      streams.removeValue(forKey: key)
      ?? Stream(
        type: type, source: batch.source, gathered: RowGatherer(type: type, source: batch.source))
    if stream.source.name > batch.source.name { stream.source = batch.source }
    if batch.count >= Self.runRows {
      try appendRuns(batch, canonical: canonical, to: &stream)
    } else {
      gatheredBytes -= stream.gathered.bytes
      stream.gathered.append(batch, 0..<batch.count, canonical: canonical)
      gatheredBytes += stream.gathered.bytes
    }
    streams[key] = stream
    if stream.gathered.count >= Self.runRows || stream.gathered.isHeavy { try makeRun(of: key) }
    if gatheredBytes > Self.mostGatheredBytes {
      for key in streams.keys { try makeRun(of: key) }
    }
  }

  /// What the labels of a batch mean, after rows with a label that means nothing are left out.
  private func resolve(_ batch: inout RecordColumns, _ type: SampleType) -> [LabelMeaning] {
    var known = meanings[type.identifier] ?? LabelMeanings(of: type)
    let resolved = batch.labelTable.map { known.meaning(of: $0) }
    meanings[type.identifier] = known
    if resolved.contains(where: { $0 == nil }) {
      let kept = batch.labels.indices.filter { resolved[Int(batch.labels[$0])] != nil }
      let all = batch.copies.reduce(0) { $0 + Int($1) }
      batch = batch.rows(at: kept)
      let skipped = all - batch.copies.reduce(0) { $0 + Int($1) }
      if skipped > 0 { report.types[type.identifier, default: .init()].skipped += skipped }
    }
    return resolved.map { $0 ?? .canonical }
  }

  private func makeRun(of key: StreamKey) throws(StoreError) {
    guard var stream = streams.removeValue(forKey: key) else { return }
    defer { streams[key] = stream }
    guard stream.gathered.count > 0 else { return }
    let gathered = stream.gathered
    gatheredBytes -= gathered.bytes
    stream.gathered = RowGatherer(type: stream.type, source: stream.source)
    try appendRuns(gathered.rows, canonical: gathered.canonical, to: &stream)
  }

  private func appendRuns(
    _ batch: RecordColumns, canonical: [Double], to stream: inout Stream
  ) throws(StoreError) {
    var rows = batch
    if let order = rows.segmentOrder(0..<rows.count, canonical: canonical) {
      rows = rows.rows(at: order)
    }
    for start in stride(from: 0, to: rows.count, by: EncodedSegment.rowCount) {
      let range = start..<min(start + EncodedSegment.rowCount, rows.count)
      let segment = EncodedSegment(rows, range, room: room)
      stream.runs.append(
        Run(
          firstStart: segment.facts.firstStart, core: try runFile.append(segment.core),
          detail: try runFile.append(segment.detail)))
    }
  }

  private func merge(_ stream: Stream, dryRun: Bool) throws {
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
    let counts = try store.inSession { database in
      let segments = try database.segments(of: stream.type, stream.source)
      let writer =
        dryRun
        ? nil : SegmentWriter(type: stream.type, source: stream.source, database: database)
      var merge = StreamMerge(fresh, type: stream.type, database: database, writer: writer)
      try merge.run(into: segments, meanings: &known)
      try writer?.finish()
      return merge.counts
    }
    report.types[stream.type.identifier, default: .init()].add(counts)
  }
}

extension ImportReport.Counts {
  fileprivate mutating func add(_ other: Self) {
    new += other.new
    known += other.known
    duplicates += other.duplicates
    skipped += other.skipped
  }
}
