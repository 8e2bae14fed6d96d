import Foundation
import GRDB
import GRDBSQLite
import HealthSamples

/// The database of a backup: its tables, its names of applications and devices, and the queries
/// that its schema version supports.
///
/// Columns that a version lacks read as null; tables that it lacks are not queried.
struct HealthConnectDatabase {
  let queue: DatabaseQueue
  /// The tables with their columns.
  let tables: [String: Set<String>]
  let applications: [Int64: String]
  let devices: [Int64: String]
  private let priorities: [Int: [Int64]]
  /// The number of rows of unknown tables.
  let unknownRows: [String: Int]

  /// Longer texts are truncated: no application or meal has such a name.
  private static let longestText = 1024

  /// Stops a query that finds no row for too long.
  let budget: StepBudget

  /// More tables, applications and devices than any database has.
  private static let mostTables = 4096
  private static let mostNames = 1 << 16

  /// Opens a database.
  init(_ bytes: DatabaseBytes) throws {
    let budget = StepBudget()
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      let connection = database.sqliteConnection
      let code = sqlite3_deserialize(
        connection, "main", bytes.start.assumingMemoryBound(to: UInt8.self),
        sqlite3_int64(bytes.count), sqlite3_int64(bytes.count),
        UInt32(SQLITE_DESERIALIZE_READONLY))
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      // The schema of the file must not run code or grow without bound.
      try database.execute(
        sql: """
          PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON
          """)
      for (limit, value) in Self.limits { sqlite3_limit(connection, limit, value) }
      budget.watch(connection)
    }
    queue = try DatabaseQueue(configuration: configuration)
    self.budget = budget
    let (tables, applications, devices, priorities, unknownRows) = try queue.read { database in
      let tables = try Self.tables(database)
      return (
        tables, try Self.applications(database, tables["application_info_table"] ?? []),
        try Self.devices(database, tables["device_info_table"] ?? []),
        try Self.priorities(database, tables["health_data_category_priority_table"] ?? []),
        try Self.unknownRows(database, tables, budget)
      )
    }
    self.tables = tables
    self.applications = applications
    self.devices = devices
    self.priorities = priorities
    self.unknownRows = unknownRows
  }

  /// Limits far above real backups.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LENGTH, 1 << 24), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
    (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// The ordinary tables, with their ordinary columns.
  ///
  /// Views, virtual tables and generated columns are excluded: reading them runs code from the
  /// file.
  private static func tables(_ database: Database) throws -> [String: Set<String>] {
    let names = try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT NULL
        LIMIT \(mostTables)
        """)
    var tables: [String: Set<String>] = [:]
    for name in names {
      let columns = try Row.fetchAll(
        database, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0",
        arguments: [name])
      tables[name] = Set(columns.compactMap { String.fromDatabaseValue($0[0]) })
    }
    return tables
  }

  /// The names of applications, preferably the display name.
  private static func applications(
    _ database: Database, _ columns: Set<String>
  ) throws -> [Int64: String] {
    try texts(database, "application_info_table", columns, ["app_name", "package_name"]) { names in
      names.first { !$0.isEmpty } ?? ""
    }
  }

  /// The devices in the form of HealthKit's descriptions; the name says what kind of device it is,
  /// because Health Connect has no other.
  private static func devices(
    _ database: Database, _ columns: Set<String>
  ) throws -> [Int64: String] {
    let parts = ["device_type", "manufacturer", "model"]
    return try texts(database, "device_info_table", columns, parts) { parts in
      let kind = Int(parts[0]).flatMap { HealthConnectTables.deviceKinds[$0] } ?? ""
      return zip(["name:", "manufacturer:", "model:"], [kind] + parts.dropFirst())
        .filter { !$1.isEmpty }.map { $0 + $1 }.joined(separator: ", ")
    }
  }

  /// The applications whose records count, highest first, by the number of the category of data.
  private static func priorities(
    _ database: Database, _ columns: Set<String>
  ) throws -> [Int: [Int64]] {
    guard columns.isSuperset(of: ["health_data_category", "app_id_priority_order"]) else {
      return [:]
    }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT health_data_category, \(text("app_id_priority_order"))
        FROM health_data_category_priority_table LIMIT \(mostTables)
        """)
    var priorities: [Int: [Int64]] = [:]
    for row in rows {
      guard let category = Int.fromDatabaseValue(row[0]),
        let order = String.fromDatabaseValue(row[1])
      else { continue }
      priorities[category] = order.split { !$0.isASCII || !$0.isNumber }.compactMap { Int64($0) }
    }
    return priorities
  }

  /// The names of the sources of a type, highest first, as the person ordered them; empty without an
  /// order.
  func sourceOrder(of type: String) -> [String] {
    let order = priorities[HealthConnectTables.dataCategory(of: type)] ?? []
    return order.compactMap { applications[$0] }.filter { !$0.isEmpty }
  }

  private static func texts(
    _ database: Database, _ table: String, _ columns: Set<String>, _ wanted: [String],
    _ joined: ([String]) -> String
  ) throws -> [Int64: String] {
    guard columns.contains("row_id") else { return [:] }
    let list = wanted.map { columns.contains($0) ? text($0) : "NULL" }.joined(separator: ", ")
    let rows = try Row.fetchCursor(
      database, sql: "SELECT row_id, \(list) FROM \(table) LIMIT \(mostNames)")
    var texts: [Int64: String] = [:]
    while let row = try rows.next() {
      guard let number = Int64.fromDatabaseValue(row[0]) else { continue }
      texts[number] = joined(wanted.indices.map { String.fromDatabaseValue(row[$0 + 1]) ?? "" })
    }
    return texts
  }

  private static func unknownRows(
    _ database: Database, _ tables: [String: Set<String>], _ budget: StepBudget
  ) throws -> [String: Int] {
    var unknown: [String: Int] = [:]
    for name in tables.keys where !knownTables.contains(name) {
      if HealthConnectTables.housekeeping.contains(where: name.contains) { continue }
      budget.renew()
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM \(name.quotedDatabaseIdentifier)")
      if let count, count > 0 { unknown[name] = count }
    }
    return unknown
  }

  private static let knownTables = Set(HealthConnectTables.quantities.map(\.table))
    .union(HealthConnectTables.series.flatMap { [$0.table, $0.rows] })
    .union(HealthConnectTables.categories.map(\.table))
    .union([
      HealthConnectTables.sleepSessions, HealthConnectTables.sleepStages,
      HealthConnectTables.exercises, HealthConnectTables.laps, HealthConnectTables.segments,
      HealthConnectTables.routes,
    ])

  /// A column as text of limited length.
  static func text(_ column: String) -> String { "substr(\(column), 1, \(longestText))" }
}

/// Stops a query that runs for very long without a row.
///
/// It is accessed only on the queue of its connection.
final class StepBudget: @unchecked Sendable {
  private var left = 0

  /// Virtual machine steps between two checks, and the most checks per row: some seconds.
  private static let stepsTogether: Int32 = 100_000
  private static let mostLooks = 10_000

  /// Resets the budget for the next row.
  func renew() { left = Self.mostLooks }

  /// Watches a connection, which must be closed before the budget is released.
  func watch(_ connection: OpaquePointer?) {
    renew()
    sqlite3_progress_handler(
      connection, Self.stepsTogether,
      { context in
        guard let context else { return 0 }
        let budget = Unmanaged<StepBudget>.fromOpaque(context).takeUnretainedValue()
        budget.left -= 1
        return budget.left < 0 ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
