import ArgumentParser
import ExportGenerator
import Foundation
public import _HealthTestSupport

/// The files of a made-up export of Apple's in which few things are there, and all of them once.
public struct MadeExport: Sendable {
  /// The profile and the version.
  public let name: String
  /// Paths and contents, the main file first.
  public let files: [(path: String, content: [UInt8])]

  /// One of every profile and version, in a fixed order.
  public static func all() throws -> [MadeExport] { try made.get() }

  private static let made = Result {
    try ["watch", "iphone", "garmin", "food"].flatMap { profile in
      try ["ios8", "3", "8", "11a", "11", "12", "13", "14", "ios27"].map { version in
        try MadeExport(
          "\(profile)-\(version)",
          ["--profile", profile, "--dtd", version, "--years", "0.02", "--density", "0.02"])
      }
    }
  }

  /// Makes an export by the options of the generator.
  public init(_ name: String, _ options: [String]) throws {
    let folder = try TemporaryFolder()
    try GenerateExport.parse(["--out", folder.path + "/made"] + options).run()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/made").sorted()
    let files: [(path: String, content: [UInt8])] = try paths.compactMap { path in
      let file = URL(fileURLWithPath: folder.path + "/made/" + path)
      guard !file.hasDirectoryPath, !file.pathExtension.isEmpty else { return nil }
      return (path, Array(try Data(contentsOf: file)))
    }
    self.name = name
    self.files = files.filter(Self.isMain) + files.filter { !Self.isMain($0) }
  }

  private static func isMain(_ file: (path: String, content: [UInt8])) -> Bool {
    file.path.hasSuffix(".xml") && !file.path.hasSuffix("_cda.xml")
  }

  /// The text that holds the records.
  public var main: [UInt8] { files.first?.content ?? [] }

  /// The archive of all files.
  public var entries: [ZipWriter.Entry] {
    files.map { ZipWriter.Entry($0.path, bytes: $0.content) }
  }
}
