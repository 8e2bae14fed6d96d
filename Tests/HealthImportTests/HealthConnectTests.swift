import Foundation
import GRDB
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Backups of Health Connect")
struct HealthConnectTests {
  private let folder: TemporaryFolder
  private let path: String

  /// Milliseconds since 1970 of 2024-03-09 10:00 UTC, and the same in seconds since 2001.
  private static let milliseconds: Int64 = 1_709_978_400_000
  private static let instant = 731_671_200.0

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/health_connect_export.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, app_name TEXT);
          INSERT INTO application_info_table VALUES (1, 'Fit'), (2, 'Scale');
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, uuid BLOB,
            last_modified_time INTEGER, app_info_id INTEGER, recording_method INTEGER,
            start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER,
            end_zone_offset INTEGER, count INTEGER);
          CREATE TABLE weight_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
            recording_method INTEGER, time INTEGER, zone_offset INTEGER, weight REAL);
          CREATE TABLE heart_rate_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
            start_time INTEGER, end_time INTEGER);
          CREATE TABLE heart_rate_record_series_table (parent_key INTEGER,
            beats_per_minute INTEGER, epoch_millis INTEGER);
          CREATE TABLE sleep_session_record_table (row_id INTEGER PRIMARY KEY,
            app_info_id INTEGER, start_time INTEGER, end_time INTEGER);
          CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER,
            stage_end_time INTEGER, stage_type INTEGER);
          CREATE TABLE nutrition_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
            start_time INTEGER, end_time INTEGER, energy REAL, protein REAL);
          CREATE TABLE mystery_record_table (row_id INTEGER PRIMARY KEY, time INTEGER);
          INSERT INTO mystery_record_table VALUES (1, 0), (2, 0);
          """)
      for index in 0..<20 {
        let start = Self.milliseconds + Int64(index) * 60_000
        try database.execute(
          sql: "INSERT INTO steps_record_table VALUES (?, ?, ?, 1, 1, ?, 3600, ?, 3600, ?)",
          arguments: [
            index + 1, Data(repeating: UInt8(index), count: 16), start + 90_000, start,
            start + 60_000, 10 + index,
          ])
      }
      try database.execute(
        sql: """
          INSERT INTO weight_record_table VALUES (1, 2, 3, \(Self.milliseconds), 0, 80500.0);
          INSERT INTO heart_rate_record_table VALUES (7, 1, 0, 0);
          INSERT INTO heart_rate_record_series_table VALUES
            (7, 61, \(Self.milliseconds)), (7, 64, \(Self.milliseconds + 500));
          INSERT INTO sleep_session_record_table VALUES (3, 1, 0, 0);
          INSERT INTO sleep_stages_table VALUES
            (3, \(Self.milliseconds), \(Self.milliseconds + 600000), 6),
            (3, \(Self.milliseconds), \(Self.milliseconds + 600000), 99);
          INSERT INTO nutrition_record_table VALUES
            (1, 1, \(Self.milliseconds), \(Self.milliseconds), 250000.0, 5e-324);
          """)
    }
  }

  private func read(
    _ path: String
  ) throws -> (batches: [String: RecordColumns], summary: ExportSummary) {
    var reader = try HealthConnectReader(path: path)
    var batches: [String: RecordColumns] = [:]
    while let batch = try reader.next() {
      guard case .records(let rows) = batch else { continue }
      batches[rows.type.identifier] = rows
    }
    return (batches, reader.summary)
  }

  @Test("Numbers arrive in their units, with times, sources and identifiers of their own")
  func quantities() throws {
    let (batches, summary) = try read(path)
    let steps = try #require(batches["HKQuantityTypeIdentifierStepCount"])
    let minutes = (0..<20).map(Double.init)
    #expect(steps.values == minutes.map { $0 + 10 })
    #expect(steps.starts == minutes.map { Self.instant + $0 * 60 })
    #expect(zip(steps.starts, steps.ends).allSatisfy { $1 - $0 == 60 })
    #expect(steps.created[0] == Self.instant + 90)
    #expect(steps.source == Source(name: "Fit"))
    let entries = steps.metadataTable[Int(steps.metadata[2])].entries
    #expect(
      entries.first { $0.key == "HealthConnectUUID" }?.value
        == "02020202-0202-0202-0202-020202020202")
    #expect(entries.first { $0.key == "HealthConnectZoneOffset" }?.value == "3600")
    let mass = try #require(batches["HKQuantityTypeIdentifierBodyMass"])
    #expect(mass.values == [80.5] && mass.labelTable == ["kg"])
    #expect(mass.source == Source(name: "Scale", isUserEntered: true))
    let energy = try #require(batches["HKQuantityTypeIdentifierDietaryEnergyConsumed"])
    #expect(energy.values == [250] && energy.labelTable == ["kcal"])
    #expect(batches["HKQuantityTypeIdentifierDietaryProtein"] == nil)
    #expect(summary.unknownElements == ["mystery_record_table": 2, "sleep stage": 1])
    #expect(summary.skipped.isEmpty)
  }

  @Test("Values come out in the units in which people enter them, digit for digit")
  func units() throws {
    let masses = ["sodium", "folate", "protein", "weight", "mass"]
    let quantities = HealthConnectTables.quantities
    for quantity in quantities where masses.contains(quantity.column) {
      let grams = try UnitConversion(from: UnitExpression(quantity.unit), to: UnitExpression("g"))
      #expect(grams(quantity.value(1)) == 1, "\(quantity.column)")
    }
    let share = try #require(quantities.first { $0.column == "percentage" })
    for tenths in 0...1000 {
      let percent = Double(tenths) / 10
      #expect(share.value(percent) == Double(tenths) / 1000)
    }
    for value in [1e-300, 1e22, .leastNonzeroMagnitude, 123_456_789.125] {
      #expect(abs(share.value(value) * 100 - value) <= 2 * value.ulp)
    }
    #expect(share.value(0) == 0)
  }

  @Test("Series and stages belong to the application of their record")
  func series() throws {
    let (batches, _) = try read(path)
    let rates = try #require(batches["HKQuantityTypeIdentifierHeartRate"])
    #expect(rates.values == [61, 64])
    #expect(rates.starts == [Self.instant, Self.instant + 0.5])
    #expect(rates.source == Source(name: "Fit"))
    let sleep = try #require(batches["HKCategoryTypeIdentifierSleepAnalysis"])
    #expect(sleep.labelTable == ["HKCategoryValueSleepAnalysisAsleepREM"])
    #expect(sleep.ends[0] - sleep.starts[0] == 600)
  }

  @Test("An archive gives the same, and leaves no file behind")
  func archive() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var entry = ZipWriter.Entry("health_connect_export.db", "")
    entry.content = bytes
    let archive = try folder.write(ZipWriter([entry]).bytes, to: "Health Connect.zip")
    #expect(try read(archive).batches.keys.sorted() == read(path).batches.keys.sorted())
    #expect(try ImportFormat(path: archive) == .healthConnect)
    #expect(try ImportFormat(path: path) == .healthConnect)
  }

  /// The names in a folder and in the one for temporary files that an import may leave.
  private func leftovers() throws -> [String] {
    let files = FileManager.default
    let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    let own = try files.contentsOfDirectory(atPath: temporary).filter { $0.hasPrefix(".hkstats-") }
    return try files.contentsOfDirectory(atPath: folder.path).sorted() + own
  }

  @Test("A database that keeps changes in a file of its own is read, and nothing is put beside it")
  func writeAheadLog() throws {
    let database = folder.path + "/log.db"
    let pool = try DatabasePool(path: database)
    try pool.write { database in
      try database.execute(
        sql: """
          CREATE TABLE weight_record_table (row_id INTEGER PRIMARY KEY, time INTEGER, weight REAL);
          INSERT INTO weight_record_table VALUES (1, \(Self.milliseconds), 80500.0);
          """)
    }
    // As long as the other program has it open, a part of it stands in the log.
    #expect {
      try HealthConnectReader(path: database)
    } throws: { error in
      (error as? ExportError)?.reason == .unfinishedDatabase(suffix: "-wal")
    }
    try pool.close()
    try? FileManager.default.removeItem(atPath: database + "-wal")
    try? FileManager.default.removeItem(atPath: database + "-shm")
    let header = [UInt8](try Data(contentsOf: URL(fileURLWithPath: database)).prefix(20))
    try #require(header[18] == 2, "not a database with a log")
    let names = try leftovers()
    let (batches, _) = try read(database)
    #expect(batches["HKQuantityTypeIdentifierBodyMass"]?.values == [80.5])
    #expect(try leftovers() == names)
  }

  @Test("An archive is looked at before it is unpacked: no database, and one that unpacks for ever")
  func bombs() throws {
    let names = try leftovers() + ["bomb.zip", "short.zip", "zeros.zip"]
    defer { #expect(Set(names).isSuperset(of: (try? leftovers()) ?? ["?"])) }
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var entry = ZipWriter.Entry("health_connect_export.db", "")
    entry.content = zeros
    entry.isLong = true
    entry.statedLength = 1 << 32
    let nothing = try folder.write(ZipWriter([entry]).bytes, to: "zeros.zip")
    #expect {
      try HealthConnectReader(path: nothing)
    } throws: { ($0 as? ExportError)?.reason == .notAnExport }
    var header = Array([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))).prefix(100))
    for place in 28..<32 { header[place] = 0 }
    entry.content = header + zeros
    let bomb = try folder.write(ZipWriter([entry]).bytes, to: "bomb.zip")
    #expect {
      try HealthConnectReader(path: bomb)
    } throws: { error in
      if case .tooLarge? = (error as? ExportError)?.reason { return true }
      return false
    }
    // A header that says another size than the directory.
    entry.statedLength = nil
    entry.content = Array([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))).dropLast(4096))
    let short = try folder.write(ZipWriter([entry]).bytes, to: "short.zip")
    #expect {
      try HealthConnectReader(path: short)
    } throws: { ($0 as? ExportError)?.reason == .damagedArchive }
  }

  @Test(
    "What a file says of its own tables does not run",
    arguments: [
      "count INTEGER GENERATED ALWAYS AS (length(hex(zeroblob(100000000))))",
      "count INTEGER GENERATED ALWAYS AS (length(hex(zeroblob(start_time)))) STORED",
    ])
  func generatedColumns(column: String) throws {
    let database = folder.path + "/generated.db"
    try DatabaseQueue(path: database).write { database in
      try database.execute(
        sql: """
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, start_time INTEGER,
            end_time INTEGER, \(column));
          INSERT INTO steps_record_table (start_time, end_time) VALUES (1, 2), (3, 4);
          CREATE TABLE weight_record_table (row_id INTEGER PRIMARY KEY, time INTEGER, weight REAL);
          INSERT INTO weight_record_table VALUES (1, \(Self.milliseconds), 80500.0);
          """)
    }
    let clock = ContinuousClock.now
    let (batches, _) = try read(database)
    #expect(batches.keys.sorted() == ["HKQuantityTypeIdentifierBodyMass"])
    #expect(ContinuousClock.now - clock < .seconds(10))
  }

  @Test("Views and tables of modules are no tables")
  func views() throws {
    let database = folder.path + "/views.db"
    try DatabaseQueue(path: database).write { database in
      try database.execute(
        sql: """
          CREATE TABLE weight_record_table (row_id INTEGER PRIMARY KEY, time INTEGER, weight REAL);
          INSERT INTO weight_record_table VALUES (1, \(Self.milliseconds), 80500.0);
          CREATE VIEW steps_record_table AS WITH RECURSIVE n(row_id) AS
            (SELECT 1 UNION ALL SELECT row_id + 1 FROM n)
            SELECT row_id, 1 AS start_time, 2 AS end_time, 3 AS count FROM n;
          CREATE VIEW application_info_table AS SELECT * FROM steps_record_table;
          CREATE VIRTUAL TABLE height_record_table USING fts5(time, height);
          CREATE TRIGGER t AFTER INSERT ON weight_record_table BEGIN
            DELETE FROM weight_record_table; END;
          """)
    }
    let (batches, _) = try read(database)
    #expect(batches.keys.sorted() == ["HKQuantityTypeIdentifierBodyMass"])
  }

  @Test("A query that finds no row for very long ends")
  func endless() throws {
    let database = try HealthConnectDatabase(try DatabaseBytes(FileProbe(path: path)))
    #expect(throws: DatabaseError.self) {
      try database.queue.read { connection in
        try Int.fetchOne(
          connection,
          sql: """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
            """)
      }
    }
  }

  @Test("Dates that no question can reach are refused and counted")
  func distantDates() throws {
    try DatabaseQueue(path: path).write { database in
      try database.execute(
        sql: """
          INSERT INTO weight_record_table VALUES (2, 2, 3, -99999999999999999, 0, 80500.0),
            (3, 2, 3, 9000000000000000000, 0, 80500.0);
          """)
    }
    let (batches, summary) = try read(path)
    #expect(batches["HKQuantityTypeIdentifierBodyMass"]?.values == [80.5])
    #expect(summary.skipped == [.dateOutOfRange: 2])
  }

  @Test("A database of something else, and one that is damaged, are refused")
  func refused() throws {
    let other = folder.path + "/other.db"
    try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
    #expect(throws: ExportError.self) { try HealthConnectReader(path: other) }
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 100..<min(4096, bytes.count) { bytes[index] = 0xAA }
    let damaged = try folder.write(bytes, to: "damaged.db")
    #expect(throws: ExportError.self) { try HealthConnectReader(path: damaged) }
  }

  @Test(
    "A format is told by the first bytes of a file",
    arguments: [
      ("{ \"data\": {} }", ImportFormat.healthAutoExport), ("\n\u{FEFF}{", .healthAutoExport),
      ("sep=,\ntype", .simpleHealthExport), ("<?xml version=\"1.0\"?>", .appleHealth),
      ("type;sourceName;startDate;endDate\n", .simpleHealthExport), ("a,b\n1,2\n", .appleHealth),
      ("", .appleHealth),
    ])
  func formats(text: String, format: ImportFormat) throws {
    #expect(try ImportFormat(path: try folder.write(text, to: "file")) == format)
  }
}
