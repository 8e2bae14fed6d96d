import Foundation
import GRDB
public import HealthSamples

/// Reads a backup of Google's Health Connect: an SQLite database, bare or in an archive.
///
/// The database stays as it is: it is opened to read only. Tables that are not known are counted as
/// unknown elements, by name and rows. Every record keeps its UUID and its own offset from UTC as
/// metadata, under the keys `HealthConnectUUID` and `HealthConnectZoneOffset`.
public struct HealthConnectReader: BatchReader {
  public let byteCount: Int
  public private(set) var bytesRead = 0
  public var format: ImportFormat { .healthConnect }
  public var exported: Double? { nil }

  private let path: String
  /// The database unpacked from an archive, gone with the reader.
  private let unpacked: UnpackedFile?
  private let queue: DatabaseQueue
  private var steps: [Step]
  private let stepCount: Int
  private var records = LooseRecords()
  private var ready: [ExportBatch] = []
  private var applications: [Int64: String] = [:]

  /// A query whose rows are records; read in parts by the number of the row.
  private struct Step {
    let sql: String
    let meaning: Meaning
    /// The last row that was read.
    var last: Int64 = -1
  }

  private enum Meaning {
    case quantity(HKQuantityTypeIdentifier, unit: String, factor: Double)
    case sleep
  }

  private static let rowsTogether = 1 << 14
  /// Seconds from 1970 to 2001.
  private static let epoch = 978_307_200.0

  /// Opens a database or an archive with one.
  ///
  /// - Throws: ``ExportError``, with ``ExportError/Reason/notAnExport`` when it is no such backup
  public init(path: String) throws(ExportError) {
    let file = try File(path: path)
    self.path = path
    unpacked =
      ZipArchive.isArchive(try file.bytes(in: 0..<4)) ? try UnpackedFile(archive: file) : nil
    let database = unpacked?.path ?? path
    byteCount = try File(path: database).byteCount
    do {
      var configuration = Configuration()
      configuration.readonly = true
      queue = try DatabaseQueue(path: database, configuration: configuration)
      let tables = try queue.read { try Self.tables($0) }
      guard tables.keys.contains(where: { $0.hasSuffix("_record_table") }) else {
        throw ExportError(.notAnExport, path: path)
      }
      steps = Self.steps(for: tables).reversed()
      stepCount = max(1, steps.count)
      for (table, count) in try queue.read({ try Self.unknown(tables, $0) }) {
        records.countUnknown(table, times: count)
      }
      if tables["application_info_table"]?.isSuperset(of: ["row_id", "app_name"]) == true {
        applications = try queue.read { try Self.applications($0) }
      }
    } catch let error as ExportError {
      throw error
    } catch {
      throw ExportError(.notAnExport, path: path)
    }
  }

  public var summary: ExportSummary { records.summary(bytes: bytesRead) }

  public mutating func next() throws(ExportError) -> ExportBatch? {
    while true {
      if let batch = ready.popLast() { return batch }
      guard let step = steps.last else {
        ready = records.takeAll()
        if ready.isEmpty { return nil }
        continue
      }
      let last = try read(step)
      if let last {
        steps[steps.count - 1].last = last
      } else {
        steps.removeLast()
        bytesRead = byteCount * (stepCount - steps.count) / stepCount
      }
      if records.isFull { ready = records.takeAll() }
    }
  }

  /// Reads a part of a step; the number of its last row, `nil` when there was none.
  private mutating func read(_ step: Step) throws(ExportError) -> Int64? {
    let rows: [Row]
    do {
      rows = try queue.read {
        try Row.fetchAll($0, sql: step.sql, arguments: [step.last, Self.rowsTogether])
      }
    } catch {
      throw ExportError(.damagedArchive, path: path)
    }
    for row in rows { add(row, step.meaning) }
    return rows.last.flatMap { Int64.fromDatabaseValue($0["number"]) }
  }

  private mutating func add(_ row: Row, _ meaning: Meaning) {
    var record = LooseRecords.Record()
    record.start = instant(row["start"])
    record.end = instant(row["end"]) ?? record.start
    record.created = instant(row["modified"]) ?? RecordColumns.notRecorded
    record.source = Int64.fromDatabaseValue(row["application"]).flatMap { applications[$0] } ?? ""
    var entries: [Metadata.Entry] = []
    if let identifier = Data.fromDatabaseValue(row["uuid"]), identifier.count == 16 {
      entries.append(.init(key: "HealthConnectUUID", value: Self.text(of: identifier)))
    }
    if let offset = Int.fromDatabaseValue(row["offset"]) {
      entries.append(.init(key: "HealthConnectZoneOffset", value: String(offset)))
    }
    // A recording method of 3 says that a person typed the value in.
    if Int.fromDatabaseValue(row["method"]) == 3 {
      entries.append(.init(key: Catalogue.wasUserEnteredKey, value: "1"))
    }
    record.metadata = Metadata(entries)
    let value = Double.fromDatabaseValue(row["value"])
    switch meaning {
    case .quantity(let type, let unit, let factor):
      // The least number above zero stands for what a meal does not say.
      if value == nil || value == .leastNonzeroMagnitude { return }
      record.type = type.rawValue
      record.unit = unit
      record.value = value.map { $0 * factor }
    case .sleep:
      record.type = HKCategoryTypeIdentifier.sleepAnalysis.rawValue
      guard let stage = value.flatMap(Int.init(exactly:)),
        let constant = HealthConnectTables.sleepConstant(stage)
      else {
        records.countUnknown("sleep stage")
        return
      }
      record.constant = constant
    }
    records.add(record)
  }

