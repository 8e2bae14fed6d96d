import Foundation
import GRDB
import HealthStore
import Testing

@testable import hkstats

@Suite("hkstats store and verify, and stores that are not what they should be")
struct StoreProgramTests {
  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch.path("store.sqlite")
    let export = scratch.path("export.zip")
    let made = try ProgramRun.run(
      "generate-export",
      ["--out", export, "--years", "0.05", "--density", "0.1", "--until", "2026-11-01"])
    #expect(made.exitCode == 0)
    #expect(try run("import", export).exitCode == 0)
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(arguments + ["--store", path])
  }

  private func change(_ sql: String) throws {
    // As another program would: it knows neither the digests nor the SQL function for them.
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  @Test("The overview agrees with the lists")
  func overview() throws {
    let json = try #require(
      JSONSerialization.jsonObject(
        with: Data(run("store", "--format", "json").output.utf8)) as? [String: Any])
    let types = try run("types", "--format", "json").rows("types")
    #expect(json["samples"] as? Int == types.reduce(0) { $0 + ($1["count"] as? Int ?? 0) })
    #expect(json["types"] as? Int == types.count)
    #expect(json["first"] as? String == types.compactMap { $0["first"] as? String }.min())
    #expect(json["path"] as? String == path)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(json["bytes"] as? Int == size)
    let workouts = try run("workouts", "--format", "ndjson").output.split(separator: "\n").count
    let elements = try #require(json["elements"] as? [String: Int])
    #expect(elements["Workout"] == workouts)
    let table = try run("store").output
    #expect(table.contains(path) && table.contains("latest export"))
    #expect(try run("store").errors.isEmpty)
  }

  @Test("A whole store is said to be whole")
  func whole() throws {
    let verified = try run("verify")
    #expect(verified.exitCode == 0 && verified.output.contains("whole"))
    let json = try #require(try run("verify", "--json").json() as? [String: Any])
    #expect(json["whole"] as? Bool == true)
  }

  @Test("A damaged chunk is named, the rest can be asked")
  func damagedChunk() throws {
    try change(
      """
      UPDATE chunks SET core = CAST(substr(core, 1, 20) || x'00' || substr(core, 22) AS BLOB)
      WHERE type = (SELECT id FROM types WHERE identifier = 'HKQuantityTypeIdentifierStepCount')
      """)
    let verified = try run("verify")
    #expect(verified.exitCode == 65)
    #expect(verified.output.contains("Damaged: chunk") && verified.output.contains("stepCount"))
    #expect(try run("stats", "steps").exitCode == 65)
    #expect(try run("stats", "heartRate").exitCode == 0)
    let json = try #require(try run("verify", "--json").json() as? [String: Any])
    #expect(json["whole"] as? Bool == false)
    #expect((json["damagedChunks"] as? [[String: Any]])?.isEmpty == false)
  }

  /// A change by hand, and a question that it would make answer wrongly.
  @Test(
    "What was changed without the program is damage, not an answer",
    arguments: [
      (
        "UPDATE sources SET isUserEntered = 1 - isUserEntered WHERE matchingName IN "
          + "(SELECT matchingName FROM sources GROUP BY 1 HAVING count(*) = 1)", "stats steps"
      ),
      ("UPDATE sources SET name = name || 'x', matchingName = matchingName || 'x'", "sources"),
      ("UPDATE series SET count = count + 1", "types"),
      ("UPDATE series SET counts = zeroblob(40)", "types"),
      (
        "DELETE FROM chunks WHERE type = "
          + "(SELECT id FROM types WHERE identifier LIKE '%StepCount')", "stats steps"
      ),
      (
        "DELETE FROM zoneMaps WHERE chunk = (SELECT max(chunk) FROM zoneMaps WHERE type = "
          + "(SELECT id FROM types WHERE identifier LIKE '%StepCount'))", "stats steps"
      ),
      (
        "UPDATE zoneMaps SET firstStart = firstStart + 1e9, lastStart = lastStart + 1e9",
        "stats steps"
      ),
      (
        "DELETE FROM elements WHERE id = (SELECT max(id) FROM elements WHERE kind = 'w')",
        "workouts"
      ),
      ("UPDATE elements SET start = start + 1e9 WHERE kind = 'w'", "workouts"),
      (
        """
        CREATE TEMP TABLE swap AS SELECT id, core, detail FROM chunks WHERE type =
          (SELECT id FROM types WHERE identifier = 'HKCategoryTypeIdentifierSleepAnalysis');
        UPDATE chunks SET core = (SELECT core FROM swap ORDER BY id LIMIT 1),
          detail = (SELECT detail FROM swap ORDER BY id LIMIT 1)
        WHERE id = (SELECT max(id) FROM swap) OR type =
          (SELECT id FROM types WHERE identifier = 'HKQuantityTypeIdentifierStepCount')
        """, "samples steps"
      ),
      ("UPDATE chunks SET count = 9223372036854775807", "stats steps"),
      ("UPDATE chunks SET lastSerial = 9223372036854775807", "verify"),
      (
        "ALTER TABLE series RENAME TO old; CREATE VIEW series AS WITH RECURSIVE endless(n) AS "
          + "(SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT n AS type, n AS source, "
          + "n AS count, n AS firstStart, n AS lastStart, n AS lastEnd, '' AS device FROM endless",
        "types"
      ),
      (
        "CREATE TRIGGER busy AFTER INSERT ON settings BEGIN DELETE FROM sources; END",
        "sources prefer steps a"
      ),
      ("UPDATE sources SET name = printf('%.*c', 100000000, 'x') WHERE id = 1", "sources"),
    ])
  func changedByHand(sql: String, question: String) throws {
    try change(sql)
    let started = ContinuousClock.now
    let asked = try ProgramRun.hkstats(
      question.split(separator: " ").map(String.init) + ["--store", path])
    #expect(asked.exitCode == 65, "\(asked.output) \(asked.errors)")
    #expect(try run("verify").exitCode == 65)
    #expect(try run("import", scratch.path("export.zip")).exitCode == 65)
    #expect(ContinuousClock.now - started < .seconds(60))
  }

  @Test("A path that cannot be a store is said to be what it is")
  func oddPaths() throws {
    let empty = try ProgramRun.hkstats(["types", "--store", ""])
    #expect(empty.exitCode == 64 && empty.errors.contains("--store needs"))
    let link = scratch.path("link.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: scratch.path("nowhere"))
    for command in ["types", "import \(scratch.path("export.zip"))"] {
      let run = try ProgramRun.hkstats(
        command.split(separator: " ").map(String.init) + ["--store", link])
      #expect(run.exitCode == 66 && run.errors.contains("link"), "\(run.errors)")
    }
  }
}
