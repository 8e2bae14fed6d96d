import Foundation
import GRDB
import HealthExchange
import HealthImport
import HealthSamples
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Everything that is stored leaves the store, as a program")
struct EverythingProgramTests {
  private let scratch: Scratch
  private let store: String
  /// How many elements of each kind were imported, by the names of their elements.
  private let imported: [String: Int]

  init() throws {
    let generated = try GeneratedStore(seed: 5, version: "ios27")
    (scratch, store) = (generated.scratch, generated.path)
    let elements = try #require(generated.report["elements"] as? [String: [String: Any]])
    imported = elements.compactMapValues { $0["new"] as? Int }
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(
      arguments + ["--store", store], environment: ["TZ": "Europe/Paris"])
    try #require(run.exitCode == 0, "\(arguments): \(run.errors)")
    return run
  }

  /// The words of kinds by the names that imports count.
  private static let kinds = [
    "workout": "Workout", "workoutRoute": "WorkoutRoute", "correlation": "Correlation",
    "activitySummary": "ActivitySummary", "heartbeatSeries": "HeartRateVariabilityMetadataList",
    "electrocardiogram": "Electrocardiogram", "audiogram": "Audiogram",
    "visionPrescription": "VisionPrescription", "clinicalRecord": "ClinicalRecord",
  ]

