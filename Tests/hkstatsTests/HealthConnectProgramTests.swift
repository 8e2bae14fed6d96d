import Foundation
import GRDB
import Testing

@Suite("A backup of Health Connect, as a program")
struct HealthConnectProgramTests {
  private let scratch: Scratch
  private let store: String

  init() throws {
    scratch = try Scratch()
    store = scratch.path("store.sqlite")
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(arguments + ["--store", store])
  }

  /// Imports a backup in which a watch and a phone count the same walk, from 23:00 to 24:00 by the
  /// clock of the person.
  private func `import`(priorities: String? = nil) throws {
    // 2024-03-09 22:00 UTC.
    let start: Int64 = 1_710_021_600_000
    let path = scratch.path("backup.db")
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, app_name TEXT);
          INSERT INTO application_info_table VALUES (1, 'Health'), (2, 'Android');
          CREATE TABLE device_info_table (row_id INTEGER PRIMARY KEY, model TEXT,
            device_type INTEGER);
          INSERT INTO device_info_table VALUES (1, 'SM-R890', 1), (2, 'SM-G991', 2);
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
            device_info_id INTEGER, start_time INTEGER, start_zone_offset INTEGER,
            end_time INTEGER, count INTEGER);
          INSERT INTO steps_record_table VALUES
            (1, 1, 1, \(start), 3600, \(start + 1_800_000), 800),
            (2, 2, 2, \(start), 3600, \(start + 3_600_000), 1000),
            (3, 1, 1, \(start + 3_600_000), 3600, \(start + 3_660_000), 70);
          """)
      guard let priorities else { return }
      try database.execute(
        sql: """
          CREATE TABLE health_data_category_priority_table (health_data_category INTEGER,
            app_id_priority_order TEXT);
          INSERT INTO health_data_category_priority_table VALUES (1, '\(priorities)');
          """)
    }
    try queue.close()
    let run = try run("import", path)
    try #require(run.exitCode == 0, "\(run.errors)")
  }

  private func days(_ arguments: String...) throws -> [Double?] {
    try ProgramRun.hkstats(
      ["stats", "steps", "--by", "day", "--format", "json", "--store", store] + arguments
    ).rows("intervals").map { $0["sum"] as? Double }
  }

  @Test("The watch counts before the phone, on the days of the offsets of the records")
  func watchFirst() throws {
    try `import`()
    // 800 of the watch, and the half hour of the phone that it does not cover; then the next day.
    #expect(try days() == [1300, 70])
    #expect(try days("--timezone", "UTC") == [1370])
    let sources = try run("sources", "steps", "--format", "csv").output
    #expect(sources.contains("watch") && sources.contains("phone"))
  }

  @Test("The backup's own order counts, and the owner's before it")
  func priorities() throws {
    try `import`(priorities: "2,1")
    #expect(try days() == [1000, 70])
    _ = try run("sources", "prefer", "steps", "Health")
    #expect(try days() == [1300, 70])
    _ = try run("sources", "reset", "steps")
    #expect(try days() == [1000, 70])
  }
}
