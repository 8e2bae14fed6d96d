import Foundation
import Testing

/// A store into which a made-up export was imported.
struct GeneratedStore {
  let scratch: Scratch
  let path: String
  /// What the import said.
  let report: [String: Any]

  /// Makes an export with every kind of element and few samples.
  init(seed: Int, version: String) throws {
    scratch = try Scratch()
    path = scratch.path("store.sqlite")
    let made = try ProgramRun.run(
      "generate-export",
      [
        "--out", scratch.path("export.zip"), "--seed", String(seed), "--years", "0.12",
        "--dtd", version, "--zone", "Europe/Paris", "--density", "0.05",
      ])
    try #require(made.exitCode == 0, "\(made.errors)")
    let run = try ProgramRun.hkstats([
      "import", scratch.path("export.zip"), "--json", "--store", path,
    ])
    try #require(run.exitCode == 0, "\(run.errors)")
    report = try run.object()
  }
}
