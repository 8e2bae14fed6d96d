import Foundation
import Testing
import _HealthTestSupport

@Suite("Imports that are stopped", .serialized)
struct InterruptedImportTests {
  private let scratch: Scratch
  private let store: String
  /// An export in the store, and a larger one of the same phone that is being imported.
  private let small: String
  private let large: String
  /// The store with the small export.
  private let original: Data

  init() throws {
    scratch = try Scratch()
    store = scratch.path("store.sqlite")
    small = scratch.path("small.xml")
    large = scratch.path("large.xml")
    for (path, years) in [(small, "0.01"), (large, "0.06")] {
      let run = try ProgramRun.run("generate-export", ["--out", path, "--years", years])
      try #require(run.exitCode == 0, "\(run.errors)")
    }
    let run = try ProgramRun.hkstats(["import", small, "--store", store])
    try #require(run.exitCode == 0, "\(run.errors)")
    original = try Data(contentsOf: scratch.url("store.sqlite"))
  }

  /// What the store holds, as a query answers it.
  private func contents() throws -> String {
    let run = try ProgramRun.hkstats(["types", "--store", store, "--format", "csv"])
    #expect(run.exitCode == 0, "\(run.errors)")
    return run.output
  }

  private func start() throws -> Process {
    try ProgramRun.start("hkstats", ["import", large, "--store", store], in: scratch)
  }

  /// How often to kill; CI asks for more.
  private static let kills =
    ProcessInfo.processInfo.environment["HKSTATS_KILLS"].flatMap(Int.init) ?? 3

  @Test("Killed at random moments, the store holds the old or the new state")
  func killed() throws {
    let old = try contents()
    let clock = ContinuousClock.now
    #expect(try start().waitedExit() == 0)
    let whole = (ContinuousClock.now - clock) / .seconds(1)
    let new = try contents()
    #expect(new != old)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix64(seed: seed)
    for round in 0..<Self.kills {
      try original.write(to: scratch.url("store.sqlite"))
      let process = try start()
      Thread.sleep(forTimeInterval: Double.random(in: 0...whole, using: &generator))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let state = try contents()
      #expect(state == old || state == new, "round \(round), seed \(seed)")
      #expect(try start().waitedExit() == 0)
      #expect(try contents() == new)
    }
    #expect(try scratch.storeFiles().keys.sorted() == ["store.sqlite"])
  }

  /// Sends signals to imports that are under way, each sooner after its start than the one before,
  /// until `isCaught` says that one met an import at work.
  private func signal(_ signal: Int32, until isCaught: (Process) throws -> Bool) throws {
    var delay = 0.8
    for _ in 0..<20 {
      try original.write(to: scratch.url("store.sqlite"))
      let process = try start()
      defer {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      Thread.sleep(forTimeInterval: delay)
      if process.isRunning, kill(process.processIdentifier, signal) == 0, try isCaught(process) {
        return
      }
      delay /= 1.3
    }
    throw ImportTooFast()
  }

  private struct ImportTooFast: Error {}

  @Test(
    "Ctrl-C and a polite kill end with their code, a message, and the store as it was",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func interrupted(number: Int32, code: Int32) throws {
    try signal(number) { (process: Process) throws -> Bool in
      // What has been read whole is finished; what came later than that was done.
      let exitCode = process.waitedExit()
      guard exitCode != 0 else { return false }
      #expect(exitCode == code)
      #expect(try scratch.text("errors").contains("as it was before"))
      #expect(try scratch.storeFiles() == ["store.sqlite": original])
      return true
    }
  }

  @Test("A store that another process is changing is busy: code 75")
  func busy() throws {
    // A process that is stopped holds its lock until it is killed.
    try signal(SIGSTOP) { (_: Process) throws -> Bool in
      let run = try ProgramRun.hkstats(["import", small, "--store", store])
      // It may have been stopped before it took the lock, or on its way out.
      guard run.exitCode != 0 else { return false }
      #expect(run.exitCode == 75)
      #expect(run.errors.contains("another process"))
      return true
    }
  }
}

extension Process {
  /// The exit code, or 128 and the signal that ended the process.
  fileprivate func waitedExit() -> Int32 {
    waitUntilExit()
    return terminationReason == .exit ? terminationStatus : 128 + terminationStatus
  }
}
