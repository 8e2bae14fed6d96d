import Foundation
import GRDB
import _HealthTestSupport

/// Small files of other programs, with each thing that their readers know.
enum OtherFormats {
  private static let instant = "2024-03-09 15:04:05 -0700"

  static let healthAutoExport = #"""
    {"data":{"metrics":[{"name":"heart_rate","units":"bpm","data":[{"date":"2024-03-09 3:04:05 PM -0700","Min":50,"Avg":6.15e1,"Max":90}]},
    {"units":"mmHg","name":"blood_pressure","data":[{"date":"DATE","systolic":120,"diastolic":80}]},
    {"name":"sleep_analysis","units":"hr","data":[{"sleepStart":"DATE","sleepEnd":"DATE","inBedStart":"DATE","inBedEnd":"DATE","deep":1.5,"source":"A|B"},{"startDate":"DATE","endDate":"DATE","qty":1,"value":"REM"}]},
    {"name":"mindful_minutes","units":"min","data":[{"date":"DATE","qty":3}]}],
    "workouts":[{"id":"A","name":"Outdoor Run","start":"DATE","end":"DATE","duration":1800,"distance":{"qty":5,"units":"km"},"activeEnergyBurned":{"qty":300,"units":"kcal"},"route":[{"latitude":50,"longitude":4,"altitude":9.5,"timestamp":"DATE"}]}],
    "ecg":[{"start":"DATE","end":"DATE","samplingFrequency":512,"voltageMeasurements":[{"voltage":1e-6,"units":"V"},{"voltage":2,"units":"mcV"}]}],
    "symptoms":[{"start":"DATE","name":"cough \u00e9\ud83d\ude00"}],"stateOfMind":[]}}
    """#.replacing("DATE", with: instant)

  private static let samples = #"""
    sep=,
    type,sourceName,sourceVersion,productType,device,startDate,endDate,unit,value,note
    HKQuantityTypeIdentifierStepCount,"Sam ""S""",17.1,"iPhone15,3",,2024-03-09 10:00:00 +0000,2024-03-09 10:05:00 +0000,count,25,
    HKCategoryTypeIdentifierSleepAnalysis,W,1,,"<<HKDevice: 0x28>, name:W>",2024-03-09T10:00:00Z,2024-03-09T11:00:00Z,,HKCategoryValueSleepAnalysisAsleepREM,"a
    b"

    """#

  /// Tables of Simple Health Export.
  static let tables = [
    samples, samples.replacing(",", with: ";"),
    """
    activityType,sourceName,startDate,endDate,duration
    HKWorkoutActivityTypeRunning,W,2024-03-09 10:00:00 +0000,2024-03-09 10:30:00 +0000,1800

    """,
  ]

  /// A backup of Health Connect, of pages so small that it has several of each kind.
  static func healthConnect() throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/backup.db"
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = 512") }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { database in
      try database.execute(sql: tablesOfHealthConnect)
      for row in 0..<40 {
        let start = 1_709_978_400_000 + row * 60_000
        try database.execute(
          sql: "INSERT INTO steps_record_table VALUES (?, ?, 0, 1, 1, ?, 3600, ?, 3600, ?)",
          arguments: [
            row + 1, Data(repeating: UInt8(row), count: 16), start, start + 60_000, 10 + row,
          ])
      }
    }
    try queue.close()
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static let tablesOfHealthConnect = """
    CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, app_name TEXT);
    INSERT INTO application_info_table VALUES (1, 'Fit'), (2, 'Scale');
    CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, uuid BLOB,
      last_modified_time INTEGER, app_info_id INTEGER, recording_method INTEGER,
      start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER,
      count INTEGER);
    CREATE TABLE weight_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
      recording_method INTEGER, time INTEGER, zone_offset INTEGER, weight REAL);
    CREATE TABLE heart_rate_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
      start_time INTEGER, end_time INTEGER);
    CREATE TABLE heart_rate_record_series_table (parent_key INTEGER, beats_per_minute INTEGER,
      epoch_millis INTEGER);
    CREATE TABLE sleep_session_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
      start_time INTEGER, end_time INTEGER);
    CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER,
      stage_end_time INTEGER, stage_type INTEGER);
    CREATE TABLE mystery_record_table (row_id INTEGER PRIMARY KEY, time INTEGER);
    INSERT INTO mystery_record_table VALUES (1, 0);
    INSERT INTO weight_record_table VALUES (1, 2, 3, 1709978400000, 0, 80500.0);
    INSERT INTO heart_rate_record_table VALUES (7, 1, 0, 0);
    INSERT INTO heart_rate_record_series_table VALUES
      (7, 61, 1709978400000), (7, 64, 1709978400500);
    INSERT INTO sleep_session_record_table VALUES (3, 1, 0, 0);
    INSERT INTO sleep_stages_table VALUES (3, 1709978400000, 1709979000000, 6);
    """
}
