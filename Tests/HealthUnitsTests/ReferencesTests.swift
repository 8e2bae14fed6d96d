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
    #expect(paths.count > 20 && References.exports.count == 8)
    func original(_ path: String) throws -> Data {
      try Data(contentsOf: References.shared.appendingPathComponent("data/\(path)"))
    }
    for path in paths { #expect(try References.contents(path) == original(path), "\(path)") }
    for name in References.exports {
      #expect(try References.export(name) == original("exports/\(name).xml"), "\(name)")
    }
  }
}
