import Foundation
import GRDB
import HealthSamples

/// The database of a backup: its tables, its names of applications and devices, and the queries that
/// its version of the schema can answer.
///
/// Columns that a version does not have read as nothing; tables that it does not have are not asked.
struct HealthConnectDatabase {
  let queue: DatabaseQueue
  /// The tables with their columns.
  let tables: [String: Set<String>]
  let applications: [Int64: String]
  let devices: [Int64: String]
  /// The rows of tables that nothing is known of.
  let unknownRows: [String: Int]

  /// A text that is longer is cut: no application or meal has such a name.
  private static let longestText = 1024

  /// Opens a database, without ever writing to it or beside it.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { database in
      // Nothing that the file says of its own tables may run code or grow without bound.
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    let (tables, applications, devices, unknownRows) = try queue.read { database in
      let tables = try Self.tables(database)
      return (
        tables, try Self.applications(database, tables["application_info_table"] ?? []),
        try Self.devices(database, tables["device_info_table"] ?? []),
        try Self.unknownRows(database, tables)
      )
    }
    self.tables = tables
    self.applications = applications
    self.devices = devices
    self.unknownRows = unknownRows
  }

  private static func tables(_ database: Database) throws -> [String: Set<String>] {
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    var tables: [String: Set<String>] = [:]
    for name in names { tables[name] = Set(try database.columns(in: name).map(\.name)) }
    return tables
  }

  /// The names of applications, the shown one before the technical one.
  private static func applications(
    _ database: Database, _ columns: Set<String>
  ) throws -> [Int64: String] {
    try texts(database, "application_info_table", columns, ["app_name", "package_name"]) { names in
      names.first { !$0.isEmpty } ?? ""
    }
  }

  /// The devices in the form of HealthKit's descriptions.
  private static func devices(
    _ database: Database, _ columns: Set<String>
  ) throws -> [Int64: String] {
    try texts(database, "device_info_table", columns, ["manufacturer", "model"]) { parts in
      zip(["manufacturer:", "model:"], parts).filter { !$1.isEmpty }.map { $0 + $1 }
        .joined(separator: ", ")
    }
  }

  private static func texts(
    _ database: Database, _ table: String, _ columns: Set<String>, _ wanted: [String],
    _ joined: ([String]) -> String
  ) throws -> [Int64: String] {
    guard columns.contains("row_id") else { return [:] }
    let list = wanted.map { columns.contains($0) ? text($0) : "NULL" }.joined(separator: ", ")
    let rows = try Row.fetchCursor(database, sql: "SELECT row_id, \(list) FROM \(table)")
    var texts: [Int64: String] = [:]
    while let row = try rows.next() {
      guard let number = Int64.fromDatabaseValue(row[0]) else { continue }
      texts[number] = joined(wanted.indices.map { String.fromDatabaseValue(row[$0 + 1]) ?? "" })
    }
    return texts
  }

  private static func unknownRows(
    _ database: Database, _ tables: [String: Set<String>]
  ) throws -> [String: Int] {
    var unknown: [String: Int] = [:]
    for name in tables.keys where !knownTables.contains(name) {
      if HealthConnectTables.housekeeping.contains(where: name.contains) { continue }
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

  /// A column as text of bounded length.
  static func text(_ column: String) -> String { "substr(\(column), 1, \(longestText))" }
}
