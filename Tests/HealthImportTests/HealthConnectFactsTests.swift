import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Backups of Health Connect: devices, ranks of applications, zones and totals of exercises")
struct HealthConnectFactsTests {
  private let folder: TemporaryFolder

  /// Milliseconds since 1970 of 2024-03-09 10:00 UTC, and the same in seconds since 2001.
  private static let milliseconds: Int64 = 1_709_978_400_000
  private static let instant = 731_671_200.0

  init() throws { folder = try TemporaryFolder() }

  private func read(_ sql: String) throws -> Reading {
    let path = folder.path + "/backup.db"
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: Self.apps + sql) }
    try queue.close()
    return try Reading(HealthConnectReader(path: path))
  }

  private static let apps = """
    CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, package_name TEXT,
      app_name TEXT);
    INSERT INTO application_info_table VALUES (1, 'a', 'Run'), (2, 'b', ''), (3, 'c', 'Band');

    """
  private static let columns = """
    row_id INTEGER PRIMARY KEY, app_info_id INTEGER, device_info_id INTEGER, start_time INTEGER,
    start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER
    """

  /// A row of the columns above: times are seconds after ten o'clock.
  private static func row(
    _ number: Int, app: Int?, device: Int? = nil, from start: Int, to end: Int,
    offset: Int? = nil, _ more: String...
  ) -> String {
    func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "NULL" }
    let times = [start, end].map { "\(milliseconds + Int64($0) * 1000)" }
    return "("
      + ([
        "\(number)", text(app), text(device), times[0], text(offset), times[1], text(offset),
      ] + more).joined(separator: ", ") + ")"
  }

  @Test(
    "A device says what it is, and so whether it ranks before a phone",
    arguments: [
      (1, "name:watch, manufacturer:samsung, model:SM-R890", DeviceKind.watch),
      (2, "name:phone, manufacturer:samsung, model:SM-R890", .phone),
      (4, "name:ring, manufacturer:samsung, model:SM-R890", .wearable),
      (6, "name:fitness band, manufacturer:samsung, model:SM-R890", .wearable),
      (3, "name:scale, manufacturer:samsung, model:SM-R890", .other),
      (0, "manufacturer:samsung, model:SM-R890", .other),
      (99, "manufacturer:samsung, model:SM-R890", .other),
    ])
  func devices(type: Int, text: String, kind: DeviceKind) throws {
    let outcome = try read(
      """
      CREATE TABLE device_info_table (row_id INTEGER PRIMARY KEY, manufacturer TEXT, model TEXT,
        device_type INTEGER);
      INSERT INTO device_info_table VALUES (1, 'samsung', 'SM-R890', \(type));
      CREATE TABLE steps_record_table (\(Self.columns), count INTEGER);
      INSERT INTO steps_record_table VALUES
        \(Self.row(1, app: 1, device: 1, from: 0, to: 60, "50"));
      """)
    let steps = try #require(outcome["HKQuantityTypeIdentifierStepCount"]?.first)
    #expect(steps.originTable.map(\.device) == [text])
    #expect(DeviceKind(device: text, sourceName: "Health") == kind)
  }

  @Test("The list of priorities orders the sources of the types of its category")
  func priorities() throws {
    let outcome = try read(
      """
      CREATE TABLE health_data_category_priority_table (row_id INTEGER PRIMARY KEY,
        health_data_category INTEGER, app_id_priority_order TEXT);
      INSERT INTO health_data_category_priority_table VALUES (1, 1, '3,1,2,77'), (2, 5, ''),
        (3, 6, '2'), (4, NULL, '1'), (5, 2, NULL);
      CREATE TABLE steps_record_table (\(Self.columns), count INTEGER);
      INSERT INTO steps_record_table VALUES \(Self.row(1, app: 1, from: 0, to: 60, "50"));
      CREATE TABLE sleep_session_record_table (\(Self.columns));
      INSERT INTO sleep_session_record_table VALUES \(Self.row(1, app: 1, from: 0, to: 60));
      CREATE TABLE respiratory_rate_record_table (\(Self.columns), rate REAL);
      INSERT INTO respiratory_rate_record_table VALUES \(Self.row(1, app: 2, from: 0, to: 0, "14"));
      """)
    #expect(
      outcome.summary.facts.sourceOrders == [
        "HKQuantityTypeIdentifierStepCount": ["Band", "Run", "b"],
        "HKQuantityTypeIdentifierRespiratoryRate": ["b"],
      ])
    #expect(outcome.summary.unknownElements.isEmpty)
  }

  @Test("The offsets of most records of an hour are the zones of days")
  func zones() throws {
    let hour = 3600
    var rows: [String] = []
    // Two weeks in one zone, in which another program writes UTC, then a journey.
    for number in 0..<400 {
      let offset = number < 336 ? 7200 : -14_400
      rows.append(
        Self.row(
          rows.count + 1, app: 1, from: number * hour, to: number * hour + 60, offset: offset, "5"))
      rows.append(
        Self.row(
          rows.count + 1, app: 1, from: number * hour + 60, to: number * hour + 120,
          offset: offset, "5"))
      rows.append(
        Self.row(
          rows.count + 1, app: 3, from: number * hour, to: number * hour + 60, offset: 0, "5"))
    }
    rows.append(Self.row(rows.count + 1, app: 1, from: 399 * hour, to: 400 * hour, "5"))
    rows.append(
      Self.row(rows.count + 1, app: 1, from: 401 * hour, to: 401 * hour, offset: 999_999, "5"))
    let outcome = try read(
      """
      CREATE TABLE steps_record_table (\(Self.columns), count INTEGER);
      INSERT INTO steps_record_table VALUES \(rows.joined(separator: ",\n"));
      """)
    let spans = outcome.summary.facts.zones
    #expect(Set(spans.map(\.zone)) == ["GMT+0200", "GMT-0400"])
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end < $1.start })
    #expect(spans.allSatisfy { $0.start <= $0.end && $0.end - $0.start <= 7 * 86_400 })
    #expect(spans.first?.start == Self.instant)
    let before = try #require(spans.last { $0.zone == "GMT+0200" })
    let after = try #require(spans.first { $0.zone == "GMT-0400" })
    #expect(before.end == Self.instant + Double(335 * hour + 60))
    #expect(after.start == Self.instant + Double(336 * hour))
  }

  @Test("An exercise gets the distance and energy of its time by the records of its application")
  func totals() throws {
    let outcome = try read(
      """
      CREATE TABLE exercise_session_record_table (\(Self.columns), exercise_type INTEGER);
      INSERT INTO exercise_session_record_table VALUES
        \(Self.row(1, app: 1, from: 0, to: 3600, "33")),
        \(Self.row(2, app: 3, from: 0, to: 3600, "4")),
        \(Self.row(3, app: 1, from: 7200, to: 9000, "57")),
        \(Self.row(4, app: 2, from: 0, to: 3600, "33")),
        \(Self.row(5, app: nil, from: 0, to: 60, "33"));
      CREATE TABLE distance_record_table (\(Self.columns), distance REAL);
      INSERT INTO distance_record_table VALUES
        \(Self.row(1, app: 1, from: -600, to: 600, "2000")),
        \(Self.row(2, app: 1, from: 600, to: 3600, "5000")),
        \(Self.row(3, app: 1, from: 1800, to: 1800, "10")),
        \(Self.row(4, app: 1, from: 3600, to: 3600, "500")),
        \(Self.row(5, app: 1, from: 3600, to: 7200, "700")),
        \(Self.row(6, app: 3, from: 900, to: 1800, "9000")),
        \(Self.row(7, app: nil, from: 30, to: 60, "80"));
      CREATE TABLE active_calories_burned_record_table (\(Self.columns), energy REAL);
      INSERT INTO active_calories_burned_record_table VALUES
        \(Self.row(1, app: 1, from: 0, to: 10_800, "900000"));
      """)
    func sums(_ place: Int) -> [String: Double] {
      Dictionary(
        outcome.workouts[place].statistics.map { ($0.type, $0.sum ?? .nan) },
        uniquingKeysWith: +)
    }
    try #require(outcome.workouts.count == 5)
    #expect(
      sums(0) == [
        "HKQuantityTypeIdentifierDistanceWalkingRunning": 6010,
        "HKQuantityTypeIdentifierActiveEnergyBurned": 300,
      ])
    #expect(sums(1) == ["HKQuantityTypeIdentifierDistanceCycling": 9000])
    #expect(sums(2) == ["HKQuantityTypeIdentifierActiveEnergyBurned": 150])
    #expect(sums(3).isEmpty)
    #expect(sums(4) == ["HKQuantityTypeIdentifierDistanceWalkingRunning": 80])
    let statistics = try #require(outcome.workouts[0].statistics.first)
    #expect(statistics.start == Self.instant && statistics.end == Self.instant + 3600)
    #expect(statistics.recordedUnit == "m" && statistics.unit == "m")
  }
}
