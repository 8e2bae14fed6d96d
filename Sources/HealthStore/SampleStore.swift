import GRDB
public import HealthSamples

/// A file of samples: an SQLite database of packed columns, with one chunk for about 65,000 samples
/// of a type and a source.
///
/// The file has mode 0600, and there is no other file except during a write. A write is one
/// transaction: after a crash, a kill or on a full disk the store is unchanged.
///
/// ```swift
/// let store = try SampleStore(path: "store.sqlite", mode: .readOnly)
/// let steps = try store.samples(of: SampleType(.stepCount))
/// ```
public final class SampleStore: Sendable {
  /// The access to a store.
  public enum Mode: Sendable, Hashable {
    /// Queries only; a missing store is an error.
    case readOnly
    /// Queries and writes; a missing store is created.
    case readWrite
  }

  /// The file; empty for a temporary store.
  public let path: String
  /// Whether the store was opened for queries only.
  public let isReadOnly: Bool
  /// Whether the file is sealed.
  public var isSealed: Bool { file.sealing != nil }
  /// The sources visible to queries; imports and writes see all.
  public let selection: SourceSelection
  /// The bundle identifier of the app that reads; `nil` for the owner, who sees everything.
  public let reader: String?
  /// The name that the owner gave the app with this view.
  let readerName: String?
  /// Whether the caller of this view leaves out rows of types whose history the owner limited, which
  /// else it does not show.
  let filtersHistory: Bool
  let connections: Connections
  let file: StoreFile
  let watch: ReadWatch?
  /// What now is for questions and writes; the clock of the system unless ``at(_:)`` says another.
  public let now: Now
  /// The store of which this is a view; `nil` for the one that was opened.
  private let origin: SampleStore?
  /// The store that was opened, of which this may be a view.
  var owner: SampleStore { origin ?? self }

  init(
    path: String, isReadOnly: Bool, connections: Connections, file: StoreFile,
    selection: SourceSelection = SourceSelection(), reader: String? = nil,
    readerName: String? = nil, filtersHistory: Bool = false, watch: ReadWatch? = nil,
    origin: SampleStore? = nil, now: Now = .system
  ) {
    self.now = now
    self.origin = origin
    self.watch = watch
    self.selection = selection
    self.reader = reader
    self.readerName = readerName
    self.filtersHistory = filtersHistory
    self.path = path
    self.isReadOnly = isReadOnly
    self.connections = connections
    self.file = file
  }

  deinit {
    // A view ends while the store is still used.
    if origin == nil, file.isUnwanted { file.deleteIfEmpty(path, connections) }
  }
}

extension SampleStore {
  /// The same store for queries of some sources only, as if the others did not exist.
  ///
  /// - Complexity: O(1)
  public func choosing(_ selection: SourceSelection) -> SampleStore { copy(selection: selection) }

  /// The same store, whose reads report to a watch.
  func watched(by watch: ReadWatch) -> SampleStore { copy(watch: watch) }

  /// The same store for a reader, by its bundle identifier.
  func with(reader: String, named name: String?, filtersHistory: Bool) -> SampleStore {
    copy(reader: reader, readerName: name, filtersHistory: filtersHistory)
  }

  /// The same store at another moment.
  ///
  /// For its questions `today` is that day, and its writes are of then. An app keeps the moment of the
  /// owner, who dates its writes.
  ///
  /// - Complexity: O(1)
  public func at(_ now: Now) -> SampleStore { reader == nil ? copy(now: now) : self }

  private func copy(
    selection: SourceSelection? = nil, reader: String? = nil, readerName: String? = nil,
    filtersHistory: Bool? = nil, watch: ReadWatch? = nil, now: Now? = nil
  ) -> SampleStore {
    SampleStore(
      path: path, isReadOnly: isReadOnly, connections: connections, file: file,
      selection: selection ?? self.selection, reader: reader ?? self.reader,
      readerName: readerName ?? self.readerName,
      filtersHistory: filtersHistory ?? self.filtersHistory, watch: watch ?? self.watch,
      origin: origin ?? self, now: now ?? self.now)
  }

