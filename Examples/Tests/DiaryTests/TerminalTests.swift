import Diary
import Foundation
import HealthKit
import SampleExport
import Testing

@MainActor
@Suite("The diary in a terminal")
struct TerminalTests {
  private func show(
    _ arguments: [String], _ trial: Trial, _ environment: [String: String] = [:]
  ) throws -> Program.Run {
    try Program("show-diary").run(
      arguments,
      environment: ["HKSTATS_STORE": trial.path].merging(environment) { $1 })
  }

  @Test("The program prints what the models show, with a bar for each day")
  func screens() async throws {
    let trial = try Trial.onSample()
    let run = try show(["--day", "2026-10-25"], trial, ["HKSTATS_REQUESTS": "allow"])
    #expect(run.exitCode == 0)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "Today, 25 Oct 2026")

    let noon = try trial.date("2026-10-25")
    let model = TodayModel(store: try await trial.askedStore(), calendar: trial.calendar) { noon }
    await model.refresh()
    guard case .content(let steps) = model.steps else {
      Issue.record("no steps")
      return
    }
    let shown = try #require(lines.dropFirst().first)
    #expect(Int(shown.filter(\.isNumber)) == steps && shown.hasSuffix("steps"))
    let bars = lines.filter { $0.contains("█") }
    #expect(bars.count == 7)
    #expect(bars.map { $0.count { $0 == "█" } }.max() == 40)
    #expect(bars.last?.hasSuffix("(25 hours)") == true)
  }

  @Test("Without an answer or a valid day the program fails; after a denial it shows no data")
  func refusals() throws {
    let trial = try Trial.onEmptyStore()
    let unanswered = try show([], trial)
    #expect(unanswered.exitCode != 0 && !unanswered.output.isEmpty)
    let wrong = try show(["--day", "2026-02-30"], trial, ["HKSTATS_REQUESTS": "allow"])
    #expect(wrong.exitCode != 0 && wrong.output.contains("2026-10-31"))
    let denied = try show(["--day", "2026-10-25"], trial, ["HKSTATS_REQUESTS": "deny"])
    #expect(denied.exitCode == 0 && denied.output.contains("No data."))
  }

  @Test("A logged pressure shows at once and in later runs, and a wrong one is refused")
  func logging() throws {
    let trial = try Trial.onEmptyStore()
    let allowed = ["HKSTATS_REQUESTS": "allow"]
    let logged = try show(["--day", "2026-10-25", "--log", "122/79"], trial, allowed)
    let line = "  25 Oct 2026 12:00 122/79 mmHg"
    #expect(logged.exitCode == 0 && logged.output.contains(line))
    #expect(try show(["--day", "2026-10-26"], trial, allowed).output.contains(line))
    for text in ["79/122", "122", "a/b", "122/79/1"] {
      let run = try show(["--log", text], trial, allowed)
      #expect(run.exitCode != 0 && run.output.contains("122/79"))
    }
    let denied = try Trial.onEmptyStore()
    let run = try show(["--log", "122/79"], denied, ["HKSTATS_REQUESTS": "deny"])
    #expect(run.exitCode != 0 && run.output.contains("may not save"))
  }
}
