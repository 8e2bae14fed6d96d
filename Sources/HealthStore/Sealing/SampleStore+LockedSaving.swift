import Crypto
public import Foundation
import HealthSamples

extension SampleStore {
  /// Saves samples to a store that may be locked; the next ``unlock(path:key:seconds:)`` merges them.
  ///
  /// They are sealed to the public key of the store and appended to a file beside it, which
  /// cannot be read without the passphrase, not even by this process. Saving needs no key: a process
  /// that can write that file can add samples.
  ///
  /// - Parameters:
  ///   - samples: what to save
  ///   - app: the bundle identifier of the app that saves; its samples enter the store only if it may
  ///     save them then. Without one the owner saves.
  ///   - path: the file of the store
  /// - Returns: the UUIDs of the samples, in their order
  /// - Throws: ``StoreError``; ``StoreError/Reason/notSealed`` for a store in the clear,
  ///   ``StoreError/Reason/invalidSample(index:)`` for the first sample with numbers that no sample
  ///   can have; then nothing is saved
  @discardableResult
  public static func saveLocked(
    _ samples: [NewSample], app: String? = nil, path: String
  ) throws(StoreError) -> [UUID] {
    var objects = NewObjects()
    objects.samples = samples.map { sample in
      var sample = sample
      sample.uuid = sample.uuid ?? UUID()
      return sample
    }
    try saveLocked(objects, app: app, path: path)
    return objects.samples.compactMap(\.uuid)
  }

  /// Saves samples, elements and associations of them to a store that may be locked, as the form for
  /// samples.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/invalidBatch(row:)`` for an element that cannot be
  ///   saved
  public static func saveLocked(
    _ objects: NewObjects, app: String? = nil, path: String
  ) throws(StoreError) {
    guard let header = try SealedHeader(path: path) else {
      throw StoreError(.notSealed, path: path)
    }
    for (index, sample) in objects.samples.enumerated() {
      let isValid =
        [sample.start, sample.end, sample.value, sample.created ?? 0].allSatisfy(\.isFinite)
        && sample.start <= sample.end
      guard isValid else { throw StoreError(.invalidSample(index: index), path: path) }
    }
    guard let saved = try? LockedObjects(objects, app: app) else {
      throw StoreError(.invalidBatch(row: nil), path: path)
    }
    guard let message = try? JSONEncoder().encode(saved) else {
      throw StoreError(.inputOutput, path: path)
    }
    try LockedJournal(store: path, header: header).append(Array(message))
  }

  /// Merges what was saved while a store was locked, each object once.
  ///
  /// After a crash between the commit and the end of the journal the store knows their UUIDs. What
  /// cannot be read or saved moves aside.
  static func mergeLocked(
    path: String, _ header: SealedHeader, _ key: DataKey
  ) throws(StoreError) -> LockedSaves {
    let journal = LockedJournal(store: path, header: header)
    var saves = LockedSaves(path: journal.asidePath)
    guard journal.exists else { return saves }
    let aside = try journal.drain(
      try header.privateKey(key, path: path)
    ) { messages throws(StoreError) in
      var refused: Set<Int> = []
      var saved: [(number: Int, app: String?, objects: NewObjects)] = []
      for (number, message) in messages.enumerated() {
        if let locked = try? JSONDecoder().decode(LockedObjects.self, from: Data(message)),
          let objects = try? locked.objects
        {
          saved.append((number, locked.app, objects))
        } else {
          refused.insert(number)
        }
      }
      let store = try SampleStore(
        path: path, mode: .readWrite, key: StoreKey(kind: .data(key)))
      for (app, messages) in Dictionary(grouping: saved, by: \.app) {
        let reader = try app.map { app throws(StoreError) in try store.reading(as: app) } ?? store
        var all = NewObjects()
        for message in messages {
          all.samples += message.objects.samples
          all.elements += message.objects.elements
          all.associations += message.objects.associations
        }
        if try reader.saveIfPossible(all, for: store) { continue }
        // Each by itself: what one message may not save does not keep out the others.
        for message in messages {
          if try !reader.saveIfPossible(message.objects, for: store) {
            refused.insert(message.number)
          }
        }
      }
      saves.merged = messages.count - refused.count
      return refused
    }
    (saves.unreadable, saves.refused) = aside
    return saves
  }

