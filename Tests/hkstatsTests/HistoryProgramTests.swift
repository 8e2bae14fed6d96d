import Foundation
import Testing

@testable import hkstats

/// What a person does with imports and deletions, by the command.
@Suite("hkstats delete, restore, deletions and imports undo")
final class HistoryProgramTests: ProgramSuite {
  private static let steps = "HKQuantityTypeIdentifierStepCount"

  override var environment: [String: String] { ["TZ": "Europe/Paris"] }

  /// A record: minutes of a day, and steps.
  private func walk(_ first: Int, _ last: Int, _ count: Int) -> String {
    func time(_ minute: Int) -> String {
      String(format: "2024-03-05 %02d:%02d:00 +0100", minute / 60, minute % 60)
    }
    return """
      <Record type="\(Self.steps)" sourceName="Watch" unit="count" startDate="\(time(first))" \
      endDate="\(time(last))" value="\(count)"/>

      """
  }

  private func run(_ energy: Int) -> String {
    """
    <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" \
    totalEnergyBurned="\(energy)" totalEnergyBurnedUnit="kcal" sourceName="Watch" \
    startDate="2024-03-05 12:00:00 +0100" endDate="2024-03-05 12:30:00 +0100"/>

    """
  }

  private func export(_ name: String, day: Int, _ content: String) throws -> String {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <HealthData locale="en_FR">
       <ExportDate value="2024-03-\(String(format: "%02d", day)) 12:00:00 +0100"/>
       <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
      \(content)</HealthData>
      """
    return try scratch.file(name, Data(text.utf8))
  }

  /// The steps of all days.
  private func total() throws -> Int {
    try run("samples", "steps", "--format", "ndjson").output.split(separator: "\n").reduce(0) {
      let json = try JSONSerialization.jsonObject(with: Data($1.utf8)) as? [String: Any]
      return try $0 + Int(#require(json?["value"] as? Double))
    }
  }

  /// The numbers of the deletions.
  private func deletions() throws -> [Int] {
    try run("deletions", "--format", "json").rows("deletions").compactMap { $0["id"] as? Int }
  }

  private func workouts() throws -> Int {
    try run("workouts", "--format", "ndjson").output.split(separator: "\n").count
  }

  @Test("where nothing is, the answer says why: the period, the sources, or a deletion")
  func absence() throws {
    _ = try run("import", try export("walks.xml", day: 6, walk(600, 610, 100) + walk(700, 710, 50)))
    func stats(_ more: String...) throws -> String {
      try ProgramRun.hkstats(
        ["stats", "steps", "--by", "day", "--store", store] + more,
        environment: ["TZ": "Europe/Paris"]
      ).output
    }
    #expect(try stats("--from", "2025").contains("No data: the data end on 2024-03-05."))
    #expect(
      try stats("--exclude", "Watch").contains(
        "No data: there are no samples of stepCount of the chosen sources. These have: Watch."))
    _ = try run("delete", "steps", "--yes")
    let id = try #require(try deletions().last)
    let kept = "Your deletion \(id) keeps 2 out: hkstats restore \(id) takes it back."
    #expect(try stats().contains("No data: there are no samples of stepCount. \(kept)"))
    #expect(try run("samples", "steps").output.contains("No samples. There are no samples"))
    #expect(try run("samples", "steps").output.contains(kept))
    #expect(try !stats("--from", "2025").contains("deletion"))
    #expect(try stats("--format", "json").contains(kept))
    _ = try run("restore", "\(id)", "--yes")
    #expect(try stats().contains("150"))
  }

  /// An export, and a later one in which the phone has joined two walks.
  private func exports() throws -> (fine: String, joined: String) {
    (
      try export("fine.xml", day: 6, walk(60, 70, 51) + walk(70, 80, 30) + run(200)),
      try export("joined.xml", day: 8, walk(60, 80, 81) + walk(120, 130, 200) + run(210))
    )
  }

  @Test("undoing an import in the middle is as if it had never been imported")
  func undo() throws {
    let (fine, joined) = try exports()
    let last = try export(
      "last.xml", day: 9, walk(60, 80, 81) + walk(120, 130, 200) + run(210))
    _ = try run("import", fine, joined, last)
    #expect(try total() == 281)
    #expect(try run("imports", "undo", "2").output.contains("counts as before"))
    #expect(try total() == 281)
    #expect(try run("imports", "undo", "3", "--dry-run").output.contains("to delete"))
    #expect(try total() == 281)
    #expect(
      try run("imports", "undo", "3").output
        == "2 samples deleted.\n2 samples counted again.\n")
    #expect(try total() == 81)
    #expect(try run("imports", "undo", "1").output == "2 samples and 2 other items deleted.\n")
    #expect(try (total(), workouts()) == (0, 0))
    #expect(try run("imports", "--format", "csv").output.split(separator: "\r\n").count == 1)
    #expect(try run("verify").output.contains("whole"))
  }

  @Test("deleted stays deleted however the phone joins, and its words or its number take it back")
  func restore() throws {
    let (fine, joined) = try exports()
    _ = try run("import", fine)
    #expect(try run("delete", "steps", "--dry-run").output == "2 samples to delete.\n")
    #expect(try run("delete", "steps").output == "2 samples deleted.\n")
    let report = try run("import", joined).output
    let first = try #require(try deletions().last)
    #expect(report.contains("Kept out by your deletion of"))
    #expect(report.contains(": 1. hkstats restore \(first) takes it back."))
    _ = try run("import", fine)
    #expect(try total() == 200)
    let listed = try run("deletions", "--format", "json").rows("deletions")
    #expect(listed.map { $0["samples"] as? Int } == [1])
    #expect(try run("restore", "steps", "--dry-run").output == "1 sample to count again.\n")
    #expect(try total() == 200)
    #expect(try run("restore", "steps").output == "1 sample counted again.\n")
    #expect(try total() == 281)
    _ = try run("import", fine, joined, "--restore")
    #expect(try total() == 281)
    #expect(
      try run("delete", "steps", "--where", "value>100 count").output == "1 sample deleted.\n")
    #expect(try total() == 81)
    #expect(try run("restore", "\(deletions().last ?? 0)").output == "1 sample counted again.\n")
    #expect(try total() == 281)
  }

  @Test("deletions count what was added by hand as well")
  func ownSamples() throws {
    _ = try run("import", try exports().fine)
    _ = try run("add", "steps", "90", "--at", "2024-03-05T09:00", "--to", "2024-03-05T09:10")
    _ = try run("add", "bodyMass", "71", "kg", "--at", "2024-03-05")
    func counts() throws -> [[Int?]] {
      try run("deletions", "--format", "json").rows("deletions").map { row in
        [row["samples"] as? Int, row["others"] as? Int]
      }
    }
    _ = try run("delete", "bodyMass")
    #expect(try counts() == [[1, 0]])
    #expect(try run("deletions", "--format", "csv").output.contains("bodyMass 1"))
    #expect(try run("delete", "steps").output == "3 samples deleted.\n")
    #expect(try counts() == [[1, 0], [3, 0]])
    _ = try run("restore", "\(deletions()[1])")
    #expect(try counts() == [[1, 0], [0, 0]])
  }

  @Test("workouts and all else are deleted and restored like samples")
  func elements() throws {
    let (fine, joined) = try exports()
    _ = try run("import", fine)
    #expect(
      try run("delete", "workout", "--from", "2024-03-05T13:00").output == "Nothing to change.\n")
    #expect(
      try run("delete", "workout", "--from", "2024-03-05", "--to", "2024-03-06").output
        == "1 other item deleted.\n")
    #expect(try run("import", joined).output.contains("Kept out by your deletion of"))
    #expect(try workouts() == 0)
    let listed = try run("deletions", "--format", "json").rows("deletions")
    #expect(listed.map { $0["others"] as? Int } == [1])
    #expect(listed.map { $0["kept"] as? String } == ["workout 1"])
    #expect(try run("restore", "workout").output == "1 other item counted again.\n")
    let workout = try run("workouts", "--format", "json").rows("workouts")
    #expect(workout.count == 1)
    // A time has everything that starts in it.
    #expect(
      try run("delete", "--from", "2024-03-05", "--to", "2024-03-06").output
        == "2 samples and 1 other item deleted.\n")
    #expect(try (total(), workouts()) == (0, 0))
    #expect(
      try run("restore", "--from", "2024-03-05", "--to", "2024-03-06").output
        == "2 samples and 1 other item counted again.\n")
    #expect(try (total(), workouts()) == (281, 1))
  }

  @Test("what replaces others can be undone, and files of one command replace no other of them")
  func replace() throws {
    let (fine, joined) = try exports()
    _ = try run("import", fine)
    #expect(try run("import", joined, "--replace").output.contains("deleted"))
    _ = try run("imports", "undo", "2")
    #expect(try (total(), workouts()) == (81, 1))
    let first = try export("first.xml", day: 6, walk(200, 210, 1))
    let second = try export("second.xml", day: 6, walk(300, 310, 2))
    _ = try run("import", first, second, "--replace")
    #expect(try (total(), workouts()) == (3, 0))
  }

  @Test("what cannot be is refused")
  func refusals() throws {
    let (fine, _) = try exports()
    _ = try run("import", fine)
    for arguments in [
      ["restore"], ["restore", "7"], ["delete"], ["delete", "--to", "2024-03-06"],
      ["delete", "--where", "value>1"], ["delete", "workout", "--where", "value>1"],
      ["delete", "--uuid", "x"], ["imports", "undo", "9"],
      ["restore", "steps", "--uuid", "6B29FC40-CA47-8067-B31D-00DD010662DA"],
    ] {
      let run = try ProgramRun.hkstats(arguments + ["--store", store])
      #expect(run.exitCode == 64, "\(arguments): \(run.errors)")
    }
    #expect(try total() == 81)
  }
}

extension HistoryProgramTests {
  @Test("two stores become equal; a missing one is made when asked for, a locked one opened")
  func sync() throws {
    _ = try run(
      "import", try export("first.xml", day: 6, walk(600, 620, 400) + run(300)))
    _ = try run("zones", "set", "Europe/Berlin")
    let other = scratch.path("other.sqlite")
    let refused = try ProgramRun.hkstats(["sync", other, "--store", store])
    #expect(refused.exitCode == 66 && refused.errors.contains("--create"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: other))
    let made = try run("sync", other, "--create").output
    #expect(
      made.contains("other.sqlite: 3 added, 0 deleted, 1 association, attachment or setting."),
      "\(made)")
    // The other person works on.
    for command in [["delete", "steps", "--yes"], ["zones", "set", "Europe/Rome"]] {
      #expect(try ProgramRun.hkstats(command + ["--store", other]).exitCode == 0)
    }
    let plan = try run("sync", other, "--dry-run").output
    #expect(
      plan.contains(
        "store.sqlite: would take over 1 deletion or restoration, 1 association, attachment or "
          + "setting."),
      "\(plan)")
    #expect(plan.contains("other.sqlite: knows all that the other has."), "\(plan)")
    #expect(try total() == 400)
    #expect(try run("sync", other).output.contains("store.sqlite: 0 added, 1 deleted"))
    #expect(try total() == 0)
    #expect(try run("zones").output.contains("Europe/Rome"))
    let before = try [store, other].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(try run("sync", other).output.contains("other.sqlite: 0 added, 0 deleted."))
    #expect(try [store, other].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
    // A locked one.
    let secret = ["HKSTATS_PASSPHRASE": "a long secret of somebody"]
    let sealed = try ProgramRun.hkstats(["encrypt", "--store", other], environment: secret)
    #expect(sealed.exitCode == 0, "\(sealed.errors)")
    _ = try ProgramRun.hkstats(["lock", "--store", other])
    let locked = try ProgramRun.hkstats(["sync", other, "--store", store])
    #expect(locked.exitCode == 64 && locked.errors.contains("--other-passphrase-fd"), "\(locked)")
    let opened = try ProgramRun.hkstats(["sync", other, "--store", store], environment: secret)
    #expect(opened.exitCode == 0, "\(opened.errors)")
  }

  @Test("what hkstats wrote is no export of another program, and is refused with what to do")
  func ownFiles() throws {
    let export = scratch.path("export.zip")
    let made = try ProgramRun.run(
      "generate-export",
      ["--out", export, "--years", "0.02", "--density", "0.1", "--until", "2026-11-01"])
    #expect(made.exitCode == 0)
    _ = try run("import", export)
    for name in ["tables", "all.ndjson", "all.json", "all.db", "samples.csv"] {
      _ = try run("export", "--out", scratch.path(name))
    }
    let before = try Data(contentsOf: scratch.url("store.sqlite"))
    for name in ["tables", "all.ndjson", "all.json", "all.db", "samples.csv", "tables/samples.csv"]
    {
      let refused = try ProgramRun.hkstats(["import", scratch.path(name), "--store", store])
      #expect(refused.exitCode == 65 && refused.errors.contains("sync"), "\(name): \(refused)")
    }
    let other = try ProgramRun.hkstats(["import", store, "--store", scratch.path("other.sqlite")])
    #expect(other.exitCode == 65 && other.errors.contains("hkstats sync"), "\(other)")
    #expect(try Data(contentsOf: scratch.url("store.sqlite")) == before)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("other.sqlite")))
  }
}
