import GRDB
import HealthSamples

/// A query whose rows are records, read in parts by row id, and the meaning of the rows.
struct HealthConnectStep {
  /// The meaning of a row.
  enum Meaning {
    /// Numbers, which are a correlation in some tables.
    case quantities([HealthConnectTables.Quantity], HKCorrelationTypeIdentifier?)
    case category(HealthConnectTables.Category)
    case sleepStage
    /// A night without stages.
    case sleep
    case exercise
  }

  let sql: String
  let meaning: Meaning
  /// The metadata in the columns after the values.
  let details: [HealthConnectTables.Detail]
  /// The id of the last row that was read.
  var last = Int64.min

  /// The columns before the values.
  enum Column: Int {
    case number, start, end, modified, application, device, uuid, offset, method, client, version
    /// The index of the first value.
    static let count = 11
  }

  /// All queries that a database with these tables supports.
  static func all(for tables: [String: Set<String>]) -> [HealthConnectStep] {
    var steps: [HealthConnectStep] = []
    var order: [String] = []
    for table in HealthConnectTables.quantities.map(\.table) where !order.contains(table) {
      order.append(table)
    }
    for table in order {
      guard let columns = tables[table] else { continue }
      let quantities = HealthConnectTables.quantities.filter {
        $0.table == table && columns.contains($0.column)
      }
      if quantities.isEmpty { continue }
      steps.append(
        HealthConnectStep(
          table, columns, values: quantities.map(\.column),
          .quantities(quantities, HealthConnectTables.correlations[table])))
    }
    for series in HealthConnectTables.series {
      guard let columns = tables[series.table], let rows = tables[series.rows],
        rows.isSuperset(of: ["parent_key", "epoch_millis", series.column])
      else { continue }
      let quantity = HealthConnectTables.Quantity(
        series.table, series.column, series.type, series.unit)
      steps.append(
        HealthConnectStep(
          series.table, columns, values: [series.column], .quantities([quantity], nil),
          part: (series.rows, "epoch_millis", "epoch_millis")))
    }
    for category in HealthConnectTables.categories {
      guard let columns = tables[category.table],
        category.column.map(columns.contains) ?? true
      else { continue }
      steps.append(
        HealthConnectStep(
          category.table, columns, values: category.column.map { [$0] } ?? [],
          .category(category)))
    }
    return steps + sessions(for: tables)
  }

  private static func sessions(for tables: [String: Set<String>]) -> [HealthConnectStep] {
    var steps: [HealthConnectStep] = []
    let stages = HealthConnectTables.sleepStages
    let hasStages =
      tables[stages]?.isSuperset(
        of: ["parent_key", "stage_start_time", "stage_end_time", "stage_type"]) == true
    if let columns = tables[HealthConnectTables.sleepSessions] {
      if hasStages {
        steps.append(
          HealthConnectStep(
            HealthConnectTables.sleepSessions, columns, values: ["stage_type"], .sleepStage,
            part: (stages, "stage_start_time", "stage_end_time")))
      }
      steps.append(
        HealthConnectStep(
          HealthConnectTables.sleepSessions, columns, values: [], .sleep,
          isWithout: hasStages ? stages : nil))
    }
    if let columns = tables[HealthConnectTables.exercises], columns.contains("exercise_type") {
      steps.append(
        HealthConnectStep(
          HealthConnectTables.exercises, columns, values: ["exercise_type"], .exercise))
    }
    return steps
  }

  /// A query of records, or of parts of records in a separate table.
  private init(
    _ table: String, _ columns: Set<String>, values: [String], _ meaning: Meaning,
    part: (table: String, start: String, end: String)? = nil, isWithout: String? = nil
  ) {
    self.meaning = meaning
    details = HealthConnectTables.details.filter {
      $0.table == table && columns.contains($0.column)
    }
    func first(_ names: String...) -> String {
      names.first(where: columns.contains).map { "record." + $0 } ?? "NULL"
    }
    let owner = part == nil ? "record" : "part"
    let identifier = first("uuid")
    let key = columns.contains("row_id") ? "record.row_id" : "record.rowid"
    var list = [
      owner + ".rowid", part.map { "part." + $0.start } ?? first("start_time", "time"),
      part.map { "part." + $0.end } ?? first("end_time", "time"), first("last_modified_time"),
      first("app_info_id"), first("device_info_id"),
      "CASE WHEN length(\(identifier)) = 16 THEN \(identifier) END",
      first("start_zone_offset", "zone_offset"), first("recording_method"),
      HealthConnectDatabase.text(first("client_record_id")),
      HealthConnectDatabase.text(first("client_record_version")),
    ]
    list += values.map { owner + "." + $0.quotedDatabaseIdentifier }
    list += details.map { HealthConnectDatabase.text("record." + $0.column) }
    let from =
      part.map { "\($0.table) AS part JOIN \(table) AS record ON \(key) = part.parent_key" }
      ?? "\(table) AS record"
    let condition =
      isWithout.map { "\(key) NOT IN (SELECT parent_key FROM \($0) WHERE parent_key NOT NULL)" }
      ?? "1"
    sql = """
      SELECT \(list.joined(separator: ", ")) FROM \(from)
      WHERE \(owner).rowid > ? AND \(condition) ORDER BY \(owner).rowid LIMIT ?
      """
  }
}
