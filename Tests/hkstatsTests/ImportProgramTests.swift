import Foundation
import Testing
import _HealthTestSupport

@Suite("hkstats import, as a program")
final class ImportProgramTests: StoreSuite {
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
      ",\"elements\":{", ",\"differences\":{", ",\"unknownElements\":{", ",\"bytes\":",
      ",\"seconds\":",
    ].map { run.output.range(of: $0)?.lowerBound }
    #expect(places.compactMap { $0 }.count == places.count)
    #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
    let all = try run.object()
    #expect(
      Set(all.keys).isSuperset(of: [
        "skippedReasons", "unknownAttributes", "missingFiles", "unreadableFiles", "unnamedFiles",
        "oddities", "inputs",
      ]))
    let types = try #require(all["types"] as? [String: [String: Int]])
    let elements = try #require(all["elements"] as? [String: [String: Int]])
    #expect((elements["Workout"]?["new"] ?? 0) > 0)
    for counts in Array(types.values) + elements.values {
      #expect(Set(counts.keys) == ["read", "new", "known", "duplicates", "skipped"])
      let others = ["new", "known", "duplicates", "skipped"].compactMap { counts[$0] }
      #expect(counts["read"] == others.reduce(0, +))
    }
    for key in ["read", "new", "known", "duplicates", "skipped"] {
      #expect(all[key] as? Int == types.values.compactMap { $0[key] }.reduce(0, +))
    }
    #expect((all["duplicates"] as? Int ?? 0) > 0)
  }

  @Test("A folder of downloads: the one export in it is imported, of two neither")
  func downloads() throws {
    let folder = scratch.path("Downloads")
    for name in ["Downloads", "Downloads/photos"] {
      try FileManager.default.createDirectory(
        atPath: scratch.path(name), withIntermediateDirectories: true)
    }
    _ = try scratch.file("Downloads/notes.csv", Data("day,what\n1,2\n".utf8))
    let none = try ProgramRun.hkstats(["import", folder, "--store", store])
    #expect(none.exitCode == 65 && none.errors.contains("holds no export"), "\(none.errors)")
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:30:00")
    let archive = ZipWriter([.init("apple_health_export/export.xml", export.text)])
    _ = try scratch.file("Downloads/export.zip", Data(archive.bytes))
    let one = try ProgramRun.hkstats(["import", folder, "--store", store])
    #expect(one.exitCode == 0, "\(one.errors)")
    #expect(one.output.contains("From \(folder): export.zip: apple_health_export/export.xml."))
    _ = try scratch.file("Downloads/export 2.zip", Data(archive.bytes))
    let several = try ProgramRun.hkstats(["import", folder, "--store", store])
    #expect(several.exitCode == 65)
    #expect(several.errors.contains("holds several exports: export 2.zip, export.zip"))
  }

  @Test("A folder: which file was read, and every file and record that was not, by name")
  func names() throws {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:30:00")
    export.add(
      "HKQuantityTypeIdentifierStepCount", "5", unit: nil, from: "2024-03-05T11:00:00",
      to: "2024-03-05T11:30:00")
    let facts =
      "sourceName=\"W\" startDate=\"2024-03-05 10:00:00 +0000\" endDate=\"2024-03-05 11:00:00 +0000\""
    export.add(lines: [
      " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" \(facts) mood=\"1\">"
        + "<WorkoutRoute \(facts)><FileReference path=\"/workout-routes/gone.gpx\"/></WorkoutRoute>"
        + "</Workout>"
    ])
    let files = FileManager.default
    for folder in ["top/workout-routes", "top/electrocardiograms", "top/old"] {
      try files.createDirectory(
        atPath: scratch.path(folder), withIntermediateDirectories: true)
    }
    _ = try scratch.file("top/export.xml", export.data)
    _ = try scratch.file("top/workout-routes/lost.gpx", Data("<gpx/>".utf8))
    _ = try scratch.file("top/electrocardiograms/ecg_1.csv", Data("no signal".utf8))
    _ = try scratch.file("top/old/export.xml", SmallExport().data)
    let text = try ProgramRun.hkstats([
      "import", scratch.path("top"), "--store", scratch.path("other.sqlite"),
    ]).output
    for sentence in [
      "From \(scratch.path("top")): export.xml.",
      "1 other export, not read: old/export.xml.",
      "1 file missing that the export names: /workout-routes/gone.gpx.",
      "1 file that cannot be read: electrocardiograms/ecg_1.csv.",
      "1 file left out that no workout and no record names: workout-routes/lost.gpx.",
    ] { #expect(text.contains(sentence), "\(text)") }

    let run = try ProgramRun.hkstats([
      "import", scratch.path("top"), "--store", store, "--json",
    ])
    let all = try run.object()
    func list(_ key: String) throws -> [String] {
      let files = try #require(all[key] as? [String: Any])
      let names = try #require(files["files"] as? [String])
      #expect(files["count"] as? Int == names.count)
      return names
    }
    #expect(try list("missingFiles") == ["/workout-routes/gone.gpx"])
    #expect(try list("unreadableFiles") == ["electrocardiograms/ecg_1.csv"])
    #expect(try list("unnamedFiles") == ["workout-routes/lost.gpx"])
    #expect(all["unknownAttributes"] as? [String: Int] == ["mood": 1])
    let reasons = try #require(all["skippedReasons"] as? [String: [String: Int]])
    #expect(reasons == ["HKQuantityTypeIdentifierStepCount": ["missingUnit": 1]])
    let input = try #require((all["inputs"] as? [[String: Any]])?.first)
    #expect(input["files"] as? [String] == ["export.xml"])
    #expect(input["otherExports"] as? [String] == ["old/export.xml"])
  }

  @Test("A file of two exports: the first is read, and the code and a sentence say that one is not")
  func twoRoots() throws {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:30:00")
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("two.xml", export.data + export.data), "--store", store,
    ])
    #expect(run.exitCode == 65)
    #expect(run.errors.contains("1 further export after the end of the first"))
    #expect(run.output.contains("Steps"))
  }

  @Test("A path that is no UTF-8 is refused with a sentence, and no file is made")
  func paths() throws {
    let name = scratch.path("st") + "\u{1F}.sqlite"
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "\"$0\" types --store \"$(printf '%s\\377' \"$1\")\" 2>\"$2\"; echo $? >\"$3\"",
      ProgramRun.folder.appendingPathComponent("hkstats").path, name, scratch.path("errors"),
      scratch.path("code"),
    ]
    try shell.run()
    shell.waitUntilExit()
    #expect(try scratch.text("code") == "64\n")
    #expect(try scratch.text("errors").contains("UTF-8"))
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

  @Test("An import that fails leaves nothing where there was no store, and a store as it was")
  func failureLeavesNothing() throws {
    let good = try generate("one.zip")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: good))
    for place in bytes.count / 3..<bytes.count / 3 + 64 { bytes[place] ^= 0x5A }
    let damaged = try scratch.file("damaged.zip", bytes)
    let deep = scratch.path("store-folder/store.sqlite")
    for path in [store, deep] {
      let run = try ProgramRun.hkstats(["import", damaged, "--store", path])
      #expect(run.exitCode == 65)
      #expect(try scratch.storeFiles().isEmpty)
      #expect(!FileManager.default.fileExists(atPath: scratch.path("store-folder")))
    }
    _ = try importJSON(good)
    let before = try scratch.storeFiles()
    let run = try ProgramRun.hkstats(["import", damaged, "--store", store])
    #expect(run.exitCode == 65)
    #expect(try scratch.storeFiles() == before)
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

  @Test("The summary for people names what was skipped and what is unknown")
  func summaryForPeople() throws {
    var export = SmallExport()
    export.add(
      "HKQuantityTypeIdentifierDistanceSwimming", "5", unit: "furlong", from: "2024-03-05T10:00:00",
      to: "2024-03-05T10:10:00")
    export.add(
      "HKQuantityTypeIdentifierBodyMass", "70", unit: "count", from: "2024-03-05T10:00:00",
      to: "2024-03-05T10:10:00")
    export.steps(1234, from: "2024-03-05T10:10:00", to: "2024-03-05T10:00:00")
    export.add(lines: " <Workout duration=\"1\"/>", " <FromTheFuture type=\"x\"/>")
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("export.xml", export.data), "--store", store,
    ])
    #expect(run.exitCode == 0)
    #expect(run.output.contains("unknown unit \"furlong\" on distanceSwimming: 1"))
    #expect(run.output.contains("unit \"count\", which measures something else, on bodyMass: 1"))
    #expect(run.output.contains("no readable date on Workout: 1"))
    #expect(run.output.contains("Unknown elements: 1 FromTheFuture"))
    #expect(run.output.contains("1 record with an end before the start"))
    #expect(!run.output.contains("1234") && !run.output.contains("1,234"))
  }

  /// Two exports of one phone: the later one, in another offset, lacks a record and a workout, has
  /// a new one of each and other totals for a workout.
  private func twoExports() throws -> (first: String, later: String) {
    func workout(_ start: String, energy: String) -> String {
      " <Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" duration=\"30\" "
        + "durationUnit=\"min\" totalEnergyBurned=\"\(energy)\" totalEnergyBurnedUnit=\"Cal\" "
        + "sourceName=\"Watch\" startDate=\"\(start)\" endDate=\"\(start)\"/>"
    }
    var first = SmallExport()
    first.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    first.steps(50, from: "2024-03-05T11:00:00", to: "2024-03-05T11:10:00")
    first.add(
      lines: workout("2024-03-05 10:00:00 +0100", energy: "100"),
      workout("2024-03-06 10:00:00 +0100", energy: "100"))
    var later = SmallExport(offset: -300, address: 0x1)
    later.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    later.steps(70, from: "2024-04-05T11:00:00", to: "2024-04-05T11:10:00")
    later.add(
      lines: workout("2024-03-05 04:00:00 -0500", energy: "120"),
      workout("2024-04-06 04:00:00 -0500", energy: "100"))
    return (
      try scratch.file("first.xml", first.data), try scratch.file("later.xml", later.data)
    )
  }

  @Test("A second export of a phone is told apart from the first, and replaces it when asked")
  func differences() throws {
    let (first, later) = try twoExports()
    _ = try importJSON(first)
    func differences(_ options: String...) throws -> [String: [String: Int]] {
      let run = try ProgramRun.hkstats(["import", later, "--store", store, "--json"] + options)
      #expect(run.exitCode == 0)
      let all = try #require(try run.object()["differences"] as? [String: [String: Int]])
      // Nothing in these exports joins samples of the other.
      for counts in all.values { #expect(counts["superseded"] == 0) }
      return all.mapValues { counts in
        counts.filter { ["changed", "onlyInStore", "deleted"].contains($0.key) }
      }
    }
    let steps = "HKQuantityTypeIdentifierStepCount"
    let added = [
      steps: ["changed": 0, "onlyInStore": 1, "deleted": 0],
      "Workout": ["changed": 1, "onlyInStore": 1, "deleted": 0],
    ]
    let replaced = [
      steps: ["changed": 0, "onlyInStore": 0, "deleted": 1],
      "Workout": ["changed": 1, "onlyInStore": 0, "deleted": 1],
    ]
    let before = try scratch.storeFiles()
    #expect(try differences("--dry-run") == added)
    #expect(try differences("--dry-run", "--replace") == replaced)
    #expect(try scratch.storeFiles() == before)
    let people = try ProgramRun.hkstats(["import", later, "--store", store, "--dry-run"])
    #expect(people.output.contains("only in store"))
    #expect(try differences() == added)
    let again = try differences("--replace")
    #expect(again["Workout"] == ["changed": 0, "onlyInStore": 0, "deleted": 1])
    #expect(try differences("--replace").isEmpty)
    let samples = try ProgramRun.hkstats(["types", "--store", store, "--format", "csv"])
    #expect(samples.output.contains(",2,"))
  }

  @Test("A file that was cut replaces nothing, and says so, in any order of files")
  func cutReplacement() throws {
    let (first, later) = try twoExports()
    let whole = try Data(contentsOf: URL(fileURLWithPath: later))
    let cut = try scratch.file("cut.xml", whole.prefix(whole.count - 30))
    /// What a store has after a command that replaces, and the files that count.
    func state(_ name: String, _ files: [String], replaces: Bool = true) throws -> [String] {
      let path = ["--store", scratch.path(name)]
      #expect(try ProgramRun.hkstats(["import", first] + path).exitCode == 0)
      let run = try ProgramRun.hkstats(
        ["import"] + files + path + (replaces ? ["--replace"] : []))
      let isCut = files.contains(cut)
      #expect(run.exitCode == (isCut ? 65 : 0), "\(run.errors)")
      #expect(run.errors.contains("so it replaced nothing") == (isCut && replaces))
      let samples = try ProgramRun.hkstats(["export", "--format", "ndjson"] + path).output
      let imports = try ProgramRun.hkstats(["imports", "--format", "json"] + path)
        .rows("imports").map { "\($0["file"] ?? "") \($0["replaced"] ?? "")" }
      return [samples] + imports.sorted()
    }
    #expect(try state("one", [cut]) == state("two", [cut], replaces: false))
    let both = try state("three", [cut, later])
    #expect(try both == state("four", [later, cut]))
    #expect(both.dropFirst().count { $0.hasSuffix(" yes") } == 1)
  }

  @Test("A file that is told already stays so, and is no act, in any order of files that replace")
  func knownReplacement() throws {
    let (known, new) = try twoExports()
    let samples = try ["new first", "known first"].map { order in
      let (here, there) = (scratch.path(order), scratch.path("other of \(order)"))
      func run(_ arguments: String..., at store: String) throws -> ProgramRun {
        let run = try ProgramRun.hkstats(arguments + ["--store", store])
        #expect(run.exitCode == 0, "\(arguments): \(run.errors)")
        return run
      }
      _ = try run("import", known, at: here)
      _ = try run("sync", there, "--create", at: here)
      let files = order == "new first" ? [new, known] : [known, new]
      _ = try run("import", files[0], files[1], "--replace", at: here)
      _ = try run("imports", "undo", "1", at: there)
      _ = try run("sync", there, at: here)
      let both = try [here, there].map { try run("export", "--format", "ndjson", at: $0).output }
      #expect(both[0] == both[1])
      return both[0]
    }
    #expect(samples[0] == samples[1])
    let alone = scratch.path("alone")
    #expect(try ProgramRun.hkstats(["import", new, "--store", alone]).exitCode == 0)
    let whole = try ProgramRun.hkstats(["export", "--format", "ndjson", "--store", alone])
    #expect(whole.output == samples[0])
  }

  @Test("Of programs that synchronise at one time each ends or is told that another is busy")
  func synchronisedAtOnce() throws {
    let (known, new) = try twoExports()
    let (here, there) = (scratch.path("here"), scratch.path("there"))
    for arguments in [
      ["import", known, "--store", here], ["sync", there, "--create", "--store", here],
      ["import", new, "--store", here], ["delete", "steps", "--store", there],
    ] { try #require(ProgramRun.hkstats(arguments).exitCode == 0) }
    let programs = try (0..<6).map { number in
      let stores = number % 2 == 0 ? [here, there] : [there, here]
      return try ProgramRun.start(
        "hkstats", ["sync", stores[1], "--store", stores[0]], in: scratch,
        errors: try scratch.file("errors \(number)", Data()))
    }
    for (number, program) in programs.enumerated() {
      program.waitUntilExit()
      let errors = try scratch.text("errors \(number)")
      #expect([0, 75].contains(program.terminationStatus), "\(errors)")
      #expect(!errors.contains("damaged"))
    }
    #expect(try ProgramRun.hkstats(["sync", there, "--store", here]).exitCode == 0)
    let both = try [here, there].map {
      try ProgramRun.hkstats(["export", "--format", "ndjson", "--store", $0]).output
    }
    #expect(both[0] == both[1] && !both[0].isEmpty)
    for store in [here, there] {
      #expect(try ProgramRun.hkstats(["verify", "--store", store]).exitCode == 0)
    }
  }
}
