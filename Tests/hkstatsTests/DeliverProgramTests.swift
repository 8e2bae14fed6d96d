import Foundation
import HealthSamples
import HealthStore
import Testing

@Suite("The program starts apps for changes")
final class DeliverProgramTests: StoreSuite {
  private let app = "com.example.diary"
  private let steps = SampleType(.stepCount)

  override init() throws {
    try super.init()
    let owner = try owner
    try owner.authorise(app, type: steps.identifier, read: .authorised)
    try owner.enableDelivery(of: steps.identifier, to: app, .immediate)
  }

  private var owner: SampleStore {
    get throws { try SampleStore(path: store, mode: .readWrite) }
  }

  private func save() throws {
    try owner.save([
      NewSample(
        type: steps, source: Source(name: "phone"), start: 1, end: 2, value: 3, label: "")
    ])
  }

  @discardableResult
  private func deliver(_ arguments: String..., code: Int32 = 0) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(["deliver"] + arguments + ["--store", store])
    #expect(run.exitCode == code, "\(arguments) \(run.errors)")
    return run
  }

  /// The results of the apps that were notified.
  private func results(_ arguments: String..., code: Int32 = 0) throws -> [String] {
    let run = try ProgramRun.hkstats(
      ["deliver"] + arguments + ["--format", "json", "--store", store])
    #expect(run.exitCode == code, "\(run.errors)")
    return try run.rows("deliveries").compactMap { $0["result"] as? String }
  }

  private func register(_ words: String...) throws {
    let run = try ProgramRun.hkstats(
      ["deliver", "command", app, "--store", store, "--"] + words)
    #expect(run.exitCode == 0, "\(run.errors)")
  }

  /// A shell script that logs its environment and arguments.
  private func script(_ last: String) throws -> String {
    let path = scratch.path("wake me")
    try Data(
      """
      #!/bin/sh
      echo "$HKSTATS_APP|$HKSTATS_STORE|$HKSTATS_TYPES|$#|$1" >> '\(scratch.path("log"))'
      \(last)

      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private var log: [String] {
    ((try? scratch.text("log")) ?? "").split(separator: "\n").map(String.init)
  }

  @Test("Without changes nothing runs; without a command the changes wait for the next start")
  func waiting() throws {
    try register(try script("exit 0"), "x")
    #expect(try results() == [])
    #expect(log.isEmpty)
    try deliver("command", app, "--reset")
    try save()
    #expect(try results() == ["waits for its start"])
    #expect(try owner.deliveries().first?.failures == 0)
  }

  @Test(
    "The command runs without a shell, with the store, the app and the types, once for a change")
  func command() throws {
    let program = ProgramRun.folder.appendingPathComponent("hkstats").path
    try register(
      try script("'\(program)' deliver done \"$HKSTATS_APP\" --store \"$HKSTATS_STORE\""),
      "$(touch \(scratch.path("no"))); 'a b'")
    try save()
    #expect(try results("--dry-run") == ["due"])
    #expect(log.isEmpty)
    #expect(try results("--app", "com.example.other") == [])
    #expect(try results() == ["handled"])
    let words = "$(touch \(scratch.path("no"))); 'a b'"
    #expect(log == ["\(app)|\(store)|\(steps.identifier)|1|\(words)"])
    #expect(!FileManager.default.fileExists(atPath: scratch.path("no")))
    #expect(try results() == [])
    try save()
    #expect(try results() == ["handled"])
    #expect(log.count == 2)
  }

  @Test("Failures delay the next start of an app, then end it, until it asks for delivery again")
  func failures() throws {
    try register(try script("exit 3"))
    try save()
    #expect(try results(code: 1) == ["not handled (exit code 3)"])
    // Within a minute it is not started again.
    #expect(try results() == [])
    try save()
    #expect(try results() == [])
    #expect(log.count == 1)
    for _ in 0..<2 {
      // An attempt that lies far back.
      let owner = try owner
      #expect(try owner.claim(owner.pendingDeliveries(), now: 0).count == 1)
    }
    #expect(try results() == [])
    let table = try deliver("list").output
    #expect(table.contains("stopped") && table.contains(app) && table.contains("stepCount"))
    try owner.enableDelivery(of: steps.identifier, to: app, .immediate)
    try save()
    #expect(try results(code: 1) == ["not handled (exit code 3)"])
    #expect(log.count == 2)
  }

  @Test("A command that takes too long is ended, with what it started")
  func timeLimit() throws {
    let child = scratch.path("child")
    try register(try script("sleep 60 & echo $! > '\(child)'; sleep 60"))
    try save()
    let start = ContinuousClock.now
    #expect(try results("--time-limit", "1s", code: 1) == ["ended after the time limit"])
    #expect(.now - start < .seconds(20))
    #expect(try owner.deliveries().first?.failures == 1)
    let process = try scratch.text("child").trimmingCharacters(in: .whitespacesAndNewlines)
    func isRunning() -> Bool {
      let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return state.map { !$0.contains(") Z ") } ?? false
    }
    for _ in 0..<1000 where isRunning() { Thread.sleep(forTimeInterval: 0.01) }
    #expect(!isRunning())
  }

  @Test("Wrong commands, apps and time limits are refused")
  func mistakes() throws {
    try deliver("command", app, code: 64)
    try deliver("command", app, "--reset", "--", "/bin/true", code: 64)
    let relative = try ProgramRun.hkstats([
      "deliver", "command", app, "--store", store, "--", "true",
    ])
    #expect(relative.exitCode == 64)
    let missing = try ProgramRun.hkstats(
      ["deliver", "command", app, "--store", store, "--", scratch.path("none")])
    #expect(missing.exitCode == 66)
    try deliver("done", "com.example.none", code: 64)
    try deliver("--time-limit", "0s", code: 64)
    #expect(try ProgramRun.hkstats(["deliver", "--store", scratch.path("x")]).exitCode == 66)
  }

  @Test("The list has the deliveries of apps and their state")
  func list() throws {
    #expect(try deliver("list").output.contains("handled"))
    try register("/bin/true", "--wake")
    try save()
    let row = try #require(
      try deliver("list", "--format", "json").rows("deliveries").first)
    #expect(row["app"] as? String == app && row["type"] as? String == steps.identifier)
    #expect(row["frequency"] as? String == "immediate" && row["state"] as? String == "changes wait")
    #expect(row["command"] as? String == "/bin/true --wake")
    try owner.disableDelivery(of: nil, to: app)
    #expect(try deliver("list").output.contains("No app has enabled background delivery"))
  }
}
