import Foundation
import GRDB
import Synchronization

extension SampleStore {
  /// Opens the store at a path.
  ///
  /// If it does not exist and the mode allows writing, it is created: folders with mode 0700, the
  /// file with 0600. A file that is not a store, or one of another format, is refused and not
  /// changed.
  ///
  /// - Parameters:
  ///   - path: the file
  ///   - mode: whether to write
  ///   - key: what opens a sealed store; `nil` for the key that ``unlock(path:key:seconds:)`` keeps
  /// - Throws: ``StoreError``
  public convenience init(path: String, mode: Mode, key: StoreKey? = nil) throws(StoreError) {
    let path = Self.absolute(path)
    let file =
      try mode == .readWrite
      ? Self.makeFile(path, key)
      : StoreFile(path: path, sealing: Self.sealing(path: path, key: key))
    let isEmpty = try Self.isEmptyFile(path)
    if isEmpty && mode == .readOnly { throw StoreError(.notFound, path: path) }
    do {
      // On a full or read-only disk SQLite cannot make the index of a log.
      let isImmutable = mode == .readOnly && Self.hasNoRoomForLog(path)
      let queue = try Self.open(path, mode, file.sealing, isImmutable: isImmutable)
      let connections = Connections(queue) {
        try Self.open(path, mode, file.sealing, isImmutable: isImmutable)
      }
      do {
        try Self.check(queue, path: path, mode: mode, file.sealing)
      } catch let error as DatabaseError where mode == .readWrite {
        // Another process may be creating the same store: the second check sees it.
        guard error.resultCode == .SQLITE_ERROR || error.resultCode == .SQLITE_CONSTRAINT else {
          throw error
        }
        try Self.check(queue, path: path, mode: mode, file.sealing)
      }
      self.init(
        path: path, isReadOnly: mode == .readOnly, connections: connections, file: file)
    } catch {
      file.recordFailure()
      if file.isUnwanted, let queue = try? Self.open(path, mode, file.sealing) {
        file.deleteIfEmpty(path, Connections(queue) { queue })
      }
      throw StoreError(error, path: path)
    }
  }

  /// Where the store of a person is: `HKSTATS_STORE`, else `hkstats/store.sqlite` in the XDG data
  /// folder.
  ///
  /// A relative `XDG_DATA_HOME` is invalid (XDG Base Directory Specification) and ignored.
  public static func standardPath(_ environment: [String: String]) -> String {
    if let path = environment["HKSTATS_STORE"], !path.isEmpty { return path }
    let stated = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"] ?? NSHomeDirectory()
    return (stated ?? home + "/.local/share") + "/hkstats/store.sqlite"
  }

  /// Creates an empty store for one query: an unlinked file, which is deleted when the store is
  /// released or the process ends.
  public static func temporary() throws(StoreError) -> SampleStore {
    try StoreError.naming("") {
      var configuration = configuration
      configuration.prepareDatabase { database in
        // The file is unreachable after a crash, so it need not survive one.
        try database.execute(sql: "PRAGMA synchronous = OFF")
        try database.execute(sql: "PRAGMA journal_mode = MEMORY")
      }
      let queue = try DatabaseQueue(path: "", configuration: configuration)
      try prepare(queue, isTemporary: true)
      return SampleStore(
        path: "", isReadOnly: false, connections: Connections(queue, open: nil),
        file: StoreFile(path: ""))
    }
  }

