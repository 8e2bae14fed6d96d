import GRDB
public import HealthSamples

/// One import on its way into a store: records go in, finishing makes them stay.
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
  let packer: RunPacker
  let sizes: RunSizes
  let format: ImportFormat
  var streams: [StreamKey: Stream] = [:]
  private var elements = ElementImport()
  private(set) var meanings: [String: LabelMeanings] = [:]
  private var types: [String: SampleType]
  var report = ImportReport()
  /// The number of the export among those of the Health app.
  var export: Int64?
  /// The bytes that gathered rows take, roughly.
  private var gatheredBytes = 0
  private var isOpen = true
  private var hasCommitted = false

  /// More bounds than a long life of samples has.
  private static let mostBounds = 1 << 12

  struct StreamKey: Hashable {
    var type: String
    var source: Source
  }

  /// What the export holds of one type and one source.
  struct Stream {
    var type: SampleType
    var source: Source
    /// The numbers under which ``packer`` has its runs.
    var runs: [Int] = []
    /// Rows that wait for more.
    var gathered: RowGatherer
    /// Where runs of it end and others begin, ascending.
    var bounds: [Double] = []

    init(type: SampleType, source: Source) {
      self.type = type
      self.source = source
      gathered = RowGatherer(type: type, source: source)
    }
  }

  init(
    store: SampleStore, format: ImportFormat, types: [String: SampleType], threads: Int,
    sizes: RunSizes
  ) {
    self.store = store
    self.format = format
    self.types = types
    self.sizes = sizes
    runFile = RunFile(folder: store.runFolder)
    packer = RunPacker(file: runFile, threads: threads)
  }

  deinit {
    if isOpen { close() }
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
  ///     format differ in words, the later one is right. Of files without a date it is the one
  ///     imported later; an export of the Health app without one counts as earlier than all that
  ///     have one.
  ///   - incomplete: kinds of elements of which the file may not give everything that the phone
  ///     had: nothing of them is deleted
  /// - Returns: what the import did, or would do
  /// - Throws: ``StoreError``; the store is then as it was before the session
  /// - Complexity: O(*n* log *k*) for *n* records of the export and samples of the same type and
  ///   source in the store, and *k* runs that overlap
  public func finish(
    dryRun: Bool = false, replacing: Bool = false, exported: Double? = nil,
    incomplete: Set<ElementKind> = []
  ) throws(StoreError) -> ImportReport {
    guard isOpen else { throw StoreError(.sessionEnded, path: store.path) }
    guard dryRun || !store.isReadOnly else {
      close()
      throw StoreError(.readOnly, path: store.path)
    }
    do {
      let last = try store.inSession { try $0.lastExport(of: format) }
      // Exports of the Health app say when they were made; files of other programs need not.
      let undated = format == .appleHealth ? -Double.infinity : .infinity
      let rules = ImportRules(
        format: format, isDryRun: dryRun, isReplacing: replacing,
        isLater: replacing || (exported ?? undated) >= (last ?? -.infinity),
        made: exported ?? -.infinity, incomplete: incomplete, newestBefore: last ?? -.infinity)
      try mergeRecords(rules)
      report.elements = try store.inSession { [runFile] database in
        try elements.merge(into: database, from: runFile, rules: rules)
      }
      if !dryRun {
        try store.inSession { database in
          if let exported, rules.isLater {
            try database.setLastExport(exported, of: format)
          }
          try database.updateAllDigests()
        }
        try store.commit()
        hasCommitted = true
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
    packer.close()
    streams = [:]
    elements = ElementImport()
    store.rollback()
    if !hasCommitted { store.file.noteFailure() }
  }

  private func take(_ batch: consuming RecordColumns) throws(StoreError) {
    if gatheredBytes > sizes.mostGatheredBytes { try makeRoom() }
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
    var stream = streams.removeValue(forKey: key) ?? Stream(type: type, source: batch.source)
    defer { streams[key] = stream }
    if stream.source.name > batch.source.name { stream.source = batch.source }
    gatheredBytes -= stream.gathered.bytes
    defer { gatheredBytes += stream.gathered.bytes }
    if !stream.gathered.hasRoom(for: batch.labelTable.count) { try pack(&stream) }
    if batch.count >= sizes.full / 2 {
      try pack(&stream, with: batch, canonical: canonical)
    } else {
      stream.gathered.append(batch, 0..<batch.count, canonical: canonical)
      if stream.gathered.isHeavy {
        try pack(&stream)
      } else if stream.gathered.count >= sizes.full {
        try pack(&stream, edge: RunEdge(stream.gathered.rows.starts, last: sizes.edge))
      }
    }
  }

  /// Makes runs of what streams have gathered, the largest first, until half of the room is free.
  private func makeRoom() throws(StoreError) {
    let sizes = streams.mapValues(\.gathered.bytes).sorted { $0.value > $1.value }
    for (key, bytes) in sizes {
      if gatheredBytes <= self.sizes.mostGatheredBytes / 2 { return }
      guard var stream = streams.removeValue(forKey: key) else { continue }
      defer { streams[key] = stream }
      gatheredBytes -= bytes
      try pack(&stream)
      gatheredBytes += stream.gathered.bytes
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

  /// Makes runs of what a stream has gathered and a batch that follows it, but for rows that wait
  /// for the next batch.
  func pack(
    _ stream: inout Stream, with batch: RecordColumns, canonical: [Double]
  ) throws(StoreError) {
    let edge = RunEdge(batch.starts, last: sizes.edge)
    var rows = UnsortedRows(gathered: stream.gathered, edge: edge, sizes: sizes)
    rows.batch = batch
    rows.canonical = canonical
    try pack(rows, of: &stream)
    if let edge {
      let held = batch.starts.indices.filter { edge.holds(batch.starts[$0]) }
      stream.gathered.append(
        batch.rows(at: held), held.indices, canonical: held.map { canonical[$0] })
    }
  }

  /// Makes runs of what a stream has gathered.
  func pack(_ stream: inout Stream, edge: RunEdge? = nil) throws(StoreError) {
    guard stream.gathered.count > 0 else { return }
    try pack(UnsortedRows(gathered: stream.gathered, edge: edge, sizes: sizes), of: &stream)
  }

  private func pack(
    _ rows: consuming UnsortedRows, of stream: inout Stream
  ) throws(StoreError) {
    let gathered = stream.gathered
    stream.gathered = RowGatherer(type: stream.type, source: stream.source)
    if let edge = rows.edge {
      if stream.bounds.count < Self.mostBounds {
        stream.bounds.insert(
          edge.bound, at: stream.bounds.firstIndex { $0 > edge.bound } ?? stream.bounds.count)
      }
      let held = gathered.rows.starts.indices.filter { edge.holds(gathered.rows.starts[$0]) }
      stream.gathered.append(
        gathered.rows.rows(at: held), held.indices,
        canonical: held.map { gathered.canonical[$0] })
    }
    rows.bounds = stream.bounds
    stream.runs.append(try packer.add(rows))
  }
}

extension RecordColumns {
  /// How many records the rows stand for: each copy is one, and so is a row without any.
  fileprivate var recordCount: Int { copies.reduce(0) { $0 + Int(max(1, $1)) } }
}
