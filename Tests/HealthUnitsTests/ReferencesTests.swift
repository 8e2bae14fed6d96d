import Foundation
import Testing
import _HealthTestSupport

/// The copies under `References/` beside what they are copies of, for those who have it.
///
/// What scripts beside them make (`analysis`) is no copy.
struct ReferencesTests {
  @Test(
    "Every copy of a table has the bytes of its original",
    .enabled(if: References.comparesWithShared))
  func copies() throws {
    let paths = try #require(FileManager.default.enumerator(atPath: References.folder.path))
      .compactMap { $0 as? String }
      .filter { $0.contains("/") && !$0.hasPrefix("analysis/") }
      .filter { (try? References.contents($0)) != nil }
    #expect(paths.count > 20)
    for path in paths {
      let original = try Data(contentsOf: References.shared.appendingPathComponent("data/\(path)"))
      #expect(try References.contents(path) == original, "\(path)")
    }
  }
}
