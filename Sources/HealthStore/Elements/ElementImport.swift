import GRDB
import HealthSamples
internal import _HealthNumerics

/// The elements of one import until they are merged into the store.
///
/// Their bytes are in the spill file; memory has only their keys.
struct ElementImport {
  private var waiting: [ElementKind: [(key: ElementKey, range: Range<Int>)]] = [:]

  /// Adds elements; one with invalid columns is refused.
  mutating func add<Columns: StoredElement>(
    _ columns: Columns, to file: SpillFile, path: String, _ digest: inout FileDigest
  ) throws(StoreError) {
    for (index, row) in columns.rows.enumerated() {
      let bytes: [UInt8]
      do throws(Corruption) { bytes = try Columns.encode(row) } catch {
        throw StoreError(.invalidBatch(row: index), path: path)
      }
      digest.add(Columns.kind, bytes)
      try add(Columns.kind, Columns.key(of: row), bytes, to: file)
    }
  }

  /// Adds a stored element.
  mutating func add(
    _ kind: ElementKind, _ key: ElementKey, _ content: [UInt8], to file: SpillFile
  ) throws(StoreError) {
    waiting[kind, default: []].append((key, try file.append(content)))
  }

  /// Takes all elements into the store, or only counts them.
  ///
  /// - Complexity: O(*n* log *n*) for *n* elements of the export and the store
  consuming func merge(
    _ member: ImportSession.Member, _ sets: Provenances, from file: SpillFile, writes: Bool,
    into database: Database, revision: Revision, _ summary: inout ImportSummary
  ) throws {
    for kind in ElementKind.allCases {
      let fresh = (waiting.removeValue(forKey: kind) ?? []).sorted { $0.key < $1.key }
      if fresh.isEmpty, member.name != nil { continue }
      var replay = try ElementReplay(
        kind, sets, importing: member.file, naming: member.name, in: database, revision: revision)
      var counts = ImportSummary.Counts()
      var taken: Set<ElementKey> = []
      for (key, equal) in fresh.chunked(on: { $0.key }) {
        let contents = try replay.distinct(equal.map { try file.bytes($0.range) })
        counts += try replay.merge(key, contents, writes: writes)
        counts.duplicates += equal.count - contents.count
        taken.insert(key)
      }
      counts.onlyInStore += try replay.countOthers(than: taken)
      if writes, !fresh.isEmpty, let file = member.file {
        try replay.lack(allBut: taken)
        try replay.compareVersions()
        try database.record(file, of: kind)
      }
      if counts != ImportSummary.Counts() { summary.elements[kind] = counts }
    }
  }
}
