import Foundation
import Testing
// Every test here has a folder.
@_exported public import _HealthTestSupport

/// One run of a program of this package, as a user starts it.
struct ProgramRun {
  let exitCode: Int32
  let output: String
  let errors: String

  /// The folder of the programs, which is that of the test bundle.
  static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

  /// Now for the programs that tests run.
  static let now = "2026-11-21T12:34:56+01:00"

  /// Runs `hkstats` to its end.
  static func hkstats(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    folder: String? = nil
  ) throws -> ProgramRun {
    try run(
      "hkstats", arguments, input: Data(input.utf8), environment: environment, folder: folder)
  }

  /// Runs a program to its end.
  static func run(
    _ program: String, _ arguments: [String], input: Data = Data(),
    environment: [String: String] = [:], folder: String? = nil
  ) throws -> ProgramRun {
    let scratch = try Scratch()
    try input.write(to: scratch.url("input"))
    let process = try start(
      program, arguments, in: scratch, environment: environment, folder: folder)
    process.waitUntilExit()
    return ProgramRun(
      exitCode: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      output: try scratch.text("output"), errors: try scratch.text("errors"))
  }

  /// Starts a program, its output in files of `scratch`, so that no pipe can fill up.
  static func start(
    _ program: String, _ arguments: [String], in scratch: Scratch,
    environment: [String: String] = [:], output: String? = nil, errors: String? = nil,
    folder: String? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = Self.folder.appendingPathComponent(program)
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.arguments = arguments
    // A zone, a now and a store of its own, so that no test depends on the machine.
    var all = [
      "PATH": "/usr/bin:/bin", "HOME": scratch.path("home"), "TZ": "UTC", "HKSTATS_NOW": now,
    ]
    all.merge(environment) { $1 }
    process.environment = all
    if !FileManager.default.fileExists(atPath: scratch.path("input")) {
      try Data().write(to: scratch.url("input"))
    }
    process.standardInput = try FileHandle(forReadingFrom: scratch.url("input"))
    process.standardOutput =
      try output.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
      ?? scratch.emptyFile("output")
    process.standardError =
      try errors.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
      ?? scratch.emptyFile("errors")
    try process.run()
    return process
  }

  /// The output as JSON.
  func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(output.utf8)) }

  /// The output as one JSON object.
  func object() throws -> [String: Any] { try #require(try json() as? [String: Any]) }

  /// The rows of an answer in json.
  func rows(_ list: String) throws -> [[String: Any]] {
    try #require(try object()[list] as? [[String: Any]])
  }

  /// The lines of the output.
  var lines: [Substring] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  /// One line of the output.
  func line(_ index: Int) throws -> Substring {
    let lines = lines
    return try #require(lines.indices.contains(index) ? lines[index] : nil)
  }
}

typealias Scratch = TemporaryFolder

extension TemporaryFolder {
  /// Writes a file and gives its path.
  func file(_ name: String, _ contents: Data) throws -> String {
    try contents.write(to: url(name))
    return path(name)
  }

  func emptyFile(_ name: String) throws -> FileHandle {
    try Data().write(to: url(name))
    return try FileHandle(forWritingTo: url(name))
  }

  /// Names and bytes of everything in the folder that belongs to a store.
  func storeFiles() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where name.hasPrefix("store") {
      files[name] = try Data(contentsOf: url(name))
    }
    return files
  }
}

/// A suite that has a folder of its own, and in it a store when something is imported.
class StoreSuite {
  let scratch: Scratch
  let store: String

  init() throws {
    scratch = try Scratch()
    store = scratch.path("store.sqlite")
  }

  /// Imports an export into the store.
  func load(_ export: SmallExport) throws {
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("export.xml", export.data), "--store", store,
    ])
    try #require(run.exitCode == 0, "\(run.errors)")
  }
}

/// A suite whose commands are about its store.
class ProgramSuite: StoreSuite {
  /// What each command has behind its words.
  var options: [String] { [] }
  var environment: [String: String] { [:] }

  /// Runs a command, which may fail.
  func ask(_ arguments: String...) throws -> ProgramRun { try ask(arguments) }

  func ask(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun.hkstats(arguments + ["--store", store] + options, environment: environment)
  }

  /// Runs a command that succeeds.
  func run(_ arguments: String...) throws -> ProgramRun {
    let run = try ask(arguments)
    try #require(run.exitCode == 0, "\(arguments): \(run.errors)")
    return run
  }
}
