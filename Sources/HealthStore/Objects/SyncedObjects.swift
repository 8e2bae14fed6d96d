import Crypto
import Foundation
import GRDB
import HealthSamples

/// Saves that replace earlier versions: an app names an object by an identifier and a version, and a
/// higher version takes the place of a lower one of the same app, type and identifier.
///
/// A version that is not higher is left out, and what the store has stands for it.
struct SyncedObjects {
  private struct Version {
    var key: Data
    var number: Double
    var uuid: UUID
  }

  /// The bytes of a key.
  static let keyLength = 16

  /// What is to be saved.
  private(set) var objects: NewObjects
  /// The objects that stand for those that are left out.
  private(set) var replacements: [UUID: UUID] = [:]
  private var versions: [Data: Version] = [:]

  /// Compares objects with those in the store; every sample must have its UUID.
  init(_ objects: NewObjects, to store: SampleStore, in database: Database) throws {
    self.objects = objects
    let names = try Self.names(of: objects, path: store.path)
    guard names.contains(where: { $0 != nil }) else { return }
    let reader = try UUIDReader(store, database)
    let references = try References(store, database)
    let uuids = objects.samples.map { $0.uuid ?? UUID() } + objects.elements.map(\.uuid)
    for (uuid, name) in zip(uuids, names) {
      // An object that the store knows is refused as such.
      guard let name, try reader.serial(of: uuid) == nil else { continue }
      let version = Version(key: name.key, number: name.version, uuid: uuid)
      if let other = versions[name.key] {
        guard version.number > other.number else {
          replacements[uuid] = other.uuid
          continue
        }
        replacements[other.uuid] = uuid
      } else if let stored = try references.current(name.key), version.number <= stored.version {
        replacements[uuid] = try reader.uuid(of: stored.birth)
        continue
      }
      versions[name.key] = version
    }
    for uuid in replacements.keys { replacements[uuid] = replacement(of: uuid) }
    self.objects.samples.removeAll { $0.uuid.map { replacements[$0] != nil } ?? false }
    self.objects.elements.removeAll { replacements[$0.uuid] != nil }
    self.objects.associations = objects.associations.map { association in
      var association = association
      association.owner = replacements[association.owner] ?? association.owner
      association.member = replacements[association.member] ?? association.member
      return association
    }
  }

  /// The UUIDs of objects as they are after the save: of what stands for those that are left out.
  func uuids(of objects: NewObjects) -> Set<UUID> {
    let uuids =
      objects.samples.compactMap(\.uuid) + objects.rows.flatMap(\.identities)
      + objects.elements.map(\.uuid)
    return Set(uuids.map { replacements[$0] ?? $0 })
  }

  /// What stands for an object in the end, where versions follow each other.
  private func replacement(of uuid: UUID) -> UUID {
    var last = uuid
    while let next = replacements[last] { last = next }
    return last
  }

  /// Records the versions that were saved.
  func finish(in store: SampleStore, _ database: Database, _ revision: Revision) throws {
    guard !versions.isEmpty else { return }
    let reader = try UUIDReader(store, database)
    let stamp = try database.allocateStamp(at: store.now.instant)
    for version in versions.values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard let birth = try reader.birth(of: version.uuid) else { throw Corruption() }
      try database.recordVersion(version.key, birth, version.number, at: stamp, revision)
    }
  }

  /// The keys and versions of samples, then of elements; `nil` for those without.
  ///
  /// - Throws: ``StoreError`` for a version that is not finite, which is in no order
  @discardableResult
  static func names(
    of objects: NewObjects, path: String
  ) throws(StoreError) -> [(key: Data, version: Double)?] {
    let names =
      objects.samples.map { name($0.metadata, $0.type.identifier, $0.source) }
      + objects.elements.map { element in
        (element.element.stored as? any SavedByApps)?.names.flatMap { name($0.0, $0.1, $0.2) }
      }
    if let index = names.firstIndex(where: { !($0?.version.isFinite ?? true) }) {
      let element = index - objects.samples.count
      throw StoreError(
        element < 0 ? .invalidSample(index: index) : .invalidBatch(row: element), path: path)
    }
    return names
  }

  /// The key of the app, the type and the identifier, and the version; `nil` without both entries.
  private static func name(
    _ metadata: Metadata, _ type: String, _ source: Source
  ) -> (key: Data, version: Double)? {
    guard let keys = SyncKeys(metadata), let identifier = keys.identifier,
      let version = keys.version
    else { return nil }
    var hash = SHA256()
    for text in [source.bundleIdentifier, type, identifier] {
      hash.update(data: Data("\(text.utf8.count) \(text)".utf8))
    }
    return (Data(hash.finalize().prefix(keyLength)), version)
  }
}

/// What names an object to the apps that synchronise it: of its metadata all that a deletion keeps.
struct SyncKeys: Sendable, Hashable {
  let identifier: String?
  let version: Double?

  private static let identifierKey = "HKMetadataKeySyncIdentifier"
  static let versionKey = "HKMetadataKeySyncVersion"
  /// What the bytes of an element with one of them have.
  fileprivate static let mark = Data("Sync".utf8)

  /// Whether an entry of metadata is one of them.
  static func isKey(_ key: String) -> Bool { key == identifierKey || key == versionKey }

  /// The entries of metadata; `nil` without any.
  init?(_ metadata: Metadata) {
    if metadata.isEmpty { return nil }
    func typed(_ key: String) -> MetadataValue? {
      metadata.entries.first { $0.key == key }?.typed
    }
    identifier = if case .string(let text)? = typed(Self.identifierKey) { text } else { nil }
    version = if case .number(let number)? = typed(Self.versionKey) { number } else { nil }
    if identifier == nil, version == nil { return nil }
  }

  init(from reader: inout ByteReader) throws(Corruption) {
    let parts = try reader.byte()
    guard (1...3).contains(parts) else { throw Corruption() }
    identifier = parts & 1 == 0 ? nil : try reader.text()
    version = parts & 2 == 0 ? nil : Double(bitPattern: try reader.number())
  }
}

extension ByteWriter {
  mutating func append(_ keys: SyncKeys) {
    append(UInt8((keys.identifier == nil ? 0 : 1) | (keys.version == nil ? 0 : 2)))
    if let identifier = keys.identifier { append(identifier) }
    if let version = keys.version { append(version.bitPattern) }
  }
}

extension Database {
  /// The names of an element that counts; `nil` without any, and for one that cannot be read.
  func syncKeys(ofElement serial: Int64) throws -> SyncKeys? {
    // Most have none, and may be long.
    guard let (kind, content) = try elementContent(withSerial: serial),
      let columns = kind.columns as? any SavedByApps.Type,
      Data(content).range(of: SyncKeys.mark) != nil
    else { return nil }
    return (try? columns.one(content, for: .owner))?.names.flatMap { SyncKeys($0.0) }
  }
}

extension SavedByApps {
  /// Metadata, type and source of the only row; `nil` without a source.
  fileprivate var names: (Metadata, String, Source)? {
    guard let row = rows.first, let source = Self.key(of: row).source else { return nil }
    return (Self.metadata(of: row), Self.type(of: row), source)
  }
}
