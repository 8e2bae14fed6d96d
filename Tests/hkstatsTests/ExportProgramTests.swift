import Foundation
import Testing
import _HealthTestSupport

@Suite("Samples that leave the store, as a program")
final class ExportProgramTests: StoreSuite {
  override init() throws {
    try super.init()
    var export = SmallExport()
    for day in 1...9 {
      export.steps(100 + day, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:10:00")
      export.steps(
        200, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:20:00",
        source: SmallExport.phone)
    }
    export.add(
      "HKQuantityTypeIdentifierOxygenSaturation", "0.98", unit: "%",
      from: "2024-03-02T08:00:00", to: "2024-03-02T08:00:00", source: "Clip, \"big\"",
      metadata: ["HKWasUserEntered": "1", "note": "two\"quotes"])
    export.add(
      "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepREM", unit: nil,
      from: "2024-03-01T01:00:00", to: "2024-03-01T02:00:00")
    try load(export)
  }

  private func export(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(["export"] + arguments + ["--store", store])
  }

  @Test("json and ndjson give what samples gives")
  func likeSamples() throws {
    let run = try export("steps", "--format", "json")
    let all = try #require(try run.json() as? [[String: Any]])
    let samples = try #require(
      try ProgramRun.hkstats(["samples", "steps", "--format", "json", "--store", store]).json()
        as? [[String: Any]])
    #expect(all.allSatisfy { $0["type"] as? String == "HKQuantityTypeIdentifierStepCount" })
    func texts(_ objects: [[String: Any]]) -> [String] {
      objects.map { object in object.map { "\($0.key)=\($0.value)" }.sorted().joined() }.sorted()
    }
    #expect(texts(all) == texts(samples))
    #expect(all.count == 18)
    let lines = try export("steps", "--format", "ndjson").lines
    #expect(lines.count == 18)
    for line in lines {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
  }

  @Test("Without a type all types leave, in one csv")
  func everything() throws {
    let run = try export()
    #expect(run.exitCode == 0)
    #expect(run.lines.count == 1 + 18 + 2)
    #expect(run.errors.isEmpty)
    #expect(try run.line(0).hasPrefix("type,start,end,value,unit,source,"))
    #expect(run.output.contains("\"Clip, \"\"big\"\"\""))
    #expect(run.output.contains("HKCategoryValueSleepAnalysisAsleepREM"))
  }

  @Test("Names with quotes, commas, line breaks and emoji come back from csv and from JSON")
  func oddNames() throws {
    let names = ["a,b", "\"quoted\"", "two&#10;lines", " blanks ", "🏃‍♀️ Zoë’s \u{2028}", "tab\\"]
    var export = SmallExport()
    for (hour, name) in names.enumerated() {
      export.add(
        lines: """
          <Record type="HKQuantityTypeIdentifierStepCount" unit="count" value="\(hour + 1)" \
          sourceName="\(name.replacing("\"", with: "&quot;"))" \
          startDate="2024-03-05 1\(hour):00:00 +0000" endDate="2024-03-05 1\(hour):05:00 +0000"/>
          """)
    }
    let path = try scratch.file("odd.xml", export.data)
    func run(_ format: String) throws -> ProgramRun {
      try ProgramRun.hkstats(["samples", "steps", "--format", format, "--export", path])
    }
    let expected = names.map { $0.replacing("&#10;", with: "\n") }
    let rows = CommaSeparatedRows.rows(of: try run("csv").output)
    let place = try #require(rows[0].firstIndex(of: "source"))
    #expect(rows.dropFirst().map { $0[place] } == expected)
    let objects = try #require(try run("json").json() as? [[String: Any]])
    #expect(objects.compactMap { $0["source"] as? String } == expected)
    #expect(try run("ndjson").lines.count == names.count)
    #expect(try run("table").lines.count == names.count + 3)
  }

  @Test("Merged samples add up to the merged statistics", arguments: ["hk", "drop", "subtractive"])
  func merged(policy: String) throws {
    let lines = try export("steps", "--merge", policy, "--format", "ndjson").lines
    let values = try lines.map { line in
      try #require(
        (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["value"] as? Double
      )
    }
    let stats = try ProgramRun.hkstats([
      "stats", "steps", "--merge", policy, "--format", "ndjson", "--store", store,
    ])
    let sum = try #require(try stats.object()["sum"] as? Double)
    #expect(abs(values.reduce(0, +) - sum) <= 1e-9 * sum)
    #expect(sum < 2745)
  }

  @Test("A period and a unit choose and convert")
  func periodAndUnit() throws {
    let run = try export(
      "oxygenSaturation", "--unit", "ppm", "--from", "2024-03-02", "--to", "2024-03-03", "--format",
      "ndjson")
    // ppm is no unit of HealthKit.
    #expect(run.exitCode == 64)
    let day = try export("steps", "--from", "2024-03-02", "--to", "2024-03-03", "--format", "csv")
    #expect(day.lines.count == 3)
    let unit = try export("oxygenSaturation", "--unit", "count", "--format", "ndjson")
    #expect(try unit.object()["value"] as? Double == 0.98)
    #expect(try export("sleep", "--unit", "min").exitCode == 64)
    #expect(
      try ProgramRun.hkstats(["samples", "ecg", "--unit", "V", "--store", store]).exitCode == 64)
  }

  @Test("A fraction is a percentage for people, and stays what it is for programs")
  func fractions() throws {
    func samples(_ format: String) throws -> ProgramRun {
      try ProgramRun.hkstats(["samples", "oxygenSaturation", "--format", format, "--store", store])
    }
    #expect(try samples("table").line(1).contains(#/ 98 +% /#))
    #expect(try samples("csv").output.contains(",0.98,%,"))
    #expect(try samples("ndjson").object()["value"] as? Double == 0.98)
  }

