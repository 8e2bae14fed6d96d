import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

/// A sample's names for synchronisation, as its metadata have them.
private struct Names: Hashable, CustomStringConvertible {
  let identifier: String?
  let version: Double?

  init(_ metadata: [String: Any]?) {
    identifier = metadata?[HKMetadataKeySyncIdentifier] as? String
    version = (metadata?[HKMetadataKeySyncVersion] as? NSNumber)?.doubleValue
  }

  var description: String { "\(identifier ?? "nil") \(version ?? -1)" }
}

/// Where an app runs.
private struct Place {
  let app: String
  let product: String
  let system: OperatingSystemVersion

  func host(of file: HealthFile, now: Double = 1_000) -> HealthHost {
    var host = file.host(app, now: now)
    (host.productType, host.operatingSystemVersion) = (product, system)
    host.version = "7"
    return host
  }
}

/// Apps that save samples with sync identifiers on two stores, and an owner who imports, deletes, takes
/// back and synchronises.
private struct SyncKeyHistory {
  static let types: Set<HKSampleType> = [
    HKQuantityType(.stepCount), HKQuantityType(.bodyMass), .workoutType(),
  ]
  static let places = [
    Place(
      app: "com.example.a", product: "iPhone14,5",
      system: OperatingSystemVersion(majorVersion: 17, minorVersion: 5, patchVersion: 1)),
    Place(
      app: "com.example.b", product: "Watch6,2",
      system: OperatingSystemVersion(majorVersion: 26, minorVersion: 0, patchVersion: 0)),
  ]
  private static let passphrase = "between us"

  struct Difference: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private var random: SplitMix64
  private let files: [HealthFile]
  /// Whether the first store can be locked.
  private(set) var isSealed = false
  /// The names of what apps saved, and where they did.
  private var saved: [UUID: (names: Names, place: Int)] = [:]
  /// The names that what counts had before the operation, by file.
  private var before: [[UUID: Names]] = [[:], [:]]
  /// The deletions of each file so far: what was deleted, and the names that it had.
  private var deletions: [[(uuid: UUID, names: Names?, serial: Int64)]] = [[], []]
  /// The anchors of the queries of the apps, and how many deletions came before.
  private var anchors: [String: (anchor: HKQueryAnchor, count: Int)] = [:]
  private(set) var named = 0
  private(set) var counts: [String: Int] = [:]
  private(set) var operation = ""
  private var imports = 0

  init(seed: UInt64) async throws {
    random = SplitMix64(seed: seed)
    files = [try HealthFile(), try HealthFile()]
    try await ask()
    try SampleStore.encrypt(path: files[0].path, passphrase: Self.passphrase)
    do throws(StoreError) {
      try SampleStore.unlock(path: files[0].path, key: .passphrase(Self.passphrase))
      isSealed = true
    } catch {
      // A machine that keeps no keys.
      guard error.reason == .noKeyPlace else { throw error }
      try SampleStore.decrypt(path: files[0].path, key: .passphrase(Self.passphrase))
    }
  }

  private func ask() async throws {
    for file in files {
      for place in Self.places {
        try await HKHealthStore(host: place.host(of: file)).requestAuthorization(
          toShare: Self.types, read: Self.types)
      }
      // It may save, and reads nothing but its own.
      let blind = file.store("com.example.blind") {
        AuthorisationAnswer(share: $0.share, read: [])
      }
      try await blind.requestAuthorization(toShare: Self.types, read: Self.types)
    }
  }