  /// The folder for the runs of an import: that of the store, because the temporary folder may be
  /// in memory.
  var runFolder: String {
    if !path.isEmpty {
      let folder = (path as NSString).deletingLastPathComponent
      if access(folder, W_OK) == 0 { return folder }
    }
    let candidates = [ProcessInfo.processInfo.environment["TMPDIR"], "/var/tmp", "/tmp"]
    return candidates.compactMap(\.self).first { access($0, W_OK) == 0 } ?? "."
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "hkstats"
    configuration.busyMode = .timeout(3)
    // An import keeps its transaction open from its first batch to its end.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      database.add(function: RowDigest.function)
      try database.execute(sql: "PRAGMA trusted_schema = OFF")
    }
    return configuration
  }

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// The path of the file to which all links of a path lead; the path itself if there is none.
  package static func resolvingLinks(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Creates the file and its folders where they are missing.
  private static func makeFile(_ path: String, _ key: StoreKey?) throws(StoreError) -> StoreFile {
    let madeFolders = try makeFolders(above: path)
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        return StoreFile(path: path, sealing: try sealing(path: path, key: key))
      }
      throw StoreError(errorNumber: errno, path: path)
    }
    close(descriptor)
    return StoreFile(path: path, isNew: true, madeFolders: madeFolders)
  }

  /// Creates the folders above a file where they are missing, and returns those.
  static func makeFolders(above path: String) throws(StoreError) -> [String] {
    var missing: [String] = []
    var folder = (path as NSString).deletingLastPathComponent
    while folder.count > 1, access(folder, F_OK) != 0 {
      missing.append(folder)
      folder = (folder as NSString).deletingLastPathComponent
    }
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw StoreError(errorNumber: errno, path: path)
    }
    return missing.reversed()
  }

  private static func isEmptyFile(_ path: String) throws(StoreError) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      let number = errno
      if number == ENOENT, lstat(path, &facts) == 0 {
        throw StoreError(.danglingLink, path: path, code: number)
      }
      throw StoreError(errorNumber: number, path: path)
    }
    // SQLite treats a file that is shorter than its smallest page as empty.
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size == 0 || facts.st_size >= 512 else {
      throw StoreError(.notAStore, path: path)
    }
    return facts.st_size == 0
  }

  /// Opens an existing database.
  ///
  /// Read-only stores are also opened for writing, if the file allows: otherwise SQLite cannot roll
  /// back what a killed import has left.
  static func open(
    _ path: String, _ mode: Mode, _ sealing: SealedFiles.Key?, isImmutable: Bool = false
  ) throws -> DatabaseQueue {
    var configuration = configuration
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
      if mode == .readOnly { try database.execute(sql: "PRAGMA query_only = ON") }
    }
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%;")
    guard let name = path.addingPercentEncoding(withAllowedCharacters: allowed) else {
      throw StoreError(.notFound, path: path)
    }
    let layer = sealing.map { "&" + $0.parameters } ?? ""
    return try DatabaseQueue(
      path: "file:\(name)?mode=rw\(layer)\(isImmutable ? "&immutable=1" : "")",
      configuration: configuration)
  }

  /// Whether a store that has no log with contents cannot get one, nor its index.
  private static func hasNoRoomForLog(_ path: String) -> Bool {
    var facts = stat()
    guard stat(path + "-wal", &facts) != 0 || facts.st_size == 0 else { return false }
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return false }
    let room = Int(clamping: disk.f_bavail) &* Int(clamping: disk.f_frsize)
    let folder = (path as NSString).deletingLastPathComponent
    return room < mostIndexBytes || access(folder, W_OK) != 0 && stat(path + "-shm", &facts) != 0
  }

  /// The bytes of the index of a short log.
  private static let mostIndexBytes = 32_768

  private static func check(
    _ queue: DatabaseQueue, path: String, mode: Mode, _ sealing: SealedFiles.Key?
  ) throws {
    let isNew = try queue.read { database in
      let identifier = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      if identifier == Schema.applicationIdentifier {
        try Schema.checkFormat(of: database, path: path)
        try checkSchema(database)
        return false
      }
      let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
      guard identifier == 0, tables == 0 else { throw StoreError(.notAStore, path: path) }
      return true
    }
    guard isNew else {
      guard mode == .readWrite else { return }
      // Encryption leaves it in another mode. Others may be reading it: the next one will do it.
      try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      return
    }
    guard mode == .readWrite else { throw StoreError(.notFound, path: path) }
    try prepare(queue)
  }

  /// Refuses tables with computed contents: a view or a generated column may run forever.
  private static func checkSchema(_ database: Database) throws {
    let rows = try Row.fetchAll(database, sql: "SELECT type, sql FROM sqlite_master")
    for row in rows {
      let type = try row.decode(String.self, atIndex: 0)
      let definition = try row.decode(String?.self, atIndex: 1)?.uppercased() ?? ""
      guard type == "table" || type == "index",
        !definition.contains("VIRTUAL"), !definition.contains(" AS ("),
        !definition.contains(" AS("), !definition.contains("GENERATED")
      else { throw Corruption() }
    }
  }

  /// Creates the tables of a new file.
  private static func prepare(_ queue: DatabaseQueue, isTemporary: Bool = false) throws {
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA page_size = 8192")
      try database.execute(sql: "PRAGMA auto_vacuum = NONE")
      try database.inTransaction(.immediate) {
        // Another process may have made them.
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
        if tables == 0 { try Schema.create(in: database) }
        return .commit
      }
      // Afterwards: what fails before leaves an empty file, without a log.
      if !isTemporary { try database.execute(sql: "PRAGMA journal_mode = WAL") }
    }
  }
}

/// The identity of the file of a store, and whether this process created it.
final class StoreFile: Sendable {
  /// The identity of the file, whatever its path; `nil` for a temporary store.
  private let identity: Identity?
  /// The folders that were created for it, the outermost first.
  private let madeFolders: [String]
  private let isNew: Bool
  /// The key of the file layer; `nil` if the store is not sealed.
  let sealing: SealedFiles.Key?
  private let hasFailed = Atomic(false)
  /// What tells its changes, while any listens.
  let hub = Mutex(HubPlace())

  struct HubPlace {
    weak var hub: StoreHub?
  }

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

  /// The file at a path, which may just have been created.
  init(
    path: String, isNew: Bool = false, madeFolders: [String] = [],
    sealing: SealedFiles.Key? = nil
  ) {
    identity = Identity(path)
    self.isNew = isNew
    self.sealing = sealing
    self.madeFolders = madeFolders
  }

  /// Whether the path still leads to the file.
  func isAt(_ path: String) -> Bool { Identity(path) == identity }

  /// Records that an import failed, so that a file that was created for it is deleted.
  func recordFailure() { hasFailed.store(true, ordering: .relaxed) }

  /// Whether the file was created for an import that failed.
  var isUnwanted: Bool { isNew && hasFailed.load(ordering: .relaxed) }

  /// Deletes the file, and the folders that were created for it, unless they have other contents or
  /// another process uses the store.
  func deleteIfEmpty(_ path: String, _ connections: Connections) {
    // If this fails, an empty store remains, which is harmless.
    try? connections.acquire().queue.writeWithoutTransaction { database in
      try database.inTransaction(.exclusive) {
        let isEmpty = try database.tables().allSatisfy { table in
          try Schema.describing.contains(table) || database.isEmpty(table)
        }
        if isEmpty, isAt(path) {
          for file in ["", "-wal", "-shm"] { unlink(path + file) }
          for folder in madeFolders.reversed() where rmdir(folder) != 0 { break }
        }
        return .rollback
      }
    }
  }
}

extension SampleStore {
  /// Throws if the file of the store was deleted or replaced: writes would be lost.
  func checkFile() throws(StoreError) {
    guard file.isAt(path) else { throw StoreError(.notFound, path: path) }
  }
}
