import Foundation
import GRDB
import HealthLedger
public import HealthSamples

/// One import into a store: add batches, then finish to commit them.
///
/// The store stays unchanged until the session finishes, and if it is dropped or fails. No other
/// import can run at the same time. Records may come in any order; they are spilled as sorted runs
/// to an unlinked file in the folder of the store, so memory does not grow with their number.
///
/// ```swift
/// let session = try store.beginImport(from: reader.format)
/// while let batch = try reader.next() { try session.add(batch) }
/// let summary = try session.finish(exported: reader.exported)
/// ```
public final class ImportSession {
  let store: SampleStore
  let transaction: WriteTransaction
  let spillFile: SpillFile
  let encoder: RunEncoder
  let sizes: RunSizes
  let format: ImportFormat
  /// Whether the rows are those of another store, which have their numbers among equal ones.
  var keepsOrdinals = false
  var pending: [SeriesKey: PendingSeries] = [:]
  private var elements = ElementImport()
  private(set) var units: [String: RecordedUnits] = [:]
  private var types: [String: SampleType]
  var summary = ImportSummary()
  /// Of what the session got.
  private var digest = FileDigest()
  /// The approximate size of the buffered rows in bytes.
  private var bufferedBytes = 0
  private var isOpen = true
  private var hasCommitted = false

  /// More bounds than a lifetime of samples has.
  private static let mostBounds = 1 << 12

  struct SeriesKey: Hashable {
    var type: String
    var source: Source
  }

  /// The pending records of one type and one source.
  struct PendingSeries {
    var type: SampleType
    var source: Source
    /// The numbers of its runs in ``encoder``.
    var runs: [Int] = []
    /// Rows that are not yet in a run.
    var buffered: RecordColumns.Builder
    /// The instants at which runs are split, ascending.
    var bounds: [Double] = []

    init(type: SampleType, source: Source) {
      self.type = type
      self.source = source
      buffered = RecordColumns.Builder(type: type, source: source)
    }
  }

  init(
    store: SampleStore, transaction: WriteTransaction, format: ImportFormat,
    types: [String: SampleType], threads: Int, sizes: RunSizes
  ) {
    self.store = store
    self.transaction = transaction
    self.format = format
    self.types = types
    self.sizes = sizes
    spillFile = SpillFile(folder: store.runFolder, isSealed: store.file.sealing != nil)
    encoder = RunEncoder(file: spillFile, threads: threads)
  }

  deinit {
    if isOpen { close() }
  }

  /// Adds a batch.
  ///
  /// A batch with a non-finite number, columns of different lengths or an invalid table index is
  /// refused and ends the session.
  ///
  /// - Complexity: O(*n* log *n*), O(*n*) for rows in ascending or descending order
  public func add(_ batch: consuming ImportBatch) throws(StoreError) {
    guard isOpen else { throw StoreError(.sessionEnded, path: store.path) }
    do {
      switch consume batch {
      case .records(let batch): try ingest(batch)
      case let batch:
        guard let columns = batch.stored else { break }
        try elements.add(columns, to: spillFile, path: store.path, &digest)
      }
    } catch {
      close()
      throw StoreError(error, path: store.path)
    }
  }

  /// Adds records, as ``add(_:)-(ImportBatch)`` does.
  public func add(_ batch: consuming RecordColumns) throws(StoreError) {
    try add(.records(batch))
  }

  /// Adds an element of another store.
  func add(_ kind: ElementKind, _ key: ElementKey, _ content: [UInt8]) throws(StoreError) {
    try elements.add(kind, key, content, to: spillFile)
  }

