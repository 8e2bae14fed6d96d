import Foundation
import GRDB

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
  private var insertions: [String: [[Value]]] = [:]

  /// The number of rows of a table that are written together.
  private static let batchRows = 4096

  /// Creates the tables.
  ///
  /// - Parameters:
  ///   - path: the path of the file
  ///   - schema: `CREATE` statements
  ///   - replaces: whether it may replace an existing file
  /// - Throws: ``StoreError``, with ``StoreError/Reason/alreadyThere`` when there is a file
  public init(path: String, schema: String, replaces: Bool = false) throws(StoreError) {
    self.path = path
    do throws(UnfinishedFile.Problem) {
      file = try UnfinishedFile(for: path, replaces: replaces)
    } catch {
      throw StoreError(error, path: path)
    }
    do {
      var configuration = Configuration()
      // One transaction for everything, which ``finish(_:)`` commits.
      configuration.allowsUnsafeTransactions = true
      // Rows of several tables are written in batches, so a reference may precede its row.
      configuration.foreignKeysEnabled = false
      configuration.prepareDatabase { database in
        // The file is renamed when it is complete, so a journal is useless.
        try database.execute(sql: "PRAGMA journal_mode = OFF")
      }
      queue = try DatabaseQueue(path: file.path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: schema)
        try database.beginTransaction(.immediate)
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Adds a row, its values in the order of the columns.
  public func insert(_ row: [Value], into table: String) throws(StoreError) {
    insertions[table, default: []].append(row)
    if insertions[table, default: []].count >= Self.batchRows { try write(table) }
  }

  /// Writes the remaining rows, runs statements such as `CREATE INDEX`, and moves the file to its
  /// path.
  public func finish(_ statements: String = "") throws(StoreError) {
    for table in insertions.keys { try write(table) }
    do {
      try queue.writeWithoutTransaction { database in
        if !statements.isEmpty { try database.execute(sql: statements) }
        try database.commit()
      }
      try queue.close()
    } catch {
      throw StoreError(error, path: path)
    }
    do throws(UnfinishedFile.Problem) {
      try file.finish()
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private func write(_ table: String) throws(StoreError) {
    let rows = insertions.updateValue([], forKey: table) ?? []
    guard let first = rows.first else { return }
    let marks = Array(repeating: "?", count: first.count).joined(separator: ", ")
    do {
      try queue.writeWithoutTransaction { database in
        let statement = try database.cachedStatement(
          sql: "INSERT INTO \(table.quotedDatabaseIdentifier) VALUES (\(marks))")
        for row in rows { try statement.execute(arguments: StatementArguments(row.map(\.stored))) }
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension StoreError {
  fileprivate init(_ problem: UnfinishedFile.Problem, path: String) {
    if problem.errorNumber == EEXIST {
      self.init(.alreadyThere, path: path)
    } else {
      self.init(errorNumber: problem.errorNumber, path: path)
    }
  }
}

extension TableFile.Value {
  fileprivate var stored: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    }
  }
}
