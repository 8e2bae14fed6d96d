import Foundation
import HealthStore
import Testing
import _HealthStoreSupport

@testable import ExportGenerator

/// Exports that come without some of the files beside their text.
@Suite("An export without its files")
struct MissingFilesTests {
  private let scratch: Scratch
  private let truth: Truth

  init() throws {
    scratch = try Scratch()
    let plan = try ExportPlan.sample(
      seed: 5, days: 25, offset: "+0100", deviceSeed: 7, version: .version13, preference: .metric,
      density: 0.05, profile: .watch, language: Language.all[0])
    truth = try ExportFiles(plan: plan, detail: .counts).write(to: scratch.path("export.zip"))
    _ = try ExportFiles(plan: plan, detail: .counts).write(to: scratch.path("bare.xml"))
    _ = try ExportFiles(plan: plan, detail: .counts).write(to: scratch.path("folder"))
  }

  private func `import`(_ name: String, code: Int32 = 0, _ options: String...) throws
    -> [String: Any]
  {
    let run = try ProgramRun.hkstats(
      ["import", scratch.path(name), "--json", "--store", scratch.path("store")] + options)
    #expect(run.exitCode == code, "\(run.errors)")
    return try run.object()
  }

  private func contents() throws -> StoreContents {
    try StoreContents(path: scratch.path("store"))
  }

  private func paths(_ report: [String: Any], _ reason: String) throws -> [String] {
    let files = try #require(report["\(reason)Files"] as? [String: Any])
    return try #require(files["files"] as? [String]).sorted()
  }

  @Test("takes nothing away and names what it lacks, also when it replaces")
  func bareText() throws {
    try #require(!truth.routes.isEmpty && !truth.clinicalRecords.isEmpty)
    try #require(!truth.electrocardiograms.isEmpty)
    let whole = try `import`("export.zip")
    #expect(try paths(whole, "missing").isEmpty)
    let before = try contents()
    for options in [[], ["--replace"]] {
      let run = try ProgramRun.hkstats(
        ["import", scratch.path("bare.xml"), "--json", "--store", scratch.path("store")] + options)
      #expect(run.exitCode == 0)
      let named = try paths(run.object(), "missing")
      #expect(named.count == truth.routes.count + truth.clinicalRecords.count)
      #expect(try contents() == before)
    }
    _ = try `import`("export.zip")
    #expect(try contents() == before)
  }

  @Test("is completed by the export that has them")
  func completed() throws {
    _ = try `import`("export.zip")
    let wanted = try contents()
    try FileManager.default.removeItem(atPath: scratch.path("store"))
    _ = try `import`("bare.xml")
    #expect(try contents() != wanted)
    _ = try `import`("export.zip")
    #expect(try contents() == wanted)
  }

  @Test("names a file that cannot be read, ends with exit code 65 and keeps what the store has")
  func unreadable() throws {
    _ = try `import`("export.zip")
    let before = try contents()
    let folder = scratch.url("folder/apple_health_export")
    let top = FileManager.default.fileExists(atPath: folder.path) ? folder : scratch.url("folder")
    let routes = try FileManager.default.contentsOfDirectory(
      atPath: top.appending(path: "workout-routes").path
    ).sorted()
    let first = try #require(routes.first)
    let last = try #require(routes.last)
    try #require(first != last)
    let path = top.appending(path: "workout-routes/\(first)")
    try Data("no route at all".utf8).write(to: path)
    // A copy that was cut says less than the whole one.
    let cut = top.appending(path: "workout-routes/\(last)")
    let bytes = try Data(contentsOf: cut)
    try bytes.prefix(bytes.count / 2).write(to: cut)
    let report = try `import`("folder", code: 65)
    #expect(try paths(report, "unreadable") == ["/workout-routes/\(first)"])
    #expect(try contents() == before)
    let text = try ProgramRun.hkstats(
      ["import", scratch.path("folder"), "--store", scratch.path("store")])
    #expect(text.exitCode == 65)
    #expect(text.output.contains(first) && text.errors.contains(first))
  }
}
