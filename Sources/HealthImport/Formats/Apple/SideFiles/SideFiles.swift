import Glibc
import HealthSamples

/// The other files of an export: routes, electrocardiograms, clinical records.
///
/// They are found by the folder and the name in the export, relative to the folder of the text.
/// Paths outside that folder are rejected, and links are not followed.
struct SideFiles {
  /// The folders of exports.
  enum Folder: String, CaseIterable {
    case routes = "workout-routes"
    case electrocardiograms = "electrocardiograms"
    case clinicalRecords = "clinical-records"

    /// The kind of its files.
    var kind: ElementKind {
      switch self {
      case .routes: .route
      case .electrocardiograms: .electrocardiogram
      case .clinicalRecords: .clinicalRecord
      }
    }

    /// Whether a file in the folder has a name as Apple gives; the text of the export names those
    /// of the other folders.
    func mayName(_ path: String) -> Bool {
      self != .electrocardiograms || path.lowercased().contains("/ecg")
    }
  }

  private enum Place {
    case archive(ZipArchive, entries: [String: ZipEntry])
    case folder(String)
    case nowhere
  }

  private let place: Place
  private static let mostFiles = 1 << 16

  /// The files of the export with `text`, an entry of an archive.
  init(archive: ZipArchive, text: String) {
    let top = text.lastIndex(of: "/").map { text[...$0] } ?? ""
    var entries: [String: ZipEntry] = [:]
    for entry in archive.entries where entry.name.hasPrefix(top) {
      let name = String(entry.name.dropFirst(top.count))
      if entries[name] == nil, Self.folder(of: name) != nil { entries[name] = entry }
    }
    place = .archive(archive, entries: entries)
  }

  /// The files of the export with the text at `path`.
  init(text path: String) {
    place = .folder(path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./")
  }

  /// No files, as for a pipe.
  init() { place = .nowhere }

  /// The relative paths of the files in a folder, sorted, except for hidden ones.
  func paths(in folder: Folder) -> [String] {
    switch place {
    case .archive(_, let entries):
      entries.keys.filter { Self.folder(of: $0) == folder && !Self.isHidden($0) }.sorted()
    case .folder(let top): Self.names(in: top + folder.rawValue).map { folder.rawValue + "/" + $0 }
    case .nowhere: []
    }
  }

  /// The bytes of the file that an export calls `path`; `nil` if there is no such file, or the path
  /// is outside its folder.
  func source(of path: String, in folder: Folder) throws(ExportError) -> (any ByteSource)? {
    guard let path = Self.relative(path), Self.folder(of: path) == folder else { return nil }
    switch place {
    case .archive(let archive, let entries):
      guard let entry = entries[path] else { return nil }
      return try archive.bytes(of: entry)
    case .folder(let top):
      guard Self.isPlain(top + folder.rawValue, S_IFDIR), Self.isPlain(top + path, S_IFREG) else {
        return nil
      }
      return StoredBytes(file: try File(path: top + path))
    case .nowhere: return nil
    }
  }

  /// A path in an export without its leading slash; `nil` if it is invalid.
  static func relative(_ path: String) -> String? {
    let path = path.hasPrefix("/") ? String(path.dropFirst()) : path
    return folder(of: path) == nil ? nil : path
  }

  /// The folder of a path that consists of a folder and a name; `nil` for any other path.
  private static func folder(of path: String) -> Folder? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !["", ".", ".."].contains(parts[1]), !path.utf8.contains(0) else {
      return nil
    }
    return Folder(rawValue: String(parts[0]))
  }

  /// Whether a file is hidden: systems add their own hidden files.
  private static func isHidden(_ path: String) -> Bool { path.contains("/.") }

  /// Whether a path is of this kind and not a link.
  static func isPlain(_ path: String, _ format: mode_t) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == format
  }

  private static func names(in folder: String) -> [String] {
    guard isPlain(folder, S_IFDIR) else { return [] }
    let names = File.names(inFolder: folder, limit: mostFiles) ?? []
    return names.filter { !isHidden("/" + $0) && isPlain(folder + "/" + $0, S_IFREG) }.sorted()
  }
}

extension ByteSource {
  /// All bytes of a small file; `nil` if there are more than `limit`.
  func allBytes(limit: Int) throws(ExportError) -> [UInt8]? {
    guard byteCount <= limit else { return nil }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount + 1, alignment: 1)
    defer { buffer.deallocate() }
    let count = try readAll(into: buffer)
    return count <= byteCount ? Array(buffer.prefix(count)) : nil
  }

  /// Reads into an array from an index on; returns the number of bytes, 0 only at the end.
  func readPart(of bytes: inout [UInt8], from start: Int) throws(ExportError) -> Int {
    var outcome: Result<Int, ExportError> = .success(0)
    bytes.withUnsafeMutableBytes { buffer in
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      do throws(ExportError) { outcome = .success(try read(into: rest)) } catch {
        outcome = .failure(error)
      }
    }
    return try outcome.get()
  }
}
