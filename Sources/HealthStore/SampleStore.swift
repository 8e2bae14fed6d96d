import Foundation
import GRDB
public import HealthSamples
import Synchronization

/// A file that keeps samples: one SQLite database of packed columns, one chunk for about 65,000
/// samples of a type and a source.
///
/// The file has mode 0600, and there is no other file unless a change is under way. A change is one
/// transaction: after a crash, a kill or on a full disk the store is as it was before.
///
/// ```swift
/// let store = try SampleStore(path: "store.sqlite", mode: .readOnly)
/// let steps = try store.samples(of: SampleType(.stepCount))
/// ```
public final class SampleStore: Sendable {
  /// What a store is opened for.
  public enum Mode: Sendable, Hashable {
    /// Questions only; a store that is not there is an error.
    case readOnly
    /// Questions and changes; a store that is not there is made.
    case readWrite
  }

  /// The file; empty for a temporary store.
  public let path: String
  /// Whether the store was opened for questions only.
  public let isReadOnly: Bool
  /// The sources that questions see; imports and changes see all.
  public let selection: SourceSelection
  let queue: DatabaseQueue
  let file: StoreFile
  private let checkedParts = Mutex(CheckedParts())

  init(
    path: String, isReadOnly: Bool, queue: DatabaseQueue, file: StoreFile,
    selection: SourceSelection = SourceSelection()
  ) {
    self.selection = selection
    self.path = path
    self.isReadOnly = isReadOnly
    self.queue = queue
    self.file = file
  }

  deinit {
    if file.isUnwanted { file.deleteIfEmpty(path, queue) }
  }
}

extension SampleStore {
  /// The same store for questions that see some sources alone, as if the others had never measured.
  ///
  /// - Complexity: O(1)
  public func choosing(_ selection: SourceSelection) -> SampleStore {
    SampleStore(
      path: path, isReadOnly: isReadOnly, queue: queue, file: file, selection: selection)
  }

  /// Answers several questions from one state of the store, whatever is imported meanwhile.
  ///
  /// An import that ends meanwhile waits, up to three seconds, until `body` returns: show results
  /// after it. Inside of `body` nothing can be written. Questions of other threads wait, too.
  ///
  /// - Throws: ``StoreError``, or what `body` throws
  public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    let isOuter = try beginSnapshot()
    defer { endSnapshot(isOuter) }
    return try body()
  }

  /// Begins to answer from one state; every call that returns needs its ``endSnapshot(_:)``, on the
  /// same thread.
  ///
  /// - Returns: whether this call chose the state; inside of a snapshot, and of an import, it is
  ///   chosen already
  package func beginSnapshot() throws(StoreError) -> Bool {
    file.snapshots.lock()
    do {
      return try queue.unsafeRead { database in
        guard !database.isInsideTransaction else { return false }
        // The state is the one of the first read.
        try database.beginTransaction(.deferred)
        return true
      }
    } catch {
      file.snapshots.unlock()
      throw StoreError(error, path: path)
    }
  }

  /// Ends what ``beginSnapshot()`` began.
  package func endSnapshot(_ isOuter: Bool) {
    // A transaction that only read has nothing to lose.
    if isOuter { queue.unsafeRead { try? $0.rollback() } }
    file.snapshots.unlock()
  }

  /// Answers from one state of the store.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try queue.read { database in
        try check(.shortTables, in: database)
        return try body(database)
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Refuses a part of the store that is not as it was written.
  func check(_ part: DigestedPart, in database: Database) throws {
    try checkedParts.withLock { try $0.check(part, in: database) }
  }

  /// The sources of a type with the chunks that can overlap a range, after a look at whether the
  /// tables that lead to them are whole.
  func sources(
    of type: SampleType, in range: Range<Double>?, from database: Database
  ) throws -> [(source: Source, chunks: [Int64])] {
    if let number = try database.storedIdentifier(of: type) {
      try check(.chunks(type: number), in: database)
    }
    return try database.sources(of: type, in: range, among: selection)
  }

  /// Changes a short table of the store, in one transaction.
  func write<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    guard !isReadOnly else { throw StoreError(.readOnly, path: path) }
    do {
      return try queue.writeWithoutTransaction { database in
        guard !database.isInsideTransaction else { throw StoreError(.busy, path: path) }
        var value: Value?
        try database.inTransaction(.immediate) {
          try checkFile()
          try database.checkDigests(of: .shortTables)
          value = try body(database)
          try database.updateDigests(of: .shortTables)
          return .commit
        }
        guard let value else { throw StoreError(.inputOutput, path: path) }
        return value
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

/// An error of the caller's body, on its path through the reading of the store.
private struct Stopped: Error {
  let error: any Error
}

extension SampleStore {
  /// Reads one state of the store for a body that hands rows over with ``handOver(_:)``; an error
  /// of the caller is thrown on as it is, any other as a ``StoreError``.
  func readHandingOver(_ body: (Database) throws -> Void) throws {
    do {
      try queue.read { database in
        try check(.shortTables, in: database)
        try body(database)
      }
    } catch let stopped as Stopped {
      throw stopped.error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Calls the taker of rows.
  static func handOver<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw Stopped(error: error)
    }
  }
}

/// Which sources a question sees: some alone, or all but some.
///
/// ```swift
/// var selection = SourceSelection()
/// selection.excluded = ["Strava"]
/// let answer = try store.choosing(selection).statistics(plan)
/// ```
///
/// Names match as ``HealthSamples/Source/isNamed(_:)`` says. Sources that are left out neither
/// count nor mask.
public struct SourceSelection: Sendable, Hashable {
  /// Names of the only sources that are seen; all are when it is empty.
  public var only: [String]
  /// Names of sources that are not seen, be they among ``only``.
  public var excluded: [String]

  /// Makes a selection; of all sources without an argument.
  public init(only: [String] = [], excluding excluded: [String] = []) {
    self.only = only
    self.excluded = excluded
  }

  /// Whether every source is seen.
  public var isEverything: Bool { only.isEmpty && excluded.isEmpty }

  /// Whether a source is seen.
  ///
  /// - Complexity: O(names)
  public func contains(_ source: Source) -> Bool {
    (only.isEmpty || only.contains(where: source.isNamed))
      && !excluded.contains(where: source.isNamed)
  }
}
