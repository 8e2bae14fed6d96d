import Foundation

/// The programs of the machine.
enum InstalledProgram {
  /// The path of the first of some programs that `PATH` leads to; `nil` where there is none.
  static func path(of names: [String], in environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    return names.lazy.flatMap { name in folders.lazy.map { "\($0)/\(name)" } }.first(
      where: isRunnable)
  }

  /// Whether a path is a program.
  static func isRunnable(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.isExecutableFile(atPath: path)
      && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
