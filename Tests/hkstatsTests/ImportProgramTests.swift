import Foundation
import Testing
import _HealthTestSupport

@Suite("hkstats import, as a program")
struct ImportProgramTests {
  private let scratch: Scratch
  private let store: String

  init() throws {
    scratch = try Scratch()
    store = scratch.path("store.sqlite")
  }

  /// A generated export of a few days.
  private func generate(_ name: String, _ options: [String] = []) throws -> String {
    let path = scratch.path(name)
    let run = try ProgramRun.run(
      "generate-export", ["--out", path, "--years", "0.02"] + options)
    try #require(run.exitCode == 0, "\(run.errors)")
    return path
  }

  private func importJSON(_ path: String) throws -> [String: Any] {
    let run = try ProgramRun.hkstats(["import", path, "--store", store, "--json"])
    #expect(run.exitCode == 0)
    #expect(run.errors == "")
    return try run.object()
  }

  @Test("The counts have the keys of the contract and add up, for all and for each type")
  func countsAddUp() throws {
    let run = try ProgramRun.hkstats([
      "import", try generate("export.zip"), "--store", store, "--json",
    ])
    #expect(run.lines.count == 1)
    let places = [
      "{\"read\":", ",\"new\":", ",\"known\":", ",\"duplicates\":", ",\"skipped\":", ",\"types\":{",
      ",\"unknownElements\":{", ",\"bytes\":", ",\"seconds\":",
    ].map { run.output.range(of: $0)?.lowerBound }
    #expect(places.compactMap { $0 }.count == places.count)
    #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    let all = try run.object()
    #expect(Set(all.keys).count == 9)
    let types = try #require(all["types"] as? [String: [String: Int]])
    for counts in types.values {
      #expect(Set(counts.keys) == ["read", "new", "known", "duplicates", "skipped"])
      let others = ["new", "known", "duplicates", "skipped"].compactMap { counts[$0] }
      #expect(counts["read"] == others.reduce(0, +))
    }
    for key in ["read", "new", "known", "duplicates", "skipped"] {
      #expect(all[key] as? Int == types.values.compactMap { $0[key] }.reduce(0, +))
    }
    #expect((all["duplicates"] as? Int ?? 0) > 0)
  }

  @Test("What came in before an export that fails is reported, and stays")
  func reportsWhatCameBeforeAFailure() throws {
    let export = try generate("one.zip")
    let run = try ProgramRun.hkstats([
      "import", export, scratch.path("missing.zip"), "--store", store, "--json",
    ])
    #expect(run.exitCode == 66)
    #expect(run.errors.contains("missing.zip: there is no such file"))
    let counts = try run.object()
    #expect((counts["new"] as? Int ?? 0) > 0)
    let again = try importJSON(export)
    #expect(again["new"] as? Int == 0)
    #expect(again["known"] as? Int == counts["new"] as? Int)
  }