  /// Merges everything into the store, in one transaction, and ends the session.
  ///
  /// - Parameters:
  ///   - dryRun: only counts; the file stays unchanged, byte for byte
  ///   - replacing: whether the file takes the place of all others of its format, whatever their
  ///     dates: what only they have does not count any more. What was saved, and what files of
  ///     other formats have, stays.
  ///   - spared: numbers of imports that are not replaced, such as those of the same command
  ///   - restoring: whether what the owner deleted and the file has counts again
  ///   - file: the name of the file, for ``SampleStore/imports()``
  ///   - exported: when the file was created, in seconds since 2001-01-01 UTC. Files of all formats
  ///     are replayed in the order of their dates, whatever the order of imports: where two differ,
  ///     the later one decides. Those without a date come before all others, in the order in which
  ///     their last samples end.
  ///   - incomplete: kinds of elements that may be incomplete in the file: none of them is deleted
  ///   - facts: what the file says besides its data
  /// - Returns: the counts of the import, or of the dry run
  /// - Throws: ``StoreError``; the store is then unchanged
  /// - Complexity: O(*n* log *n*) for *n* records and elements of the export, and those of the same
  ///   types, sources and kinds in the store
  public func finish(
    dryRun: Bool = false, replacing: Bool = false, sparing spared: Set<Int64> = [],
    restoring: Bool = false, file: String = "", exported: Double? = nil,
    incomplete: Set<ElementKind> = [], facts: FileFacts = FileFacts()
  ) throws(StoreError) -> ImportSummary {
    guard isOpen else { throw StoreError(.sessionEnded, path: store.path) }
    guard dryRun || !store.isReadOnly else {
      close()
      throw StoreError(.readOnly, path: store.path)
    }
    do {
      try merge(
        replacing: replacing, sparing: spared, file: file, exported: exported,
        lacking: incomplete)
      if restoring { try restore(identity(exported)) }
      summary.keptOut = try keptOut(of: identity(exported))
      if !dryRun {
        try transaction.run {
          [summary, transaction, identity = identity(exported), now = store.now.instant] in
          try $0.recordCounts(of: identity, summary, transaction.revision)
          try $0.record(facts, of: identity, at: now)
        }
        try transaction.commit()
        hasCommitted = true
      }
    } catch {
      close()
      throw StoreError(error, path: store.path)
    }
    close()
    return summary
  }

  /// Merges what another store has of a file, or what an act of it names, in one transaction with
  /// what is written before and after; ends the session.
  func finish(
    as member: Member, before: (Database) throws -> Void = { _ in },
    after: (Database, Revision) throws -> Void = { _, _ in }
  ) throws(StoreError) -> ImportSummary {
    defer { close() }
    return try StoreError.naming(store.path) {
      let history = try transaction.run { database in
        try before(database)
        return try StoreHistory(database)
      }
      try merge(member, history, writes: true)
      if member.file != nil, history.files.values.contains(where: { $0.isTold && !$0.isPresent }) {
        // The file may replace others, of series that it lacks, too.
        _ = try transaction.run { try $0.replayAll(transaction.revision) }
      }
      if let identity = member.file.flatMap({ history.files[$0]?.identity }) {
        try transaction.run { [summary, transaction] in
          try $0.recordCounts(of: identity, summary, transaction.revision)
        }
      }
      try transaction.run { try after($0, transaction.revision) }
      try transaction.commit()
      hasCommitted = true
      return summary
    }
  }

  private func identity(_ exported: Double?) -> Data {
    digest.identity(format, exportedAt: exported)
  }

  /// What deletions keep out of the file.
  private func keptOut(of identity: Data) throws -> [ImportSummary.KeptOut] {
    try transaction.run { [transaction] database in
      let history = try StoreHistory(database)
      guard history.acts.values.contains(where: \.isDeletion),
        let file = history.file(identity), file.isPresent
      else { return [] }
      let sets = try Provenances(database, history)
      var counts: [Int64: Int] = [:]
      for series in try database.allSeries() {
        let files = try SeriesFiles(sets, database.files(of: series))
        guard let index = files.files.firstIndex(where: { $0.id == file.id }) else { continue }
        for row in try database.keptOut(of: series, sets, transaction.revision) where row.isOut {
          guard let act = row.act, try row.sets.contains(where: { try files.presence($0)[index] })
          else { continue }
          counts[act, default: 0] += 1
        }
      }
      for kind in ElementKind.allCases where try database.files(of: kind).contains(file.id) {
        let replay = try ElementReplay(
          kind, sets, in: database, revision: transaction.revision)
        for element in try replay.deleted() where element.files.contains(file.id) {
          counts[element.act, default: 0] += 1
        }
      }
      return counts.compactMap { act, count in
        history.acts[act].map {
          ImportSummary.KeptOut(deletion: act, deletedAt: $0.stamp.time, count: count)
        }
      }.sorted { ($0.deletedAt, $0.deletion) < ($1.deletedAt, $1.deletion) }
    }
  }

