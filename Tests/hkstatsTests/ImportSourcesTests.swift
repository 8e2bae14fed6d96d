import Foundation
import Testing
import _HealthTestSupport

@Suite("Where hkstats import reads from, and with how many threads")
final class ImportSourcesTests: StoreSuite {
  /// All that a store tells.
  private func contents(_ store: String) throws -> String {
    let run = try ProgramRun.hkstats(["export", "--format", "ndjson", "--store", store])
    #expect(run.exitCode == 0, "\(run.errors)")
    return run.output
  }

  private func smallExport() -> SmallExport {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    return export
  }

  @Test("The store is the same however many threads work")
  func jobs() throws {
    let path = scratch.path("export.zip")
    let made = try ProgramRun.run("generate-export", ["--out", path, "--years", "0.05"])
    try #require(made.exitCode == 0, "\(made.errors)")
    var answers: Set<String> = []
    var counts: Set<String> = []
    for jobs in ["1", "2", "5"] {
      let store = scratch.path("store\(jobs).sqlite")
      let run = try ProgramRun.hkstats(["import", path, "--store", store, "--jobs", jobs])
      #expect(run.exitCode == 0, "\(run.errors)")
      counts.insert(run.lines.dropFirst().joined(separator: "\n"))
      answers.insert(try contents(store))
    }
    #expect(answers.count == 1)
    #expect(counts.count == 1)
    #expect((answers.first?.count ?? 0) > 10_000)
  }

  @Test(
    "Numbers of threads that make no sense are refused",
    arguments: ["0", "-1", "x", "2.5", "9999"])
  func wrongJobs(jobs: String) throws {
    let run = try ProgramRun.hkstats([
      "import", "missing.zip", "--store", scratch.path("store.sqlite"), "--jobs=\(jobs)",
    ])
    #expect(run.exitCode == 64)
    #expect(run.errors.contains("jobs"))
  }

  @Test("The standard input is read when it is a file")
  func standardInput() throws {
    let store = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats(
      ["import", "-", "--store", store, "--json"], input: smallExport().text)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try run.object()["new"] as? Int == 1)
  }

  /// A named pipe, and a thread that writes into it.
  private func pipe(_ data: Data) throws -> String {
    let path = scratch.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    Thread {
      signal(SIGPIPE, SIG_IGN)
      try? FileHandle(forWritingTo: URL(fileURLWithPath: path)).write(contentsOf: data)
    }.start()
    return path
  }

  @Test("What comes through a pipe is stored like a file", arguments: ["1", "2"])
  func pipes(jobs: String) throws {
    let store = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats([
      "import", try pipe(smallExport().data), "--store", store, "--json", "--jobs", jobs,
    ])
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try run.object()["new"] as? Int == 1)
  }

  @Test("A zip through a pipe is refused, with what to do")
  func zipThroughPipe() throws {
    let store = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats([
      "import", try pipe(Data("PK\u{3}\u{4} and so on".utf8)), "--store", store,
    ])
    #expect(run.exitCode == 65)
    #expect(run.errors.contains("cannot be read through a pipe"))
    #expect(run.errors.contains("save it"))
    #expect(try scratch.storeFiles().isEmpty)
  }

  @Test("A file that only another program unpacks is refused with the command for that")
  func otherPacking() throws {
    let path = try scratch.file("export.xml.zst", Data([0x28, 0xB5, 0x2F, 0xFD, 1, 2, 3]))
    let run = try ProgramRun.hkstats(["import", path, "--store", scratch.path("store.sqlite")])
    #expect(run.exitCode == 65)
    #expect(run.errors.contains("zstd -dc FILE | hkstats import -"))
  }

  @Test("Ctrl-C ends an import that waits for a pipe", arguments: ["1", "2"])
  func interruptedWait(jobs: String) throws {
    let path = scratch.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let process = try ProgramRun.start(
      "hkstats", ["import", path, "--store", scratch.path("store.sqlite"), "--jobs", jobs],
      in: scratch)
    // The program takes signals as a wish only when it has come so far.
    let deadline = ContinuousClock.now + .seconds(20)
    Thread.sleep(forTimeInterval: 0.5)
    kill(process.processIdentifier, SIGINT)
    while process.isRunning, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.02) }
    #expect(!process.isRunning)
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    #expect(process.terminationStatus == 130 || process.terminationReason == .uncaughtSignal)
    #expect(try scratch.storeFiles().isEmpty)
  }
}
