import Foundation
import Testing
import _HealthTestSupport

@Suite("A file for each workout, as a program")
final class WorkoutFilesProgramTests: StoreSuite {
  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
  }

  @Test("The program writes them, and refuses to import them with a reason")
  func program() throws {
    let store = scratch.path("store.sqlite")
    let made = try ProgramRun.run(
      "generate-export",
      [
        "--out", scratch.path("made.zip"), "--seed", "4", "--years", "0.06", "--density", "0.05",
        "--zone", "Europe/Paris",
      ])
    try #require(made.exitCode == 0, "\(made.errors)")
    func run(_ arguments: [String]) throws -> ProgramRun {
      try ProgramRun.hkstats(arguments + ["--store", store])
    }
    try #require(try run(["import", scratch.path("made.zip")]).exitCode == 0)
    for format in ["gpx", "tcx"] {
      let folder = scratch.path("runs-" + format)
      let written = try run(["export", "--format", format, "--each", "--out", folder])
      #expect(written.exitCode == 0, "\(written.errors)")
      #expect(written.output.isEmpty)
      #expect(written.errors.contains("without a route") == (format == "gpx"))
      let names = try names("runs-" + format)
      #expect(!names.isEmpty)
      let refused = try run(["import", folder + "/" + (names.first ?? "")])
      #expect(refused.exitCode == 65 && !refused.errors.isEmpty)
      #expect(try run(["import", folder]).exitCode == 65)
    }
    let text = try run(["export", "--format", "tcx"])
    #expect(try XMLTree(text.output).violations == [])
    for wrong in [
      ["--each"], ["--each", "--format", "csv", "--out", "x"], ["--each", "--format", "gpx"],
      ["steps", "--format", "tcx"], ["--format", "tcx", "--out", "x.gpx"],
    ] {
      #expect(try run(["export"] + wrong).exitCode == 64, "\(wrong)")
    }
  }
}
