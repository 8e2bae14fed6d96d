import Foundation
import Testing
import _HealthTestSupport

@Suite("Answers beside what the generator counted by itself")
struct TruthTests {
  /// The parts of a truth file that are compared.
  private struct Truth: Decodable {
    struct Records: Decodable {
      let records: Int
      let copies: Int
    }
    struct Day: Decodable {
      let raw: Double
      let merged: Double
    }
    let bytes: Int
    let records: [String: Records]
    let steps: [String: Day]
  }

  @Test(
    "Counts of every type, and merged and raw steps of every day, in a zone with a clock change")
  func everythingHolds() throws {
    let scratch = try Scratch()
    let path = scratch.path("export.zip")
    let generated = try ProgramRun.run(
      "generate-export",
      ["--out", path, "--years", "0.06", "--until", "2026-11-01", "--truth", scratch.path("truth")])
    try #require(generated.exitCode == 0, "\(generated.errors)")
    let truth = try JSONDecoder().decode(Truth.self, from: Data(contentsOf: scratch.url("truth")))
    let store = scratch.path("store.sqlite")
    let counts = try ProgramRun.hkstats(["import", path, "--store", store, "--json"]).object()
    #expect(counts["bytes"] as? Int == truth.bytes)
    let types = try #require(counts["types"] as? [String: [String: Int]])
    #expect(Set(types.keys) == Set(truth.records.keys))
    for (type, expected) in truth.records {
      #expect(types[type]?["read"] == expected.records, "\(type)")
      #expect(types[type]?["duplicates"] == expected.copies, "\(type)")
    }
    for (policy, expected) in [
      ("hk", truth.steps.mapValues(\.merged)), ("none", truth.steps.mapValues(\.raw)),
    ] {
      let run = try ProgramRun.hkstats([
        "stats", "steps", "--by", "day", "--timezone", "Europe/Paris", "--to", "2026-11-01",
        "--merge", policy, "--store",
        store, "--format", "ndjson",
      ])
      var sums: [String: Double] = [:]
      for line in run.lines {
        let interval = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let start = try #require(interval["start"] as? String)
        sums[String(start.prefix(10))] = interval["sum"] as? Double
      }
      #expect(Set(sums.keys) == Set(expected.keys))
      for (day, sum) in expected {
        #expect(abs((sums[day] ?? .nan) - sum) <= 1e-6 * sum, "\(policy) \(day)")
      }
    }
  }
}