  @Test("Each of several exports that are cut is named")
  func namesEachCutExport() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: try generate("one.xml")))
    for name in ["first.xml", "second.xml"] {
      try whole.prefix(whole.count / 2).write(to: scratch.url(name))
    }
    let run = try ProgramRun.hkstats([
      "import", scratch.path("first.xml"), scratch.path("second.xml"), "--store", store,
    ])
    #expect(run.exitCode == 65)
    #expect(run.errors.contains("first.xml ends too early"))
    #expect(run.errors.contains("second.xml ends too early"))
  }

  @Test("A second import of the export, in any offset, units or zip, has nothing new")
  func secondImportHasNothingNew() throws {
    // The document type of this version is not well-formed.
    let version = ["--dtd", "12"]
    let first = try importJSON(try generate("one.zip", version))
    let others = [
      try generate("one-again.zip", version),
      try generate("two.xml", version + ["--utc-offset=-0500", "--device-seed", "99"]),
      try generate("three.zip", version + ["--units", "imperial"]),
    ]
    for other in others {
      let counts = try importJSON(other)
      #expect(counts["new"] as? Int == 0, "\(other)")
      #expect(counts["known"] as? Int == first["new"] as? Int)
    }
  }

  @Test("A dry run counts the same and leaves no trace")
  func dryRun() throws {
    let path = try generate("export.zip")
    let dry = try ProgramRun.hkstats(["import", path, "--store", store, "--dry-run", "--json"])
    #expect(dry.exitCode == 0)
    #expect(try scratch.storeFiles().isEmpty)
    let real = try importJSON(path)
    #expect(try dry.object()["new"] as? Int == real["new"] as? Int)
    let before = try scratch.storeFiles()
    let second = try ProgramRun.hkstats(["import", path, "--store", store, "--dry-run", "--json"])
    #expect(try second.object()["new"] as? Int == 0)
    #expect(try scratch.storeFiles() == before)
  }

  @Test("The store is one file that only its owner can read")
  func fileMode() throws {
    _ = try importJSON(try generate("export.zip"))
    let attributes = try FileManager.default.attributesOfItem(atPath: store)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(Array(try scratch.storeFiles().keys) == ["store.sqlite"])
  }

  @Test("Without --store the environment says where the store lies")
  func storePath() throws {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    let path = try scratch.file("small.xml", export.data)
    let places = [
      (["HKSTATS_STORE": scratch.path("a/one.sqlite")], "a/one.sqlite"),
      (["XDG_DATA_HOME": scratch.path("xdg")], "xdg/hkstats/store.sqlite"),
      (["HOME": scratch.path("me")], "me/.local/share/hkstats/store.sqlite"),
      (
        ["HOME": scratch.path("you"), "XDG_DATA_HOME": "relative"],
        "you/.local/share/hkstats/store.sqlite"
      ),
    ]
    for (environment, place) in places {
      let run = try ProgramRun.hkstats(["import", path], environment: environment)
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(FileManager.default.fileExists(atPath: scratch.path(place)))
      let types = try ProgramRun.hkstats(["types"], environment: environment)
      #expect(types.output.contains("stepCount"))
    }
  }

  @Test("A folder and a bare xml of any name are read like the zip")
  func shapesOfInput() throws {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    let folder = scratch.url("apple_health_export")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try export.data.write(to: folder.appendingPathComponent("导出.xml"))
    for path in [folder.path, folder.appendingPathComponent("导出.xml").path] {
      #expect(try importJSON(path)["read"] as? Int == 1)
    }
  }

  @Test("Two exports in one command are two imports, their counts added")
  func severalPaths() throws {
    var one = SmallExport()
    one.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    var two = one
    two.steps(50, from: "2024-03-05T11:00:00", to: "2024-03-05T11:10:00")
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("1.xml", one.data), try scratch.file("2.xml", two.data), "--store",
      store, "--json",
    ])
    let counts = try run.object()
    #expect(counts["read"] as? Int == 3)
    #expect(counts["new"] as? Int == 2)
    #expect(counts["known"] as? Int == 1)
  }

  @Test("The summary for people names what was skipped and what is not imported yet")
  func summaryForPeople() throws {
    var export = SmallExport()
    export.add(
      "HKQuantityTypeIdentifierDistanceSwimming", "5", unit: "furlong", from: "2024-03-05T10:00:00",
      to: "2024-03-05T10:10:00")
    export.add(
      "HKQuantityTypeIdentifierBodyMass", "70", unit: "count", from: "2024-03-05T10:00:00",
      to: "2024-03-05T10:10:00")
    export.steps(1234, from: "2024-03-05T10:10:00", to: "2024-03-05T10:00:00")
    export.add(lines: " <Workout duration=\"1\"/>", " <WorkoutZoneGroup type=\"x\"/>")
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("export.xml", export.data), "--store", store,
    ])
    #expect(run.exitCode == 0)
    #expect(run.output.contains("unknown unit \"furlong\" on distanceSwimming: 1"))
    #expect(run.output.contains("unit \"count\", which measures something else, on bodyMass: 1"))
    #expect(run.output.contains("Not imported yet: 1 Workout"))
    #expect(run.output.contains("Unknown elements: 1 WorkoutZoneGroup"))
    #expect(run.output.contains("1 record with an end before the start"))
    #expect(!run.output.contains("1234") && !run.output.contains("1,234"))
  }
}
