import Foundation
import GRDB
public import HealthSamples

/// Reads a backup of Google's Health Connect: an SQLite database, as a file or in an archive.
///
/// The database is not changed: a copy is read, and no code of its schema runs. Unknown tables are
/// counted as unknown elements, by name and rows. Every record keeps its UUID and its own offset
/// from UTC as metadata, under the keys `HealthConnectUUID` and `HealthConnectZoneOffset`. An
/// exercise gets the distance and the energy of its time by the records of its application.
public struct HealthConnectReader: FormatReader {
  static let written = ImportFormat.healthConnect
  static let programName = "Health Connect"
  static let contentName = "a Health Connect backup"
  /// The number of bytes to read.
  public let byteCount: Int
  /// The number of bytes read.
  public private(set) var bytesRead = 0
  /// The format of the export.
  public var format: ImportFormat { .healthConnect }
  /// When a row was last changed, after all are read: no backup states its own date.
  public private(set) var exported: Double?

  private let path: String
  private let bytes: DatabaseBytes
  let database: HealthConnectDatabase
  private var steps: [HealthConnectStep]
  private let stepCount: Int
  var records = RecordCollector()
  var conversions = UnitConversions()
  private var ready: [ImportBatch] = []
  private var zones = ZoneSpans()
  var totals: HealthConnectTotals

  private static let rowsTogether = 1 << 14
  /// Exercises include their routes, so only a few are read at a time.
  private static let exercisesTogether = 16

  /// Opens a database or an archive with one.
  ///
  /// - Throws: ``ExportError``, with ``ExportError/Reason/notAnExport`` if it is not such a backup
  public init(path: String) throws(ExportError) {
    try self.init(try FileProbe(path: path), isConcurrent: false)
  }

  static func recognises(_ probe: FileProbe) -> Bool {
    probe.holds(nameEnding: ".db") || DatabaseBytes.isDatabase(probe.head)
  }

  init(_ probe: FileProbe, isConcurrent: Bool) throws(ExportError) {
    path = probe.path
    bytes = try DatabaseBytes(probe)
    byteCount = bytes.count
    do {
      let database = try HealthConnectDatabase(bytes)
      totals = try HealthConnectTotals(database)
      self.database = database
    } catch {
      throw Self.failure(error, path: path)
    }
    guard database.tables.keys.contains(where: { $0.hasSuffix("_record_table") }) else {
      throw ExportError(.notAnExport, path: path)
    }
    steps = HealthConnectStep.all(for: database.tables).reversed()
    stepCount = max(1, steps.count)
    for (table, count) in database.unknownRows { records.countUnknown(table, times: count) }
  }

  /// The counts so far.
  public var summary: ExportSummary {
    var summary = records.summary(bytes: bytesRead, files: bytes.entry.map { [$0] } ?? [])
    for type in summary.types.keys {
      let order = database.sourceOrder(of: type)
      if !order.isEmpty { summary.facts.sourceOrders[type] = order }
    }
    summary.facts.zones = zones.spans
    return summary
  }

  /// The next batch; `nil` at the end.
  public mutating func next() throws(ExportError) -> ImportBatch? {
    while true {
      if let batch = ready.popLast() { return batch }
      guard let step = steps.last else {
        bytesRead = byteCount
        ready = records.takeAll()
        if ready.isEmpty { return nil }
        continue
      }
      if let last = try read(step) {
        steps[steps.count - 1].last = last
      } else {
        steps.removeLast()
        bytesRead = byteCount / stepCount * (stepCount - steps.count)
      }
      bytes.forget()
      if records.isFull { ready = records.takeAll() }
    }
  }

