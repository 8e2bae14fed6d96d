import Foundation
import HealthExchange
import HealthStore
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Where exports go, and what stands there before and after")
final class OutputPlaceTests: StoreSuite {
  override init() throws {
    try super.init()
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    export.add(
      lines: """
        <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="Watch" \
        startDate="2024-03-06 09:00:00 +0000" endDate="2024-03-06 09:30:00 +0000"/>
        """)
    try load(export)
  }

  private func export(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(["export"] + arguments + ["--store", store])
  }

  private func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
  }

  @Test(
    "The suffix of a file chooses the form",
    arguments: [
      ("a.json", "["), ("b.NDJSON", "{\"kind\""), ("c.jsonl", "{\"kind\""), ("d.csv", "type,"),
      ("e.db", "SQLite"), ("f.sqlite3", "SQLite"),
    ])
  func suffix(name: String, start: String) throws {
    let run = try export("steps", "--out", scratch.path(name))
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try Data(contentsOf: scratch.url(name)).starts(with: Data(start.utf8)))
    #expect(try export("routes", "--out", scratch.path("r.gpx")).exitCode == 0)
    #expect(try scratch.text("r.gpx").hasPrefix("<?xml"))
  }

  @Test("A pipe or a device is not replaced by a file", arguments: ["csv", "json", "sqlite"])
  func pipe(format: String) throws {
    let path = scratch.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    for force in [[], ["--force"]] {
      let run = try ProgramRun.hkstats(
        ["export", "steps", "--format", format, "--out", path, "--store", store] + force)
      #expect([64, 74].contains(run.exitCode) && run.errors.contains("pipe"), "\(run.errors)")
      #expect(UnfinishedFile.kind(of: path) == S_IFIFO)
    }
  }

  @Test(
    "A name that says another form, or none that is known, is refused with a sentence",
    arguments: [
      ["--format", "json", "--out", "a.csv"], ["--format", "csv", "--out", "a.json"],
      ["--format", "sqlite", "--out", "a.ndjson"], ["--format", "gpx", "--out", "a.json"],
      ["--out", "a.txt"], ["--out", ""],
    ])
  func contradiction(arguments: [String]) throws {
    let before = try names()
    let full = arguments.map { $0.hasPrefix("a.") ? scratch.path($0) : $0 }
    let run = try ProgramRun.hkstats(["export", "steps"] + full + ["--store", store])
    #expect(run.exitCode == 64 && run.errors.contains("name"), "\(run.errors)")
    #expect(try names() == before)
    // Told the form, a suffix that says nothing is a file like any other.
    let told = try export("steps", "--format", "csv", "--out", scratch.path("a.txt"), "--force")
    #expect(told.exitCode == 0)
    #expect(try scratch.text("a.txt").hasPrefix("type,"))
  }

  @Test("A file of the user's beside the target stays, whatever it is called")
  func neighbours() throws {
    for name in ["a.json", "b.db"] {
      let own = scratch.path(name + ".unfinished")
      try "mine".write(toFile: own, atomically: false, encoding: .utf8)
      #expect(try export("steps", "--out", scratch.path(name)).exitCode == 0)
      #expect(try scratch.text(name + ".unfinished") == "mine")
    }
    #expect(try !names().contains { $0.hasPrefix(".hkstats") })
  }

  @Test("Two files that are written for one place at a time do not harm each other")
  func together() throws {
    for replaces in [true, false] {
      let path = scratch.path("one-\(replaces).json")
      let first = try TextOutput(path: path, replacing: replaces)
      let second = try TextOutput(path: path, replacing: replaces)
      try first.write("first")
      try second.write(String(repeating: "second", count: 50_000))
      try first.finish()
      #expect(try scratch.text("one-\(replaces).json") == "first")
      if replaces {
        try second.finish()
        #expect(try scratch.text("one-true.json").count == 300_000)
      } else {
        #expect(throws: OutputError.self) { try second.finish() }
        #expect(try scratch.text("one-false.json") == "first")
      }
    }
    let path = scratch.path("one.db")
    let schema = "CREATE TABLE days (day TEXT)"
    var first: TableFile? = try TableFile(path: path, schema: schema, replaces: true)
    var second: TableFile? = try TableFile(path: path, schema: schema, replaces: true)
    try first?.insert([.text("a")], into: "days")
    try second?.insert([.text("b")], into: "days")
    try first?.finish()
    first = nil
    let whole = try Data(contentsOf: scratch.url("one.db"))
    second = nil
    #expect(try Data(contentsOf: scratch.url("one.db")) == whole)
    #expect(try !names().contains { $0.hasPrefix(".hkstats") })
  }

  @Test("What an export comes from is no place for it, by whatever name and with --force")
  func inputs() throws {
    let before = try scratch.storeFiles()
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link.db"), withDestinationPath: store)
    try FileManager.default.linkItem(atPath: store, toPath: scratch.path("hard.db"))
    for name in ["store.sqlite", "link.db", "hard.db"] {
      let run = try export("steps", "--out", scratch.path(name), "--force")
      #expect(run.exitCode == 64 && run.errors.contains("comes from"), "\(run.errors)")
    }
    #expect(try scratch.storeFiles() == before)
    let csv = try scratch.file(
      "samples.csv",
      Data(
        """
        type,sourceName,sourceVersion,productType,device,startDate,endDate,unit,value
        HKQuantityTypeIdentifierStepCount,Phone,17,,,2024-03-10 10:00:00 +0000,2024-03-10 10:05:00 +0000,count,7

        """.utf8))
    for out in [csv, scratch.path("")] {
      let run = try ProgramRun.hkstats([
        "export", "steps", "--format", "csv", "--export", csv, "--out", out, "--force",
      ])
      #expect(run.exitCode == 64 && run.errors.contains("comes from"), "\(run.errors)")
    }
    #expect(try scratch.text("samples.csv").hasSuffix(",7\n"))
  }

  @Test("A name that looks like a URI is a name")
  func uri() throws {
    let process = Process()
    process.executableURL = ProgramRun.folder.appendingPathComponent("hkstats")
    process.arguments = ["export", "steps", "--out", "file:x.db", "--store", store]
    process.currentDirectoryURL = scratch.url("")
    process.environment = ["TZ": "UTC", "PATH": "/usr/bin:/bin"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try names().contains("file:x.db") && !(try names().contains("x.db")))
  }

  @Test("A folder of csv is replaced whole, and what else stands in it stays")
  func folder() throws {
    let folder = scratch.path("tables")
    #expect(try export("--out", folder).exitCode == 0)
    let all = try names(in: "tables")
    #expect(all == ["samples.csv", "workouts.csv"])
    let again = try export("--out", folder)
    #expect(again.exitCode == 64 && again.errors.contains("--force"))
    // Tables that an export no longer has do not stay beside its own.
    #expect(try export("workouts", "--out", folder, "--force").exitCode == 0)
    #expect(try names(in: "tables") == ["workouts.csv"])
    let notes = scratch.path("tables/notes")
    try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: false)
    #expect(try export("--out", folder, "--force").exitCode == 0)
    #expect(try names(in: "tables") == ["notes", "samples.csv", "workouts.csv"])
    #expect(try !names().contains { $0.hasPrefix(".hkstats") })
  }

  @Test("When one file of a folder cannot be put there, all stay as they were")
  func wholeOrNot() throws {
    let folder = scratch.path("tables")
    for blocked in ["samples.csv", "workouts.csv"] {
      try FileManager.default.createDirectory(
        atPath: folder + "/" + blocked, withIntermediateDirectories: true)
      for name in ["samples.csv", "workouts.csv"] where name != blocked {
        try "mine".write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
      }
      let run = try export("--out", folder, "--force")
      #expect(run.exitCode == 64, "\(run.errors)")
      for name in ["samples.csv", "workouts.csv"] where name != blocked {
        #expect(try scratch.text("tables/" + name) == "mine")
      }
      #expect(try names(in: "tables") == ["samples.csv", "workouts.csv"])
      #expect(try !names().contains { $0.hasPrefix(".hkstats") })
      try FileManager.default.removeItem(atPath: folder)
    }
  }

  @Test("Clinical documents that are no JSON leave as text, and every output is read whole")
  func documents() throws {
    let documents: [(String, Data, Bool)] = [
      ("plain", Data(#"{"resourceType":"Observation","id":"a"}"#.utf8), true),
      ("bom", Data([0xEF, 0xBB, 0xBF]) + Data(#"{"resourceType":"Observation"}"#.utf8), false),
      ("comma", Data(#"{"resourceType":"Observation","id":"b",}"#.utf8), false),
      ("utf16", Data([0xFF, 0xFE]) + Data("{\"a\":1}".utf16.flatMap { [UInt8($0), 0] }), false),
      ("deep", Data((String(repeating: "[", count: 5000)).utf8), false),
      (
        "nested",
        Data(
          (String(repeating: "[", count: 3000) + String(repeating: "]", count: 3000)).utf8), false
      ),
      ("surrogate", Data(#"{"resourceType":"Observation","id":"\ud800"}"#.utf8), false),
      ("zero", Data(#"{"resourceType":"Observation","id":01}"#.utf8), false),
      ("invalid", Data([0x22, 0xFF, 0x22]), false), ("words", Data("no JSON".utf8), false),
      ("list", Data("[1, 2]".utf8), true),
    ]
    var export = SmallExport()
    let folder = scratch.path("clinic")
    try FileManager.default.createDirectory(
      atPath: folder + "/clinical-records", withIntermediateDirectories: true)
    for (name, bytes, _) in documents {
      try bytes.write(to: URL(fileURLWithPath: "\(folder)/clinical-records/\(name).json"))
      export.add(
        lines: """
          <ClinicalRecord type="HKClinicalTypeIdentifierLabResultRecord" identifier="\(name)" \
          sourceName="Clinic" sourceURL="https://example.org/\(name)" fhirVersion="4.0.1" \
          receivedDate="2024-03-05 09:00:00 +0000" \
          resourceFilePath="/clinical-records/\(name).json"/>
          """)
    }
    try export.data.write(to: URL(fileURLWithPath: folder + "/export.xml"))
    func run(_ format: String) throws -> ProgramRun {
      try ProgramRun.hkstats(["export", "clinicalRecords", "--format", format, "--export", folder])
    }
    let all = try #require(try run("json").json() as? [[String: Any]])
    #expect(all.count == documents.count)
    for (name, _, isJSON) in documents {
      let record = try #require(all.first { $0["identifier"] as? String == name })
      #expect((record["resource"] is String) != isJSON, "\(name)")
    }
    let texts = all.compactMap { $0["resource"] as? String }
    #expect(texts.contains(#"{"resourceType":"Observation","id":"b",}"#))
    #expect(texts.contains { $0.hasSuffix("{\"a\":1}") && !$0.contains("\0") })
    for format in ["ndjson", "fhir-ndjson"] {
      for line in try run(format).lines {
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
      }
    }
    let entries = try #require(try run("fhir").object()["entry"] as? [[String: Any]])
    let resources = entries.compactMap { $0["resource"] as? [String: Any] }
    #expect(resources.count { $0["resourceType"] as? String == "Binary" } == 9)
    #expect(resources.count { $0["resourceType"] as? String == "Observation" } == 1)
    let data = resources.compactMap { $0["data"] as? String }.compactMap { Data(base64Encoded: $0) }
    #expect(data.contains(Data("no JSON".utf8)))
  }

  @Test("Usage errors neither repeat what is long nor what steers a terminal")
  func usage() throws {
    let long = String(repeating: "A", count: 120_000)
    for arguments in [
      ["stats", long], ["stats", "steps", "--by", long], ["--" + long], ["stats", "--" + long],
      ["stats", "steps", long], ["stats", "steps", "--unit=" + long], ["export", "--out=" + long],
      ["samples", "steps", "--from", long], ["stats", "steps", "--timezone", long],
      ["units", "convert", "1", long, "m"], ["units", "convert", long, "m", "m"],
      ["stats", "steps\u{1B}[31m\u{9B}"], ["--x\u{1B}[31m"], ["stats", "steps", "--by", "\u{1B}c"],
      ["stats", "steps", "--store", "/tmp/" + long], ["import", long],
    ] {
      let run = try ProgramRun.hkstats(arguments, environment: ["HKSTATS_STORE": store])
      #expect(run.exitCode != 0)
      #expect(run.errors.utf8.count < 6000, "\(arguments.map { $0.prefix(20) })")
      #expect(run.errors.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControl })
      #expect(!run.errors.isEmpty && run.output.isEmpty)
    }
  }
}