  /// Saves objects of a journal except those that the store has, or none of them if the app may not
  /// save all.
  private func saveIfPossible(
    _ objects: NewObjects, for owner: SampleStore
  ) throws(StoreError) -> Bool {
    let uuids = objects.samples.compactMap(\.uuid) + objects.elements.map(\.uuid)
    var known = Set(try owner.serials(of: uuids).keys)
    var new = objects
    new.samples = objects.samples.filter { $0.uuid.map { known.insert($0).inserted } ?? true }
    new.elements = objects.elements.filter { known.insert($0.uuid).inserted }
    guard !new.samples.isEmpty || !new.elements.isEmpty else { return true }
    do throws(StoreError) {
      try save(new)
      return true
    } catch {
      switch error.reason {
      case .notPermitted, .invalidBatch, .invalidSample, .knownSample: return false
      default: throw error
      }
    }
  }
}

/// What became of the saves to a locked store.
public struct LockedSaves: Sendable, Hashable {
  /// Saves that entered the store.
  public internal(set) var merged = 0
  /// Runs of bytes that no save can be read from.
  public internal(set) var unreadable = 0
  /// Saves that an app may not make, or that are invalid.
  public internal(set) var refused = 0
  /// The file to which both moved.
  public let path: String

  init(path: String) { self.path = path }
}

/// A message of the journal of a locked store.
private struct LockedObjects: Codable {
  private struct Element: Codable {
    let uuid: UUID
    let kind: String
    let content: Data
  }

  private struct Link: Codable {
    let owner: UUID
    let member: UUID
    let kind: String
    let part: UUID?
  }

  /// The app that saved them; `nil` for the owner.
  let app: String?
  private let samples: [LockedSample]
  private let elements: [Element]
  private let links: [Link]

  init(_ objects: NewObjects, app: String?) throws {
    self.app = app
    samples = objects.samples.map(LockedSample.init)
    elements = try objects.elements.map { element in
      guard let part = try element.element.savable() else { throw Corruption() }
      return Element(
        uuid: element.uuid, kind: part.kind.storedText, content: Data(part.content))
    }
    links = objects.associations.map {
      Link(owner: $0.owner, member: $0.member, kind: $0.kind.rawValue, part: $0.part)
    }
  }

  var objects: NewObjects {
    get throws {
      var objects = NewObjects()
      objects.samples = samples.map(\.sample)
      objects.elements = try elements.map { element in
        guard let kind = ElementKind(storedText: element.kind),
          let batch = try ExportBatch(kind, content: Array(element.content), for: .owner)
        else { throw Corruption() }
        return NewElement(batch, uuid: element.uuid)
      }
      objects.associations = try links.map { link in
        guard let kind = Association.Kind(rawValue: link.kind) else { throw Corruption() }
        return Association(link.owner, link.member, kind, part: link.part)
      }
      return objects
    }
  }
}

/// A sample in the journal of a locked store; numbers are stored as their bits.
private struct LockedSample: Codable {
  let uuid: UUID
  private let type: SampleType
  private let name: String
  private let bundle: String
  private let isUserEntered: Bool
  private let start: UInt64
  private let end: UInt64
  private let value: UInt64
  private let created: UInt64?
  private let label: String
  private let version: String
  private let device: String
  private let metadata: [StoredEntry]
  init(_ sample: NewSample) {
    uuid = sample.uuid ?? UUID()
    type = sample.type
    name = sample.source.name
    bundle = sample.source.bundleIdentifier
    isUserEntered = sample.source.isUserEntered
    start = sample.start.bitPattern
    end = sample.end.bitPattern
    value = sample.value.bitPattern
    created = sample.created?.bitPattern
    label = sample.label
    version = sample.origin.sourceVersion
    device = sample.origin.device
    metadata = sample.metadata.entries.map(StoredEntry.init)
  }

  var sample: NewSample {
    NewSample(
      type: type,
      source: Source(name: name, bundleIdentifier: bundle, isUserEntered: isUserEntered),
      start: Double(bitPattern: start), end: Double(bitPattern: end),
      value: Double(bitPattern: value), label: label,
      created: created.map(Double.init(bitPattern:)),
      origin: Origin(sourceVersion: version, device: device),
      metadata: Metadata(metadata.map(\.entry)), uuid: uuid)
  }
}

/// An entry of metadata as text.
struct StoredEntry: Codable {
  private let key: String
  private let value: String
  private let kind: Metadata.Entry.Kind

  init(_ entry: Metadata.Entry) { (key, value, kind) = (entry.key, entry.value, entry.kind) }

  var entry: Metadata.Entry { Metadata.Entry(key: key, value: value, kind: kind) }
}
