import GRDB
import Synchronization

/// One transaction that writes to a store; rolled back unless it is committed.
///
/// Where the thread writes jointly it is a part of that transaction, with which it is committed.
final class WriteTransaction {
  /// Its serials and deletions.
  let revision: Revision
  private let store: SampleStore
  private let connection: Connection
  /// The transaction of which it is a part.
  private let joint: JointTransaction?
  private var isOpen = true

  /// Waits, up to three seconds, until no other transaction writes.
  ///
  /// In a store that is opened for queries only, nothing can be committed.
  init(of store: SampleStore) throws {
    self.store = store
    let joint = store.connections.joint
    let connection = try joint?.connection ?? store.beginWriting()
    do {
      revision = try connection.queue.unsafeReentrantWrite { try Revision($0, mark: joint?.mark) }
    } catch {
      if joint == nil { store.endWriting(connection) }
      throw error
    }
    (self.joint, self.connection) = (joint, connection)
  }

  deinit { end() }

  /// Runs a body inside the transaction.
  func run<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try store.connections.reading(through: connection) {
      try connection.queue.unsafeReentrantWrite(body)
    }
  }

  /// Lets a dry run write in a store that is opened for queries: nothing is committed.
  ///
  /// - Returns: whether the file can be written
  func allowWrites() throws -> Bool {
    guard store.isReadOnly else { return true }
    return try run { database in
      try database.execute(sql: "PRAGMA query_only = OFF")
      do {
        try database.execute(sql: "UPDATE identity SET id = id")
        return true
      } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
        return false
      }
    }
  }

  /// Writes the change log and the digests, and commits.
  func commit() throws {
    try run { database in
      try revision.write(to: database)
      try database.updateDigests(from: connection.ledger)
      if joint == nil { try database.commit() }
    }
    isOpen = false
    if let joint {
      joint.finishPart(mark: revision.mark)
    } else {
      store.record(revision.mark)
      store.endWriting(connection)
    }
  }

  /// Ends the transaction; without ``commit()`` nothing is written.
  func end() {
    guard isOpen else { return }
    isOpen = false
    if let joint { joint.fail() } else { store.endWriting(connection) }
  }
}

/// Several writing transactions of one thread, which are one: all are committed, or none.
final class JointTransaction: Sendable {
  let connection: Connection
  private let state = Mutex(State())

  private struct State {
    /// The mark that a part gave the file.
    var mark: Int64?
    /// Whether a part was not committed: what it wrote is still there.
    var hasFailed = false
  }

  fileprivate init(_ connection: Connection) { self.connection = connection }

  fileprivate var mark: Int64? { state.withLock(\.mark) }
  fileprivate var hasFailed: Bool { state.withLock(\.hasFailed) }
  fileprivate func finishPart(mark: Int64?) { state.withLock { $0.mark = mark } }
  fileprivate func fail() { state.withLock { $0.hasFailed = true } }
}

extension SampleStore {
  /// Writes to the store, in one transaction.
  ///
  /// - Parameters:
  ///   - isForApps: whether an app may
  ///   - dryRun: whether everything is rolled back
  ///   - body: writes
  /// - Returns: what the body returns
  /// - Throws: ``StoreError``
  func write<Value>(
    isForApps: Bool = false, dryRun: Bool = false, _ body: (Database, Revision) throws -> Value
  ) throws(StoreError) -> Value {
    if !isForApps { try checkOwner() }
    guard dryRun || !isReadOnly else { throw StoreError(.readOnly, path: path) }
    return try StoreError.naming(path) {
      let transaction = try WriteTransaction(of: self)
      if dryRun, try !transaction.allowWrites() { throw StoreError(.readOnly, path: path) }
      let value = try transaction.run { try body($0, transaction.revision) }
      if !dryRun { try transaction.commit() }
      return value
    }
  }

  /// Commits all that a body writes to the store at once, or nothing if it throws.
  ///
  /// The body reads what it has written. Others wait, and find the store as it was before or after.
  ///
  /// - Throws: ``StoreError``, or what the body throws
  func writeJointly<Value>(_ body: () throws -> Value) throws -> Value {
    guard !isReadOnly else { throw StoreError(.readOnly, path: path) }
    let connection = try beginWriting()
    defer { endWriting(connection) }
    let joint = JointTransaction(connection)
    do {
      let value = try connections.writing(jointly: joint, body)
      guard !joint.hasFailed else { throw StoreError(.sessionEnded, path: path) }
      try connection.queue.unsafeReentrantWrite { database in
        try database.updateDigests(from: connection.ledger)
        try database.commit()
      }
      record(joint.mark)
      return value
    } catch {
      file.recordFailure()
      throw error
    }
  }

  /// A connection inside a new transaction, for exclusive use until ``endWriting(_:)``.
  fileprivate func beginWriting() throws -> Connection {
    let connection = try connections.acquire()
    do {
      // SQLite cannot read a deleted file; one may also be deleted before the transaction begins.
      try checkFile()
      try connection.queue.unsafeReentrantWrite { database in
        guard !database.isInsideTransaction else { throw StoreError(.busy, path: path) }
        try connection.beginWriting(database, isReadOnly ? .deferred : .immediate)
        do {
          try checkFile()
          try connection.check(.shortTables, in: database)
          try adoptIdentityOfCopy(in: database)
        } catch {
          try? database.rollback()
          throw error
        }
      }
      return connection
    } catch {
      connections.putBack(connection)
      throw error
    }
  }

  /// Puts back a connection; what was not committed is rolled back.
  fileprivate func endWriting(_ connection: Connection) {
    connection.queue.unsafeReentrantWrite { database in
      // If the rollback fails there is nothing to roll back: SQLite has already done it.
      if database.isInsideTransaction { try? database.rollback() }
      if isReadOnly { try? database.execute(sql: "PRAGMA query_only = ON") }
    }
    connection.ledger.end()
    connections.putBack(connection)
  }

  /// Gives the file the mark of its new contents.
  fileprivate func record(_ mark: Int64?) {
    if let mark { FileMark(mark, of: path)?.write(to: path) }
  }
}
