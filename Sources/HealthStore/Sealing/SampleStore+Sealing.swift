import CSealing
import Foundation
import GRDB

extension SampleStore {
  /// How the file of a store is protected.
  public enum Protection: String, Sendable, Hashable, CaseIterable {
    /// Nothing is encrypted: a process that can read the file can read its contents.
    case clear
    /// The file is sealed, and its key is not kept in this session.
    case locked
    /// The file is sealed, and its key is kept in this session.
    case unlocked
  }

  /// How the file at a path is protected; a file that is missing or no store counts as clear.
  public static func protection(path: String) throws(StoreError) -> Protection {
    guard let header = try SealedHeader(path: path) else { return .clear }
    return KeptKeys().find(header.store) == nil ? .locked : .unlocked
  }

  /// Seals the store at a path, which is created if it is missing, with AES-256-GCM under a random
  /// key.
  ///
  /// The file is replaced as a whole when the sealed one is complete, so that a crash leaves one or
  /// the other. The blocks of the old file stay on the disk until the file system uses them again.
  /// The store must not be open, in this process or another.
  ///
  /// - Parameters:
  ///   - path: the file
  ///   - passphrase: opens the store from now on; it cannot be recovered
  ///   - keyFile: the path of a file that opens the store, too; it is made if it is missing
  /// - Throws: ``StoreError``; ``StoreError/Reason/unfitKeyFile(_:)`` for a key file that would not
  ///   be there with the same bytes when it is needed: then the store is as it was
  public static func encrypt(
    path: String, passphrase: String, keyFile: String? = nil
  ) throws(StoreError) {
    try encrypt(path: path, passphrase: passphrase, keyFile: keyFile) {}
  }

  /// Seals a store; the body runs when the new file is written, and the old one still in its place.
  static func encrypt(
    path: String, passphrase: String, keyFile: String?, whenWritten body: () -> Void
  ) throws(StoreError) {
    guard try SealedHeader(path: path) == nil else {
      throw StoreError(.alreadySealed, path: path)
    }
    let passphrase = StoreKey.bytes(ofPassphrase: passphrase)
    guard !passphrase.isEmpty else { throw StoreError(.emptyPassphrase, path: path) }
    let contents = try makeReady(path, keyFile: keyFile)
    let (header, key) = try SealedHeader.make(
      passphrase: passphrase, keyFile: contents, path: path)
    let cipher = key.cipher
    try replace(path, key: nil) { file, output throws(StoreError) in
      try output.append(header.bytes)
      try copyPages(of: file, from: 0, size: SealedHeader.pageBytes, path: path) {
        page, offset throws(StoreError) in
        var sealed = [UInt8](repeating: 0, count: page.count + PieceCipher.addedBytes)
        let isSealed = page.withUnsafeBytes { clear in
          sealed.withUnsafeMutableBytes { room in
            cipher.seal(
              clear, kind: UInt64(HK_SEALED_PAGE.rawValue), place: offset, into: room)
          }
        }
        guard isSealed else { throw StoreError(.inputOutput, path: path) }
        try output.append(sealed)
      }
      body()
      // The old file goes only when the key file opens the new one.
      if let keyFile {
        guard (try? header.dataKey(.keyFile(keyFile), path: path))?.bytes == key.bytes else {
          throw StoreError(.unfitKeyFile(.changed), path: path)
        }
      }
    }
  }

  /// Makes the key file, then the store, where they are missing, and checks the store.
  ///
  /// A key file that cannot be made leaves the store as it is.
  ///
  /// - Returns: the bytes of the key file; `nil` if there is to be none
  private static func makeReady(_ path: String, keyFile: String?) throws(StoreError) -> [UInt8]? {
    guard let keyFile else {
      _ = try SampleStore(path: path, mode: .readWrite)
      return nil
    }
    try StoreKey.check(newKeyFile: keyFile, of: path)
    // The key file may stand in a folder of the store.
    let folders = try makeFolders(above: absolute(path))
    var isNew = false
    do throws(StoreError) {
      isNew = try StoreKey.makeKeyFile(keyFile)
      _ = try SampleStore(path: path, mode: .readWrite)
      // The file that was made may be one that the first check did not see.
      try StoreKey.check(newKeyFile: keyFile, of: path)
      return try StoreKey.contents(ofKeyFile: keyFile)
    } catch {
      if isNew { unlink(keyFile) }
      for folder in folders.reversed() { rmdir(folder) }
      throw error
    }
  }

