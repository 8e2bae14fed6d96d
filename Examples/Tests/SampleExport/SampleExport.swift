import Foundation
import HealthExchange
import HealthStore

/// A store of a made-up export, and what its maker knows to be in it.
///
/// The programs stand beside the test bundle, where the package manager puts them.
public final class SampleExport: Sendable {
  /// One for all tests that only read.
  public static let shared = Result { try SampleExport() }

  /// What a type adds up to on one day.
  public struct DaySum: Decodable, Sendable {
    /// The sum of all sources.
    public let raw: Double
    /// What counts when nothing counts twice.
    public let merged: Double
  }

  /// Samples that belong together, such as the two pressures of a measurement.
  public struct Correlation: Decodable, Sendable {
    /// One of the samples.
    public struct Member: Decodable, Sendable {
      /// The identifier of its type.
      public let type: String
      /// Its value.
      public let value: Double
    }

    /// The identifier of the type.
    public let type: String
    /// When it begins, in seconds since 1970.
    public let start: Double
    /// The samples.
    public let members: [Member]
  }

  private struct Truth: Decodable {
    let sums: [String: [String: DaySum]]
    let correlations: [Correlation]
  }

  /// Where the person lives whose export it is; the clocks change a week before its end.
  public static let zone = "Europe/Paris"
  /// The day after the last one.
  public static let end = "2026-11-01"

  /// The store, for all tests.
  public let path: String
  /// A copy that nobody has opened, to copy again: whoever closes a file that SQLite has open in the
  /// same process takes its locks away.
  public let untouched: String
  /// The sums of types that add up, by identifier and then by day, such as 2026-10-31.
  public let sums: [String: [String: DaySum]]
  /// What belongs together, in the order of time.
  public let correlations: [Correlation]
  private let folder: TemporaryFolder

  private init() throws {
    folder = try TemporaryFolder()
    let (export, truth) = (folder.path("export.zip"), folder.path("truth.json"))
    let made = try Program("generate-export").run([
      "--out", export, "--truth", truth, "--years", "0.1", "--density", "0.3", "--zone", Self.zone,
      "--until", Self.end,
    ])
    guard made.exitCode == 0 else { throw ProgramFailure(name: "generate-export") }
    (path, untouched) = (folder.path("store.sqlite"), folder.path("untouched.sqlite"))
    try SampleStore(path: untouched, mode: .readWrite)
      .importExport(at: URL(fileURLWithPath: export))
    try FileManager.default.copyItem(atPath: untouched, toPath: path)
    let told = try JSONDecoder().decode(
      Truth.self, from: Data(contentsOf: URL(fileURLWithPath: truth)))
    sums = told.sums
    correlations = told.correlations.sorted { $0.start < $1.start }
  }
}

/// A program that could not do what a test needs.
public struct ProgramFailure: Error {
  let name: String
}

/// A folder that goes with the value that made it.
public final class TemporaryFolder: Sendable {
  private let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("hkstats-examples-\(UUID().uuidString)")

  /// Makes an empty folder.
  public init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in it.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// A program that was built with the tests.
public struct Program {
  /// How a run ended.
  public struct Run: Sendable {
    /// 0 if all went well.
    public let exitCode: Int32
    /// What it printed.
    public let output: String
  }

  private let url: URL

  /// The program of a name.
  public init(_ name: String) {
    url = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name)
  }

  /// Starts the program; its output goes into a file, so that no pipe can fill up.
  public func start(
    _ arguments: [String], environment: [String: String] = [:], output: String
  ) throws -> Process {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "TZ": SampleExport.zone]
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let place = URL(fileURLWithPath: output)
    try Data().write(to: place)
    let file = try FileHandle(forWritingTo: place)
    process.standardOutput = file
    process.standardError = file
    try process.run()
    return process
  }

  /// Runs the program to its end.
  public func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    let folder = try TemporaryFolder()
    let output = folder.path("output")
    let process = try start(arguments, environment: environment, output: output)
    process.waitUntilExit()
    return Run(
      exitCode: process.terminationStatus,
      output: try String(contentsOfFile: output, encoding: .utf8))
  }
}
