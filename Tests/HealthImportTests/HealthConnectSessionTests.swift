import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Backups of Health Connect: exercises, meals, cycles, and schemas of other versions")
struct HealthConnectSessionTests {
  private let folder: TemporaryFolder

  /// Milliseconds since 1970 of 2024-03-09 10:00 UTC, and the same in seconds since 2001.
  private static let milliseconds: Int64 = 1_709_978_400_000
  private static let instant = 731_671_200.0

  init() throws { folder = try TemporaryFolder() }

  private func backup(_ sql: String, name: String = "backup.db") throws -> String {
    let path = folder.path + "/" + name
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    return path
  }

  private func read(_ sql: String) throws -> Reading {
    try Reading(HealthConnectReader(path: try backup(sql)))
  }

  private static let interval = """
    row_id INTEGER PRIMARY KEY, uuid BLOB, client_record_id TEXT, client_record_version TEXT,
    device_info_id INTEGER, app_info_id INTEGER, start_time INTEGER, start_zone_offset INTEGER,
    end_time INTEGER
    """
  private static let apps = """
    CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, package_name TEXT,
      app_name TEXT);
    INSERT INTO application_info_table VALUES (1, 'com.example.run', 'Run'), (2, 'com.example.x', '');
    CREATE TABLE device_info_table (row_id INTEGER PRIMARY KEY, manufacturer TEXT, model TEXT);
    INSERT INTO device_info_table VALUES (1, 'Google', 'Pixel Watch'), (2, NULL, NULL);
    """

