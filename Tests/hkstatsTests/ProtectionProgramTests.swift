import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("hkstats encrypt, decrypt, unlock and lock")
struct ProtectionProgramTests {
  private static let passphrase = ["HKSTATS_PASSPHRASE": "a passphrase of tests"]
  private let scratch: Scratch
  private let path: String
  private let runtime: [String: String]

  init() throws {
    scratch = try Scratch()
    path = scratch.path("store.sqlite")
    try FileManager.default.createDirectory(
      at: scratch.url("run"), withIntermediateDirectories: false)
    runtime = ["XDG_RUNTIME_DIR": scratch.path("run")]
  }

  private func export(_ name: String, seed: Int) throws -> String {
    let made = try ProgramRun.run(
      "generate-export",
      [
        "--out", scratch.path(name), "--years", "0.05", "--density", "0.1", "--until",
        "2026-11-01", "--seed", String(seed),
      ])
    try #require(made.exitCode == 0, "\(made.errors)")
    return scratch.path(name)
  }

  private func run(
    _ arguments: String..., input: String = "", with environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try ProgramRun.hkstats(
      arguments + ["--store", path], input: input,
      environment: runtime.merging(environment) { $1 })
  }

  private func stats(with environment: [String: String] = [:]) throws -> ProgramRun {
    try run("stats", "steps", "--by", "day", "--format", "csv", with: environment)
  }

  @Test("A dry run of an import changes no byte of a copied store or one just encrypted")
  func dryRun() throws {
    #expect(try run("import", export("first.zip", seed: 5)).exitCode == 0)
    try FileManager.default.copyItem(atPath: path, toPath: scratch.path("copy"))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: scratch.path("copy"), toPath: path)
    let second = try export("second.zip", seed: 6)
    for isSealed in [false, true] {
      if isSealed { #expect(try run("encrypt", with: Self.passphrase).exitCode == 0) }
      let before = try scratch.storeFiles()
      let dry = try run("import", second, "--dry-run", with: isSealed ? Self.passphrase : [:])
      #expect(dry.exitCode == 0 && dry.output.hasPrefix("Would import"), "\(dry.errors)")
      #expect(try scratch.storeFiles() == before)
    }
  }

  @Test("lock a store and open it again, with exit codes that say what is wrong")
  func life() throws {
    #expect(try run("import", export("export.zip", seed: 5)).exitCode == 0)
    let clear = try stats()
    #expect(clear.exitCode == 0 && clear.lines.count > 10)
    #expect(try run("encrypt").exitCode == 64)
    #expect(try run("unlock", with: Self.passphrase).exitCode == 64)
    #expect(try run("store", "--format", "json").object()["encryption"] as? String == "none")
    let key = scratch.path("key")
    let encrypted = try run("encrypt", "--key-file", key, with: Self.passphrase)
    #expect(encrypted.exitCode == 0, "\(encrypted.errors)")
    #expect(try run("encrypt", with: Self.passphrase).exitCode == 64)
    let files = try scratch.storeFiles()
    #expect(Array(files.keys) == ["store.sqlite"])

    let locked = try stats()
    #expect(locked.exitCode == 77 && locked.output.isEmpty)
    #expect(locked.errors.contains("hkstats unlock"))
    #expect(try run("import", scratch.path("export.zip")).exitCode == 77)
    #expect(try run("verify").exitCode == 77)
    let seen = try run("store", "--format", "json")
    #expect(seen.exitCode == 0)
    #expect(try Set(seen.object().keys) == ["path", "bytes", "encryption"])
    #expect(try seen.object()["encryption"] as? String == "locked")

    let wrong = ["HKSTATS_PASSPHRASE": "another passphrase"]
    for command in ["unlock", "decrypt", "types"] {
      let refused = try run(command, with: wrong)
      #expect(refused.exitCode == 77)
      #expect(!refused.errors.contains("another passphrase"))
    }
    #expect(try run("unlock").exitCode == 64)
    #expect(try run("unlock", "--key-file", scratch.path("none")).exitCode == 66)
    #expect(try run("unlock", "--passphrase-fd", "77").exitCode == 64)
    #expect(try scratch.storeFiles() == files)

    // A locked store takes samples, and has them once it is unlocked.
    let added = try run("add", "bodyMass", "71.4", "kg", "--at", "2020-01-01")
    #expect(added.exitCode == 0, "\(added.errors)")
    #expect(try run("samples", "bodyMass").exitCode == 77)
    let uuid = try #require(added.output.split(separator: "\n").first.map(String.init))
    #expect(try run("unlock", with: Self.passphrase).exitCode == 0)
    #expect(
      try run("samples", "bodyMass", "--format", "csv").output.contains("71.4"))
    #expect(try run("delete", "--uuid", uuid).exitCode == 0)
    #expect(try run("lock").exitCode == 0)

