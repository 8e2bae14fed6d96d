import Foundation
import GRDB
import Testing
import _HealthTestSupport

@testable import HealthStore

/// Stores that an earlier program wrote, as SQL: see `Fixtures/README.md`.
@Suite("Stores of earlier formats") struct FixtureTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Fixtures")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// A store as the earlier program left it.
  private func store(_ name: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.file()
    let queue = try DatabaseQueue(path: path)
    let sql = try text("\(name).sql")
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    return path
  }

  @Test("answer what they answered", arguments: ["everything"])
  func answers(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try store(name, in: folder)
    for mode in [SampleStore.Mode.readOnly, .readWrite] {
      let store = try SampleStore(path: path, mode: mode)
      try store.verify()
      let wanted = try text("\(name).txt").split(separator: "\n").map(String.init)
      #expect(try store.answers() == wanted.filter { !$0.hasPrefix("import ") })
    }
  }
}
