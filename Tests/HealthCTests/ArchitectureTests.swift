import Foundation
import Testing
import _HealthTestSupport

/// The table of Architecture that says which file decides what faces show.
@Suite("Where a face decides")
struct ArchitectureTests {
  private static let root = References.folder.deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The rows: question, file, word.
  private static func rows() throws -> [[String]] {
    let page = try String(
      contentsOf: root.appendingPathComponent("Docs.docc/Architecture.md"), encoding: .utf8)
    let part = page.components(separatedBy: "### Where a face decides").dropFirst().first ?? ""
    return part.components(separatedBy: "\n### ")[0].split(separator: "\n")
      .map { $0.components(separatedBy: " | ").map { $0.replacing("`", with: "") } }
      .filter { $0.count == 3 && $0[0].hasSuffix("?") }
  }

  @Test("Each question names the one file of its name, in which its word stands")
  func files() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 12)
    var paths: [String: [URL]] = [:]
    for folder in ["Sources", "Python/hkstats"] {
      let files = FileManager.default.enumerator(
        at: Self.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) {
        paths[file.lastPathComponent, default: []].append(file)
      }
    }
    for row in rows {
      let found = paths[row[1], default: []]
      #expect(found.count == 1, "\(row[1])")
      let text = try found.first.map { try String(contentsOf: $0, encoding: .utf8) }
      #expect(text?.contains(row[2]) ?? false, "\(row[1]) has \(row[2])")
    }
  }
}