  /// Takes back what deletions keep out of the file.
  private func restore(_ identity: Data) throws {
    guard try transaction.allowWrites() else { return }
    try transaction.run { [store, transaction] database in
      guard let file = try StoreHistory(database).file(identity) else { return }
      var restoration = try Restoration(store, in: database, revision: transaction.revision)
      for series in try database.allSeries() {
        let files = try SeriesFiles(restoration.sets, database.files(of: series))
        guard let index = files.files.firstIndex(where: { $0.id == file.id }) else { continue }
        try restoration.restore(series, withKeptOut: false) { row in
          try row.isOut && row.sets.contains { try files.presence($0)[index] }
        }
      }
      for kind in ElementKind.allCases {
        try restoration.restore(kind) { element in element.files.contains(file.id) }
      }
      _ = try restoration.finish(hasPeriods: false)
    }
  }

  /// Writes the import of the file, and merges what is in it.
  ///
  /// A file whose rows count already changes nothing. A dry run writes, too, and rolls back; in a
  /// store that is opened for queries it only counts.
  private func merge(
    replacing: Bool, sparing spared: Set<Int64>, file name: String, exported: Double?,
    lacking lacks: Set<ElementKind>
  ) throws {
    let identity = identity(exported)
    var history = try transaction.run { try StoreHistory($0) }
    let known = history.file(identity)
    let others = history.files.values.filter { [format] in
      guard let number = $0.number else { return false }
      return $0.format == format && $0.identity != identity && !spared.contains(number)
    }
    let replaced = replacing ? Set(others.map(\.id)) : []
    let id = try known?.id ?? transaction.run { try $0.nextID(in: "files") }
    summary.number = known?.number
    if known?.isPresent ?? false, replaced.isEmpty {
      return try merge(.file(id), history, writes: false)
    }
    guard try transaction.allowWrites() else {
      let number = try transaction.run { try $0.nextID(in: "acts") }
      summary.number = summary.number ?? number
      history.include(
        KnownFile(
          id: id, identity: identity, format: format, exportedAt: exported,
          lastEnd: digest.lastEnd, lacks: lacks), as: number)
      return try merge(.file(id), history, writes: false)
    }
    summary.number = try transaction.run { [format, digest, now = store.now.instant] database in
      if known == nil {
        try database.insert(
          into: "files",
          "id, identity, format, exportedAt, lastEnd, name, importedAt, read, new, lacks",
          [
            id, identity, format.rawValue, exported, digest.lastEnd, name, now, 0, 0,
            lacks.storedText,
          ])
      } else {
        try database.execute(
          sql: "UPDATE files SET name = ?, importedAt = ? WHERE id = ?", arguments: [name, now, id])
      }
      return try database.appendImport(of: id, replacing: replaced, at: now)
    }
    history = try transaction.run { try StoreHistory($0) }
    try merge(.file(id), history, writes: true)
    if !replaced.isEmpty { try removeReplaced(replaced, history) }
  }

  /// Merges records and elements.
  private func merge(_ member: Member, _ history: StoreHistory, writes: Bool) throws {
    try mergeRecords(member, history, writes: writes)
    try transaction.run { [spillFile, transaction] database in
      let sets = try Provenances(database, history)
      try elements.merge(
        member, sets, from: spillFile, writes: writes, into: database,
        revision: transaction.revision, &summary)
      if writes { try sets.write(to: database) }
    }
  }

  private func close() {
    isOpen = false
    encoder.close()
    pending = [:]
    elements = ElementImport()
    transaction.end()
    if !hasCommitted { store.file.recordFailure() }
  }

