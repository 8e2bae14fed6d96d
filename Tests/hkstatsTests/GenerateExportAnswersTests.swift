import Foundation
import Testing

@testable import ExportGenerator

@Suite("What the program says of a generated export, beside what its generator knows")
struct GenerateExportAnswersTests {
  private static let days = ["--years", "0.025"]

  @Test(
    "Sums of each day, merged and raw, are those that the generator counted by the second",
    arguments: [
      (Profile.watch, ["StepCount", "DistanceWalkingRunning", "ActiveEnergyBurned"]),
      (.iphone, ["StepCount", "BasalEnergyBurned", "FlightsClimbed"]),
      (.garmin, ["StepCount", "DistanceWalkingRunning"]),
    ])
  func sums(profile: Profile, types: [String]) throws {
    let export = try AskedExport(Self.days + ["--profile", profile.rawValue])
    for type in types {
      let type = "HKQuantityTypeIdentifier" + type
      let expected = try #require(export.truth.sums[type])
      let merged = try export.sums(of: type)
      let raw = try export.sums(of: type, ["--merge", "none"])
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
    _ = try AskedExport.generate("first.zip", Self.days, in: scratch)
    _ = try AskedExport.generate("second.xml", Self.days + options, in: scratch)
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