    // The environment opens the store for one command.
    #expect(try stats(with: Self.passphrase).output == clear.output)
    #expect(try stats().exitCode == 77)
    // A file descriptor, the key file, and a time limit.
    let line = "a passphrase of tests\nmore\n"
    #expect(try run("unlock", "--passphrase-fd", "0", input: line).exitCode == 0)
    #expect(try stats().output == clear.output)
    #expect(try run("store").output.contains("unlocked"))
    let copy = scratch.path("copy.sqlite")
    #expect(try run("store", "backup", copy).exitCode == 0)
    #expect(try run("store", "backup", copy).exitCode == 64)
    #expect(try run("store", "backup", copy, "--force").exitCode == 0)
    let copied = try ProgramRun.hkstats(
      ["stats", "steps", "--by", "day", "--format", "csv", "--store", copy], environment: runtime)
    #expect(copied.output == clear.output)
    #expect(try run("verify").exitCode == 0)
    #expect(try run("lock").exitCode == 0)
    #expect(try stats().exitCode == 77)
    #expect(try run("unlock", "--key-file", key, "--for", "1s").exitCode == 0)
    Thread.sleep(forTimeInterval: 2.1)
    #expect(try stats().exitCode == 77)
    #expect(try run("unlock", "--for", "0s").exitCode == 64)

