import Foundation
import GRDB
import Testing

@Suite("A backup of Health Connect, as a program")
final class HealthConnectProgramTests: ProgramSuite {
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
    let run = try ask("import", path)
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
    let sources = try ask("sources", "steps", "--format", "csv").output
    #expect(sources.contains("watch") && sources.contains("phone"))
  }

  @Test("The backup's own order counts, and the owner's before it")
  func priorities() throws {
    try `import`(priorities: "2,1")
    #expect(try days() == [1000, 70])
    _ = try ask("sources", "prefer", "steps", "Health")
    #expect(try days() == [1300, 70])
    _ = try ask("sources", "reset", "steps")
    #expect(try days() == [1000, 70])
  }

  /// A backup of a walk and a night of one application, with the hour of its last change.
  private func backup(
    _ name: String, steps: Int, stages: Int, heartRates: Int, changed hour: Int64
  ) throws -> String {
    // 2024-03-09 22:00 UTC.
    let start: Int64 = 1_710_021_600_000
    let path = scratch.path(name)
    let queue = try DatabaseQueue(path: path)
    let columns = """
      (row_id INTEGER PRIMARY KEY, uuid BLOB, last_modified_time INTEGER, app_info_id INTEGER,
        start_time INTEGER, end_time INTEGER
      """
    func row(_ uuid: String, _ minutes: Int64) -> String {
      "(1, x'\(String(repeating: uuid, count: 16))', \(start + hour * 3_600_000), 1, \(start), \(start + minutes * 60_000)"
    }
    func rows(_ count: Int, _ text: (Int64) -> String) -> String {
      (0..<count).map { text(Int64($0)) }.joined(separator: ", ")
    }
    let stagesText = rows(stages) {
      "(1, \(start + $0 * 1_800_000), \(start + ($0 + 1) * 1_800_000), 4)"
    }
    let ratesText = rows(heartRates) { "(1, \(60 + $0), \(start + $0 * 60_000))" }
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, app_name TEXT);
          INSERT INTO application_info_table VALUES (1, 'Health');
          CREATE TABLE steps_record_table \(columns), count INTEGER);
          INSERT INTO steps_record_table VALUES \(row("01", 30)), \(steps));
          CREATE TABLE sleep_session_record_table \(columns));
          INSERT INTO sleep_session_record_table VALUES \(row("02", Int64(stages) * 30)));
          CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER,
            stage_end_time INTEGER, stage_type INTEGER);
          INSERT INTO sleep_stages_table VALUES \(stagesText);
          CREATE TABLE heart_rate_record_table \(columns));
          INSERT INTO heart_rate_record_table VALUES \(row("03", 60)));
          CREATE TABLE heart_rate_record_series_table (parent_key INTEGER,
            beats_per_minute INTEGER, epoch_millis INTEGER);
          INSERT INTO heart_rate_record_series_table VALUES \(ratesText);
          """)
    }
    try queue.close()
    return path
  }

  @Test("What a later backup tells of a row counts, also where it is less, in either order")
  func toldAgain() throws {
    let files = [
      try backup("first.db", steps: 900, stages: 14, heartRates: 30, changed: 10),
      try backup("second.db", steps: 700, stages: 12, heartRates: 25, changed: 11),
    ]
    for (name, order) in [("a", files), ("b", files.reversed())] {
      let store = ["--store", scratch.path(name)]
      for file in order {
        let run = try ProgramRun.hkstats(["import", file] + store)
        try #require(run.exitCode == 0, "\(run.errors)")
      }
      func rows(_ type: String) throws -> [[String: Any]] {
        try ProgramRun.hkstats(["stats", type, "--format", "json"] + store).rows("intervals")
      }
      #expect(try rows("steps").map { $0["sum"] as? Double } == [700])
      #expect(try rows("heartRate").map { $0["count"] as? Int } == [25])
      let nights = try ProgramRun.hkstats(["sleep", "--format", "json"] + store).rows("nights")
      #expect(nights.map { $0["asleep"] as? Double } == [6 * 3600])
      // Undone, the earlier one counts again.
      let number = name == "a" ? "2" : "1"
      let undone = try ProgramRun.hkstats(["imports", "undo", number] + store)
      try #require(undone.exitCode == 0, "\(undone.errors)")
      #expect(try rows("steps").map { $0["sum"] as? Double } == [900])
      #expect(try rows("heartRate").map { $0["count"] as? Int } == [30])
      #expect(try ProgramRun.hkstats(["verify"] + store).exitCode == 0)
    }
  }
}
