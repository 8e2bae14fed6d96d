import Foundation
import Testing
import _HealthTestSupport

/// The copies under `References/` beside what they are copies of, for those who have it.
private enum Original {
  /// `shared/data` beside the repository.
  static let folder: URL = {
    var folder = References.folder
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.appendingPathComponent("shared/data")
  }()

  static let isRequired = ProcessInfo.processInfo.environment["HKSTATS_REQUIRE_SHARED"] == "1"
  static let isPresent = FileManager.default.fileExists(atPath: folder.path)
}

struct ReferencesTests {
  @Test(
    "Every copy of a table has the bytes of its original",
    .enabled(if: Original.isRequired || Original.isPresent))
  func copies() throws {
    let paths = try #require(FileManager.default.enumerator(atPath: References.folder.path))
      .compactMap { $0 as? String }
      .filter { $0.contains("/") && (try? References.contents($0)) != nil }
    #expect(paths.count > 20)
    for path in paths {
      let original = try Data(contentsOf: Original.folder.appendingPathComponent(path))
      #expect(try References.contents(path) == original, "\(path)")
    }
  }
}