  /// Opens the seal of the store at a path for good: everything stands in the clear afterwards.
  ///
  /// The file is replaced as a whole, as by ``encrypt(path:passphrase:keyFile:)``.
  ///
  /// - Parameters:
  ///   - path: the file
  ///   - key: the passphrase or the key file; `nil` for the key that ``unlock(path:key:seconds:)``
  ///     keeps
  /// - Returns: what became of the saves to the locked store
  /// - Throws: ``StoreError``; also where these saves cannot enter the store, as no key would open
  ///   them any more: ``StoreError/Reason/foreignSaves`` for a file that is not the owner's alone
  @discardableResult
  public static func decrypt(path: String, key: StoreKey? = nil) throws(StoreError) -> LockedSaves {
    guard let header = try SealedHeader(path: path) else {
      throw StoreError(.notSealed, path: path)
    }
    let dataKey = try dataKey(header, key, path: path)
    let journal = LockedJournal(store: path, header: header)
    // No key would open what is saved later: nothing is, until the store is in the clear.
    let saves = try journal.closed { held throws(StoreError) in
      var saves = LockedSaves(path: journal.asidePath)
      if let held { saves = mergeLocked(path: path, header, dataKey, holding: held) }
      if let left = saves.left { throw StoreError(.foreignSaves, path: left) }
      if let postponed = saves.postponed { throw postponed }
      try openSeal(of: path, dataKey)
      return saves
    }
    try KeptKeys().forget(header.store, path: path)
    return saves
  }

  /// Puts a file in the clear in the place of a sealed one.
  private static func openSeal(of path: String, _ key: DataKey) throws(StoreError) {
    let cipher = key.cipher
    let pageBytes = SealedHeader.pageBytes
    try replace(path, key: key) { file, output throws(StoreError) in
      var clear = [UInt8](repeating: 0, count: pageBytes)
      var place: UInt64 = 0
      try copyPages(
        of: file, from: SealedHeader.byteCount, size: pageBytes + PieceCipher.addedBytes,
        path: path
      ) { page, _ throws(StoreError) in
        let isOpened = page.withUnsafeBytes { sealed in
          clear.withUnsafeMutableBytes { room in
            cipher.open(
              sealed, kind: UInt64(HK_SEALED_PAGE.rawValue), place: place, into: room)
          }
        }
        guard isOpened else { throw StoreError(.damaged, path: path) }
        try output.append(clear)
        place += UInt64(pageBytes)
      }
    }
  }

  /// Keeps the key of the store at a path for this session, so that it opens without a passphrase.
  ///
  /// Samples that were saved by `saveLocked(_:path:)` enter the store before. Where they cannot, such
  /// as on a full disk, they stay where they are and ``LockedSaves`` says why.
  ///
  /// - Parameters:
  ///   - path: the file
  ///   - key: the passphrase or the key file
  ///   - seconds: how long; `nil` until ``lock(path:)`` or the end of the session
  /// - Returns: what became of the saves to the locked store
  /// - Throws: ``StoreError``; then the store is not unlocked by this call
  @discardableResult
  public static func unlock(
    path: String, key: StoreKey, seconds: UInt32? = nil
  ) throws(StoreError) -> LockedSaves {
    guard let header = try SealedHeader(path: path) else {
      throw StoreError(.notSealed, path: path)
    }
    let dataKey = try header.dataKey(key, path: path)
    let saves = mergeLocked(path: path, header, dataKey)
    try KeptKeys().keep(dataKey, seconds: seconds, path: path)
    return saves
  }

  /// Forgets the key of the store at a path.
  ///
  /// Stores that are open already stay open.
  public static func lock(path: String) throws(StoreError) {
    guard let header = try SealedHeader(path: path) else {
      throw StoreError(.notSealed, path: path)
    }
    try KeptKeys().forget(header.store, path: path)
  }

