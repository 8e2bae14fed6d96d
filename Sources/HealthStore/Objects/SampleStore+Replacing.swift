public import Foundation
import HealthSamples

/// Who put a sample or an element into a store.
public enum ObjectSaver: Sendable, Hashable {
  /// The owner of the store.
  case owner
  /// An app, by its bundle identifier.
  case app(String)
  /// Imports only.
  case imports
}

extension SampleStore {
  /// Who put the object with a UUID into the store; `nil` for a UUID that the store never had.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  public func saver(of uuid: UUID) throws(StoreError) -> ObjectSaver? {
    try checkOwner()
    return try read { database in
      let reader = try UUIDReader(self, database)
      guard try reader.serial(of: uuid) != nil else { return nil }
      guard let place = try reader.saved(uuid) else { return .imports }
      let bundle = try place.subject.source.flatMap { try database.sources()[$0] }
      return bundle.flatMap { $0.bundleIdentifier.isEmpty ? nil : .app($0.bundleIdentifier) }
        ?? .owner
    }
  }

  /// Replaces a saved sample by another, in one transaction.
  ///
  /// A sample with a sync identifier gets the next version, as apps save it: every store that has an
  /// older one then shows the new one, and associations follow. Any other is deleted, and the new one
  /// saved. No later import brings the old one back.
  ///
  /// - Parameters:
  ///   - uuid: the UUID of the sample, which must be saved, not imported
  ///   - sample: what to save; its UUID does not count
  /// - Returns: the UUID of the new sample; `nil`, and nothing is changed, if the store does not have
  ///   the old one (any more), or has it from imports only
  /// - Throws: ``StoreError``
  public func replace(_ uuid: UUID, with sample: NewSample) throws(StoreError) -> UUID? {
    try write { database, revision in
      guard let place = try UUIDReader(self, database).saved(uuid), place.subject.kind.isEmpty
      else { return nil }
      var sample = sample
      let new = UUID()
      sample.uuid = new
      sample.metadata.raiseVersion()
      guard try delete([uuid], in: database, revision: revision).deletedSamples > 0 else {
        return nil
      }
      let objects = NewObjects([sample])
      let replacements = try save(objects, refusesKnown: true, in: database, revision: revision)
      return replacements[new] ?? new
    }
  }
}

extension Metadata {
  /// Makes the sync version the next one, if there is any.
  fileprivate mutating func raiseVersion() {
    let key = SyncKeys.versionKey
    guard let index = entries.firstIndex(where: { $0.key == key }),
      case .number(let version) = entries[index].typed
    else { return }
    entries[index] = Entry(key: key, .number(version + 1))
  }
}
