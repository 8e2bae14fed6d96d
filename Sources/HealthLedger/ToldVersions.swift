package import HealthSamples

/// The identity that a format or an app gave to a sample or an element, in 16 bytes: a series may
/// have one for each of millions of rows.
package struct GivenIdentity: Hashable, Sendable {
  private let words: SIMD2<Int>
  /// Whether it is that of a row of Health Connect, which may hold many samples.
  package let isOfRow: Bool

  /// A word of it.
  package var digest: Int { words.x }

  private static let rowKey = "HealthConnectUUID"

  /// The keys of metadata that identify, the strongest first; the last one is that of Health Auto
  /// Export.
  private static let keys = [rowKey, "HKMetadataKeySyncIdentifier", "HKExternalUUID", "id"]

  /// The identity in metadata; `nil` for none.
  package init?(_ metadata: Metadata, of source: Source? = nil) {
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
  package static func mayBe(in table: [Metadata]) -> Bool {
    table.contains { $0.entries.contains { keys.contains($0.key) } }
  }
}

/// What the files that count tell of samples or elements with given identities (law 2.5).
///
/// What an app changed is told again under its identity: the later file holds, also where it gives
/// another time or value. Of files of one date that one holds that goes on longest, then the one that
/// tells more.
///
/// A file tells all samples of a row of Health Connect, as the stages of a night, or none: the later
/// file lacks what it does not tell. Of other identities, one that a file gives to several samples, as
/// that of a meal to all its foods, identifies none of them.
package struct ToldVersions<Key: ToldKey> {
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

  private let files: FileOrder
  private var versions: [GivenIdentity: Versions] = [:]
  /// The most values of one time of an identity; one with more identifies nothing, since values of a time
  /// are searched one by one.
  private static var mostAtOneTime: Int { 1_000 }

  package init(_ files: FileOrder) { self.files = files }

  /// Whether files tell otherwise than others.
  package var areSeveral: Bool {
    versions.values.contains { all in
      !all.isVoid && all.files.values.contains { $0.count < all.count }
    }
  }

  /// Takes in that some files have a version.
  package mutating func add(_ identity: GivenIdentity, _ key: Key, in presence: [Bool]) {
    let files = Set(presence.indices.filter { presence[$0] && self.files.step(of: $0) != nil })
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
  package func isRetold(_ identity: GivenIdentity?, _ key: Key) -> Bool {
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
package protocol ToldKey {
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

/// The key of a sample, and when two values are one.
package struct SampleKey: ToldKey {
  private let row: RowKey
  private let agreement: ValueAgreement

  package init(_ row: RowKey, _ agreement: ValueAgreement) {
    (self.row, self.agreement) = (row, agreement)
  }

  package var start: Double { row.start }
  package var end: Double { row.end }

  package func isSame(as other: Self) -> Bool { agreement(row, other.row) }

  package func goesOn(after other: Self) -> Bool {
    (end, row.canonical, start) > (other.end, other.row.canonical, other.start)
  }
}
