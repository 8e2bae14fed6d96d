import Glibc

/// A text file, on disk or in an archive, that can be opened repeatedly.
enum TextFile {
  case file(String)
  /// A file that is already open.
  case open(File)
  case entry(ZipArchive, ZipEntry)

  static let mostFiles = 1 << 14

  /// The path of the file, or of the entry in the archive.
  var name: String {
    switch self {
    case .file(let path): path
    case .open(let file): file.path
    case .entry(_, let entry): entry.name
    }
  }

  /// The names of the files found at `path`; empty for a single file.
  static func names(of places: [TextFile], at path: String) -> [String] {
    if places.count == 1, places[0].name == path { return [] }
    return places.map { place in
      place.name.hasPrefix(path + "/") ? String(place.name.dropFirst(path.count + 1)) : place.name
    }
  }

  /// The size of all files.
  static func byteCount(of files: [TextFile]) throws(ExportError) -> Int {
    var count = 0
    for file in files { count += try file.open().byteCount }
    return count
  }

  /// The bytes, from the start.
  func open() throws(ExportError) -> any ByteSource {
    switch self {
    case .file(let path): StoredBytes(file: try File(path: path))
    case .open(let file): StoredBytes(file: file)
    case .entry(let archive, let entry): try archive.bytes(of: entry)
    }
  }

  /// The files of a folder or an archive whose names have the suffix, sorted by name; a single file
  /// whatever its name.
  ///
  /// Extra files that macOS adds to archives are left out, and links in a folder are not followed.
  static func all(in probe: FileProbe, ending suffix: String) throws(ExportError) -> [TextFile] {
    switch probe.contents {
    case .pipe: throw ExportError(.notAFile, path: probe.path)
    case .folder(let names):
      names.sorted().filter { isCandidate($0, suffix) }.map { probe.path + "/" + $0 }
        .filter { SideFiles.isPlain($0, S_IFREG) }.map(TextFile.file)
    case .archive(let archive):
      archive.entries.filter { isCandidate($0.name, suffix) }
        .sorted { $0.name < $1.name }.prefix(mostFiles).map { .entry(archive, $0) }
    case .file(let file): [.open(file)]
    }
  }

  private static func isCandidate(_ name: String, _ suffix: String) -> Bool {
    let parts = name.split(separator: "/")
    return name.lowercased().hasSuffix(suffix) && parts.last?.hasPrefix("._") == false
      && !parts.contains("__MACOSX")
  }
}
