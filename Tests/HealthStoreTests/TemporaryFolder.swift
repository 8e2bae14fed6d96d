import Foundation

/// A folder that is gone with the value that made it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  func file(_ name: String = "store.sqlite") -> String { path + "/" + name }

  /// What stands in the folder.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// The same without the files that SQLite keeps beside an open store.
  var namesOfStores: [String] {
    get throws { try names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } }
  }

  /// The bytes of a file.
  func bytes(_ name: String = "store.sqlite") throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(name)))
  }
}
