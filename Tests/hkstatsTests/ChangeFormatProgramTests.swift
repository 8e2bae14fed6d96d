import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("What a command changed, as JSON")
struct ChangeFormatProgramTests {
  private static func store(in scratch: Scratch) throws -> (export: String, path: String) {
    var export = SmallExport(offset: 0)
    for day in 1...9 {
      export.steps(day, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:10:00")
    }
    let file = try scratch.file("export.xml", export.data)
    let path = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats(["import", file, "--store", path])
    try #require(run.exitCode == 0, "\(run.errors)")
    return (file, path)
  }

  private static func object(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> [String: Any] {
    let run = try ProgramRun.hkstats(arguments + ["--format", "json"], environment: environment)
    try #require(run.exitCode == 0, "\(arguments): \(run.errors)")
    #expect(run.lines.count == 1, "\(arguments): \(run.output)")
    return try run.object()
  }

  @Test("A deletion, its restoration and an undone import say how many, and their numbers")
  func history() throws {
    let scratch = try Scratch()
    let (_, path) = try Self.store(in: scratch)
    let store = ["--store", path]
    func counted() throws -> Int {
      try ProgramRun.hkstats(["samples", "steps", "--format", "ndjson"] + store).lines.count
    }
    let words = ["delete", "steps", "--from", "2024-03-03", "--to", "2024-03-06"]
    let before = try counted()
    let planned = try Self.object(words + ["--dry-run"] + store)
    #expect(planned["dryRun"] as? Bool == true && planned["deletion"] == nil)
    #expect(try counted() == before)
    let deleted = try Self.object(words + store)
    #expect(planned["deletedSamples"] as? Int == deleted["deletedSamples"] as? Int)
    #expect(deleted["deletedSamples"] as? Int == before - (try counted()))
    let listed = try ProgramRun.hkstats(["deletions", "--format", "json"] + store)
    let number = try #require(deleted["deletion"] as? Int)
    #expect(try listed.rows("deletions").compactMap { $0["id"] as? Int } == [number])

    let restored = try Self.object(["restore", "\(number)"] + store)
    #expect(restored["restored"] as? Int == number)
    #expect(restored["returnedSamples"] as? Int == deleted["deletedSamples"] as? Int)
    #expect(try counted() == before)

    let undone = try Self.object(["imports", "undo", "1"] + store)
    #expect(undone["import"] as? Int == 1)
    #expect(undone["deletedSamples"] as? Int == before)
    #expect(try counted() == 0)
  }

  @Test("A sync says what each store took over")
  func sync() throws {
    let scratch = try Scratch()
    let (_, path) = try Self.store(in: scratch)
    let other = scratch.path("other.sqlite")
    let made = try Self.object(["sync", other, "--create", "--store", path])
    let stores = try #require(made["stores"] as? [[String: Any]])
    #expect(stores.compactMap { $0["added"] as? Int } == [0, 9])
    #expect(stores.last?["path"] as? String == other)
    let planned = try Self.object(["sync", other, "--dry-run", "--store", path])
    #expect(planned["dryRun"] as? Bool == true)
    #expect(
      (planned["stores"] as? [[String: Any]])?.allSatisfy { $0["imports"] as? Int == 0 } == true)
  }

  @Test("What is set is what is said, and what is asked for afterwards")
  func settings() throws {
    let scratch = try Scratch()
    let (_, path) = try Self.store(in: scratch)
    let store = ["--store", path]
    let type = "HKQuantityTypeIdentifierStepCount"
    #expect(
      try Self.object(["zones", "set", "Europe/Paris"] + store)["timezone"] as? String
        == "Europe/Paris")
    let zones = try ProgramRun.hkstats(["zones", "--format", "json"] + store)
    #expect(try zones.object()["isSet"] as? Bool == true)
    #expect(try Self.object(["zones", "reset"] + store)["isSet"] as? Bool == false)
    let unit = try Self.object(["units", "prefer", "bodyMass", "pounds"] + store)
    #expect(
      unit["unit"] as? String == "lb"
        && unit["type"] as? String == "HKQuantityTypeIdentifierBodyMass")
    #expect(try Self.object(["units", "prefer", "bodyMass", "--reset"] + store)["unit"] is NSNull)
    let order = try Self.object(["sources", "prefer", "steps", SmallExport.watch] + store)
    #expect(order["type"] as? String == type)
    #expect(order["preferred"] as? [String] == [SmallExport.watch])
    let reset = try Self.object(["sources", "reset", "--all"] + store)
    #expect(reset["type"] is NSNull && (reset["preferred"] as? [String])?.isEmpty == true)
    let fact = try Self.object(["profile", "set", "bloodType", "APositive"] + store)
    #expect(fact["value"] as? String == "HKBloodTypeAPositive")
    #expect(try Self.object(["profile", "reset", "bloodType"] + store)["value"] is NSNull)
    let app = try Self.object(
      ["deliver", "command", "com.example.diary", "--format", "json"] + store + ["--reset"])
    #expect(app["app"] as? String == "com.example.diary")
  }

  @Test("Each command that changes something says so to people, in one line that names it")
  func sentences() throws {
    let scratch = try Scratch()
    let (_, path) = try Self.store(in: scratch)
    let copy = scratch.path("copy.sqlite")
    for (words, name) in [
      (["zones", "set", "Europe/Paris"], "Europe/Paris"), (["zones", "reset"], "zone"),
      (["units", "prefer", "bodyMass", "lb"], "lb"),
      (["units", "prefer", "bodyMass", "--reset"], "bodyMass"),
      (["sources", "prefer", "steps", SmallExport.watch], SmallExport.watch),
      (["sources", "reset", "steps"], "stepCount"), (["sources", "reset", "--all"], "all types"),
      (["profile", "set", "bloodType", "APositive"], "bloodType"),
      (["profile", "reset", "bloodType"], "bloodType"),
      (["deliver", "command", "com.example.diary", "--reset"], "com.example.diary"),
      (["store", "backup", copy], copy), (["store", "new-identity"], path),
      (["store", "compact"], "after"), (["delete", "steps", "--to", "2024-03-02"], "1 sample"),
    ] {
      let run = try ProgramRun.hkstats(words + ["--store", path])
      #expect(run.exitCode == 0, "\(words): \(run.errors)")
      #expect(run.lines.count == 1 && run.output.contains(name), "\(words): \(run.output)")
    }
  }

  @Test("An export into a file says on a terminal how much it holds, and nothing to scripts")
  func exports() throws {
    let scratch = try Scratch()
    let (_, path) = try Self.store(in: scratch)
    let words = ["export", "steps", "--store", path, "--out"]
    let silent = try ProgramRun.hkstats(words + [scratch.path("a.csv")])
    #expect(silent.exitCode == 0 && silent.output.isEmpty && silent.errors.isEmpty)
    let told = try ProgramRun.onTerminal(
      words + [scratch.path("b.csv")], columns: 200, environment: [:], showsErrors: true)
    let text = try String(contentsOfFile: scratch.path("b.csv"), encoding: .utf8)
    let rows = CommaSeparatedRows.rows(of: text).count - 1
    #expect(told.contains("b.csv has \(rows) items"), "\(told)")
  }

  @Test("A copy, its return and a compaction name the files and their sizes")
  func files() throws {
    let scratch = try Scratch()
    let (_, path) = try Self.store(in: scratch)
    let copy = scratch.path("copy.sqlite")
    let kept = try Self.object(["store", "backup", copy, "--store", path])
    #expect(kept["copy"] as? String == copy)
    let back = try Self.object(["store", "restore", copy, "--store", path])
    #expect(FileManager.default.fileExists(atPath: try #require(back["replaced"] as? String)))
    let small = try Self.object(["store", "compact", "--store", path])
    let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(small["bytesAfter"] as? Int == bytes)
    #expect(try Self.object(["store", "new-identity", "--store", path])["path"] as? String == path)
  }

  @Test("A seal says what it is now, as the summary of the store does")
  func seals() throws {
    let scratch = try Scratch()
    let (_, path) = try Self.store(in: scratch)
    let store = ["--store", path]
    let secret = ["HKSTATS_PASSPHRASE": "of the test", "XDG_RUNTIME_DIR": scratch.path("run")]
    let sealed = try Self.object(["encrypt"] + store, environment: secret)
    #expect(sealed["encryption"] as? String == "locked")
    let seen = try ProgramRun.hkstats(["store", "--format", "json"] + store)
    #expect(try seen.object()["encryption"] as? String == "locked")
    let opened = try Self.object(["decrypt"] + store, environment: secret)
    #expect(opened["encryption"] as? String == "none")
    #expect((opened["saves"] as? [String: Any])?["refused"] as? Int == 0)
  }

  @Test("import and verify print the same with --json and with --format json")
  func twoSpellings() throws {
    let scratch = try Scratch()
    let (file, path) = try Self.store(in: scratch)
    for words in [["import", file, "--dry-run"], ["verify"]] {
      let runs = try [["--json"], ["--format", "json"]].map {
        try ProgramRun.hkstats(words + $0 + ["--store", path])
      }
      let texts = try runs.map { run in
        let object = try run.object().filter { !["seconds", "bytesPerSecond"].contains($0.key) }
        return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
      }
      #expect(texts[0] == texts[1])
    }
  }
}