  private func objects(_ lines: [Substring]) throws -> [[String: Any]] {
    try lines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("ndjson names the kind of each line, and has as many as were imported; json is the same")
  func lines() throws {
    let lines = try objects(run("export", "--format", "ndjson").lines)
    let counts = Dictionary(grouping: lines) { $0["kind"] as? String ?? "" }.mapValues(\.count)
    for (word, element) in Self.kinds {
      #expect(counts[word] == imported[element] && counts[word] ?? 0 > 0, "\(word)")
    }
    #expect(counts["characteristic"] ?? 0 > 1)
    #expect(counts["quantity"] ?? 0 > 0 && counts["category"] ?? 0 > 0)
    let array = try #require(try run("export", "--format", "json").json() as? [[String: Any]])
    #expect((array as NSArray).isEqual(to: lines))
    for kind in ["workout", "workoutRoute", "electrocardiogram"] {
      let alone = try objects(run("samples", kind, "--format", "ndjson").lines)
      let among = lines.filter { $0["kind"] as? String == kind }
      #expect((alone as NSArray).isEqual(to: among))
    }
  }

  @Test("A folder of csv has the tables of SQLite, row by row, and every reference leads somewhere")
  func tables() throws {
    #expect(try run("export", "--out", scratch.path("all")).output.isEmpty)
    #expect(try run("export", "--format", "sqlite", "--out", scratch.path("all.db")).output.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("all"))
    #expect(names.count > 20 && names.allSatisfy { $0.hasSuffix(".csv") })
    let queue = try DatabaseQueue(path: scratch.path("all.db"))
    try queue.read { database in
      #expect(try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil)
      for name in names {
        let table = String(name.dropLast(4))
        let rows = CommaSeparatedRows.rows(of: try scratch.text("all/" + name))
        let header = try #require(rows.first)
        #expect(rows.allSatisfy { $0.count == header.count }, "\(name)")
        let stored = try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY id")
        try #require(stored.count == rows.count - 1, "\(name)")
        for (row, fields) in zip(stored, rows.dropFirst()).prefix(50) {
          for (column, field) in zip(header, fields) where row.hasColumn(column) {
            // In csv the constant of a category stands where a quantity has its unit.
            let isConstant = name == "samples.csv" && column == "unit" && row["category"] != nil
            let column = isConstant ? "category" : column
            #expect(Self.text(row[column], like: field) == field, "\(name), \(column)")
          }
        }
      }
      for (table, reference) in [
        ("correlation_members", "sample"), ("heartbeat_series", "sample"),
        ("workout_records", "sample"), ("workout_routes", "workout"),
      ] {
        let lost = "SELECT count(*) FROM \(table) WHERE \(reference) IS NULL"
        #expect(try Int.fetchOne(database, sql: lost) == 0, "\(table)")
      }
      let other = """
        SELECT count(*) FROM correlation_members AS member JOIN samples ON samples.id = sample
        WHERE member.value <> samples.value OR member.type <> samples.type
        """
      #expect(try Int.fetchOne(database, sql: other) == 0)
      for (view, table) in [("workout_totals", "workouts"), ("quantities", "samples")] {
        #expect(try Row.fetchOne(database, sql: "SELECT * FROM \(view)") != nil, "\(table)")
      }
      let pressures = try Row.fetchAll(database, sql: "SELECT * FROM blood_pressures")
      #expect(!pressures.isEmpty)
      for row in pressures {
        #expect(try #require(row["systolic"] as Double?) > #require(row["diastolic"] as Double?))
      }
    }
  }

  private static func text(_ value: DatabaseValue, like field: String) -> String {
    switch value.storage {
    case .null: ""
    case .int64(let number): ["true", "false"].contains(field) ? "\(number == 1)" : "\(number)"
    case .double(let number): Double(field) == number ? field : "\(number)"
    case .string(let text): text
    case .blob: "blob"
    }
  }

  @Test("Routes leave as GPX that reads back place by place, and as GeoJSON")
  func routes() throws {
    let routes = try objects(run("samples", "routes", "--format", "ndjson").lines)
    let places = try routes.map { try #require($0["locations"] as? [[String: Any]]) }
    #expect(
      try run("export", "routes", "--format", "gpx", "--out", scratch.path("r.gpx")).output == "")
    let read = RouteText.contents(
      of: [UInt8](try Data(contentsOf: scratch.url("r.gpx")))
    ).locations
    let all = places.flatMap(\.self)
    #expect(read.latitudes == all.map { $0["latitude"] as? Double })
    #expect(read.longitudes == all.map { $0["longitude"] as? Double })
    #expect(read.altitudes == all.map { $0["altitude"] as? Double })
    #expect(read.speeds == all.map { $0["speed"] as? Double ?? -1 })
    #expect(read.courses == all.map { $0["course"] as? Double ?? -1 })
    #expect(read.horizontalAccuracies == all.map { $0["horizontalAccuracy"] as? Double ?? -1 })
    let json = try run("export", "--format", "geojson").object()
    let features = try #require(json["features"] as? [[String: Any]])
    #expect(features.count == routes.count)
    for (feature, places) in zip(features, places) {
      let geometry = try #require(feature["geometry"] as? [String: Any])
      let coordinates = try #require(geometry["coordinates"] as? [[Double]])
      #expect(coordinates.map { $0[0] } == places.map { $0["longitude"] as? Double })
      #expect(coordinates.map { $0[1] } == places.map { $0["latitude"] as? Double })
    }
  }

  @Test("Every kind is a table, csv, json and ndjson of samples, oldest or newest first")
  func samples() throws {
    for word in Self.kinds.keys.sorted() + ["characteristic", "heartRate", "sleepAnalysis"] {
      let lines = try run("samples", word, "--format", "ndjson").lines
      #expect(!lines.isEmpty)
      // The five characteristics of a person are one element.
      if word != "characteristic" {
        #expect(
          try run("samples", word, "--format", "ndjson", "--newest-first").lines
            == lines.reversed(), "\(word)")
        #expect(
          try run("samples", word, "--format", "ndjson", "--newest-first", "--limit", "1").lines
            == [try #require(lines.last)])
      }
      let csv = CommaSeparatedRows.rows(of: try run("samples", word, "--format", "csv").output)
      #expect(csv.count == lines.count + 1 && csv.allSatisfy { $0.count == csv[0].count })
      #expect(try run("samples", word).lines.count == lines.count + 3)
      #expect(try run("samples", word, "--format", "json").json() is [Any])
    }
    #expect(try run("samples", "bloodPressure").lines.count > 1)
    let food = try run("samples", "food", "--format", "csv").lines.count
    let both = try run("samples", "correlation", "--format", "csv").lines.count
    let pressures = try run("samples", "bloodPressure", "--format", "csv").lines.count
    #expect(food + pressures == both + 1)
  }

  @Test("The chart of an electrocardiogram fits on a screen and spans its voltages")
  func chart() throws {
    let one = try run("samples", "ecg", "--limit", "1", "--format", "ndjson").object()
    let voltages = try #require(one["voltages"] as? [Double])
    let chart = try run("samples", "ecg", "--limit", "1", "--format", "chart")
    #expect(chart.lines.allSatisfy { String($0).displayWidth <= 80 })
    let highest = NumberText.rounded(try #require(voltages.max()), decimals: 0)
    #expect(chart.lines.contains { $0.hasPrefix(highest.padded(to: 7, isTrailing: true)) })
    let other = try ProgramRun.hkstats(["samples", "steps", "--format", "chart", "--store", store])
    #expect(other.exitCode == 64)
  }

  @Test("Files appear whole: none replaces another without --force, none is left when it fails")
  func files() throws {
    let path = scratch.path("steps.csv")
    #expect(try run("export", "steps", "--out", path).output.isEmpty)
    #expect(try scratch.text("steps.csv") == run("export", "steps").output)
    let again = try ProgramRun.hkstats(["export", "sleep", "--out", path, "--store", store])
    #expect(again.exitCode == 64 && again.errors.contains("--force"))
    #expect(try scratch.text("steps.csv") == run("export", "steps").output)
    _ = try run("export", "sleep", "--out", path, "--force")
    #expect(try scratch.text("steps.csv") == run("export", "sleep").output)
    let wrong = try ProgramRun.hkstats([
      "export", "sleep", "--unit", "kg", "--out", scratch.path("none.csv"), "--store", store,
    ])
    #expect(wrong.exitCode == 64)
    let folder = try ProgramRun.hkstats([
      "export", "--unit", "kg", "--out", scratch.path("none"), "--store", store,
    ])
    #expect(folder.exitCode == 64)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path(""))
    #expect(!names.contains { $0.hasPrefix("none") || $0.hasSuffix(".unfinished") })
  }
}