  @Test("An exercise is a workout with laps, sets and a route")
  func exercises() throws {
    let start = Self.milliseconds
    let outcome = try read(
      """
      \(Self.apps)
      CREATE TABLE exercise_session_record_table (\(Self.interval), exercise_type INTEGER,
        title TEXT, notes TEXT, has_route INTEGER);
      INSERT INTO exercise_session_record_table VALUES
        (1, x'000102030405060708090A0B0C0D0E0F', 'r1', '3', 1, 1, \(start), 3600, \(start + 60000),
         33, 'Morning', NULL, 1),
        (2, NULL, NULL, NULL, 2, 2, \(start + 100000), 0, \(start + 160000), 999, NULL, NULL, 0),
        (3, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 53, NULL, NULL, 0);
      CREATE TABLE exercise_laps_table (parent_key INTEGER, lap_start_time INTEGER,
        lap_end_time INTEGER, lap_length REAL);
      INSERT INTO exercise_laps_table VALUES (1, \(start), \(start + 30000), 400);
      CREATE TABLE exercise_segments_table (parent_key INTEGER, segment_start_time INTEGER,
        segment_end_time INTEGER, segment_type INTEGER, repetitions_count INTEGER);
      INSERT INTO exercise_segments_table VALUES (1, \(start), \(start + 5000), 7, 12);
      CREATE TABLE exercise_route_table (parent_key INTEGER, timestamp_millis INTEGER,
        latitude REAL, longitude REAL, altitude REAL, horizontal_accuracy REAL,
        vertical_accuracy REAL);
      INSERT INTO exercise_route_table VALUES (1, \(start + 1000), 50.5, 4.5, 12, 3, 5e-324),
        (1, \(start), 50, 4, 5e-324, 3, 2), (1, \(start), 95, 4, 0, 0, 0);
      """)
    #expect(
      outcome.workouts.map(\.activity) == [
        "HKWorkoutActivityTypeRunning", "HKWorkoutActivityTypeOther",
      ])
    let run = try #require(outcome.workouts.first)
    #expect(run.facts.source.name == "Run" && run.facts.start == Self.instant)
    #expect(run.facts.origin.device == "manufacturer:Google, model:Pixel Watch")
    #expect(outcome.workouts.last?.facts.source.name == "com.example.x")
    let metadata = run.facts.metadata.entries.map { "\($0.key)=\($0.value)" }
    #expect(metadata.contains("HealthConnectUUID=00010203-0405-0607-0809-0a0b0c0d0e0f"))
    #expect(metadata.contains("HKMetadataKeySyncIdentifier=r1"))
    #expect(metadata.contains("title=Morning"))
    #expect(run.events.map(\.type) == ["HKWorkoutEventTypeLap", "HKWorkoutEventTypeSegment"])
    #expect(run.events.map(\.duration) == [30, 5])
    #expect(run.events.last?.metadata.entries.map(\.key) == ["segment_type", "repetitions_count"])
    let route = try #require(outcome.routes.first)
    #expect(outcome.routes.count == 1)
    #expect(route.locations.latitudes == [50, 50.5])
    #expect(route.locations.verticalAccuracies == [2, LocationColumns.unknown])
    #expect(route.locations.altitudes == [LocationColumns.unknownAltitude, 12])
    #expect(outcome.summary.elements[.workout] == TypeCount(read: 3, skipped: [.invalidDate: 1]))
    #expect(outcome.summary.unknownElements.isEmpty)
  }

  @Test("A meal is a food of its nutrients, and a blood pressure both of its numbers")
  func correlations() throws {
    let outcome = try read(
      """
      \(Self.apps)
      CREATE TABLE nutrition_record_table (\(Self.interval), meal_name TEXT, energy REAL,
        protein REAL, iron REAL, zinc REAL, trans_fat REAL);
      INSERT INTO nutrition_record_table VALUES (1, NULL, NULL, NULL, 1, 1, \(Self.milliseconds), 0,
        \(Self.milliseconds), 'Porridge', 250000, 10, 0.002, 5e-324, 1);
      CREATE TABLE blood_pressure_record_table (row_id INTEGER PRIMARY KEY, time INTEGER,
        systolic REAL, diastolic REAL);
      INSERT INTO blood_pressure_record_table VALUES (1, \(Self.milliseconds), 120, 80),
        (2, \(Self.milliseconds), 130, NULL), (3, \(Self.milliseconds), 'high', 90);
      """)
    let types = outcome.correlations.map(\.type)
    #expect(
      types.sorted() == [
        "HKCorrelationTypeIdentifierBloodPressure", "HKCorrelationTypeIdentifierFood",
      ])
    let food = try #require(outcome.correlations.first { $0.type.hasSuffix("Food") })
    #expect(food.members.map(\.value) == [250, 10, 0.002])
    #expect(food.facts.metadata.entries.map(\.value).contains("Porridge"))
    let pressure = try #require(outcome.correlations.first { $0.type.hasSuffix("Pressure") })
    #expect(pressure.members.map(\.value) == [120, 80])
    #expect(outcome.summary.skipped == [.missingValue: 1])
    #expect(outcome.summary.read == 3 + 2 + 1 + 2)
  }

  @Test("Series whose records stand in tables of another style, and nights without stages")
  func series() throws {
    let start = Self.milliseconds
    let outcome = try read(
      """
      \(Self.apps)
      CREATE TABLE CyclingPedalingCadenceRecordTable (\(Self.interval));
      INSERT INTO CyclingPedalingCadenceRecordTable VALUES
        (5, NULL, NULL, NULL, 1, 1, \(start), 0, \(start));
      CREATE TABLE cycling_pedaling_cadence_record_table (parent_key INTEGER,
        revolutions_per_minute REAL, epoch_millis INTEGER);
      INSERT INTO cycling_pedaling_cadence_record_table VALUES (5, 80, \(start)),
        (5, 82.5, \(start + 1000));
      CREATE TABLE SpeedRecordTable (row_id INTEGER PRIMARY KEY);
      INSERT INTO SpeedRecordTable VALUES (1);
      CREATE TABLE sleep_session_record_table (\(Self.interval));
      INSERT INTO sleep_session_record_table VALUES
        (1, NULL, NULL, NULL, 1, 1, \(start), 0, \(start + 3_600_000)),
        (2, NULL, NULL, NULL, 1, 1, \(start + 7_200_000), 0, \(start + 10_800_000));
      CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER,
        stage_end_time INTEGER, stage_type INTEGER);
      INSERT INTO sleep_stages_table VALUES (2, \(start + 7_200_000), \(start + 7_300_000), 5);
      """)
    let cadence = try #require(outcome["HKQuantityTypeIdentifierCyclingCadence"]?.first)
    #expect(cadence.values == [80, 82.5] && cadence.source.name == "Run")
    #expect(
      outcome.labels("HKCategoryTypeIdentifierSleepAnalysis") == [
        "HKCategoryValueSleepAnalysisAsleepDeep", "HKCategoryValueSleepAnalysisAsleepUnspecified",
      ])
    #expect(outcome.summary.unknownElements == ["SpeedRecordTable": 1])
  }

  @Test("Codes become HealthKit's constants, and codes of the future are counted")
  func categories() throws {
    let instant = "row_id INTEGER PRIMARY KEY, app_info_id INTEGER, time INTEGER"
    let outcome = try read(
      """
      \(Self.apps)
      CREATE TABLE menstruation_flow_record_table (\(instant), flow INTEGER);
      INSERT INTO menstruation_flow_record_table VALUES (1, 1, \(Self.milliseconds), 3),
        (2, 1, \(Self.milliseconds), 77);
      CREATE TABLE ovulation_test_record_table (\(instant), result INTEGER);
      INSERT INTO ovulation_test_record_table VALUES (1, 1, \(Self.milliseconds), 1);
      CREATE TABLE sexual_activity_record_table (\(instant), protection_used INTEGER);
      INSERT INTO sexual_activity_record_table VALUES (1, 1, \(Self.milliseconds), 2);
      CREATE TABLE mindfulness_session_record_table (\(Self.interval), type INTEGER);
      INSERT INTO mindfulness_session_record_table VALUES
        (1, NULL, NULL, NULL, 1, 1, \(Self.milliseconds), 0, \(Self.milliseconds + 600000), 1);
      """)
    #expect(
      outcome.labels("HKCategoryTypeIdentifierMenstrualFlow") == [
        "HKCategoryValueVaginalBleedingHeavy"
      ])
    #expect(
      outcome.labels("HKCategoryTypeIdentifierOvulationTestResult") == [
        "HKCategoryValueOvulationTestResultLuteinizingHormoneSurge"
      ])
    let sex = try #require(outcome["HKCategoryTypeIdentifierSexualActivity"]?.first)
    #expect(
      sex.metadataTable.last?.entries.map(\.key) == ["HKSexualActivityProtectionUsed"]
        && sex.metadataTable.last?.entries.map(\.value) == ["0"])
    let mindful = try #require(outcome["HKCategoryTypeIdentifierMindfulSession"]?.first)
    #expect(mindful.ends[0] - mindful.starts[0] == 600)
    #expect(outcome.summary.unknownElements == ["menstruation_flow_record_table value": 1])
  }

  @Test("Every code and every type of the tables means something in HealthKit")
  func tablesAreSound() {
    for quantity in HealthConnectTables.quantities {
      #expect(Catalogue.type(quantity.type.rawValue)?.canonicalUnit != nil, "\(quantity.type)")
    }
    for category in HealthConnectTables.categories {
      #expect(Catalogue.type(category.type.rawValue)?.kind == .category)
      for word in category.values.values {
        #expect(Catalogue.constant(ending: word, of: category.type.rawValue) != nil, "\(word)")
      }
    }
    let constants = Set(Catalogue.workoutActivities.map(\.constant))
    for exercise in -1...100 {
      #expect(constants.contains(HealthConnectTables.activity(exercise)), "\(exercise)")
    }
    // Android's platform numbers its exercises up to 61.
    #expect(HealthConnectTables.activities.count == 62)
  }

  @Test("A damaged database is refused or read, and never traps or hangs")
  func damage() throws {
    let start = Self.milliseconds
    let path = try backup(
      """
      \(Self.apps)
      CREATE TABLE steps_record_table (\(Self.interval), count INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO steps_record_table
        SELECT i, randomblob(16), 'c' || i, '1', 1, 1, \(start) + i * 60000, 3600,
          \(start) + i * 60000 + 30000, i FROM n;
      """)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(try Reading(HealthConnectReader(path: path)).summary.read == 400)
    var random = SplitMix64(seed: 11)
    var refused = 0
    for round in 0..<150 {
      var mutated = bytes
      switch round % 3 {
      case 0:
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          mutated[Int.random(in: 16..<bytes.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
      case 1:
        // A page takes the place of another.
        let (from, to) = (
          Int.random(in: 0..<bytes.count / 4096, using: &random),
          Int.random(in: 1..<bytes.count / 4096, using: &random)
        )
        mutated.replaceSubrange(
          to * 4096..<(to + 1) * 4096, with: bytes[from * 4096..<(from + 1) * 4096])
      default: mutated.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      }
      do {
        let outcome = try Reading(
          HealthConnectReader(path: try folder.write(mutated, to: "mutated.db")))
        #expect(outcome.summary.read <= 4000)
      } catch let error as ExportError {
        #expect([.notAnExport, .damagedArchive].contains(error.reason))
        refused += 1
      }
    }
    #expect(refused > 20)
  }
}
