import GRDB
import HealthSamples
internal import _HealthNumerics

/// The identity that a format or an app gave to a sample or an element, in 16 bytes: a series may
/// have one for each of millions of rows.
struct GivenIdentity: Hashable {
  private let words: SIMD2<Int>
  /// Whether it is that of a row of Health Connect, which may hold many samples.
  let isOfRow: Bool

  /// A word of it.
  var digest: Int { words.x }

  private static let rowKey = "HealthConnectUUID"

  /// The keys of metadata that identify, the strongest first; the last one is that of Health Auto
  /// Export.
  private static let keys = [rowKey, "HKMetadataKeySyncIdentifier", "HKExternalUUID", "id"]

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
    isOfRow = entry.key == Self.rowKey
  }

  /// Whether rows with such metadata may have an identity.
  static func mayBe(in table: [Metadata]) -> Bool {
    table.contains { $0.entries.contains { keys.contains($0.key) } }
  }
}

/// What the files that count tell of samples or elements with given identities.
///
/// What an app changed is told again under its identity: the later file holds, also where it gives
/// another time or value. Of files of one date that one holds that goes on longest, then the one that
/// tells more.
///
/// A file tells all samples of a row of Health Connect, as the stages of a night, or none: the later
/// file lacks what it does not tell. Of other identities, one that a file gives to several samples, as
/// that of a meal to all its foods, identifies none of them.
struct ToldVersions<Key: ToldKey> {
  private struct Version {
    let key: Key
    /// The places of files that have it.
    var files: Set<Int>
  }

  /// What a file tells of an identity.
  private struct Told {
    var last: Key
    var count: Int
  }

  private struct Versions {
    var atTime: [SIMD2<Double>: [Version]] = [:]
    var count = 0
    /// By place.
    var files: [Int: Told] = [:]
    /// Whether it identifies nothing.
    var isVoid = false
  }

  private let files: SeriesFiles
  private var versions: [GivenIdentity: Versions] = [:]
  /// The most values of one time of an identity; one with more identifies nothing, since values of a time
  /// are searched one by one.
  private static var mostAtOneTime: Int { 1_000 }

  init(_ files: SeriesFiles) { self.files = files }

  /// Whether files tell otherwise than others.
  var areSeveral: Bool {
    versions.values.contains { all in
      !all.isVoid && all.files.values.contains { $0.count < all.count }
    }
  }

  /// Notes that files have a version.
  mutating func add(_ identity: GivenIdentity, _ key: Key, of set: UInt32) throws(Corruption) {
    let presence = try files.presence(set)
    let files = Set(presence.indices.filter { presence[$0] && self.files.isPresent($0) })
    guard !files.isEmpty else { return }
    func add(to all: inout Versions) {
      guard !all.isVoid else { return }
      let same = all.atTime[key.time]?.firstIndex { $0.key.isSame(as: key) }
      let known = same.flatMap { all.atTime[key.time]?[$0].files } ?? []
      if let same {
        all.atTime[key.time]?[same].files.formUnion(files)
      } else {
        all.atTime[key.time, default: []].append(Version(key: key, files: files))
        all.count += 1
      }
      for file in files.subtracting(known) {
        var told = all.files[file] ?? Told(last: key, count: 0)
        told.count += 1
        if key.goesOn(after: told.last) { told.last = key }
        all.files[file] = told
        if !identity.isOfRow, told.count > 1 { all.isVoid = true }
      }
      if all.atTime[key.time]?.count ?? 0 > Self.mostAtOneTime { all.isVoid = true }
      if all.isVoid { (all.atTime, all.files) = ([:], [:]) }
    }
    add(to: &versions[identity, default: Versions()])
  }

  /// Whether a file tells otherwise than a version does, later than all that have it.
  func isRetold(_ identity: GivenIdentity?, _ key: Key) -> Bool {
    guard let identity, let all = versions[identity], !all.isVoid,
      let own = all.atTime[key.time]?.first(where: { $0.key.isSame(as: key) })?.files,
      let last = own.compactMap(files.step).max()
    else { return false }
    let rivals = own.filter { files.step(of: $0) == last }.compactMap { all.files[$0] }
    return all.files.contains { place, told in
      guard !own.contains(place), let step = files.step(of: place) else { return false }
      return step > last
        || step == last && rivals.allSatisfy { Self.goesOn(told, after: $0) }
    }
  }

  private static func goesOn(_ told: Told, after other: Told) -> Bool {
    if told.last.goesOn(after: other.last) { return true }
    return !other.last.goesOn(after: told.last) && told.count > other.count
  }
}

/// What distinguishes the samples or elements that files tell under one identity.
protocol ToldKey {
  var start: Double { get }
  var end: Double { get }
  /// Whether both are those of one version.
  func isSame(as other: Self) -> Bool
  /// Whether it ends later, or has a greater value.
  func goesOn(after other: Self) -> Bool
}

extension ToldKey {
  fileprivate var time: SIMD2<Double> { SIMD2(start, end) }
}

extension ElementKey: ToldKey {
  func isSame(as other: Self) -> Bool { self == other }

  func goesOn(after other: Self) -> Bool {
    (end, start, name) > (other.end, other.start, other.name)
  }
}

/// The key of a sample, and when two values are one.
private struct SampleKey: ToldKey {
  let row: RowKey
  let agreement: ValueAgreement

  var start: Double { row.start }
  var end: Double { row.end }

  func isSame(as other: Self) -> Bool {
    start == other.start && end == other.end && agreement(row.canonical, other.row.canonical)
  }

  func goesOn(after other: Self) -> Bool {
    (end, row.canonical, start) > (other.end, other.row.canonical, other.start)
  }
}

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
    versions = ToldVersions(files)
    agreement = ValueAgreement(of: type)
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
    // Nearly all identities are those of rows that the same files have: only others need more than a
    // word and a set.
    var rows: [Row] = []
    try forEachImported { cursor, members, set in
      areSeveral = areSeveral || members.marks.contains(.retold)
      guard let identity = try cache.identity(cursor, cursor.row) else { return }
      rows.append(Row(digest: identity.digest, set: set, cursor.key))
    }
    let differing = Self.differing(rows)
    guard !differing.isEmpty else { return }
    try forEachImported { cursor, _, set in
      guard let identity = try cache.identity(cursor, cursor.row),
        differing.contains(identity.digest)
      else { return }
      let key = SampleKey(row: cursor.key, agreement: agreement)
      try versions.add(identity, key, of: set)
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
    let key = SampleKey(row: cursor.key(row), agreement: agreement)
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