  private func instant(_ value: DatabaseValue) -> Double? {
    Int64.fromDatabaseValue(value).map { Double($0) / 1000 - Self.epoch }
  }

  private static func text(of identifier: Data) -> String {
    identifier.enumerated().map { index, byte in
      let digits = String(byte, radix: 16)
      return ([4, 6, 8, 10].contains(index) ? "-" : "") + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}

extension HealthConnectReader {
  /// The tables with their columns.
  private static func tables(_ database: Database) throws -> [String: Set<String>] {
    let names = try String.fetchAll(
      database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    var tables: [String: Set<String>] = [:]
    for name in names { tables[name] = Set(try database.columns(in: name).map(\.name)) }
    return tables
  }

  private static func applications(_ database: Database) throws -> [Int64: String] {
    let rows = try Row.fetchAll(
      database, sql: "SELECT row_id, app_name FROM application_info_table")
    let pairs = rows.compactMap { row -> (Int64, String)? in
      guard let number = Int64.fromDatabaseValue(row[0]),
        let name = String.fromDatabaseValue(row[1])
      else { return nil }
      return (number, name)
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// The rows of tables of records that are not known.
  private static func unknown(
    _ tables: [String: Set<String>], _ database: Database
  ) throws -> [String: Int] {
    let known = Set(HealthConnectTables.quantities.map(\.table))
      .union(HealthConnectTables.series.map(\.table)).union([HealthConnectTables.sleepSessions])
    var unknown: [String: Int] = [:]
    for name in tables.keys where name.hasSuffix("_record_table") && !known.contains(name) {
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM \(name.quotedDatabaseIdentifier)")
      if let count, count > 0 { unknown[name] = count }
    }
    return unknown
  }

  private static func steps(for tables: [String: Set<String>]) -> [Step] {
    var steps: [Step] = []
    for quantity in HealthConnectTables.quantities {
      guard let columns = tables[quantity.table], columns.contains(quantity.column) else {
        continue
      }
      let value = "record." + quantity.column.quotedDatabaseIdentifier
      steps.append(
        Step(
          sql: sql(value: value, from: "\(quantity.table) AS record", columns: columns),
          meaning: .quantity(quantity.type, unit: quantity.unit, factor: quantity.factor)))
    }
    for series in HealthConnectTables.series {
      guard let columns = tables[series.table], let rows = tables[series.rows],
        rows.isSuperset(of: ["parent_key", "epoch_millis", series.column])
      else { continue }
      steps.append(
        Step(
          sql: sql(
            value: "part.\(series.column)",
            from:
              "\(series.rows) AS part JOIN \(series.table) AS record ON record.row_id = part.parent_key",
            columns: columns, number: "part.rowid", start: "part.epoch_millis",
            end: "part.epoch_millis"),
          meaning: .quantity(series.type, unit: series.unit, factor: 1)))
    }
    if let columns = tables[HealthConnectTables.sleepSessions],
      tables[HealthConnectTables.sleepStages]?.isSuperset(
        of: ["parent_key", "stage_start_time", "stage_end_time", "stage_type"]) == true
    {
      steps.append(
        Step(
          sql: sql(
            value: "part.stage_type",
            from:
              "\(HealthConnectTables.sleepStages) AS part JOIN \(HealthConnectTables.sleepSessions) AS record ON record.row_id = part.parent_key",
            columns: columns, number: "part.rowid", start: "part.stage_start_time",
            end: "part.stage_end_time"),
          meaning: .sleep))
    }
    return steps
  }

  /// A query of the columns that ``add(_:_:)`` reads, of those that the table has.
  private static func sql(
    value: String, from: String, columns: Set<String>, number: String = "record.rowid",
    start: String? = nil, end: String? = nil
  ) -> String {
    func first(_ names: String...) -> String {
      names.first(where: columns.contains).map { "record." + $0 } ?? "NULL"
    }
    return """
      SELECT \(number) AS number, \(value) AS value,
        \(start ?? first("start_time", "time")) AS "start",
        \(end ?? first("end_time", "time")) AS "end",
        \(first("last_modified_time")) AS modified, \(first("app_info_id")) AS application,
        \(first("uuid")) AS uuid, \(first("start_zone_offset", "zone_offset")) AS offset,
        \(first("recording_method")) AS method
      FROM \(from) WHERE \(number) > ? ORDER BY \(number) LIMIT ?
      """
  }
}
