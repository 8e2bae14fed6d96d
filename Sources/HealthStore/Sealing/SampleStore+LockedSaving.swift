public import Foundation
import GRDB
import HealthLedger
import HealthSamples
internal import _HealthNumerics

extension SampleStore {
  /// Saves samples to a store that may be locked; the next ``unlock(path:key:seconds:)`` merges them.
  ///
  /// They are sealed to the public key of the store and appended to a file beside it, which
  /// cannot be read without the passphrase, not even by this process. Saving needs no key: a process
  /// that can write that file can add samples.
  ///
  /// After an error of the disk a save may enter the store all the same. Who tries again gives the
  /// samples the same UUIDs, so that each enters once.
  ///
  /// - Parameters:
  ///   - samples: what to save
  ///   - app: the bundle identifier of the app that saves; its samples enter the store only if it may
  ///     save them then. Without one the owner saves.
  ///   - path: the file of the store
  /// - Returns: the UUIDs of the samples, in their order
  /// - Throws: ``StoreError``; ``StoreError/Reason/notSealed`` for a store in the clear,
  ///   ``StoreError/Reason/foreignSaves`` for a file beside it that is not the owner's alone,
  ///   ``StoreError/Reason/busy`` while another process has that file,
  ///   ``StoreError/Reason/notPermitted`` for samples of another source than the app, and
  ///   ``StoreError/Reason/invalidSample(index:)`` for the first sample with numbers or a unit that
  ///   no sample of its type can have; then nothing is saved
  @discardableResult
  public static func saveLocked(
    _ samples: [NewSample], app: String? = nil, path: String
  ) throws(StoreError) -> [UUID] {
    let objects = NewObjects(samples)
    try saveLocked(objects, app: app, path: path)
    return objects.samples.compactMap(\.uuid)
  }

  /// Saves samples, elements and associations to a store that may be locked, as the form for samples.
  ///
  /// The associations enter the store with the next unlock, unless they were ended or made again after
  /// this save.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/invalidBatch(row:)`` for an element that cannot be
  ///   saved, and for an element or association that no app makes
  public static func saveLocked(
    _ objects: NewObjects, app: String? = nil, path: String
  ) throws(StoreError) {
    try saveLocked(objects, app: app, path: path, at: .system)
  }

  /// Saves objects to a store that may be locked, at some moment.
  static func saveLocked(
    _ objects: NewObjects, app: String?, path: String, at now: Now
  ) throws(StoreError) {
    guard let header = try SealedHeader(path: path) else {
      throw StoreError(.notSealed, path: path)
    }
    if let app {
      try checkBundleIdentifier(app, path: path)
      _ = try objects.saved(by: app, path: path) { $0 }
    }
    try SyncedObjects.names(of: objects, path: path)
    let invalid = try rows(of: objects.samples, path: path).compactMap { batch -> Int? in
      let type = batch.columns.type
      return batch.firstUnstorablePlace(of: Catalogue.type(type.identifier) ?? type)
    }.min()
    if let invalid { throw StoreError(.invalidSample(index: invalid), path: path) }
    let saved = try LockedObjects(objects, app: app, time: now.instant, path: path)
    guard let message = try? JSONEncoder().encode(saved) else {
      throw StoreError(.inputOutput, path: path)
    }
    try LockedJournal(store: path, header: header).append(Array(message))
  }

  /// What was saved while the store was locked and has not entered it yet: no answer has it.
  ///
  /// - Complexity: O(saves)
  public var waitingSaves: StoreVerification.WaitingSaves {
    isSealed ? LockedJournal.waiting(beside: path) : StoreVerification.WaitingSaves()
  }

  /// Lets what waits beside a sealed store enter it, as ``unlock(path:key:seconds:)`` does, and keeps
  /// no key.
  ///
  /// - Parameters:
  ///   - path: the file
  ///   - key: the passphrase or the key file; `nil` for the key that is kept
  /// - Returns: what became of the saves; `nil` if none can enter
  /// - Throws: ``StoreError``
  @discardableResult
  public static func mergeWaitingSaves(
    path: String, key: StoreKey? = nil
  ) throws(StoreError) -> LockedSaves? {
    guard let header = try SealedHeader(path: path) else { return nil }
    let waiting = LockedJournal.waiting(beside: path)
    guard waiting.count > 0 || waiting.unreadableBytes > 0 else { return nil }
    return mergeLocked(path: path, header, try dataKey(header, key, path: path))
  }

  /// Merges what was saved while a store was locked, each object once.
  ///
  /// After a crash between the commit and the end of the journal the store knows their UUIDs. What
  /// cannot be read or saved moves aside. A journal that is not its owner's alone is left as it is.
  ///
  /// - Parameters:
  ///   - path: the file of the store
  ///   - header: its header
  ///   - key: its key
  ///   - held: the journal if ``LockedJournal/closed(_:)`` has opened it
  /// - Returns: what became of the saves; ``LockedSaves/postponed`` is the error that ended it early
  static func mergeLocked(
    path: String, _ header: SealedHeader, _ key: DataKey, holding held: Int32? = nil
  ) -> LockedSaves {
    let journal = LockedJournal(store: path, header: header)
    var saves = LockedSaves(path: journal.asidePath)
    guard journal.isOwn ?? true else {
      saves.left = journal.path
      return saves
    }
    do throws(StoreError) {
      let privateKey = try header.privateKey(key, path: path)
      let aside = try journal.drain(privateKey, holding: held) { messages throws(StoreError) in
        let store = try SampleStore(
          path: path, mode: .readWrite, key: StoreKey(kind: .data(key)))
        return try store.merge(messages, counting: &saves.merged)
      }
      (saves.unreadable, saves.refused) = aside
    } catch {
      saves.postponed = error
    }
    return saves
  }

