import CSealing
import Foundation
import GRDB

extension SampleStore {
  /// Copies the store to another file, which is complete or not there.
  ///
  /// Readers go on; a writer makes it wait up to three seconds. The copy of an encrypted store is
  /// encrypted with the same keys. Anchors and UUIDs up to now are valid in both; the copy takes
  /// an identity of its own before it writes.
  ///
  /// - Parameters:
  ///   - destination: the path of the copy
  ///   - replaces: whether it may replace an existing file
  /// - Throws: ``StoreError``; ``StoreError/Reason/alreadyThere`` when there is a file
  /// - Complexity: O(bytes)
  public func backUp(to destination: String, replacing replaces: Bool = false) throws(StoreError) {
    try checkOwner()
    do {
      let file = try UnfinishedFile(for: destination, replaces: replaces)
      try copy(into: file.descriptor)
      try file.finish()
    } catch let problem as UnfinishedFile.Problem {
      throw StoreError(problem, path: destination)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Copies the bytes of the file under a lock that keeps writers out.
  private func copy(into descriptor: Int32) throws {
    let connection = try connections.acquire()
    defer { connections.putBack(connection) }
    try connection.queue.writeWithoutTransaction { database in
      for attempt in 0... {
        try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        try database.beginTransaction(.immediate)
        defer { try? database.rollback() }
        // Another process may have written between the two.
        var facts = stat()
        let isWhole = stat(path + "-wal", &facts) != 0 || facts.st_size == 0
        if isWhole { return try Self.copy(path, into: descriptor) }
        guard attempt < Self.mostAttempts else { throw StoreError(.busy, path: path) }
      }
    }
  }

  private static let mostAttempts = 100

  private static func copy(_ path: String, into descriptor: Int32) throws {
    // Through SQLite, because closing a descriptor of its own would drop the locks of this process.
    guard let source = hk_raw_open(path) else { throw UnfinishedFile.Problem(errno) }
    defer { hk_raw_close(source) }
    let size = Int(hk_raw_size(source))
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    for offset in stride(from: 0, to: size, by: bytes.count) {
      let count = min(bytes.count, size - offset)
      guard hk_raw_read(source, &bytes, Int32(count), Int64(offset)) == 0 else {
        throw UnfinishedFile.Problem(EIO)
      }
      try UnfinishedFile.write(bytes[..<count], to: descriptor)
    }
  }
}

extension SampleStore {
  /// Puts a copy of a store in the place of a store.
  ///
  /// What was there stays beside it under the name that is returned. Saves to the locked store stay
  /// for a backup of the same store, and move along with another one. The restored store takes an
  /// identity of its own before it writes: an anchor from after the backup is foreign to it.
  ///
  /// - Parameters:
  ///   - path: the file of the store, which may be damaged or missing
  ///   - backup: the copy; it must be whole, as far as it can be read without a passphrase
  ///   - key: what opens the copy if it is encrypted
  /// - Returns: the path of what was there before; `nil` if there was nothing
  /// - Throws: ``StoreError``; ``StoreError/Reason/busy`` while another process uses the store
  /// - Complexity: O(bytes)
  public static func restore(
    path: String, from backup: String, key: StoreKey? = nil
  ) throws(StoreError) -> String? {
    let path = (path as NSString).resolvingSymlinksInPath
    let header = try SealedHeader(path: backup)
    do throws(StoreError) {
      let copy = try SampleStore(path: backup, mode: .readOnly, key: key)
      try copy.verify()
      guard copy.path != path else { throw StoreError(.alreadyThere, path: path) }
    } catch {
      guard error.reason == .locked else { throw error }
    }
    try endUse(of: path)
    return try StoreError.naming(path) {
      // The log of a copy that was not closed belongs to it.
      var files: [UnfinishedFile] = []
      for name in ["-wal", ""] where access(backup + name, F_OK) == 0 {
        let file = try UnfinishedFile(for: path + name, replaces: true)
        try copy(backup + name, into: file.descriptor)
        files.append(file)
      }
      var replaced: String?
      if access(path, F_OK) == 0 {
        let kept = freeName(path + "-replaced")
        replaced = kept
        var names = ["-wal", "-journal", ""]
        let isSame = (try? SealedHeader(path: path))?.store.text == header?.store.text
        if header == nil || !isSame { names.insert("-saved", at: 0) }
        for name in names where access(path + name, F_OK) == 0 {
          guard rename(path + name, kept + name) == 0 else { throw UnfinishedFile.Problem(errno) }
        }
      }
      unlink(path + "-shm")
      for file in files { try file.finish() }
      return replaced
    }
  }

  /// Writes the log of a store into its file; fails if another process uses it.
  private static func endUse(of path: String) throws(StoreError) {
    guard access(path, F_OK) == 0, (try? SealedHeader(path: path)) == nil else { return }
    do {
      let queue = try DatabaseQueue(path: path)
      let mode = try queue.writeWithoutTransaction { database in
        try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
      }
      guard mode == "delete" else { throw StoreError(.busy, path: path) }
    } catch let error as StoreError {
      throw error
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw StoreError(.busy, path: path)
    } catch {
      // A damaged store may be replaced, too.
    }
  }

  /// A name that no file has yet.
  private static func freeName(_ name: String) -> String {
    (1...).lazy.map { $0 == 1 ? name : "\(name)-\($0)" }
      .first { access($0, F_OK) != 0 && access($0 + "-saved", F_OK) != 0 } ?? name
  }
}
