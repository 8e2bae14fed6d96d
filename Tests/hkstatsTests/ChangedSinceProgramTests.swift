import Foundation
import HealthSamples
import HealthStore
import Testing

@Suite("Samples by UUID and since an anchor, as a program")
final class ChangedSinceProgramTests: StoreSuite {
  override init() throws {
    try super.init()
    var export = SmallExport()
    for day in 1...3 {
      export.steps(100 + day, from: "2024-03-0\(day)T10:00:00", to: "2024-03-0\(day)T10:10:00")
    }
    try load(export)
  }

  private func ask(_ arguments: String..., code: Int32 = 0) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(["samples", "steps"] + arguments + ["--store", store])
    #expect(run.exitCode == code, "\(run.errors)")
    return run
  }

  @Test("--uuid shows UUIDs in every form, and --where uuid finds them")
  func uuids() throws {
    let rows = try #require(try ask("--uuid", "--format", "json").json() as? [[String: Any]])
    let uuids = rows.compactMap { $0["uuid"] as? String }
    #expect(Set(uuids).count == 3)
    let csv = try ask("--uuid", "--format", "csv")
    #expect(try csv.line(0).hasSuffix(",uuid") && csv.line(2).hasSuffix("," + uuids[1]))
    #expect(try !ask("--format", "csv").output.contains("uuid"))
    #expect(try !ask("--format", "ndjson").output.contains("uuid"))
    let one = try ask("--where", "uuid=\(uuids[2])", "--format", "ndjson")
    #expect(one.lines.count == 1 && one.output.contains("\"value\":103"))
    let others = try ask("--where", "uuid!=\(uuids[2])", "--format", "ndjson")
    #expect(others.lines.count == 2)
    #expect(try ask("--where", "uuid=\(UUID())").output.hasPrefix("No samples. The data end"))
    #expect(try ask("--where", "uuid=x", code: 64).errors.contains("no UUID"))
  }

  @Test("--changed-since tells what was added and deleted, and the next anchor")
  func changes() throws {
    let first = try ask("--changed-since", "0", "--format", "json").object()
    #expect((first["samples"] as? [[String: Any]])?.count == 3)
    let anchor = try #require(first["anchor"] as? String)
    #expect(try ask("--changed-since", anchor).output.hasPrefix("Nothing was added or deleted."))
    let opened = try SampleStore(path: store, mode: .readWrite)
    let type = SampleType(.stepCount)
    let gone = try opened.uuids(of: try opened.records(of: type).flatMap(\.serials))[1]
    try opened.delete([gone])
    try opened.save([
      NewSample(
        type: type, source: Source(name: "App"), start: 900, end: 901, value: 7, label: "count")
    ])
    let rows = try ask("--changed-since", anchor, "--format", "json").rows("samples")
    #expect(rows.map { $0["kind"] as? String } == ["quantity", "deleted"])
    #expect(rows[0]["value"] as? Double == 7 && rows[1]["uuid"] as? String == gone.uuidString)
    #expect(rows[1]["value"] == nil)
    let lines = try ask("--changed-since", anchor, "--format", "ndjson").lines
    #expect(lines.count == 3 && lines[2].hasPrefix("{\"kind\":\"anchor\",\"anchor\":\""))
    let csv = try ask("--changed-since", anchor, "--format", "csv")
    #expect(csv.lines.count == 3 && csv.errors.contains("--changed-since"))
    let page = try ask("--changed-since", "0", "--limit", "2", "--format", "json")
    #expect(try page.rows("samples").count == 2 && page.errors.contains("more than --limit"))
    let next = try #require(try page.object()["anchor"] as? String)
    #expect(try ask("--changed-since", next, "--format", "json").rows("samples").count == 2)
  }

  @Test("--changed-since refuses what is no anchor, and other kinds")
  func mistakes() throws {
    #expect(try ask("--changed-since", "yesterday", code: 64).errors.contains("no anchor"))
    #expect(try ask("--changed-since", "1-2-3", code: 64).errors.contains("another store"))
    _ = try ask("--changed-since", "0", "--newest-first", code: 64)
    let workouts = try ProgramRun.hkstats([
      "samples", "workout", "--changed-since", "0", "--store", store,
    ])
    #expect(workouts.exitCode == 64 && workouts.errors.contains("--changed-since"))
  }

  @Test("permissions are shown and set")
  func permissions() throws {
    func permissions(_ arguments: String..., code: Int32 = 0) throws -> ProgramRun {
      let run = try ProgramRun.hkstats(["permissions"] + arguments + ["--store", store])
      #expect(run.exitCode == code, "\(run.errors)")
      return run
    }
    #expect(try permissions().output.hasPrefix("Nothing was set"))
    let set = try permissions(
      "com.example", "--allow-read", "steps", "--allow-read", "workout", "--deny-share", "steps",
      "--format", "json")
    let rows = try set.rows("permissions")
    #expect(
      rows.map { $0["type"] as? String }
        == ["HKQuantityTypeIdentifierStepCount", "HKWorkoutTypeIdentifier"])
    #expect(rows.map { $0["read"] as? String } == ["allowed", "allowed"])
    #expect(rows.map { $0["share"] as? String } == ["denied", "not asked"])
    let seen = try SampleStore(path: store, mode: .readOnly)
    #expect(try seen.reading(as: "com.example").types().map(\.count) == [3])
    _ = try permissions("com.example", "--deny-read", "steps")
    #expect(try seen.reading(as: "com.example").types().isEmpty)
    #expect(try permissions("com.other", "--format", "json").rows("permissions").isEmpty)
    let named = try permissions("com.example", "--name", "Example Run", "--format", "json")
    #expect(named.output.contains(#""name":"Example Run""#))
    #expect(try permissions("com.example").output.contains("Example Run"))
    // A limit that an app's sheet set is shown, and ends when the type is allowed here.
    let type = "HKQuantityTypeIdentifierStepCount"
    let owner = try SampleStore(path: store, mode: .readWrite)
    let date = Date(timeIntervalSinceReferenceDate: 86_400)
    try owner.limitHistory(of: "com.example", types: [type], from: date)
    let limited = try permissions("com.example", "--timezone", "UTC", "--format", "json")
      .rows("permissions")
    #expect(limited[0]["read"] as? String == "denied" && limited[0]["readFrom"] == nil)
    #expect(
      (limited[0]["readFromOnceAllowed"] as? String)?.hasPrefix("2001-01-02T00:00:00") == true)
    let lifted = try permissions("com.example", "--allow-read", "steps", "--format", "json")
    #expect(try lifted.rows("permissions")[0]["readFrom"] == nil)
    #expect(try owner.historyLimits(of: "com.example").isEmpty)
    // One that is set here.
    let since = try permissions(
      "com.example", "--allow-read", "steps", "--since", "2002-01-01", "--timezone", "UTC",
      "--format", "json")
    #expect(
      try (since.rows("permissions")[0]["readFrom"] as? String)?.hasPrefix("2002-01-01T00:00:00")
        == true)
    let newYear = Date(timeIntervalSinceReferenceDate: 365 * 86_400)
    #expect(try owner.historyLimits(of: "com.example") == [type: newYear])
    // What cannot be read begins nowhere; the limit waits.
    let denied = try permissions("com.example", "--deny-read", "steps", "--format", "json")
      .rows("permissions")[0]
    #expect(denied["readFrom"] == nil && denied["readFromOnceAllowed"] is String)
    let mass = "HKQuantityTypeIdentifierBodyMass"
    try owner.limitHistory(of: "com.third", types: [mass], from: newYear)
    for arguments in [["com.third"], []] {
      let rows = try ProgramRun.hkstats(
        ["permissions"] + arguments + ["--format", "json", "--store", store]
      ).rows("permissions")
      let waiting = try #require(rows.first { $0["type"] as? String == mass })
      #expect(
        waiting["read"] as? String == "not asked" && waiting["share"] as? String == "not asked")
      #expect(waiting["readFrom"] == nil || waiting["readFrom"] is NSNull)
      #expect(waiting["readFromOnceAllowed"] is String)
    }
    for wrong in [
      ["com.example", "--since", "2002"],
      ["com.example", "--deny-read", "steps", "--since", "2002"],
      ["com.example", "--allow-read", "steps", "--since", "soon"],
      ["com.example", "--allow-read", "dateOfBirth", "--since", "2002"],
      ["com.apple.Health", "--name", "Health"], ["com.apple.health.1", "--allow-read", "steps"],
      ["com.apple.health.1", "--allow-share", "steps"], [""],
    ] {
      #expect(
        try ProgramRun.hkstats(["permissions"] + wrong + ["--store", store]).exitCode == 64,
        "\(wrong)")
    }
    // What an earlier version gave such a name is shown, and taken back.
    #expect(try permissions("com.apple.Health", "--format", "json").rows("permissions").isEmpty)
    let taken = try permissions(
      "com.apple.Health", "--deny-read", "steps", "--deny-share", "steps", "--format", "json")
    #expect(try taken.rows("permissions").map { $0["read"] as? String } == ["denied"])
    for command in [["mcp", "--app"], ["deliver", "command"]] {
      let run = try ProgramRun.hkstats(
        command + ["com.apple.Health", "--store", store]
          + (command[0] == "mcp" ? [] : ["--", "/bin/true"]))
      #expect(run.exitCode == 64 && run.errors.contains("identifier"), "\(run.errors)")
    }
    _ = try permissions("--name", "Example Run", code: 64)
    _ = try permissions("com.example", "--name", "", code: 64)
    #expect(
      try permissions("com.example", "--allow-read", "stepz", code: 64).errors.contains("steps"))
    _ = try permissions("--allow-read", "steps", code: 64)
    #expect(
      try permissions("com.example", "--allow-read", "bloodPressure", code: 64).errors
        .contains("types within"))
  }
}
