import Crypto
public import Foundation
import HealthSamples

extension SampleStore {
  /// Saves samples to a store that may be locked; the next ``unlock(path:key:seconds:)`` merges them.
  ///
  /// They are sealed to the public key of the store and appended to a file beside it, which nobody
  /// can read without the passphrase, not even this process. Whoever may write that file can add
  /// samples: saving needs no key.
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
    guard let header = try SealedHeader(path: path) else {
      throw StoreError(.notSealed, path: path)
    }
    for (index, sample) in samples.enumerated() {
      let isValid =
        [sample.start, sample.end, sample.value, sample.created ?? 0].allSatisfy(\.isFinite)
        && sample.start <= sample.end
      guard isValid else { throw StoreError(.invalidSample(index: index), path: path) }
    }
    let saved = samples.map { LockedSample($0, app: app) }
    guard let message = try? JSONEncoder().encode(saved) else {
      throw StoreError(.inputOutput, path: path)
    }
    try LockedJournal(store: path, header: header).append(Array(message))
    return saved.map(\.uuid)
  }

  /// Merges the samples that were saved while a store was locked, each once.
  ///
  /// After a crash between the commit and the end of the journal the store knows their UUIDs.
  static func mergeLocked(
    path: String, _ header: SealedHeader, _ key: DataKey
  ) throws(StoreError) {
    let journal = LockedJournal(store: path, header: header)
    guard journal.exists else { return }
    try journal.drain(try header.privateKey(key, path: path)) { messages throws(StoreError) in
      var saved: [[LockedSample]] = []
      for message in messages {
        guard
          let samples = try? JSONDecoder().decode([LockedSample].self, from: Data(message))
        else { throw StoreError(.damaged, path: journal.path) }
        saved.append(samples)
      }
      let store = try SampleStore(
        path: path, mode: .readWrite, key: StoreKey(kind: .data(key)))
      for (app, messages) in Dictionary(grouping: saved, by: { $0.first?.app }) {
        let reader = app.map { store.reading(as: $0) } ?? store
        if try reader.saveIfPermitted(messages.flatMap { $0 }) || messages.count == 1 { continue }
        // Each by itself: what one message may not save does not keep out the others.
        for message in messages { _ = try reader.saveIfPermitted(message) }
      }
    }
  }

  /// Saves samples of a journal, or none if the app may not save all of them.
  private func saveIfPermitted(_ samples: [LockedSample]) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try save(samples.map(\.sample))
      return true
    } catch {
      guard error.reason == .notPermitted else { throw error }
      return false
    }
  }
}

/// A sample in the journal of a locked store; numbers are stored as their bits.
private struct LockedSample: Codable {
  let uuid: UUID
  /// The app that saved it; `nil` for the owner.
  let app: String?
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
  init(_ sample: NewSample, app: String?) {
    self.app = app
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
