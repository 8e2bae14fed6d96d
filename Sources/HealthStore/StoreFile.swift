import Foundation
import GRDB
import Synchronization

/// What is known of the file of a store, and whether this process made it.
final class StoreFile: Sendable {
  /// Which file it is, however it may be called; `nil` for a temporary store.
  private let identity: Identity?
  /// The folders that were made for it, the outermost first.
  private let madeFolders: [String]
  private let isNew: Bool
  private let hasFailed = Atomic(false)
  /// Held while one thread answers from one state.
  let snapshots = NSRecursiveLock()

  private struct Identity: Equatable {
    var device: dev_t
    var number: ino_t

    init?(_ path: String) {
      var facts = stat()
      guard !path.isEmpty, stat(path, &facts) == 0 else { return nil }
      device = facts.st_dev
      number = facts.st_ino
    }
  }

  /// The file at a path, which may have been made a moment ago.
  init(path: String, isNew: Bool = false, madeFolders: [String] = []) {
    identity = Identity(path)
    self.isNew = isNew
    self.madeFolders = madeFolders
  }

  /// Whether the path still leads to the file.
  func isAt(_ path: String) -> Bool { Identity(path) == identity }

  /// Notes that an import came to nothing, so that a file that was made for it should go.
  func noteFailure() { hasFailed.store(true, ordering: .relaxed) }

  /// Whether the file was made for an import that came to nothing.
  var isUnwanted: Bool { isNew && hasFailed.load(ordering: .relaxed) }

  /// Deletes the file, and the folders that were made for it, unless something stands in them or
  /// another process uses the store.
  func deleteIfEmpty(_ path: String, _ queue: DatabaseQueue) {
    // Whatever keeps it from going, an empty store does no harm.
    try? queue.writeWithoutTransaction { database in
      try database.inTransaction(.exclusive) {
        let isEmpty = try ["segments", "elements", "preferences", "exports", "settings"].allSatisfy
        { table in
          try !database.tableExists(table)
            || Int.fetchOne(database, sql: "SELECT 1 FROM \(table) LIMIT 1") == nil
        }
        if isEmpty, isAt(path) {
          unlink(path)
          for folder in madeFolders.reversed() where rmdir(folder) != 0 { break }
        }
        return .rollback
      }
    }
  }
}

extension SampleStore {
  /// Refuses a store whose file was deleted or replaced: what is written into it would be lost.
  func checkPlace() throws(StoreError) {
    guard file.isAt(path) else { throw StoreError(.notFound, path: path) }
  }
}
