public import Foundation
package import HealthStore

/// The destination of an export.
public enum ExportDestination {
  /// A file, with mode 0600, which is written completely or not at all.
  case file(path: String, replacing: Bool = false)
  /// A folder of files, which is written completely or not at all: in csv one for each table, of
  /// FHIR's lines one for each type of resource, in gpx and tcx one for each workout.
  case folder(path: String, replacing: Bool = false)
  /// An open file, such as the standard output.
  case stream(FileHandle)

  /// The path of the file or folder; `nil` for a stream.
  package var path: String? {
    switch self {
    case .file(let path, _), .folder(let path, _): path
    case .stream: nil
    }
  }

  /// Whether a name is that of a page, which no export has.
  package static func isPage(_ name: String) -> Bool {
    let name = name.lowercased()
    return [".html", ".htm", ".pdf"].contains(where: name.hasSuffix)
  }

  /// Throws if no file can be begun at the destination.
  package func checkPlace() throws(OutputError) {
    guard case .file(let path, let replacing) = self else { return }
    _ = try TextOutput(path: path, replacing: replacing)
  }

  /// Throws if the destination is one of the source files of the export, or in a source folder.
  package func checkApart(from inputs: [String]) throws(OutputError) {
    guard let path else { return }
    var outputs = [path]
    if case .folder = self {
      outputs += CommaSeparatedFolder.fileNames.union(ResourceFolder.fileNames)
        .map { "\(path)/\($0)" }
    }
    let taken = Set(outputs.flatMap(Self.identities))
    for input in inputs {
      guard let identity = FileIdentity(path: input), taken.contains(identity) else { continue }
      throw OutputError(.isInput, path: path)
    }
  }

  /// Throws if the destination is one of the files of a store.
  package func checkApart(from store: SampleStore) throws(OutputError) {
    guard !store.path.isEmpty else { return }
    try checkApart(fromStore: store.path)
  }

  /// Throws if the destination is one of the files of the store at a path.
  package func checkApart(fromStore path: String) throws(OutputError) {
    try checkApart(from: ["", "-wal", "-shm", "-journal"].map { path + $0 })
  }

  /// A file that stands at a path, and the folders above it that may be an export with it.
  private static func identities(of path: String) -> [FileIdentity] {
    guard let own = FileIdentity(path: path) else { return [] }
    guard own.isFile, !isPage(path) else { return [own] }
    var found = [own]
    var place = SampleStore.resolvingLinks(path)[...]
    while let slash = place.lastIndex(of: "/") {
      place = place[..<slash]
      FileIdentity(path: place.isEmpty ? "/" : String(place)).map { found.append($0) }
    }
    return found
  }
}

/// The identity of a file, whatever its path.
private struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t
  let isFile: Bool

  init?(path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (device, number) = (facts.st_dev, facts.st_ino)
    isFile = facts.st_mode & S_IFMT == S_IFREG
  }
}
