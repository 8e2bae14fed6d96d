import Foundation
import HealthExchange
import HealthStore

/// A store of a synthetic export, and the totals and correlations that its generator counted.
public final class SampleExport: Sendable {
  /// The instance of all tests that only read.
  public static let shared = Result { try SampleExport() }

  /// The total of a type on one day.
  public struct DaySum: Decodable, Sendable {
    /// The sum of all sources.
    public let raw: Double
    /// The sum when sources are merged, so that nothing counts twice.
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

  /// The time zone of the export; its clocks change a week before the end.
  public static let zone = "Europe/Paris"
  /// The day after the last day of the export.
  public static let end = "2026-11-01"

  /// The path of the store.
  public let path: String
  /// A copy of the store that tests copy and do not open as a store: closing a descriptor of a
  /// file releases the locks that SQLite holds on it in the same process.
  public let untouched: String
  /// The sums of cumulative types, by identifier and then by day, such as 2026-10-31.
  public let sums: [String: [String: DaySum]]
  /// The correlations, by their start.
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
      .importFile(at: URL(fileURLWithPath: export))
    try FileManager.default.copyItem(atPath: untouched, toPath: path)
    let decoded = try JSONDecoder().decode(
      Truth.self, from: Data(contentsOf: URL(fileURLWithPath: truth)))
    sums = decoded.sums
    correlations = decoded.correlations.sorted { $0.start < $1.start }
  }
}

/// The failure of a program that a test needs.
public struct ProgramFailure: Error {
  let name: String
}

/// A temporary folder, deleted with its value.
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

/// A program that was built with the tests, in the folder of the test bundle.
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