  /// Reads a part of a step; returns the id of its last row, `nil` if there was none.
  private mutating func read(_ step: HealthConnectStep) throws(ExportError) -> Int64? {
    var rowsTogether = Self.rowsTogether
    if case .exercise = step.meaning { rowsTogether = Self.exercisesTogether }
    let queue = database.queue
    do {
      return try queue.read { database in
        self.database.budget.renew()
        let rows = try Row.fetchCursor(
          database, sql: step.sql, arguments: [step.last, rowsTogether])
        var last: Int64?
        var exercises: [(number: Int64, record: RecordCollector.Record, type: Int)] = []
        while let row = try rows.next() {
          self.database.budget.renew()
          // A damaged B-tree may have its rows in any order, or cycles.
          guard let number = Int64.fromDatabaseValue(row[0]), number > last ?? step.last else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
          }
          last = number
          let record = record(row, step)
          if CivilDate.instants.contains(record.created) {
            exported = max(exported ?? record.created, record.created)
          }
          if let start = record.start, let offset = Self.offset(row) {
            zones.add(start, secondsFromUTC: offset)
          }
          if case .exercise = step.meaning {
            let type = Int.fromDatabaseValue(row[HealthConnectStep.Column.count]) ?? 0
            exercises.append((number, record, type))
          } else {
            add(record, row, step.meaning)
          }
        }
        try add(exercises, database)
        return last
      }
    } catch {
      throw Self.failure(error, path: path)
    }
  }

  private static func failure(_ error: any Error, path: String) -> ExportError {
    guard let error = error as? DatabaseError, error.resultCode != .SQLITE_NOTADB else {
      return ExportError(.notAnExport, path: path)
    }
    return ExportError(.damagedArchive, path: path)
  }

  /// The common columns of every row: times, source, device, identity.
  private func record(_ row: Row, _ step: HealthConnectStep) -> RecordCollector.Record {
    func value(_ column: HealthConnectStep.Column) -> DatabaseValue { row[column.rawValue] }
    var record = RecordCollector.Record()
    record.start = Self.instant(value(.start))
    record.end = Self.instant(value(.end)) ?? record.start
    record.created = Self.instant(value(.modified)) ?? RecordColumns.notRecorded
    record.source =
      Int64.fromDatabaseValue(value(.application)).flatMap { database.applications[$0] } ?? ""
    record.origin = Origin(
      device: Int64.fromDatabaseValue(value(.device)).flatMap { database.devices[$0] } ?? "")
    var entries: [Metadata.Entry] = []
    if let identifier = Data.fromDatabaseValue(value(.uuid)) {
      entries.append(.init(key: "HealthConnectUUID", value: Self.text(of: identifier)))
    }
    if let offset = Self.offset(row) {
      entries.append(.init(key: "HealthConnectZoneOffset", value: String(offset)))
    }
    // Recording method 3 is manual entry.
    if Int.fromDatabaseValue(value(.method)) == 3 {
      entries.append(.init(key: Catalogue.wasUserEnteredKey, value: "1"))
    }
    if let client = String.fromDatabaseValue(value(.client)), !client.isEmpty {
      entries.append(.init(key: "HKMetadataKeySyncIdentifier", value: client))
      if let version = String.fromDatabaseValue(value(.version)) {
        entries.append(.init(key: "HKMetadataKeySyncVersion", value: version))
      }
    }
    for (place, detail) in step.details.enumerated() {
      let text = String.fromDatabaseValue(row[row.count - step.details.count + place]) ?? ""
      let kept = detail.values.map { $0[Int(text) ?? -1] ?? "" } ?? text
      if !kept.isEmpty { entries.append(.init(key: detail.key, value: kept)) }
    }
    record.metadata = Metadata(entries)
    return record
  }

  private mutating func add(
    _ record: RecordCollector.Record, _ row: Row, _ meaning: HealthConnectStep.Meaning
  ) {
    let first = HealthConnectStep.Column.count
    switch meaning {
    case .quantities(let quantities, let correlation):
      var members: [RecordCollector.Record] = []
      for (place, quantity) in quantities.enumerated() {
        // The smallest positive number stands for a missing nutrient of a meal.
        let stored: DatabaseValue = row[first + place]
        let value = Self.number(stored)
        if stored.isNull || value == .leastNonzeroMagnitude { continue }
        var member = record
        member.type = quantity.type.rawValue
        member.unit = quantity.unit
        member.value = value.map(quantity.value)
        members.append(member)
        totals.add(member, by: row[HealthConnectStep.Column.application.rawValue])
      }
      if let correlation {
        records.add(members, togetherAs: correlation, &conversions)
      } else {
        for member in members { records.add(member) }
      }
    case .category(let category):
      var record = record
      record.type = category.type.rawValue
      if category.column != nil {
        guard let code = Int.fromDatabaseValue(row[first]), let word = category.values[code],
          let constant = Catalogue.constant(ending: word, of: record.type)
        else { return records.countUnknown(category.table + " value") }
        record.constant = constant
      }
      records.add(record)
    case .sleepStage:
      guard let stage = Int.fromDatabaseValue(row[first]),
        let constant = HealthConnectTables.sleepConstant(stage)
      else { return records.countUnknown("sleep stage") }
      addSleep(record, constant)
    case .sleep: addSleep(record, "HKCategoryValueSleepAnalysisAsleepUnspecified")
    case .exercise: break
    }
  }

  private mutating func addSleep(_ record: RecordCollector.Record, _ constant: String) {
    var record = record
    record.type = HKCategoryTypeIdentifier.sleepAnalysis.rawValue
    record.constant = constant
    records.add(record)
  }

  /// The value as a number.
  ///
  /// Not inlined, because the Swift 6.3 compiler crashes when it inlines this into a closure.
  @inline(never)
  static func number(_ value: DatabaseValue) -> Double? { Double.fromDatabaseValue(value) }

  static func instant(_ value: DatabaseValue) -> Double? {
    Int64.fromDatabaseValue(value).map {
      Double($0) / 1000 - Date.timeIntervalBetween1970AndReferenceDate
    }
  }

  /// The seconds east of UTC with which a record is written.
  private static func offset(_ row: Row) -> Int? {
    Int.fromDatabaseValue(row[HealthConnectStep.Column.offset.rawValue])
  }

  private static func text(of identifier: Data) -> String {
    identifier.enumerated().map { index, byte in
      let digits = String(byte, radix: 16)
      return ([4, 6, 8, 10].contains(index) ? "-" : "") + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