  @Test("Coordinates are the shortest decimals, without exponent and without a sign before zero")
  func coordinates() throws {
    let folder = scratch.path("routes")
    try FileManager.default.createDirectory(
      atPath: folder + "/workout-routes", withIntermediateDirectories: true)
    var export = SmallExport()
    export.add(
      lines: """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" \
        startDate="2024-03-05 09:00:00 +0000" endDate="2024-03-05 09:30:00 +0000">
        <WorkoutRoute sourceName="Watch" startDate="2024-03-05 09:00:00 +0000" \
        endDate="2024-03-05 09:30:00 +0000"><FileReference path="/workout-routes/a.gpx"/>
        </WorkoutRoute></Workout>
        """)
    try export.data.write(to: URL(fileURLWithPath: folder + "/export.xml"))
    try """
    <gpx><trk><trkseg>
    <trkpt lon="0.000008" lat="-0"><ele>-0.0</ele><time>2024-03-05T09:00:00Z</time></trkpt>
    <trkpt lon="-7e-6" lat="12.5"><ele>1e2</ele><time>2024-03-05T09:00:01Z</time></trkpt>
    </trkseg></trk></gpx>
    """.write(toFile: folder + "/workout-routes/a.gpx", atomically: true, encoding: .utf8)
    func routes(_ format: String) throws -> String {
      try ProgramRun.hkstats(["export", "routes", "--format", format, "--export", folder]).output
    }
    let tracks = try routes("gpx")
    #expect(tracks.contains("<trkpt lat=\"0\" lon=\"0.000008\"><ele>0</ele>"))
    #expect(tracks.contains("<trkpt lat=\"12.5\" lon=\"-0.000007\"><ele>100</ele>"))
    #expect(try routes("geojson").contains("[[0.000008,0,0],[-0.000007,12.5,100]]"))
  }

  @Test("FHIR is one Bundle of Observations with LOINC and UCUM codes")
  func observations() throws {
    let bundle = try export("--format", "fhir").object()
    #expect(bundle["resourceType"] as? String == "Bundle")
    let entries = try #require(bundle["entry"] as? [[String: Any]])
    let observations = entries.compactMap { $0["resource"] as? [String: Any] }
    #expect(observations.count == 20)
    func codes(_ observation: [String: Any], in system: String) -> [String] {
      let code = observation["code"] as? [String: Any]
      return (code?["coding"] as? [[String: Any]] ?? [])
        .filter { $0["system"] as? String == system }.compactMap { $0["code"] as? String }
    }
    let steps = observations.filter { codes($0, in: "http://loinc.org") == ["55423-8"] }
    #expect(steps.count == 18)
    for observation in steps {
      let quantity = try #require(observation["valueQuantity"] as? [String: Any])
      #expect(quantity["code"] as? String == "{steps}")
      #expect(quantity["system"] as? String == "http://unitsofmeasure.org")
      #expect(observation["effectivePeriod"] is [String: Any])
    }
    let oxygen = try #require(
      observations.first { codes($0, in: "http://loinc.org").contains("59408-5") })
    let quantity = try #require(oxygen["valueQuantity"] as? [String: Any])
    #expect(quantity["value"] as? Double == 98)
    #expect(quantity["code"] as? String == "%")
    #expect(oxygen["effectiveDateTime"] as? String == "2024-03-02T08:00:00+00:00")
    #expect(observations.contains { $0["valueCodeableConcept"] is [String: Any] })
    let empty = try export("--format", "fhir", "--from", "2030-01-01").object()
    #expect(empty["entry"] == nil && empty["type"] as? String == "collection")
  }

  @Test("SQLite tables appear whole, hold every sample and replace no file")
  func tables() throws {
    let path = scratch.path("health.db")
    #expect(try export("--format", "sqlite", "--out", path).exitCode == 0)
    #expect(try Data(contentsOf: scratch.url("health.db")).starts(with: Data("SQLite".utf8)))
    #expect(!FileManager.default.fileExists(atPath: path + ".unfinished"))
    let before = try Data(contentsOf: scratch.url("health.db"))
    let again = try export("--format", "sqlite", "--out", path)
    #expect(again.exitCode == 64)
    #expect(again.errors.contains("already") && again.errors.contains("--force"))
    #expect(try Data(contentsOf: scratch.url("health.db")) == before)
    #expect(try export("steps", "--format", "sqlite", "--out", path, "--force").exitCode == 0)
    #expect(try Data(contentsOf: scratch.url("health.db")) != before)
    let nowhere = try export("--format", "sqlite", "--out", scratch.path("none/health.db"))
    #expect(nowhere.exitCode == 66)
  }

  @Test(
    "Options that contradict one another are refused",
    arguments: [
      ["--format", "sqlite"], ["--force"], ["steps", "workouts"], ["steps", "--format", "gpx"],
      ["workouts", "--merge", "hk"],
      ["--format", "fhir", "--fhir-version", "R3"], ["--fhir-version", "R4"],
      ["--format", "ndjson", "--fhir-version", "R5"], ["--out", "a.json", "--fhir-version", "R4"],
      ["--format", "fhir", "--unit", "count"], ["--prefer", "Watch"], ["--format", "xml"],
      ["--from", "2024-03-02", "--to", "2024-03-01"], ["--merge", "highest"],
    ])
  func contradictions(arguments: [String]) throws {
    let run = try ProgramRun.hkstats(["export"] + arguments + ["--store", store])
    #expect(run.exitCode == 64)
    #expect(run.output.isEmpty)
  }
}
