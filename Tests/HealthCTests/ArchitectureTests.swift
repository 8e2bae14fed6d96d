import Foundation
import Testing
import _HealthTestSupport

/// The tables of Architecture that say where a rule stands.
@Suite("Where each rule is defined")
struct ArchitectureTests {
  private static let root = References.folder.deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The rows: question, file, word.
  private static func rows() throws -> [[String]] {
    let page = try String(
      contentsOf: root.appendingPathComponent("Docs.docc/Architecture.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "### Where a question is decided")
    let table = parts[parts.count - 1].components(separatedBy: "\n### ")[0]
    return table.split(separator: "\n")
      .map { $0.components(separatedBy: " | ").map { $0.replacing("`", with: "") } }
      .filter { $0.count == 3 && $0[0].hasSuffix("?") }
  }

  /// The files and folders of some folders, by name.
  private static func paths(in folders: [String]) throws -> [String: [URL]] {
    var paths: [String: [URL]] = [:]
    for folder in folders {
      let files = FileManager.default.enumerator(
        at: Self.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) {
        paths[file.lastPathComponent, default: []].append(file)
      }
    }
    return paths
  }

  @Test("What a rule is said to stand in is there")
  func rules() throws {
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("Docs.docc/Architecture.md"), encoding: .utf8)
    let part = page.components(separatedBy: "### Where each rule is defined").dropFirst().first
    let table = try #require(part).components(separatedBy: "\n### ")[0]
    let names = table.split(separator: "\n").filter { $0.contains(" | ") }
      .flatMap { $0.split(separator: "`", omittingEmptySubsequences: false).enumerated() }
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    #expect(names.count > 60)
    let paths = try Self.paths(in: ["Sources", "Benchmarks", "Tools"])
    let sources = try paths.values.joined().filter { $0.pathExtension == "swift" }
      .reduce(into: Data()) { $0.append(try Data(contentsOf: $1)) }
    for name in names where name != "mcp" {
      let last = name.split(separator: "/").last.map(String.init) ?? ""
      let word = name.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? ""
      let isThere =
        paths[last] != nil || paths[last + ".swift"] != nil
        || ["enum", "struct", "class", "protocol", "func", "var", "associatedtype"].contains {
          sources.range(of: Data("\($0) \(word)".utf8)) != nil
        }
      #expect(isThere, "\(name)")
    }
  }

  @Test("Each question names the one file of its name, in which its word stands")
  func files() throws {
    let rows = try Self.rows()
    #expect(rows.count >= 28)
    let paths = try Self.paths(in: ["Sources", "Python/hkstats"])
    for row in rows {
      let found = paths[row[1], default: []]
      #expect(found.count == 1, "\(row[1])")
      let text = try found.first.map { try String(contentsOf: $0, encoding: .utf8) }
      #expect(text?.contains(row[2]) ?? false, "\(row[1]) has \(row[2])")
    }
  }
}
