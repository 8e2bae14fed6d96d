import GRDB
import HealthLedger
import HealthSamples
internal import _HealthNumerics

/// The versions of the samples of a series.
struct SampleVersions {
  private var versions: ToldVersions<SampleKey>
  private let agreement: ValueAgreement
  private let files: SeriesFiles
  private let cache = IdentityCache()
  /// Whether files tell a sample otherwise than others, or did when it was last looked at.
  private var areSeveral = false

  /// What marks the rows of a series that a later file tells otherwise; `nil` if there are none, nor were.
  ///
  /// `matched` says which hidden rows an import has, in their order.
  ///
  /// - Complexity: O(*n*) for the *n* rows of the series
  static func naming(
    _ type: SampleType, _ source: Source, _ files: SeriesFiles, matched: [Bool]? = nil,
    units: inout RecordedUnits, in database: Database
  ) throws -> SeriesReplay.Naming? {
    // One file tells no sample otherwise than others.
    guard files.files.count > 1 else { return nil }
    let versions = try Self(type, source, files, matched: matched, units: &units, in: database)
    return versions.areSeveral ? { try versions.set(of: $0, $1, $3) } : nil
  }

  private init(
    _ type: SampleType, _ source: Source, _ files: SeriesFiles, matched: [Bool]?,
    units: inout RecordedUnits, in database: Database
  ) throws {
    self.files = files
    versions = ToldVersions(files.order)
    agreement = ValueAgreement(of: type)
    let tables = try [StoredChunk.Table.chunks, .hidden].map {
      ($0 == .hidden, try database.chunks($0, of: type, source))
    }
    func forEachImported(_ body: (RowCursor, Provenance, UInt32) throws -> Void) throws {
      for (isHidden, chunks) in tables {
        var chain = try ChunkChain(chunks, isHidden: isHidden, database, &units)
        while let cursor = chain.cursor {
          let set = try chain.set(files, matched)
          let members = try files.sets.members(set)
          if !members.isSaved { try body(cursor, members, set) }
          try chain.advance(database, &units)
        }
      }
    }
    // Nearly all identities are those of rows that the same files have: only others need more than a
    // word and a set.
    var rows: [Row] = []
    try forEachImported { cursor, members, set in
      areSeveral = areSeveral || members.flags.contains(.retold)
      guard let identity = try cache.identity(cursor, cursor.row) else { return }
      rows.append(Row(digest: identity.digest, set: set, cursor.key))
    }
    let differing = Self.differing(rows)
    guard !differing.isEmpty else { return }
    try forEachImported { cursor, _, set in
      guard let identity = try cache.identity(cursor, cursor.row),
        differing.contains(identity.digest)
      else { return }
      versions.add(identity, SampleKey(cursor.key, agreement), in: try files.presence(set))
    }
    areSeveral = areSeveral || versions.areSeveral
  }

  /// A row with an identity: a word of it, the set of files that have the row, and a word of its time and
  /// value, of which the value is rounded.
  private struct Row {
    let digest: Int
    let set: UInt32
    let key: UInt32

    init(digest: Int, set: UInt32, _ key: RowKey) {
      (self.digest, self.set) = (digest, set)
      var hasher = Hasher()
      hasher.combine(key.start)
      hasher.combine(key.end)
      hasher.combine(Float(key.canonical).bitPattern >> 12)
      self.key = UInt32(truncatingIfNeeded: hasher.finalize())
    }
  }

  /// The digests of several times or values that differ in their files.
  private static func differing(_ rows: [Row]) -> Set<Int> {
    let sorted = rows.sorted { $0.digest < $1.digest }
    return Set(
      sorted.chunked { $0.digest == $1.digest }.lazy.filter { rows in
        rows.contains { $0.set != rows.first?.set } && rows.contains { $0.key != rows.first?.key }
      }.compactMap(\.first?.digest))
  }

  /// The set of a row, which says whether a later file tells it otherwise.
  private func set(of cursor: RowCursor, _ row: Int, _ set: UInt32) throws -> UInt32 {
    let identity = try cache.identity(cursor, row)
    let key = SampleKey(cursor.key(row), agreement)
    return try files.sets.number(of: set, isRetold: versions.isRetold(identity, key))
  }
}

/// The identities in the metadata table of the chunk that is read.
private final class IdentityCache {
  private weak var cursor: RowCursor?
  private var known: [UInt32: GivenIdentity?] = [:]

  func identity(_ cursor: RowCursor, _ row: Int) throws(Corruption) -> GivenIdentity? {
    if self.cursor !== cursor { (self.cursor, known) = (cursor, [:]) }
    let index = cursor.block.metadata[row]
    guard index > 0 else { return nil }
    if let known = known[index] { return known }
    let identity = GivenIdentity(try cursor.metadata(Int(index)))
    known[index] = .some(identity)
    return identity
  }
}