  private func ingest(_ batch: consuming RecordColumns) throws(StoreError) {
    if bufferedBytes > sizes.mostBufferedBytes { try makeRoom() }
    var batch = batch
    do {
      try batch.check()
    } catch {
      throw StoreError(.invalidBatch(row: error.index), path: store.path)
    }
    batch.normaliseZeros()
    if !keepsOrdinals {
      for origin in batch.originTable.indices { batch.originTable[origin].ordinal = 0 }
    }
    digest.add(batch)
    let type =
      types[batch.type.identifier] ?? Catalogue.type(batch.type.identifier) ?? batch.type
    types[type.identifier] = type
    let resolved = resolve(&batch, type)
    guard batch.count > 0 else { return }
    let canonical = batch.canonicalValues(resolved)
    let key = SeriesKey(type: type.identifier, source: batch.source)
    var series = pending.removeValue(forKey: key) ?? PendingSeries(type: type, source: batch.source)
    defer { pending[key] = series }
    if series.source.name > batch.source.name { series.source = batch.source }
    bufferedBytes -= series.buffered.bytes
    defer { bufferedBytes += series.buffered.bytes }
    if !series.buffered.hasRoom(for: batch.labelTable.count) { try encode(&series) }
    if batch.count >= sizes.full / 2 {
      try encode(
        &series, with: batch, canonical: canonical,
        watermark: Watermark(batch.starts, last: sizes.watermarkRows))
    } else {
      series.buffered.append(batch, [0..<batch.count], canonical: canonical)
      if series.buffered.isHeavy {
        try encode(&series)
      } else if series.buffered.count >= sizes.full {
        try encode(
          &series, watermark: Watermark(series.buffered.rows.starts, last: sizes.watermarkRows))
      }
    }
  }

  /// Encodes the buffered rows of series as runs, the largest first, until half of the buffer is
  /// free.
  private func makeRoom() throws(StoreError) {
    let sizes = pending.mapValues(\.buffered.bytes).sorted { $0.value > $1.value }
    for (key, bytes) in sizes {
      if bufferedBytes <= self.sizes.mostBufferedBytes / 2 { return }
      guard var series = pending.removeValue(forKey: key) else { continue }
      defer { pending[key] = series }
      bufferedBytes -= bytes
      try encode(&series)
      bufferedBytes += series.buffered.bytes
    }
  }

  /// The recorded units of a batch, after rows whose label is not a unit of the type are removed.
  private func resolve(_ batch: inout RecordColumns, _ type: SampleType) -> [RecordedUnit] {
    var known = units[type.identifier] ?? RecordedUnits(of: type)
    let resolved = batch.labelTable.map { known.unit(of: $0) }
    defer { units[type.identifier] = known }
    guard resolved.contains(where: { $0 == nil }) else { return resolved.compactMap(\.self) }
    let all = batch.recordCount
    batch = batch.selecting(
      batch.labels.indices.filter { resolved[Int(batch.labels[$0])] != nil })
    let skipped = all - batch.recordCount
    if skipped > 0 { summary.types[type.identifier, default: .init()].skipped += skipped }
    return batch.labelTable.compactMap { known.unit(of: $0) }
  }

  /// Encodes the buffered rows of a series and a following batch as runs, except for rows that a
  /// watermark defers to the next batch.
  func encode(
    _ series: inout PendingSeries, with batch: RecordColumns? = nil, canonical: [Double] = [],
    watermark: Watermark? = nil
  ) throws(StoreError) {
    let buffered = series.buffered
    guard buffered.count > 0 || batch != nil else { return }
    series.buffered = RecordColumns.Builder(type: series.type, source: series.source)
    if let watermark {
      if series.bounds.count < Self.mostBounds {
        series.bounds.insert(
          watermark.bound,
          at: series.bounds.firstIndex { $0 > watermark.bound } ?? series.bounds.count)
      }
      series.buffered.append(
        buffered.rows, watermark.deferred(of: buffered.rows.starts), canonical: buffered.canonical)
      if let batch {
        series.buffered.append(batch, watermark.deferred(of: batch.starts), canonical: canonical)
      }
    }
    series.runs.append(
      try encoder.add(
        UnsortedRows(
          buffered: buffered, batch: batch, canonical: canonical, watermark: watermark,
          bounds: series.bounds, sizes: sizes, keepsOrdinals: keepsOrdinals)))
  }
}

extension RecordColumns {
  /// The number of records of the rows: the number of copies, at least one.
  fileprivate var recordCount: Int { copies.reduce(0) { $0 + Int(max(1, $1)) } }
}
