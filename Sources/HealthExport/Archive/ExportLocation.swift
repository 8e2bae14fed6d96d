import Glibc

/// Where the text of an export was found: the file itself, an archive, or a folder.
///
/// Apple localises the name of the XML file and archives garble it, so names say little: every
/// XML file is asked for an element `HealthData`, the largest first.
struct ExportLocation {
  /// The text, from its beginning.
  let source: any ByteSource
  /// The entry or the file in the folder that was chosen; `nil` for a bare file.
  let entry: String?
  /// The files beside the text.
  let sideFiles: SideFiles

  /// How much of a file is searched; the longest document type known ends at byte 7,124.
  private static let sniffedBytes = 1 << 20
  private static let mostCandidates = 64
  private static let deepestFolder = 4
  private static let mostFiles = 1 << 16

  /// Finds the export at `path`.
  init(path: String) throws(ExportError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ExportError(errno == ENOENT ? .notFound : .notReadable(errno: errno), path: path)
    }
    self =
      status.st_mode & S_IFMT == S_IFDIR
      ? try Self(folder: path) : try Self(file: try File(path: path))
  }

  private init(source: any ByteSource, entry: String?, sideFiles: SideFiles) {
    self.source = source
    self.entry = entry
    self.sideFiles = sideFiles
  }

  private init(file: File) throws(ExportError) {
    guard file.byteCount > 0 else { throw ExportError(.empty, path: file.path) }
    if ZipArchive.isArchive(try file.bytes(in: 0..<4)) {
      self = try Self(archive: ZipArchive(file: file), path: file.path)
    } else if try Self.isExport(StoredBytes(file: file)) {
      self.init(
        source: StoredBytes(file: file), entry: nil, sideFiles: SideFiles(text: file.path))
    } else {
      throw ExportError(.notAnExport, path: file.path)
    }
  }

  private init(archive: ZipArchive, path: String) throws(ExportError) {
    let candidates = archive.entries.filter { Self.isCandidate($0.name) }
      .sorted { ($1.byteCount, $0.name) < ($0.byteCount, $1.name) }
    var firstFailure: ExportError?
    for entry in candidates.prefix(Self.mostCandidates) {
      do throws(ExportError) {
        if try Self.isExport(try archive.bytes(of: entry)) {
          self.init(
            source: try archive.bytes(of: entry), entry: entry.name,
            sideFiles: SideFiles(archive: archive, text: entry.name))
          return
        }
      } catch {
        firstFailure = firstFailure ?? error
      }
    }
    throw firstFailure ?? ExportError(.noExportInside, path: path)
  }

  private init(folder: String) throws(ExportError) {
    var names: [String] = []
    try Self.collect(in: folder, prefix: "", depth: 0, into: &names)
    var files: [(name: String, file: File)] = []
    for name in names.prefix(Self.mostCandidates) {
      files.append((name, try File(path: folder + "/" + name)))
    }
    files.sort { ($1.file.byteCount, $0.name) < ($0.file.byteCount, $1.name) }
    for (name, file) in files where try Self.isExport(StoredBytes(file: file)) {
      self.init(
        source: StoredBytes(file: file), entry: name,
        sideFiles: SideFiles(text: folder + "/" + name))
      return
    }
    throw ExportError(.noExportInside, path: folder)
  }

  /// Adds the candidates below a folder; links are not followed.
  private static func collect(
    in folder: String, prefix: String, depth: Int, into names: inout [String]
  ) throws(ExportError) {
    guard let entries = File.names(inFolder: folder + "/" + prefix, limit: mostFiles) else {
      throw ExportError(.notReadable(errno: errno), path: folder, entry: prefix)
    }
    for name in entries {
      var status = stat()
      guard lstat(folder + "/" + prefix + name, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR, depth < deepestFolder {
        try collect(in: folder, prefix: prefix + name + "/", depth: depth + 1, into: &names)
      } else if status.st_mode & S_IFMT == S_IFREG, isCandidate(prefix + name) {
        names.append(prefix + name)
      }
    }
  }

  /// Whether a file may be the export by its name: an XML file that is neither the clinical
  /// document nor what macOS adds to archives.
  private static func isCandidate(_ name: String) -> Bool {
    let name = name.lowercased()
    let file = name.split(separator: "/").last ?? ""
    return name.hasSuffix(".xml") && !name.hasSuffix("_cda.xml") && !file.hasPrefix("._")
      && !name.split(separator: "/").contains("__macosx")
  }

  private static func isExport(_ source: any ByteSource) throws(ExportError) -> Bool {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: sniffedBytes + Window.padding)
    defer { buffer.deallocate() }
    let count = try source.read(
      into: UnsafeMutableRawBufferPointer(start: buffer, count: sniffedBytes))
    (buffer + count).initialize(repeating: 0, count: Window.padding)
    let start = UnsafePointer(buffer)
    return start.first("<HealthData", before: start + count) != nil
      || start.first("<!DOCTYPE HealthData", before: start + count) != nil
  }
}
