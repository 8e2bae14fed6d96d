import CSealing
import Foundation
import GRDB

extension SampleStore {
  /// Copies the store to another file, which is complete or not there.
  ///
  /// Readers go on; a writer makes it wait up to three seconds. The copy of an encrypted store is
  /// encrypted with the same keys. It has the same identity: anchors and UUIDs of one are valid in
  /// the other.
  ///
  /// - Parameters:
  ///   - destination: the path of the copy
  ///   - replaces: whether it may replace an existing file
  /// - Throws: ``StoreError``; ``StoreError/Reason/alreadyThere`` when there is a file
  /// - Complexity: O(bytes)
  public func backUp(to destination: String, replacing replaces: Bool = false) throws(StoreError) {
    try checkOwner()
    do throws(UnfinishedFile.Problem) {
      let file = try UnfinishedFile(for: destination, replaces: replaces)
      try copy(into: file.descriptor)
      try file.finish()
    } catch {
      throw error.errorNumber == EEXIST
        ? StoreError(.alreadyThere, path: destination)
        : StoreError(errorNumber: error.errorNumber, path: destination)
    }
  }

  /// Copies the bytes of the file under a lock that keeps writers out.
  private func copy(into descriptor: Int32) throws(UnfinishedFile.Problem) {
    do {
      let connection = try connections.take()
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
          guard attempt < Self.mostAttempts else { throw UnfinishedFile.Problem(EBUSY) }
        }
      }
    } catch let error as UnfinishedFile.Problem {
      throw error
    } catch let error as DatabaseError {
      throw UnfinishedFile.Problem(error.resultCode == .SQLITE_BUSY ? EBUSY : EIO)
    } catch {
      throw UnfinishedFile.Problem(EIO)
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
      var written = 0
      while written < count {
        let more = bytes.withUnsafeBytes { buffer in
          Foundation.write(
            descriptor, buffer.baseAddress?.advanced(by: written), count - written)
        }
        guard more > 0 else { throw UnfinishedFile.Problem(errno) }
        written += more
      }
    }
  }
}
