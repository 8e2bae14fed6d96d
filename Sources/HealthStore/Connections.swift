import Foundation
import GRDB
import Synchronization

/// One connection to the file of a store, used by one thread at a time.
final class Connection: Sendable {
  let queue: DatabaseQueue
  /// What the rows written by the current transaction change in the digests.
  let ledger = DigestLedger()
  private let checkedParts = Mutex(CheckedParts())
  private let isPreparedForWriting = Atomic(false)

  init(queue: DatabaseQueue) {
    self.queue = queue
    queue.unsafeRead { $0.add(function: ledger.function) }
  }

  /// Throws if a part of the store was altered; a part is checked only once until
  /// another connection changes the store.
  func check(_ part: DigestedPart, in database: Database) throws {
    try checkedParts.withLock { try $0.check(part, in: database, ledger) }
  }

  /// Begins a transaction whose rows the ledger follows.
  func beginWriting(_ database: Database, _ kind: Database.TransactionKind) throws {
    if !isPreparedForWriting.load(ordering: .relaxed) {
      try database.followRows()
      isPreparedForWriting.store(true, ordering: .relaxed)
    }
    try database.beginTransaction(kind)
    try ledger.begin(database)
  }
}

/// The connections of one store: any number of readers, each with its own snapshot, and a writer.
///
/// A connection is reused when its reader or writer is done. SQLite lets one writer in at a time,
/// whatever its process, and the others wait.
final class Connections: Sendable {
  /// The snapshot of one thread.
  private struct Snapshot {
    let connection: Connection
    /// Whether it began the transaction; in an import into a temporary store it did not.
    let ownsTransaction: Bool
    /// How many nested snapshots it has, with itself.
    var depth = 1
  }

  private struct State {
    var idle: [Connection] = []
    var snapshots: [UInt: Snapshot] = [:]
    /// The joint transactions of threads.
    var joint: [UInt: JointTransaction] = [:]
  }

  private let state: Mutex<State>
  private let open: @Sendable () throws -> DatabaseQueue
  /// The only connection of a temporary store, whose file no other one can reach.
  private let single: Connection?
  /// Held while a thread reads through ``single``.
  private let turn = NSRecursiveLock()

  /// Takes the first connection, and how to open others; `nil` if there can be none.
  init(_ first: DatabaseQueue, open: (@Sendable () throws -> DatabaseQueue)?) {
    let connection = Connection(queue: first)
    single = open == nil ? connection : nil
    state = Mutex(State(idle: [connection]))
    self.open = open ?? { first }
  }

  private static var thread: UInt { UInt(pthread_self()) }

  /// A connection for exclusive use until ``putBack(_:)``.
  func acquire() throws -> Connection {
    if let single { return single }
    if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
    return Connection(queue: try open())
  }

  /// Puts back a connection.
  func putBack(_ connection: Connection) {
    guard single == nil else { return }
    state.withLock { $0.idle.append(connection) }
  }

  /// Calls a body with the snapshot of this thread, or with a new one.
  func reading<Value>(_ body: (Connection, Database) throws -> Value) throws -> Value {
    let connection = try beginSnapshot()
    defer { endSnapshot() }
    return try connection.queue.unsafeReentrantRead { try body(connection, $0) }
  }

  /// Calls a body while this thread reads through a connection, inside its transaction.
  func reading<Value>(through connection: Connection, _ body: () throws -> Value) rethrows -> Value
  {
    let thread = Self.thread
    let before = state.withLock { state in
      let before = state.snapshots[thread]
      state.snapshots[thread] = Snapshot(connection: connection, ownsTransaction: false)
      return before
    }
    defer { state.withLock { $0.snapshots[thread] = before } }
    return try body()
  }

  /// The joint transaction of this thread.
  var joint: JointTransaction? { state.withLock { $0.joint[Self.thread] } }

  /// Calls a body of which all writes are parts of one transaction, and which reads through it.
  func writing<Value>(jointly joint: JointTransaction, _ body: () throws -> Value) rethrows -> Value
  {
    let thread = Self.thread
    state.withLock { $0.joint[thread] = joint }
    defer { state.withLock { $0.joint[thread] = nil } }
    return try reading(through: joint.connection, body)
  }

  /// Begins a snapshot for this thread unless it has one; returns its connection.
  func beginSnapshot() throws -> Connection {
    let thread = Self.thread
    let nested = state.withLock { state in
      state.snapshots[thread]?.depth += 1
      return state.snapshots[thread]?.connection
    }
    if let nested { return nested }
    if single != nil { turn.lock() }
    do {
      let (connection, owns) = try acquireReading()
      let snapshot = Snapshot(connection: connection, ownsTransaction: owns)
      state.withLock { $0.snapshots[thread] = snapshot }
      return connection
    } catch {
      if single != nil { turn.unlock() }
      throw error
    }
  }

  /// Ends the snapshot of ``beginSnapshot()``.
  func endSnapshot() {
    let thread = Self.thread
    let ended = state.withLock { state -> Snapshot? in
      guard let snapshot = state.snapshots[thread] else { return nil }
      guard snapshot.depth == 1 else {
        state.snapshots[thread]?.depth -= 1
        return nil
      }
      state.snapshots[thread] = nil
      return snapshot
    }
    guard let ended else { return }
    if ended.ownsTransaction {
      endReading(ended.connection)
    } else {
      putBack(ended.connection)
    }
    if single != nil { turn.unlock() }
  }

  /// A connection inside a transaction, and whether that is new, for exclusive use until
  /// ``endReading(_:)``.
  private func acquireReading() throws -> (connection: Connection, ownsTransaction: Bool) {
    let connection = try acquire()
    do {
      let owns = try connection.queue.unsafeReentrantRead { database in
        guard !database.isInsideTransaction else { return false }
        try database.beginTransaction(.deferred)
        // The snapshot is taken at the first read.
        _ = try Int.fetchOne(database.cachedStatement(sql: "SELECT 1 FROM sqlite_master LIMIT 1"))
        return true
      }
      return (connection, owns)
    } catch {
      endReading(connection)
      throw error
    }
  }

  /// A connection that stays inside a snapshot until ``endReading(_:)``; `nil` if the store has only
  /// one connection.
  func hold() throws -> Connection? {
    guard single == nil else { return nil }
    return try acquireReading().connection
  }

  /// Ends the transaction of a connection, which has nothing to commit, and puts it back.
  func endReading(_ connection: Connection) {
    connection.queue.unsafeReentrantRead { database in
      if database.isInsideTransaction { try? database.rollback() }
    }
    putBack(connection)
  }
}
