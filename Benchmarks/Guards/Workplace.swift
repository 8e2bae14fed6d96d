import Foundation
import Harness
import Samples

/// A temporary folder with what several suites need, made when the first of them asks.
final class Workplace {
  let folder: String
  private var databases = 0
  private let generator = Child(beside: "generate-export")

  init() throws {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("hkstats-guards-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The path of a made-up export of a size such as `8MB`, as `xml` or `zip`.
  func export(_ size: String, as kind: String) throws -> String {
    let path = "\(folder)/export-\(size).\(kind)"
    if !FileManager.default.fileExists(atPath: path) {
      try generator.succeed(
        ["--out", path, "--seed", "1", "--size", size, "--until", "2026-11-01"])
    }
    return path
  }

  /// The path of a database that does not exist yet.
  func vacant() -> String {
    databases += 1
    return "\(folder)/\(databases).sqlite"
  }
}
