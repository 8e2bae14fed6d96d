import Foundation
import Testing
import _HealthTestSupport

/// What `stats` says of samples that the files have more than once.
@Suite("Notes on copies of samples") final class CopyNotesProgramTests: StoreSuite {
  /// A sample of one minute, and how often a file has it.
  private struct Told {
    let minute: Int
    let source: String
    let times: Int
  }

  private func file(_ name: String, day: Int, _ told: [Told]) throws -> String {
    var export = SmallExport(offset: 0)
    export.exported = "2024-04-0\(day)T12:00:00"
    for sample in told {
      for time in 0..<sample.times {
        export.add(
          "HKQuantityTypeIdentifierStepCount", "7", unit: "count",
          from: SmallExport.time(ofMinute: sample.minute),
          to: SmallExport.time(ofMinute: sample.minute + 1),
          created: SmallExport.time(ofMinute: sample.minute + time), source: sample.source)
      }
    }
    return try scratch.file(name, export.data)
  }

  private func run(_ arguments: [String]) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(arguments + ["--store", scratch.path("store")])
    try #require(run.exitCode == 0, "\(arguments): \(run.errors)")
    return run
  }

  /// The number of copies in the notes on a question.
  private func noted(_ arguments: [String]) throws -> Int {
    let run = try run(
      ["stats", "steps", "--timezone", "UTC", "--by", "day", "--format", "csv"] + arguments)
    guard let line = run.errors.split(separator: "\n").first(where: { $0.contains("left out") })
    else { return 0 }
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  @Test("notes count the copies of the period and of the chosen sources")
  func countsCopies() throws {
    var random = SplitMix64(seed: 5)
    let told = (0..<400).map { number in
      Told(
        minute: number * 60, source: Bool.random(using: &random) ? "Phone" : "Watch",
        times: Int.random(in: 0..<8, using: &random) == 0 ? 3 : 1)
    }
    _ = try run(["import", try file("export.xml", day: 1, told)])
    func expected(_ days: Range<Int>, of sources: [String] = ["Phone", "Watch"]) -> Int {
      told.reduce(0) {
        days.contains($1.minute / 1440) && sources.contains($1.source) ? $0 + $1.times - 1 : $0
      }
    }
    #expect(expected(0..<31) > 20)
    #expect(try noted([]) == expected(0..<31))
    for days in [0..<1, 3..<4, 5..<9, 12..<17] {
      let period = [
        "--from", "2024-03-\(days.lowerBound + 1)", "--to", "2024-03-\(days.upperBound + 1)",
      ]
      #expect(try noted(period) == expected(days))
    }
    #expect(try noted(["--source", "Phone"]) == expected(0..<31, of: ["Phone"]))
    // Told again, deleted, restored: the number is that of the samples that count.
    _ = try run(["import", try file("again.xml", day: 2, told.shuffled(using: &random))])
    #expect(try noted([]) == expected(0..<31))
    _ = try run([
      "delete", "steps", "--from", "2024-03-05", "--to", "2024-03-08", "--timezone", "UTC",
    ])
    #expect(try noted([]) == expected(0..<4) + expected(7..<31))
    #expect(try run(["verify"]).output.contains("All of it is whole."))
    let deletions = try run(["deletions", "--format", "json"]).rows("deletions")
    let number = try #require(deletions.first?["id"] as? Int)
    _ = try run(["restore", "\(number)"])
    #expect(try noted([]) == expected(0..<31))
    #expect(try run(["verify"]).output.contains("All of it is whole."))
  }
}
