import Foundation
import HealthStore
import Testing
import _HealthTestSupport

/// Checks that what an import read is what became of it: for each type, each kind and all.
func expectSums(in report: [String: Any]) throws {
  let names = ["new", "known", "duplicates", "skipped"]
  func check(_ counts: [String: Int], _ name: String) {
    #expect(counts["read"] == names.reduce(0) { $0 + (counts[$1] ?? 0) }, "\(name)")
    #expect(counts.values.allSatisfy { $0 >= 0 }, "\(name)")
  }
  let types = try #require(report["types"] as? [String: [String: Int]])
  let elements = try #require(report["elements"] as? [String: [String: Int]])
  for (name, counts) in types.merging(elements, uniquingKeysWith: { one, _ in one }) {
    check(counts, name)
  }
  let all = Dictionary(
    uniqueKeysWithValues: try (names + ["read"]).map { ($0, try #require(report[$0] as? Int)) })
  check(all, "all")
  for (name, count) in all {
    #expect(count == types.values.reduce(0) { $0 + ($1[name] ?? 0) }, "\(name) of all")
  }
}

@Suite("What imports of random files say adds up")
final class ImportSumsTests: StoreSuite {
  /// A format of files.
  enum Format: CaseIterable {
    case appleHealth, healthAutoExport, simpleHealthExport, healthConnect
  }

  @Test(
    "read = new + known + duplicates + skipped, the first time and again",
    arguments: Format.allCases, [1, 2, 3] as [UInt64])
  func sums(format: Format, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for file in 0..<2 {
      let path = try write(format, file, &random)
      for options in [["--dry-run"], [], []] {
        let run = try ProgramRun.hkstats(
          ["import", path, "--json", "--store", scratch.path("store.sqlite")] + options)
        // A random text may end too early.
        try #require([0, 65].contains(run.exitCode), "\(run.errors)")
        let report = try run.object()
        try expectSums(in: report)
        #expect(try #require(report["read"] as? Int) > 0)
      }
    }
  }

  private func write(_ format: Format, _ file: Int, _ random: inout SplitMix64) throws -> String {
    switch format {
    case .appleHealth:
      var export = RandomExport(seed: random.next())
      let document = export.document(200)
      return try scratch.file("\(file).xml", Data(file == 0 ? document : export.damaged(document)))
    case .healthAutoExport:
      return try scratch.file("\(file).json", Data(Self.json(&random).utf8))
    case .simpleHealthExport:
      return try scratch.file("\(file).csv", Data(Self.table(&random).utf8))
    case .healthConnect:
      let path = scratch.path("\(file).db")
      try Self.writeBackup(to: path, &random)
      return path
    }
  }

  /// One of some texts, most of which make sense.
  private static func one(_ texts: [String], _ random: inout SplitMix64) -> String {
    texts[Int.random(in: 0..<texts.count, using: &random)]
  }

  private static func minute(_ random: inout SplitMix64) -> String {
    "2024-03-09 10:\(Int.random(in: 10..<60, using: &random)):00 +0000"
  }

  private static func json(_ random: inout SplitMix64) -> String {
    let metrics = [
      ("step_count", "count"), ("heart_rate", "bpm"), ("weight_body_mass", "furlong"),
      ("no_such_thing", "count"), ("blood_pressure", "mmHg"), ("sleep_analysis", "hr"),
    ].map { name, unit in
      let data = (0..<20).map { _ in
        let values = one(
          [
            #""qty":\#(Int.random(in: 1...3, using: &random))"#, #""qty":"many""#, "\"x\":1",
            #""Min":50,"Avg":60,"Max":70"#, #""systolic":120,"diastolic":80"#,
          ], &random)
        let date = one([minute(&random), minute(&random), "yesterday"], &random)
        let source = one(["Watch", "Phone", ""], &random)
        return #"{"date":"\#(date)",\#(values),"source":"\#(source)"}"#
      }
      return #"{"name":"\#(name)","units":"\#(unit)","data":[\#(data.joined(separator: ","))]}"#
    }
    return #"{"data":{"metrics":[\#(metrics.joined(separator: ","))]}}"#
  }

  private static func table(_ random: inout SplitMix64) -> String {
    let rows = (0..<60).map { _ in
      let type = one(
        ["StepCount", "StepCount", "HeartRate", "BodyMass"].map { "HKQuantityTypeIdentifier" + $0 }
          + ["HKCategoryTypeIdentifierSleepAnalysis", ""], &random)
      let unit = one(["count", "count", "count/min", "kg", "furlong", ""], &random)
      let value = one(["1", "2", "many", ""], &random)
      let dates = [minute(&random), one([minute(&random), "noon"], &random)]
      return "\(type),Sam’s iPhone,17.1,,,\(dates[0]),\(dates[1]),\(unit),\(value)"
    }
    let header =
      "type,sourceName,sourceVersion,productType,device,startDate,endDate,unit,value"
    return (["sep=,", header] + rows).joined(separator: "\n") + "\n"
  }

  private static func writeBackup(to path: String, _ random: inout SplitMix64) throws {
    let file = try TableFile(
      path: path,
      schema: """
        CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, app_name TEXT);
        CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, app_info_id INTEGER,
          recording_method INTEGER, start_time, end_time, count);
        CREATE TABLE sleep_session_record_table (row_id INTEGER PRIMARY KEY,
          app_info_id INTEGER, start_time INTEGER, end_time INTEGER);
        CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER,
          stage_end_time INTEGER, stage_type INTEGER)
        """)
    try file.insert([.integer(1), .text("Fit")], into: "application_info_table")
    try file.insert(
      [.integer(1), .integer(1), .integer(0), .integer(0)], into: "sleep_session_record_table")
    for row in 1...40 {
      let start = 1_709_978_400_000 + Int.random(in: 0..<20, using: &random) * 60_000
      let end: TableFile.Value = row % 13 == 0 ? .null : .integer(start + 60_000)
      let count: TableFile.Value =
        row % 11 == 0 ? .text("many") : .integer(Int.random(in: 1...2, using: &random))
      try file.insert(
        [.integer(row), .integer(1), .integer(row % 4), .integer(start), end, count],
        into: "steps_record_table")
      try file.insert(
        [
          .integer(1), .integer(start), .integer(start + 60_000),
          .integer(Int.random(in: 0...9, using: &random)),
        ], into: "sleep_stages_table")
    }
    try file.finish()
  }
}