  /// Saves messages in their order, counts them, and returns the places of those that cannot be
  /// saved.
  private func merge(
    _ messages: [[UInt8]], counting merged: inout Int
  ) throws(StoreError) -> Set<Int> {
    let readable = messages.enumerated().compactMap { LockedMessage($0, $1) }.filter {
      $0.app.map { Self.fault(ofBundleIdentifier: $0) == nil } ?? true
    }
    var refused = Set(messages.indices)
    /// Saves messages of one app, or none of them; returns whether.
    func save(_ messages: some Collection<LockedMessage>) throws(StoreError) -> Bool {
      guard try saveIfPossible(Array(messages)) else { return false }
      merged += messages.count
      refused.subtract(messages.map(\.number))
      return true
    }
    var early: [LockedMessage] = []
    let runs = readable.chunked(by: { $0.app == $1.app })
      .flatMap { $0.chunks(ofCount: Self.mostAtOnce) }
    for run in runs where try !save(run) {
      // Each by itself: what one message may not save does not keep out the others.
      for message in run where try !save([message]) { early.append(message) }
    }
    // A message may name what a later one saves.
    for message in early { _ = try save([message]) }
    return refused
  }

  /// The most messages of the journal of a locked store that one transaction saves.
  private static var mostAtOnce: Int { 1_000 }

  /// Saves what the store does not know of messages of one app, or none of it if the app may not save
  /// all.
  private func saveIfPossible(_ messages: [LockedMessage]) throws(StoreError) -> Bool {
    let app = messages.first?.app
    do throws(StoreError) {
      let reader = try app.map { app throws(StoreError) in try reading(as: app) } ?? self
      try reader.write(isForApps: true) { database, revision in
        let new = try reader.unknown(messages, in: database)
        guard !new.samples.isEmpty || !new.elements.isEmpty || !new.associations.isEmpty else {
          return
        }
        _ = try reader.save(new, refusesKnown: true, in: database, revision: revision)
      }
      return true
    } catch {
      switch error.reason {
      case .notPermitted, .invalidBatch, .invalidSample, .knownSample: return false
      default: throw error
      }
    }
  }

  /// What the store does not know of messages: objects with other UUIDs, and associations without a
  /// later act, such as one that ended them after the messages had entered the store once.
  private func unknown(_ messages: [LockedMessage], in database: Database) throws -> NewObjects {
    let reader = try UUIDReader(self, database)
    let uuids = messages.flatMap { message in
      message.objects.samples.compactMap(\.uuid) + message.objects.elements.map(\.uuid)
    }
    var known = Set(zip(uuids, try reader.serials(of: uuids)).filter { $1 != nil }.map(\.0))
    var new = NewObjects()
    var times: [Double?] = []
    for message in messages {
      let objects = message.objects
      new.samples += objects.samples.filter { $0.uuid.map { known.insert($0).inserted } ?? true }
      new.elements += objects.elements.filter { known.insert($0.uuid).inserted }
      new.associations += objects.associations
      times += objects.associations.map { _ in message.time }
    }
    let all = new.associations
    guard !all.isEmpty else { return new }
    // An object that is left out for a version in the store is associated as that.
    let meant = try SyncedObjects(new, to: self, in: database).objects.associations
    new.associations = try all.indices.filter { index in
      guard let owner = try reader.birth(of: meant[index].owner),
        let member = try reader.birth(of: meant[index].member),
        let last = try database.lastAct(of: StoredAssociation(meant[index], owner, member))?.stamp
      else { return true }
      // Stamps have whole milliseconds. A message of an earlier version has no time.
      return times[index].map { last.time < ($0 * 1_000).rounded(.down) / 1_000 } ?? false
    }.map { all[$0] }
    return new
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
  /// The file of the saves if it is not the owner's alone, and was left as it is; else `nil`.
  public internal(set) var left: String?
  /// Why the saves stay where they are, to enter the store later; `nil` when they were merged.
  public internal(set) var postponed: StoreError?

  init(path: String) { self.path = path }
}

/// A message of the journal of a locked store that can be read.
private struct LockedMessage {
  /// Its place among all messages.
  let number: Int
  /// The app that saved it; `nil` for the owner.
  let app: String?
  /// When it was saved, in seconds since 2001-01-01 UTC; `nil` when an earlier version saved it.
  let time: Double?
  let objects: NewObjects

  init?(_ number: Int, _ bytes: [UInt8]) {
    guard let locked = try? JSONDecoder().decode(LockedObjects.self, from: Data(bytes)),
      let objects = try? locked.objects
    else { return nil }
    (self.number, self.objects, app, time) = (number, objects, locked.app, locked.time)
  }
}

/// What a message of the journal of a locked store holds, as it is sealed.
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
  /// When they were saved, in seconds since 2001-01-01 UTC; earlier versions did not say it.
  let time: Double?
  private let samples: [LockedSample]
  private let elements: [Element]
  private let links: [Link]

  init(_ objects: NewObjects, app: String?, time: Double, path: String) throws(StoreError) {
    self.app = app
    self.time = time
    samples = objects.samples.map(LockedSample.init)
    var elements: [Element] = []
    for (index, element) in objects.elements.enumerated() {
      guard let part = try? element.element.stored?.savable() else {
        throw StoreError(.invalidBatch(row: index), path: path)
      }
      elements.append(
        Element(uuid: element.uuid, kind: part.kind.storedText, content: Data(part.content)))
    }
    self.elements = elements
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
          let batch = try ImportBatch(kind, content: Array(element.content), for: .owner)
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
    version = sample.origin.storedVersion
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
      origin: Origin(storedVersion: version, device: device),
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
