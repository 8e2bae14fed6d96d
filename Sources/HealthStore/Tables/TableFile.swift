import Foundation
import GRDB
import GRDBSQLite

/// A new SQLite file of plain tables, for other programs to read.
///
/// ```swift
/// let file = try TableFile(path: "health.db", schema: "CREATE TABLE days (day TEXT, steps REAL)")
/// try file.insert([.text("2024-03-09"), .real(steps)], into: "days")
/// try file.finish()
/// ```
///
/// The path stays unchanged until ``finish(_:)``; an unfinished file is deleted.
public final class TableFile {
  /// The value of a column in a row.
  public enum Value: Sendable, Hashable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
  }

  private let path: String
  private let file: UnfinishedFile
  private let queue: DatabaseQueue
  /// The connection of the queue; one statement for each table stays prepared.
  private let connection: OpaquePointer
  private var insertions: [String: OpaquePointer] = [:]

  /// Creates the tables.
  ///
  /// - Parameters:
  ///   - path: the path of the file
  ///   - schema: `CREATE` statements
  ///   - replaces: whether it may replace an existing file
  /// - Throws: ``StoreError``, with ``StoreError/Reason/alreadyThere`` when there is a file
  public init(path: String, schema: String, replaces: Bool = false) throws(StoreError) {
    self.path = path
    file = try StoreError.naming(path) { try UnfinishedFile(for: path, replaces: replaces) }
    do {
      var configuration = Configuration()
      // One transaction for everything, which ``finish(_:)`` commits.
      configuration.allowsUnsafeTransactions = true
      // Tables are written in any order, so a reference may precede its row.
      configuration.foreignKeysEnabled = false
      configuration.prepareDatabase { database in
        // The file is renamed when it is complete and on the disk, so a journal is useless.
        try database.execute(sql: "PRAGMA journal_mode = OFF")
        try database.execute(sql: "PRAGMA synchronous = OFF")
        try database.execute(sql: "PRAGMA page_size = \(Self.pageBytes)")
        try database.execute(sql: "PRAGMA cache_size = -\(Self.cacheKilobytes)")
      }
      queue = try DatabaseQueue(path: file.path, configuration: configuration)
      connection = try queue.writeWithoutTransaction { database in
        guard let connection = database.sqliteConnection else {
          throw DatabaseError(resultCode: .SQLITE_MISUSE)
        }
        try database.execute(sql: schema)
        try database.beginTransaction(.immediate)
        return connection
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  deinit { finalizeInsertions() }

  private static let pageBytes = 16_384
  private static let cacheKilobytes = 16_384

  /// Adds a row, its values in the order of the columns.
  public func insert(_ row: [Value], into table: String) throws(StoreError) {
    try insert(into: table, columns: row.count) { cells in
      for value in row {
        switch value {
        case .null: cells.addNull()
        case .integer(let number): cells.add(number)
        case .real(let number): cells.add(number)
        case .text(let text): cells.add(text)
        }
      }
    }
  }

  /// Adds a row whose cells a body adds in the order of the columns; those that it leaves out are
  /// NULL.
  package func insert(
    into table: String, columns: Int, _ body: (inout Cells) -> Void
  ) throws(StoreError) {
    let statement = try insertion(into: table, columns: columns)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    var cells = Cells(statement: statement)
    body(&cells)
    guard cells.code == SQLITE_OK else { throw error(cells.code) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw error(code) }
  }

  /// The cells of a row.
  package struct Cells: ~Copyable {
    fileprivate let statement: OpaquePointer
    fileprivate var code = SQLITE_OK
    private var column: Int32 = 0

    fileprivate init(statement: OpaquePointer) { self.statement = statement }

    /// Adds NULL.
    package mutating func addNull() { column += 1 }

    /// Adds an integer.
    package mutating func add(_ number: Int) {
      column += 1
      record(sqlite3_bind_int64(statement, column, Int64(number)))
    }

    /// Adds a number; NaN becomes NULL.
    package mutating func add(_ number: Double) {
      column += 1
      record(sqlite3_bind_double(statement, column, number))
    }

    /// Adds a text.
    package mutating func add(_ text: String) {
      var text = text
      text.withUTF8 { add(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a text of UTF-8.
    package mutating func add(utf8 text: [UInt8]) { text.withUnsafeBytes { add(utf8: $0) } }

    private mutating func add(utf8 text: UnsafeRawBufferPointer) {
      column += 1
      // SQLite treats a text without an address as NULL.
      let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
      record(
        start == nil
          ? sqlite3_bind_text(statement, column, "", 0, Self.copies)
          : sqlite3_bind_text64(
            statement, column, start, UInt64(text.count), Self.copies, UInt8(SQLITE_UTF8)))
    }

    private mutating func record(_ code: Int32) { if self.code == SQLITE_OK { self.code = code } }

    /// `SQLITE_TRANSIENT`, which Swift does not import.
    private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private func insertion(into table: String, columns: Int) throws(StoreError) -> OpaquePointer {
    if let statement = insertions[table] { return statement }
    let marks = Array(repeating: "?", count: columns).joined(separator: ", ")
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(
      connection, "INSERT INTO \(table.quotedDatabaseIdentifier) VALUES (\(marks))", -1, &statement,
      nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    insertions[table] = statement
    return statement
  }

  private func finalizeInsertions() {
    for statement in insertions.values { sqlite3_finalize(statement) }
    insertions = [:]
  }

  private func error(_ code: Int32) -> StoreError {
    StoreError(
      DatabaseError(
        resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection))
      ),
      path: path)
  }

  /// Runs statements such as `CREATE INDEX`, and moves the file to its path.
  public func finish(_ statements: String = "") throws(StoreError) {
    finalizeInsertions()
    try StoreError.naming(path) {
      try queue.writeWithoutTransaction { database in
        if !statements.isEmpty { try database.execute(sql: statements) }
        try database.commit()
      }
      try queue.close()
      try file.finish()
    }
  }
}
