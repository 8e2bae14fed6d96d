import Foundation
import Testing

/// A generated export in a store that the program answers from, and what its generator knows of it.
struct AskedExport {
  /// What a test reads of the truth.
  struct Truth: Decodable {
    struct Sum: Decodable {
      let raw: Double
      let merged: Double
    }

    struct Correlation: Decodable {
      let food: String?
    }

    struct Unfinished: Decodable {
      let date: String
      let means: [String: Double]
    }

    struct Cycle: Decodable, Equatable {
      let firstDay: String
      let length: Int?
      let bleedLength: Int
    }

    struct Valence: Decodable {
      let count: Int
      let minimum: Double
      let maximum: Double
      let total: Double
    }

    let sums: [String: [String: Sum]]
    let correlations: [Correlation]
    let unfinished: Unfinished?
    let cycles: [Cycle]?
    let doses: [String: [String: [String: Int]]]?
    let valences: [String: Valence]?
  }

  let scratch: Scratch
  let truth: Truth

  /// Generates an export of a person in Paris, and imports it, or what `--auto-export` writes.
  init(_ options: [String], isAutoExport: Bool = false) throws {
    scratch = try Scratch()
    let other = scratch.path("other.json")
    truth = try Self.generate(
      "export.zip", options + (isAutoExport ? ["--auto-export", other] : []), in: scratch)
    let file = isAutoExport ? other : scratch.path("export.zip")
    let run = try ProgramRun.hkstats(["import", file] + store)
    try #require(run.exitCode == 0, "\(run.errors)")
  }

  /// Makes an export, and gives its truth.
  static func generate(
    _ name: String, _ options: [String], in scratch: Scratch
  ) throws -> Truth {
    let truth = scratch.path(name + ".json")
    let place = ["--until", "2026-11-01", "--zone", "Europe/Paris"]
    let run = try ProgramRun.run(
      "generate-export", ["--out", scratch.path(name), "--truth", truth] + place + options)
    try #require(run.exitCode == 0, "\(run.errors)")
    return try JSONDecoder().decode(
      Truth.self, from: Data(contentsOf: URL(fileURLWithPath: truth)))
  }

  private var store: [String] { ["--store", scratch.path("store.sqlite")] }

  /// An answer of the program in json.
  func ask(_ arguments: [String], now: String = ProgramRun.now) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(
      arguments + ["--timezone", "Europe/Paris", "--format", "json"] + store,
      environment: ["HKSTATS_NOW": now])
    try #require(run.exitCode == 0, "\(run.errors)")
    return run
  }

  /// The sums of a type by date.
  func sums(of type: String, _ options: [String] = []) throws -> [String: Double] {
    let run = try ask(["stats", type, "--by", "day", "--to", "2026-11-01"] + options)
    return Dictionary(
      uniqueKeysWithValues: try run.rows("intervals").map { interval in
        (try Self.date(interval), interval["sum"] as? Double ?? 0)
      })
  }

  /// The date on which a row begins.
  static func date(_ row: [String: Any]) throws -> String {
    String(try #require(row["start"] as? String).prefix(10))
  }
}
