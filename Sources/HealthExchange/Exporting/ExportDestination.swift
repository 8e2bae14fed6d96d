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

  /// Throws if the destination is one of the source files of the export.
  package func checkApart(from inputs: [String]) throws(OutputError) {
    guard let path else { return }
    var outputs = [path]
    if case .folder = self {
      outputs += CommaSeparatedFolder.fileNames.union(ResourceFolder.fileNames)
        .map { "\(path)/\($0)" }
    }
    let taken = Set(outputs.compactMap(FileIdentity.init(path:)))
    for input in inputs {
      guard let identity = FileIdentity(path: input), taken.contains(identity) else { continue }
      throw OutputError(.isInput, path: path)
    }
  }

  /// Throws if the destination is one of the files of a store.
  package func checkApart(from store: SampleStore) throws(OutputError) {
    guard !store.path.isEmpty else { return }
    try checkApart(from: ["", "-wal", "-shm", "-journal"].map { store.path + $0 })
  }
}

/// The identity of a file, whatever its path.
private struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  init?(path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (device, number) = (facts.st_dev, facts.st_ino)
  }
}
