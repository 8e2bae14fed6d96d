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

  /// What each broken export has in place of a part of the whole one.
  private static let breaks: [String: (part: String, broken: [UInt8])] = [
    "bad_utf8": ("\u{A0}", [0xA0]), "ctrl_x0b": ("\u{A0}", [0x0B]),
    "charref_ctrl": ("\u{A0}", Array("&#11;".utf8)), "unesc_amp": ("Sam’s", Array("Sam & Co".utf8)),
    "dup_attr": ("endDate=", Array("startDate=".utf8)),
    "trunc": ("Date=\"2022-09-19 18:04:00 -0700\" value=\"92\"/>\n</HealthData>\n", []),
  ]

  /// The small exports by their names.
  public static let exports = ["ok_v13", "v12_malformed"] + breaks.keys.sorted()

  /// A small export: a whole one, or one that is broken in one place.
  public static func export(_ name: String) throws -> Data {
    guard let (part, broken) = breaks[name] else { return try contents("exports/\(name).xml") }
    var data = try contents("exports/ok_v13.xml")
    guard let place = data.range(of: Data(part.utf8), options: .backwards) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    data.replaceSubrange(place, with: broken)
    return data
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
