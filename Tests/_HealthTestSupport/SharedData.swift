public import Foundation

/// The project's published tables and vectors, which stand beside the repository.
///
/// A user who has only the repository has no such folder: suites that need it are switched off
/// with `.enabled(if: SharedData.isPresent)`, and fail loudly when it is there but incomplete.
public enum SharedData {
  /// `shared/` beside the repository, or the folder that `HKSTATS_SHARED` names.
  public static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["HKSTATS_SHARED"] {
      return URL(fileURLWithPath: path)
    }
    var repository = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { repository.deleteLastPathComponent() }
    return repository.deletingLastPathComponent().appendingPathComponent("shared")
  }()

  /// Whether the folder is there at all.
  public static let isPresent = FileManager.default.fileExists(atPath: folder.path)

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
