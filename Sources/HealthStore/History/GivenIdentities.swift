import GRDB
import HealthSamples

/// The identity that a format or an app gave to a sample or an element, in 16 bytes: a series may
/// have one for each of millions of rows.
struct GivenIdentity: Hashable {
  private let words: SIMD2<Int>

  /// A word of it.
  var digest: Int { words.x }

  /// The keys of metadata that identify, the strongest first; the last one is that of Health Auto
  /// Export.
  private static let keys = [
    "HealthConnectUUID", "HKMetadataKeySyncIdentifier", "HKExternalUUID", "id",
  ]

  /// The identity in metadata; `nil` for none.
  init?(_ metadata: Metadata, of source: Source? = nil) {
    let entry = Self.keys.lazy.compactMap { key in
      metadata.entries.first { $0.key == key && !$0.value.isEmpty }
    }.first
    guard let entry else { return nil }
    var hasher = Hasher()
    hasher.combine(source)
    hasher.combine(entry.key)
    hasher.combine(entry.value)
    var other = hasher
    other.combine(true)
    words = SIMD2(hasher.finalize(), other.finalize())
  }

  /// Whether rows with such metadata may have an identity.
  static func mayBe(in table: [Metadata]) -> Bool {
    table.contains { $0.entries.contains { keys.contains($0.key) } }
  }
}

/// What files tell of samples or elements with given identities.
///
/// What an app changed is told again under its identity: the later file holds, also where it gives
/// another time or value. Of files of one date that version holds that goes on longest.
///
/// An identity that one file tells of several, as the one of a meal that all its foods share,
/// identifies none of them.
struct ToldVersions<Key> {
  private struct Version {
    let key: Key
    /// The places of files that have it, told or not.
    var files: Set<Int>
  }

  private var versions: [GivenIdentity: [Version]] = [:]
  private let areSame: (Key, Key) -> Bool
  private let goesOn: (Key, Key) -> Bool

  /// Takes whether two keys are those of one version, and whether the first goes on longer.
  init(
    areSame: @escaping (Key, Key) -> Bool, goesOn: @escaping (Key, Key) -> Bool
  ) {
    (self.areSame, self.goesOn) = (areSame, goesOn)
  }

  /// Whether there are several versions of an identity.
  var areSeveral: Bool { versions.values.contains { $0.count > 1 } }

  /// Notes that files have a version.
  mutating func add(_ identity: GivenIdentity, _ key: Key, of presence: [Bool]) {
    let files = Set(presence.indices.filter { presence[$0] })
    var all = versions[identity] ?? []
    if let same = all.firstIndex(where: { areSame($0.key, key) }) {
      all[same].files.formUnion(files)
    } else {
      all.append(Version(key: key, files: files))
    }
    versions[identity] = all
  }

  /// The files that tell otherwise than a version does.
  func retellings(
    _ identity: GivenIdentity?, _ key: Key, among files: SeriesFiles
  ) -> [Members.Retelling] {
    guard let all = identity.flatMap({ versions[$0] }), all.count > 1 else { return [] }
    var told: Set<Int> = []
    for version in all {
      guard told.isDisjoint(with: version.files) else { return [] }
      told.formUnion(version.files)
    }
    return all.filter { !areSame($0.key, key) }.flatMap { version in
      version.files.map { place in
        Members.Retelling(
          file: files.files[place].id, isLaterAtOneDate: goesOn(version.key, key))
      }
    }.sorted()
  }
}

/// The versions of the samples of a series.
struct SampleVersions {
  private var versions: ToldVersions<RowKey>
  private let files: SeriesFiles
  private let cache = IdentityCache()
  /// Whether files tell a sample otherwise than others, or did when it was last looked at.
  private(set) var areSeveral = false

  /// Reads all rows of a series; `matched` says which hidden ones an import has, in their order.
  ///
  /// - Complexity: O(*n*) for the *n* rows of the series
  init(
    _ type: SampleType, _ source: Source, _ files: SeriesFiles, matched: [Bool]?,
    units: inout RecordedUnits, in database: Database
  ) throws {
    self.files = files
    let agreement = ValueAgreement(of: type)
    versions = ToldVersions { left, right in
      left.start == right.start && left.end == right.end && left.ordinal == right.ordinal
        && agreement(left.canonical, right.canonical)
    } goesOn: { left, right in
      (left.end, left.canonical, left.start) > (right.end, right.canonical, right.start)
    }
    let numbers = try (database.identifier(of: type), database.identifier(of: source))
    let chunks = try database.chunks(of: type, source).map(\.id)
    let hidden = try StoredChunk.hidden(ofType: numbers.0, source: numbers.1, in: database)
      .map(\.id)
    func forEachImported(_ body: (RowCursor, Members, UInt32) throws -> Void) throws {
      for (isHidden, ids) in [(false, chunks), (true, hidden)] {
        var chain = try ChunkChain(ids, isHidden: isHidden, database, &units)
        while let cursor = chain.cursor {
          var set = cursor.memberSet(cursor.row)
          if isHidden, let matched {
            let change = try files.change(set)
            set = matched[chain.number] ? change.present : change.absent
          }
          let members = try files.sets.members(set)
          if !members.isSaved { try body(cursor, members, set) }
          try chain.advance(database, &units)
        }
      }
    }
    // Most identities are those of one row: only others need more than a word.
    var digests: [Int] = []
    try forEachImported { cursor, members, _ in
      areSeveral = areSeveral || !members.retellings.isEmpty
      digests.append(try cache.identity(cursor, cursor.row)?.digest ?? 0)
    }
    let repeated = Self.repeated(digests)
    guard !repeated.isEmpty else { return }
    var row = 0
    try forEachImported { cursor, _, set in
      defer { row += 1 }
      guard repeated.contains(digests[row]), let identity = try cache.identity(cursor, cursor.row)
      else { return }
      versions.add(identity, cursor.key, of: try files.presence(set))
    }
    areSeveral = areSeveral || versions.areSeveral
  }

  /// The digests that several rows have; 0 stands for no identity.
  private static func repeated(_ digests: [Int]) -> Set<Int> {
    let sorted = digests.filter { $0 != 0 }.sorted()
    return Set(zip(sorted, sorted.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
  }

  /// The set of a row with the files that tell it otherwise.
  func set(of cursor: RowCursor, _ row: Int, _ set: UInt32) throws -> UInt32 {
    let identity = try cache.identity(cursor, row)
    return try files.sets.number(
      of: set, retold: versions.retellings(identity, cursor.key(row), among: files))
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
