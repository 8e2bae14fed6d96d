import Foundation
import Testing

@testable import ExportGenerator

@Suite("What the program says of a generated export, beside what its generator knows")
struct GenerateExportAnswersTests {
  private static let days = ["--years", "0.025", "--until", "2026-11-01", "--zone", "Europe/Paris"]

  private struct Truth: Decodable {
    struct Sum: Decodable {
      let raw: Double
      let merged: Double
    }
    let sums: [String: [String: Sum]]
  }

  /// Makes an archive, and gives its truth.
  private func generate(_ name: String, _ options: [String], in scratch: Scratch) throws -> Truth {
    let truth = scratch.path(name + ".json")
    let run = try ProgramRun.run(
      "generate-export", ["--out", scratch.path(name), "--truth", truth] + Self.days + options)
    try #require(run.exitCode == 0, "\(run.errors)")
    return try JSONDecoder().decode(
      Truth.self, from: Data(contentsOf: URL(fileURLWithPath: truth)))
  }

  private func sums(
    of type: String, in store: String, _ options: [String]
  ) throws -> [String: Double] {
    let run = try ProgramRun.hkstats(
      ["stats", type, "--by", "day", "--timezone", "Europe/Paris", "--format", "json"]
        + ["--to", "2026-11-01", "--store", store] + options)
    try #require(run.exitCode == 0, "\(run.errors)")
    let answer = try #require(try run.json() as? [String: Any])
    let intervals = try #require(answer["intervals"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: try intervals.map { interval in
        (
          String(try #require(interval["start"] as? String).prefix(10)),
          interval["sum"] as? Double ?? 0
        )
      })
  }

  @Test(
    "Sums of each day, merged and raw, are those that the generator counted by the second",
    arguments: [
      (Profile.watch, ["StepCount", "DistanceWalkingRunning", "ActiveEnergyBurned"]),
      (.iphone, ["StepCount", "BasalEnergyBurned", "FlightsClimbed"]),
      (.garmin, ["StepCount", "DistanceWalkingRunning"]),
    ])
  func sums(profile: Profile, types: [String]) throws {
    let scratch = try Scratch()
    let truth = try generate("export.zip", ["--profile", profile.rawValue], in: scratch)
    let store = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats(["import", scratch.path("export.zip"), "--store", store])
    try #require(run.exitCode == 0, "\(run.errors)")
    for type in types {
      let type = "HKQuantityTypeIdentifier" + type
      let expected = try #require(truth.sums[type])
      let merged = try sums(of: type, in: store, [])
      let raw = try sums(of: type, in: store, ["--merge", "none"])
      #expect(!expected.isEmpty)
      for (day, sum) in expected {
        // Six printed digits of each sample lie between the two.
        #expect(abs(try #require(merged[day]) - sum.merged) <= 1e-5 * sum.merged, "\(type) \(day)")
        #expect(abs(try #require(raw[day]) - sum.raw) <= 1e-5 * sum.raw, "\(type) \(day)")
      }
    }
  }

  @Test(
    "Another export of the same phone adds nothing",
    arguments: [
      ["--utc-offset=-0500", "--device-seed", "8"], ["--language", "de_DE"],
      ["--units", "imperial"], ["--units", "kilojoules", "--device-seed", "9"],
    ])
  func secondImport(options: [String]) throws {
    let scratch = try Scratch()
    _ = try generate("first.zip", [], in: scratch)
    _ = try generate("second.xml", options, in: scratch)
    let store = ["--json", "--store", scratch.path("store.sqlite")]
    let first = try ProgramRun.hkstats(["import", scratch.path("first.zip")] + store)
    let second = try ProgramRun.hkstats(["import", scratch.path("second.xml")] + store)
    #expect(first.exitCode == 0 && second.exitCode == 0)
    let before = try #require(try first.json() as? [String: Any])
    let after = try #require(try second.json() as? [String: Any])
    #expect(after["new"] as? Int == 0)
    #expect(after["known"] as? Int == before["new"] as? Int)
    #expect(after["read"] as? Int == before["read"] as? Int)
  }
}
