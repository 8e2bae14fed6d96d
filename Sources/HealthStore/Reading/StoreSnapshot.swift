import Foundation
import GRDB
import Synchronization

/// One state of a store that stays readable between calls, from any thread, one at a time.
///
/// ```swift
/// let snapshot = try StoreSnapshot(of: store)
/// let reader = try RowRunReader(scans, isNewestFirst: false, in: snapshot)
/// ```
///
/// It has a connection of its own until it is released; imports do not wait for it. A temporary
/// store has no second connection: there a snapshot ends with the next write.
package final class StoreSnapshot: Sendable {
  /// The store, whose connections it uses.
  private let store: SampleStore
  private let held: Connection?
  /// The rows that the only connection of a temporary store had changed; `nil` for a file.
  private let changeCount: Int?
  /// Held while a thread reads.
  private let turn = NSLock()

  /// Takes a snapshot of the current state.
  ///
  /// - Throws: ``StoreError``
  package init(of store: SampleStore) throws(StoreError) {
    self.store = store
    do {
      held = try store.connections.hold()
      changeCount =
        held == nil ? try store.connections.reading { $1.totalChangesCount } : nil
    } catch {
      throw StoreError(error, path: store.path)
    }
  }

  deinit {
    if let held { store.connections.endReading(held) }
  }

  /// Reads the state.
  ///
  /// Inside of `body` this thread reads it through the store, too.
  func read<Value>(_ body: (SampleStore, Database) throws -> Value) throws(StoreError) -> Value {
    turn.lock()
    defer { turn.unlock() }
    return try StoreError.naming(store.path) {
      guard let held else {
        return try store.read { database in
          guard database.totalChangesCount == changeCount else {
            throw StoreError(.changed, path: store.path)
          }
          return try body(store, database)
        }
      }
      return try store.connections.reading(through: held) {
        try store.read { try body(store, $0) }
      }
    }
  }
}