  /// Keeps no key of the store.
  func finish() throws { if isSealed { try SampleStore.lock(path: files[0].path) } }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0..<values.count)] }

  private func owner(_ file: Int) throws -> SampleStore {
    try SampleStore(path: files[file].path, mode: .readWrite)
  }

  mutating func perform() async throws {
    let file = number(0..<2)
    operation = pick(
      ["save", "save", "save", "delete", "delete", "delete matching", "import", "import", "undo"]
        + ["delete imported", "restore", "restore", "synchronise", "locked"])
    counts[operation, default: 0] += 1
    for file in files.indices { before[file] = try await visible(file) }
    switch operation {
    case "save": try await save(file, isLocked: false)
    case "locked": if isSealed { try await save(0, isLocked: true) }
    case "delete": try await delete(file)
    case "delete matching":
      let place = pick(Self.places)
      _ = try await HKHealthStore(host: place.host(of: files[file])).deleteObjects(
        of: HKQuantityType(.stepCount),
        predicate: HKQuery.predicateForSamples(
          withStart: Trial.date(Double(number(0..<600))), end: nil))
    case "import": try importFile(file)
    case "undo":
      let known = try owner(file).imports().map(\.id)
      if !known.isEmpty { _ = try owner(file).undoImport(pick(known)) }
    case "delete imported":
      let start = Double(number(0..<8) * 60)
      try owner(file).delete(.samples(SampleType(.stepCount)), in: start..<start + 120)
    case "restore":
      let gone = Set(deletions[file].map(\.uuid)).sorted { $0.uuidString < $1.uuidString }
      if !gone.isEmpty { try owner(file).restore([pick(gone), pick(gone)]) }
    default: _ = try owner(0).synchronise(with: owner(1))
    }
    for file in files.indices { try await check(file) }
  }

  /// The names of what counts.
  private func visible(_ file: Int) async throws -> [UUID: Names] {
    let store = HKHealthStore(host: Self.places[0].host(of: files[file]))
    let samples = try await store.samples(Self.types)
    return Dictionary(
      samples.map { ($0.uuid, Names($0.metadata)) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Operations

  private mutating func metadata() -> [String: Any]? {
    switch number(0..<5) {
    case 0: nil
    case 1: ["a": 1]
    default:
      [
        HKMetadataKeySyncIdentifier: pick(["one", "two", "três", "SyncVersion"]),
        HKMetadataKeySyncVersion: pick([0, 1, 2, 2.5, 3, -4]), "a": 1,
      ]
    }
  }

  private mutating func save(_ file: Int, isLocked: Bool) async throws {
    let place = number(0..<2)
    let host = Self.places[place].host(of: files[file])
    let samples = (0..<number(1..<5)).map { _ -> HKSample in
      let (start, metadata) = (Double(number(0..<600)), metadata())
      let date = (Trial.date(start), Trial.date(start + Double(number(0..<90))))
      switch number(0..<3) {
      case 0:
        return HKWorkout(
          activityType: .running, start: date.0, end: date.1, workoutEvents: nil,
          totalEnergyBurned: nil, totalDistance: nil, metadata: metadata)
      case 1:
        return HKQuantitySample(
          type: HKQuantityType(.bodyMass),
          quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 70), start: date.0,
          end: date.0, device: pick([nil, Trial.watch]), metadata: metadata)
      default:
        return Trial.steps(
          Double(number(1..<9)), from: start, to: start + 60, device: pick([nil, Trial.scale]),
          metadata: metadata)
      }
    }
    for sample in samples { saved[sample.uuid] = (Names(sample.metadata), place) }
    if isLocked { try SampleStore.lock(path: files[file].path) }
    try await HKHealthStore(host: host).save(samples)
    if isLocked {
      try SampleStore.unlock(path: files[file].path, key: .passphrase(Self.passphrase))
    }
  }

  private mutating func delete(_ file: Int) async throws {
    let place = number(0..<2)
    let store = HKHealthStore(host: Self.places[place].host(of: files[file]))
    let own = try await store.samples(
      Self.types,
      HKQuery.predicateForObjects(
        from: HKSource(
          Source(
            name: String(Self.places[place].app.suffix(1)), bundleIdentifier: Self.places[place].app
          ))))
    guard !own.isEmpty else { return }
    try await store.delete([pick(own), pick(own)])
  }

  /// Imports one of four exports: later ones tell some samples in other words, join some, have more.
  private mutating func importFile(_ file: Int) throws {
    let number = number(1..<5)
    var rows = RecordColumns(type: SampleType(.stepCount), source: Source(name: "Watch"))
    let length = number == 4 ? 120 : 60
    for start in stride(from: 0, to: 480 + 60 * number, by: length) {
      var metadata = Metadata()
      if start % 180 != 0 {
        metadata = Metadata([
          .init(key: HKMetadataKeySyncIdentifier, value: "row \(start)"),
          .init(key: HKMetadataKeySyncVersion, value: "\(number)"), .init(key: "a", value: "1"),
        ])
      }
      try rows.append(
        start: Double(start), end: Double(start + length), value: Double(length), label: "count",
        metadata: metadata)
    }
    let session = try owner(file).beginImport()
    try session.add(.records(rows))
    _ = try session.finish(file: "\(number).zip", exported: Double(number) * 10_000)
  }

  // MARK: Checks

  private mutating func check(_ file: Int) async throws {
    try checkDeletions(file)
    for place in Self.places {
      try await checkApp(file, HKHealthStore(host: place.host(of: files[file])), place.app)
    }
    let blind = try await query(
      file, files[file].store("com.example.blind"), "com.example.blind", Self.types, after: nil)
    guard blind.deletedObjects.isEmpty, blind.addedSamples.isEmpty else {
      throw Difference("an app without permission sees something")
    }
    // What was saved is read with the place where it was saved, in either store.
    let reader = HKHealthStore(host: Self.places[0].host(of: files[file]))
    for sample in try await reader.samples(Self.types) {
      let revision = sample.sourceRevision
      guard let (names, place) = saved[sample.uuid] else {
        guard revision.productType == nil, revision.operatingSystemVersion.words == "0.0.0" else {
          throw Difference("an import was saved on \(revision.productType ?? "a system")")
        }
        continue
      }
      let origin = Self.places[place]
      guard Names(sample.metadata) == names, revision == HKSourceRevision(origin.host(of: files[0]))
      else { throw Difference("\(sample) has another revision or other names") }
    }
  }

  /// Compares the new deletions, as the owner reads them, with what counted before.
  private mutating func checkDeletions(_ file: Int) throws {
    let store = try owner(file)
    let all = try store.deletions(after: StoreAnchor(before: store.anchor()))
    guard all.count >= deletions[file].count else { throw Difference("deletions are lost") }
    for (old, row) in zip(deletions[file], all) {
      let names = Names(row)
      guard old.uuid == row.uuid, old.names ?? names == names else {
        throw Difference("an old deletion is another one")
      }
    }
    for row in all.dropFirst(deletions[file].count) {
      let found = Names(row)
      let expected: Names? = saved[row.uuid]?.names ?? before[file][row.uuid]
      if let expected, operation != "synchronise" || saved[row.uuid] != nil {
        guard found == expected else { throw Difference("\(found) was \(expected)") }
      } else if operation != "synchronise" {
        throw Difference("\(found) was deleted, and did not count")
      } else if let expected {
        // A sync tells a sample in the words of several files, of which the last one counts.
        guard found.identifier == expected.identifier || found.identifier == nil else {
          throw Difference("\(found) was \(expected)")
        }
      }
      if found != Names(nil) { named += 1 }
      deletions[file].append((row.uuid, found, row.serial))
    }
  }

  private func query(
    _ file: Int, _ store: HKHealthStore, _ app: String, _ types: Set<HKSampleType>,
    after anchor: HKQueryAnchor?
  ) async throws -> HKAnchoredObjectQueryDescriptor<HKSample>.Result {
    try await HKAnchoredObjectQueryDescriptor(
      predicates: types.map { .sample(type: $0) }, anchor: anchor
    ).result(for: store)
  }

  /// Compares what an app is told of deletions with those that the owner reads.
  private mutating func checkApp(
    _ file: Int, _ store: HKHealthStore, _ app: String
  ) async throws {
    let key = "\(file) \(app)"
    let last = anchors[key]
    if last != nil, number(0..<3) > 0 { return }
    // Rows alone are read on another path than together with elements.
    let all = try await query(file, store, app, Self.types, after: last?.anchor)
    let rows = try await query(
      file, store, app, Self.types.filter { $0 is HKQuantityType }, after: last?.anchor)
    let expected = deletions[file].dropFirst(last?.count ?? 0)
    let told = all.deletedObjects.map { ($0.uuid, Names($0.metadata)) }
    guard told.map(\.0) == expected.map(\.uuid), told.map(\.1) == expected.map(\.names) else {
      throw Difference("\(app) is told of \(told.count) deletions, not \(expected.count)")
    }
    for object in all.deletedObjects {
      let allowed: Set = [HKMetadataKeySyncIdentifier, HKMetadataKeySyncVersion]
      guard object.metadata.map({ !$0.isEmpty && allowed.isSuperset(of: $0.keys) }) ?? true else {
        throw Difference("a deletion tells more than its names")
      }
      guard Names(try archived(object).metadata) == Names(object.metadata) else {
        throw Difference("an archived deletion has other names")
      }
    }
    let names = Dictionary(grouping: told, by: \.0).mapValues { $0.map(\.1) }
    for (uuid, found) in Dictionary(grouping: rows.deletedObjects, by: \.uuid) {
      guard names[uuid] == found.map({ Names($0.metadata) }) else {
        throw Difference("rows alone have other deletions")
      }
    }
    anchors[key] = (all.newAnchor, deletions[file].count)
  }
}

extension Names {
  fileprivate init(_ row: DeletedRow) {
    (identifier, version) = (row.syncIdentifier, row.syncVersion)
  }
}

@Suite("Deleted objects and source revisions") struct DeletedObjectTests {
  @Test(
    "K12, 2.2: A deletion has the sync identifier and version that the sample had, and nothing else",
    arguments: 0..<(Soak.isLong ? 24 : 3))
  func histories(seed: Int) async throws {
    var history = try await SyncKeyHistory(seed: UInt64(seed))
    defer { try? history.finish() }
    for step in 1...(Soak.isLong ? 200 : 70) {
      do {
        try await history.perform()
      } catch {
        Issue.record("seed \(seed), step \(step), \(history.operation): \(error)")
        return
      }
    }
    #expect(history.named > 20 && history.counts.count == 9)
  }
}