    #expect(try run("unlock", "--key-file", key).exitCode == 0)
    #expect(try run("import", export("other.zip", seed: 6)).exitCode == 0)
    let grown = try stats()
    #expect(grown.output != clear.output)
    #expect(try run("decrypt", "--key-file", key).exitCode == 0)
    #expect(try stats().output == grown.output)
    #expect(try run("decrypt", "--key-file", key).exitCode == 64)
    #expect(try run("lock").exitCode == 64)
    #expect(Array(try scratch.storeFiles().keys) == ["store.sqlite"])
  }

  @Test("A store is encrypted before its first import; a lost file is no store")
  func first() throws {
    #expect(try run("unlock", with: Self.passphrase).exitCode == 66)
    #expect(try run("lock").exitCode == 66)
    #expect(try run("encrypt", with: Self.passphrase).exitCode == 0)
    #expect(try run("import", export("export.zip", seed: 5)).exitCode == 77)
    #expect(try run("import", scratch.path("export.zip"), with: Self.passphrase).exitCode == 0)
    let bytes = try #require(try scratch.storeFiles()["store.sqlite"])
    #expect(bytes.range(of: Data("HKQuantityType".utf8)) == nil)
    #expect(try stats(with: Self.passphrase).lines.count > 10)
  }

  @Test("A file that goes with the store is no key, and the store stays as it was")
  func keyFiles() throws {
    #expect(try run("add", "bodyMass", "71.4", "kg", "--at", "2020-01-01").exitCode == 0)
    let files = try scratch.storeFiles()
    let link = scratch.path("link")
    try FileManager.default.linkItem(atPath: path, toPath: link)
    for key in [path, link, path + "-wal", path + "-saved", "/dev/null"] {
      let refused = try run("encrypt", "--key-file", key, with: Self.passphrase)
      #expect(refused.exitCode == 64 && refused.output.isEmpty)
      #expect(refused.errors.contains("name another file"))
      #expect(try scratch.storeFiles() == files)
    }
    try FileManager.default.removeItem(atPath: link)
    // One that cannot be read as a key.
    try Data(repeating: 1, count: 31).write(to: scratch.url("short"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("lost"), withDestinationPath: scratch.path("nowhere"))
    for key in ["short", "lost", "none/key"] {
      let refused = try run("encrypt", "--key-file", scratch.path(key), with: Self.passphrase)
      #expect(refused.exitCode == 66 && refused.output.isEmpty)
      #expect(try scratch.storeFiles() == files)
    }
    #expect(try run("store", "--format", "json").object()["encryption"] as? String == "none")
    let key = scratch.path("key")
    #expect(try run("encrypt", "--key-file", key, with: Self.passphrase).exitCode == 0)
    #expect(try run("decrypt", "--key-file", key).exitCode == 0)
    #expect(try run("samples", "bodyMass", "--format", "csv").output.contains("71.4"))
  }

  @Test("What waits for unlock is counted; a file that may be another's is left and named")
  func waitingSaves() throws {
    let journal = path + "-saved"
    #expect(try run("encrypt", with: Self.passphrase).exitCode == 0)
    for value in ["71.4", "72.5"] {
      #expect(try run("add", "bodyMass", value, "kg", "--at", "2020-01-01").exitCode == 0)
    }
    func verified() throws -> [String: Any] {
      let verified = try run("verify", "--format", "json", with: Self.passphrase)
      #expect(verified.exitCode == 0)
      return try #require(try verified.object()["waitingSaves"] as? [String: Any])
    }
    #expect(try verified()["count"] as? Int == 2)
    let words = try run("verify", with: Self.passphrase)
    #expect(words.exitCode == 0 && words.output.contains("2 saves wait for hkstats unlock."))

    chmod(journal, 0o666)
    #expect(try verified()["left"] as? String == journal)
    let added = try run("add", "bodyMass", "73", "kg", "--at", "2020-01-02")
    #expect(added.exitCode == 77 && added.errors.contains("-saved"))
    let decrypted = try run("decrypt", with: Self.passphrase)
    #expect(decrypted.exitCode == 77 && decrypted.errors.contains("-saved"))
    let opened = try run("unlock", "--format", "json", with: Self.passphrase)
    #expect(opened.exitCode == 0 && opened.errors.contains("-saved"))
    let saves = try #require(try opened.object()["saves"] as? [String: Any])
    #expect(saves["left"] as? String == journal && saves["merged"] as? Int == 0)
    #expect(try run("verify").exitCode == 0)
    #expect(FileManager.default.fileExists(atPath: journal))

    chmod(journal, 0o600)
    let merged = try run("unlock", "--format", "json", with: Self.passphrase)
    #expect(merged.exitCode == 0 && merged.errors.isEmpty)
    let entered = try #require(try merged.object()["saves"] as? [String: Any])
    #expect(entered["merged"] as? Int == 2 && entered["left"] is NSNull)
    #expect(try verified()["count"] as? Int == 0)
    let samples = try run("samples", "bodyMass", "--format", "csv").output
    #expect(samples.contains("71.4") && samples.contains("72.5"))
    #expect(try run("lock").exitCode == 0)
  }

  @Test("With the passphrase a command that reads says what waits, and one that writes takes it in")
  func oneCommand() throws {
    #expect(try run("encrypt", with: Self.passphrase).exitCode == 0)
    let first = try run("add", "steps", "81", "--at", "2020-01-01T10:00", with: Self.passphrase)
    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(try run("add", "steps", "500", "--at", "2020-01-01T11:00").exitCode == 0)
    func sum() throws -> (sum: Double?, errors: String) {
      let run = try run("stats", "steps", "--format", "json", with: Self.passphrase)
      #expect(run.exitCode == 0, "\(run.errors)")
      return (try run.rows("intervals").first?["sum"] as? Double, run.errors)
    }
    let before = try sum()
    #expect(before.sum == 81)
    #expect(before.errors.contains("1 save to the locked store waits and does not count yet"))
    let written = try run("add", "steps", "1", "--at", "2020-01-01T12:00", with: Self.passphrase)
    #expect(written.exitCode == 0, "\(written.errors)")
    let after = try sum()
    #expect(after.sum == 582 && !after.errors.contains("locked store"))
    #expect(Array(try scratch.storeFiles().keys) == ["store.sqlite"])
  }

  @Test("Saves that cannot enter now wait, with a note, and the store is unlocked")
  func postponedSaves() throws {
    #expect(try run("encrypt", with: Self.passphrase).exitCode == 0)
    #expect(try run("add", "bodyMass", "71.4", "kg", "--at", "2020-01-01").exitCode == 0)
    // The first page opens with no key.
    var bytes = try #require(try scratch.storeFiles()["store.sqlite"])
    let whole = bytes
    bytes[5000] ^= 1
    try bytes.write(to: scratch.url("store.sqlite"))
    let opened = try run("unlock", "--format", "json", with: Self.passphrase)
    #expect(opened.exitCode == 0 && opened.errors.contains("wait for the next hkstats unlock"))
    let saves = try #require(try opened.object()["saves"] as? [String: Any])
    #expect(saves["merged"] as? Int == 0 && saves["postponed"] is String)
    // It is unlocked: what is wrong is the page.
    #expect(try run("types").exitCode == 65)
    #expect(try run("decrypt", with: Self.passphrase).exitCode == 65)
    try whole.write(to: scratch.url("store.sqlite"))
    #expect(try run("unlock", with: Self.passphrase).exitCode == 0)
    #expect(try run("samples", "bodyMass", "--format", "csv").output.contains("71.4"))
    #expect(try run("lock").exitCode == 0)
  }

  @Test("A killed encrypt or decrypt leaves the old or the new store whole")
  func killed() throws {
    #expect(try run("import", export("export.zip", seed: 5)).exitCode == 0)
    let answer = try stats().output
    var random = SplitMix64(seed: 9)
    // How long the work takes, to stop it anywhere.
    let started = ContinuousClock.now
    #expect(try run("encrypt", with: Self.passphrase).exitCode == 0)
    let length = (ContinuousClock.now - started) / .seconds(1)
    for _ in 0..<8 {
      let isSealed = try run("store", "--format", "json").object()["encryption"] as? String
      let process = try ProgramRun.start(
        "hkstats", [isSealed == "locked" ? "decrypt" : "encrypt", "--store", path], in: scratch,
        environment: runtime.merging(Self.passphrase) { $1 })
      Thread.sleep(
        forTimeInterval: length * Double.random(in: 0.6...1.2, using: &random))
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      #expect(try stats(with: Self.passphrase).output == answer)
    }
    #expect(try run("verify", with: Self.passphrase).exitCode == 0)
  }

  @Test("Two processes ask while a third writes to an encrypted store")
  func processes() throws {
    #expect(try run("import", export("export.zip", seed: 5)).exitCode == 0)
    #expect(
      try run("encrypt", "--key-file", scratch.path("key"), with: Self.passphrase).exitCode == 0)
    #expect(try run("unlock", "--key-file", scratch.path("key")).exitCode == 0)
    let before = try stats().output
    let importing = try ProgramRun.start(
      "hkstats", ["import", export("other.zip", seed: 6), "--store", path], in: scratch,
      environment: runtime)
    var answers: Set<String> = []
    var count = 0
    while importing.isRunning || count == 0 {
      let scratches = [try Scratch(), try Scratch()]
      let asking = try scratches.map { scratch in
        try ProgramRun.start(
          "hkstats", ["stats", "steps", "--by", "day", "--format", "csv", "--store", path],
          in: scratch, environment: runtime)
      }
      for (process, scratch) in zip(asking, scratches) {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        answers.insert(try scratch.text("output"))
      }
      count += 1
    }
    importing.waitUntilExit()
    #expect(importing.terminationStatus == 0)
    let after = try stats().output
    #expect(before != after && answers.isSubset(of: [before, after]))
    #expect(try run("lock").exitCode == 0)
  }
}