  /// The key for the file layer of a store; `nil` if the store is not sealed.
  static func sealing(path: String, key: StoreKey?) throws(StoreError) -> SealedFiles.Key? {
    guard let header = try SealedHeader(path: path) else { return nil }
    return try SealedFiles.Key(try dataKey(header, key, path: path).cipher, path: path)
  }

  static func dataKey(
    _ header: SealedHeader, _ key: StoreKey?, path: String
  ) throws(StoreError) -> DataKey {
    if let key { return try header.dataKey(key, path: path) }
    guard let kept = KeptKeys().find(header.store) else {
      throw StoreError(.locked, path: path)
    }
    return try header.dataKey(StoreKey(kind: .data(kept)), path: path)
  }
}

// MARK: - Replacing the file

extension SampleStore {
  /// Writes a new file for a store beside it, and puts it in its place.
  ///
  /// The store is locked against writers until the end, and has no log file.
  private static func replace(
    _ path: String, key: DataKey?,
    _ body: (OpaquePointer, ConvertedFile) throws(StoreError) -> Void
  ) throws(StoreError) {
    // A link stays one.
    let path = resolvingLinks(path)
    let sealing = try key.map { key throws(StoreError) in
      try SealedFiles.Key(key.cipher, path: path)
    }
    let file = StoreFile(path: path)
    try StoreError.naming(path) {
      let queue = try open(path, .readWrite, sealing)
      try queue.writeWithoutTransaction { database in
        // Fails if another connection is open. All is in the file itself then.
        let mode = "PRAGMA journal_mode = DELETE"
        guard try String.fetchOne(database, sql: mode) == "delete" else {
          throw StoreError(.busy, path: path)
        }
        try database.inTransaction(.immediate) {
          let isAlone =
            try String.fetchOne(database, sql: "PRAGMA journal_mode") == "delete"
            && ["-wal", "-journal"].allSatisfy { access(path + $0, F_OK) != 0 }
          guard isAlone else { throw StoreError(.busy, path: path) }
          guard file.isAt(path) else { throw StoreError(.notFound, path: path) }
          guard let source = hk_raw_open(path) else {
            throw StoreError(errorNumber: errno, path: path)
          }
          defer { hk_raw_close(source) }
          let output = try ConvertedFile(for: path)
          let mark = FileMark.own(of: path)
          try body(source, output)
          try output.finish()
          // The new file is the store, and no copy of it.
          if let mark { FileMark(mark, of: path)?.write(to: path) }
          return .rollback
        }
      }
    }
  }

  /// Reads the pages of a file one after the other.
  private static func copyPages(
    of file: OpaquePointer, from start: Int, size: Int, path: String,
    _ body: ([UInt8], UInt64) throws(StoreError) -> Void
  ) throws(StoreError) {
    let end = Int(hk_raw_size(file))
    guard end >= start, (end - start) % size == 0 else {
      throw StoreError(.damaged, path: path)
    }
    var page = [UInt8](repeating: 0, count: size)
    for offset in stride(from: start, to: end, by: size) {
      let result = hk_raw_read(file, &page, Int32(size), Int64(offset))
      guard result == 0 else { throw StoreError(.inputOutput, path: path, code: result) }
      try body(page, UInt64(offset))
    }
  }
}

/// The new file of a store that is encrypted or decrypted.
private final class ConvertedFile {
  private static let bufferBytes = 1 << 20

  private let file: UnfinishedFile
  private let path: String
  private var buffer: [UInt8] = []

  init(for path: String) throws(StoreError) {
    self.path = path
    file = try StoreError.naming(path) { try UnfinishedFile(for: path, replaces: true) }
  }

  func append(_ bytes: [UInt8]) throws(StoreError) {
    buffer += bytes
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  func finish() throws(StoreError) {
    try flush()
    try StoreError.naming(path) { try file.finish() }
  }

  private func flush() throws(StoreError) {
    try StoreError.naming(path) { try UnfinishedFile.write(buffer[...], to: file.descriptor) }
    buffer.removeAll(keepingCapacity: true)
  }
}
