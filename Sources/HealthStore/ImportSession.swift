import GRDB
public import HealthSamples

/// One import on its way into a store: records go in, ``finish(dryRun:)`` makes them stay.
///
/// The store is as it was until the session finishes, and stays so when it is dropped or fails.
/// Nobody else can import meanwhile. Records may come in any order; they wait as sorted runs in a
/// nameless file beside the store, so memory does not grow with their number.
///
/// ```swift
/// let session = try store.beginImport(from: reader.format)
/// while let batch = try reader.next() { try session.add(batch) }
/// let report = try session.finish(exported: reader.exported)
/// ```
public final class ImportSession {
  let store: SampleStore
  let runFile: RunFile
  private let room = RowBlock()
  let format: ImportFormat
  var streams: [StreamKey: Stream] = [:]
  private var elements = ElementImport()
  private(set) var meanings: [String: LabelMeanings] = [:]
  private var types: [String: SampleType]
  var report = ImportReport()
  /// The bytes that gathered rows take, roughly.
  private var gatheredBytes = 0
  private var isOpen = true

  /// A batch of so many rows makes a run of its own.
  private static let runRows = EncodedSegment.rowCount / 2
  /// What gathered rows may take before all of them become runs.
  private static let mostGatheredBytes = 24 << 20

  struct StreamKey: Hashable {
    var type: String
    var source: Source
  }

  /// What the export holds of one type and one source.
  struct Stream {
    var type: SampleType
    var source: Source
    var runs: [Run] = []
    var gathered: RowGatherer
  }

  init(store: SampleStore, format: ImportFormat, types: [String: SampleType]) {
    self.store = store
    self.format = format
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
  public func add(_ batch: consuming ExportBatch) throws(StoreError) {
    guard isOpen else { throw StoreError(.sessionEnded, path: store.path) }
    do {
      switch consume batch {
      case .records(let batch): try take(batch)
      case .workouts(let batch): try take(batch)
      case .routes(let batch): try take(batch)
      case .correlations(let batch): try take(batch)
      case .activitySummaries(let batch): try take(batch)
      case .beatLists(let batch): try take(batch)
      case .electrocardiograms(let batch): try take(batch)
      case .audiograms(let batch): try take(batch)
      case .visionPrescriptions(let batch): try take(batch)
      case .clinicalRecords(let batch): try take(batch)
      case .characteristics(let batch): try take(batch)
      }
    } catch {
      close()
      throw StoreError(error, path: store.path)
    }
  }

  /// Takes records in, as ``add(_:)-(ExportBatch)`` does.
  public func add(_ batch: consuming RecordColumns) throws(StoreError) {
    try add(.records(batch))
  }

  private func take(_ columns: some StoredElement) throws(StoreError) {
    try elements.add(columns, to: runFile, path: store.path)
  }

  /// Merges everything into the store, in one transaction, and ends the session.
  ///
  /// - Parameters:
  ///   - dryRun: counts only; the file stays as it is, byte for byte
  ///   - replacing: whether the store loses what other files of the same format told and this one
  ///     lacks, and takes over its words, whenever it was made. What files of other formats told as
  ///     well stays.
  ///   - exported: when the file was made, in seconds since 2001-01-01 UTC. Where two files of one
  ///     format differ in words, the later one is right; without a date it is the one imported
  ///     later.
  /// - Returns: what the import did, or would do
  /// - Throws: ``StoreError``; the store is then as it was before the session
  /// - Complexity: O(*n* log *k*) for *n* records of the export and samples of the same type and
  ///   source in the store, and *k* runs that overlap
  public func finish(
    dryRun: Bool = false, replacing: Bool = false, exported: Double? = nil
  ) throws(StoreError) -> ImportReport {
    guard isOpen else { throw StoreError(.sessionEnded, path: store.path) }
    guard dryRun || !store.isReadOnly else {
      close()
      throw StoreError(.readOnly, path: store.path)
    }
    do {
      let last = try store.inSession { try $0.lastExport(of: format) }
      let rules = ImportRules(
        format: format, isDryRun: dryRun, isReplacing: replacing,
        isLater: replacing || (exported ?? .infinity) >= (last ?? -.infinity))
      try mergeRecords(rules)
      report.elements = try store.inSession { [runFile] database in
        try elements.merge(into: database, from: runFile, rules: rules)
      }
      if !dryRun {
        try store.inSession { database in
          if let exported, rules.isLater {
            try database.setLastExport(exported, of: format)
          }
        }
        try store.commit()
      }
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
    elements = ElementImport()
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
      let all = batch.recordCount
      batch = batch.rows(at: kept)
      let skipped = all - batch.recordCount
      if skipped > 0 { report.types[type.identifier, default: .init()].skipped += skipped }
    }
    return resolved.map { $0 ?? .canonical }
  }

  func makeRun(of key: StreamKey) throws(StoreError) {
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
}

extension RecordColumns {
  /// How many records the rows stand for: each copy is one, and so is a row without any.
  fileprivate var recordCount: Int { copies.reduce(0) { $0 + Int(max(1, $1)) } }
}