  /// Runs several queries in one snapshot of the store, regardless of concurrent writes.
  ///
  /// Neither waits for the other. Inside `body` this thread reads the snapshot, also after it has
  /// written to the store.
  ///
  /// - Throws: ``StoreError``, or what `body` throws
  public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    try beginSnapshot()
    defer { endSnapshot() }
    return try body()
  }

  /// Begins a snapshot; every successful call needs its ``endSnapshot()``, on the same thread.
  package func beginSnapshot() throws(StoreError) {
    _ = try StoreError.naming(path) { try connections.beginSnapshot() }
  }

  /// Ends the snapshot of ``beginSnapshot()``.
  package func endSnapshot() { connections.endSnapshot() }

  /// Reads from one snapshot of the store.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try StoreError.naming(path) {
      try connections.reading { connection, database in
        try connection.check(.shortTables, in: database)
        return try body(database)
      }
    }
  }

  /// Throws if a part of the store was altered.
  func check(_ part: DigestedPart, in database: Database) throws {
    try connections.reading { connection, _ in try connection.check(part, in: database) }
  }

  /// The sources of a type with the chunks that can overlap a range, after checking the tables that
  /// list them.
  ///
  /// With a serial only chunks that have rows after it.
  func sources(
    of type: SampleType, in range: Range<Double>?, after serial: Int64 = 0, from database: Database
  ) throws -> [(source: Source, chunks: [Int64])] {
    guard let number = try database.storedIdentifier(of: type) else { return [] }
    try check(.chunks(type: number), in: database)
    let permission = try permission(in: database)
    let groups = try database.sources(of: type, in: range, among: selection)
      .filter { permission.contains(type.identifier, from: $0.source) }
    guard serial > 0 else { return groups }
    let later = try Set(
      Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM chunks INDEXED BY chunksInTime WHERE type = ? AND lastSerial > ?
          """, arguments: [number, serial]))
    return groups.compactMap { source, chunks in
      let chunks = chunks.filter(later.contains)
      return chunks.isEmpty ? nil : (source, chunks)
    }
  }
}

/// Wraps an error of the caller's body.
private struct Stopped: Error {
  let error: any Error
}

extension SampleStore {
  /// Reads one snapshot of the store for a body that calls ``handOver(_:)``; an error of the caller
  /// is rethrown, any other becomes a ``StoreError``.
  func readHandingOver(_ body: (Database) throws -> Void) throws {
    do {
      try connections.reading { connection, database in
        try connection.check(.shortTables, in: database)
        try body(database)
      }
    } catch let stopped as Stopped {
      throw stopped.error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Calls the caller's body.
  static func handOver<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw Stopped(error: error)
    }
  }
}

/// The sources visible to a query: only some, or all except some.
///
/// ```swift
/// var selection = SourceSelection()
/// selection.excluded = ["Strava"]
/// let answer = try store.choosing(selection).statistics(plan)
/// ```
///
/// Names match by ``HealthSamples/Source/isNamed(_:)``. Excluded sources neither count nor mask.
public struct SourceSelection: Sendable, Hashable {
  /// Names of the only visible sources; all are visible when it is empty.
  public var only: [String]
  /// Names of excluded sources, even if they are in ``only``.
  public var excluded: [String]

  /// Makes a selection; of all sources without an argument.
  public init(only: [String] = [], excluding excluded: [String] = []) {
    self.only = only
    self.excluded = excluded
  }

  /// Whether every source is visible.
  public var isEverything: Bool { only.isEmpty && excluded.isEmpty }

  /// Whether a source is visible.
  ///
  /// - Complexity: O(names)
  public func contains(_ source: Source) -> Bool {
    (only.isEmpty || only.contains(where: source.isNamed))
      && !excluded.contains(where: source.isNamed)
  }
}
