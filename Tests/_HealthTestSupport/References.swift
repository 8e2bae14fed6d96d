public import Foundation

/// The published tables, vectors and small exports under `References/`, with which tests compare.
///
/// They are copies of what the project keeps beside the repository, in `../shared/data`;
/// `ReferencesTests` compares the two where that folder is there, and fails without it where
/// `HKSTATS_REQUIRE_SHARED` is 1.
public enum References {
  /// The folder of the copies.
  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("References")

  /// What the project keeps beside the repository, where the copies come from.
  public static let shared: URL = {
    var folder = Self.folder
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.appendingPathComponent("shared")
  }()

  /// Whether what tests compare with must be there, as where the project itself is tested.
  public static let areRequired =
    ProcessInfo.processInfo.environment["HKSTATS_REQUIRE_SHARED"] == "1"

  /// Whether a test that compares with the originals runs: it fails without them where they must be.
  public static let comparesWithShared =
    areRequired || FileManager.default.fileExists(atPath: shared.path)

  /// The contents of a file below the folder.
  public static func contents(_ path: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(path))
  }

  /// The rows of a tab-separated table, each as a dictionary by the names of the first line.
  public static func table(_ path: String) throws -> [[String: String]] {
    let text = String(decoding: try contents(path), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    guard let header = lines.first?.split(separator: "\t", omittingEmptySubsequences: false) else {
      return []
    }
    return lines.dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Dictionary(
        uniqueKeysWithValues: zip(header.map(String.init), cells.map(String.init)))
    }
  }
}
