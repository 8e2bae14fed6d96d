import Foundation
import HealthSamples
import Testing

@testable import hkstats

@Suite("What a shell offers to complete a word")
struct CompletionProgramTests {
  private static let hostile = [
    "$(touch pwned)", "`touch pwned`", "Anna's \"Watch\"", "a\\b", "${HOME}", "x; touch pwned",
    "Anna’s iPhone", "{a,b}", "~", "*",
  ]

  private static func store(in scratch: Scratch, sources: [String] = hostile) throws -> String {
    var export = SmallExport()
    for source in sources {
      export.steps(1, from: "2024-03-09T10:00:00", to: "2024-03-09T10:10:00", source: source)
    }
    let path = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats(
      ["import", try scratch.file("export.xml", export.data), "--store", path])
    try #require(run.exitCode == 0, "\(run.errors)")
    return path
  }

  /// What the program says when a shell asks for the last of some words.
  private static func offered(
    _ command: [String], _ argument: String, _ words: [String],
    environment: [String: String] = [:]
  ) throws -> [String] {
    let run = try ProgramRun.hkstats(
      ["---completion"] + command + ["--", argument, "\(words.count - 1)", "0"] + words,
      environment: environment)
    #expect(run.exitCode == 0)
    #expect(run.errors.isEmpty)
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test("Types and sources are those of the store")
  func stored() throws {
    let scratch = try Scratch()
    let path = try Self.store(in: scratch)
    let before = try scratch.storeFiles()
    for words in [
      ["hkstats", "stats", "--store", path, ""], ["hkstats", "stats", "--store=\(path)", ""],
    ] {
      #expect(try Self.offered(["stats"], "positional@0", words) == ["stepCount"])
      #expect(try Self.offered(["stats"], "--source", words) == Self.hostile.sorted())
    }
    let environment = ["HKSTATS_STORE": path]
    for (command, argument) in [
      (["sources", "prefer"], "positional@0"), (["samples"], "positional@0"),
      (["trend"], "positional@0"), (["watch"], "positional@0"), (["delete"], "positional@0"),
      (["permissions"], "--allow-read"), (["export"], "positional@0"),
    ] {
      let names = try Self.offered(
        command, argument, ["hkstats"] + command + [""], environment: environment)
      #expect(names.contains("stepCount") && !names.contains("heartRate"))
    }
    let ranked = try Self.offered(
      ["sources", "prefer"], "positional@0", ["hkstats", "sources", "prefer", "steps", ""],
      environment: environment)
    #expect(ranked == Self.hostile.sorted())
    #expect(try scratch.storeFiles() == before)
  }

  @Test("Without a store, or with one that cannot be read, the catalogue is offered in silence")
  func catalogue() throws {
    let scratch = try Scratch()
    let missing = scratch.path("store.sqlite")
    let broken = try scratch.file("broken", Data("no store".utf8))
    let sealed = scratch.path("store-sealed.sqlite")
    let made = try ProgramRun.hkstats(
      ["encrypt", "--store", sealed], environment: ["HKSTATS_PASSPHRASE": "of the test"])
    #expect(made.exitCode == 0)
    let everything = Set(Catalogue.types.map { TypeName.short($0.identifier) })
    for path in [missing, broken, sealed, scratch.path("no/folder/store.sqlite")] {
      let words = ["hkstats", "stats", "--store", path, ""]
      let types = try Self.offered(
        ["stats"], "positional@0", words, environment: ["HKSTATS_PASSPHRASE": "wrong"])
      #expect(Set(types) == everything)
      #expect(try Self.offered(["stats"], "--source", words).isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: missing))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("no")))
    // With an export the store is not what is asked.
    let words = ["hkstats", "stats", "--export", "export.zip", ""]
    let types = try Self.offered(
      ["stats"], "positional@0", words,
      environment: ["HKSTATS_STORE": try Self.store(in: scratch)])
    #expect(Set(types) == everything)
  }

  @Test("Every offered zone, unit, statistic, interval, policy and style is accepted")
  func accepted() throws {
    let scratch = try Scratch()
    let path = try Self.store(in: scratch)
    func offered(_ option: String) throws -> [String] {
      let words = ["hkstats", "stats", "steps", option, ""]
      return try Self.offered(["stats"], option, words, environment: ["HKSTATS_STORE": path])
    }
    for option in ["--stat", "--unit"] {
      let values = try offered(option)
      #expect(!values.isEmpty)
      for value in values {
        let run = try ProgramRun.hkstats(["stats", "steps", option, value, "--store", path])
        // A type with sums has no mean, which is no misspelling.
        #expect(run.exitCode == 0 || !run.errors.contains("Use one of"), "\(value): \(run.errors)")
      }
    }
    let zones = try offered("--timezone")
    #expect(zones.contains("recorded") && zones.contains("Europe/Paris"))
    #expect(zones.filter { $0 != "recorded" }.allSatisfy { TimeZone(identifier: $0) != nil })
    let mass = try Self.offered(
      ["units", "prefer"], "positional@1", ["hkstats", "units", "prefer", "bodyMass", ""])
    #expect(mass.contains("kg") && !mass.contains("km"))
    let script = try ProgramRun.hkstats(["--generate-completion-script", "fish"]).output
    for word in ["quarter", "subtractive", "sdk18", "temporallyWeighted", "bloodType"] {
      #expect(script.contains(word))
    }
    for policy in ["hk", "hc", "subtractive", "drop", "highest", "none"] {
      #expect(
        try ProgramRun.hkstats(["stats", "steps", "--merge", policy, "--store", path]).exitCode == 0
      )
    }
  }

  @Test("bash offers names as they are, and runs nothing that stands in one")
  func bash() throws {
    let scratch = try Scratch()
    let path = try Self.store(in: scratch)
    let script = try ProgramRun.hkstats(["--generate-completion-script", "bash"]).output
    let file = try scratch.file("completion.bash", Data(script.utf8))
    let command = """
      cd "$1"; . "$2"; COMP_WORDS=("$3" stats steps --source ""); COMP_CWORD=4
      COMP_LINE="$3 stats steps --source "; COMP_POINT=${#COMP_LINE}
      _hkstats "$3" "" --source; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c", command, "bash", scratch.path(""), file,
      ProgramRun.folder.appendingPathComponent("hkstats").path,
    ]
    process.environment = [
      "HKSTATS_STORE": path, "PATH": "/usr/bin:/bin", "HOME": scratch.path("home"),
      "LANG": "C.UTF-8",
    ]
    process.standardOutput = try scratch.emptyFile("output")
    process.standardError = try scratch.emptyFile("errors")
    try process.run()
    process.waitUntilExit()
    #expect(try scratch.text("errors").isEmpty)
    let lines = Set(try scratch.text("output").split(separator: "\n").map(String.init))
    #expect(lines == Set(Self.hostile))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("pwned")))
  }
}
