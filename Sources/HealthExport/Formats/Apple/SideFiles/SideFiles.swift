import Glibc
import HealthSamples

/// The files that an export has beside its text: routes, electrocardiograms, clinical records.
///
/// They are found by the folder and the name that exports give them, below the folder in which the
/// text stands. Nothing outside of that folder can be named, and links are not followed.
struct SideFiles {
  /// The folders that exports have.
  enum Folder: String, CaseIterable {
    case routes = "workout-routes"
    case electrocardiograms = "electrocardiograms"
    case clinicalRecords = "clinical-records"

    /// What its files hold.
    var kind: ElementKind {
      switch self {
      case .routes: .route
      case .electrocardiograms: .electrocardiogram
      case .clinicalRecords: .clinicalRecord
      }
    }
  }

  private enum Place {
    case archive(ZipArchive, entries: [String: ZipEntry])
    case folder(String)
    case nowhere
  }

  private let place: Place
  private static let mostFiles = 1 << 16

  /// The files beside `text`, an entry of an archive.
  init(archive: ZipArchive, text: String) {
    let top = text.lastIndex(of: "/").map { text[...$0] } ?? ""
    var entries: [String: ZipEntry] = [:]
    for entry in archive.entries where entry.name.hasPrefix(top) {
      let name = String(entry.name.dropFirst(top.count))
      if entries[name] == nil, Self.folder(of: name) != nil { entries[name] = entry }
    }
    place = .archive(archive, entries: entries)
  }

  /// The files beside the text at `path`.
  init(text path: String) {
    place = .folder(path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./")
  }

  /// No files, as beside what comes through a pipe.
  init() { place = .nowhere }

  /// The relative paths of the files in a folder, sorted, but for hidden ones.
  func paths(in folder: Folder) -> [String] {
    switch place {
    case .archive(_, let entries):
      entries.keys.filter { Self.folder(of: $0) == folder && !Self.isHidden($0) }.sorted()
    case .folder(let top): Self.names(in: top + folder.rawValue).map { folder.rawValue + "/" + $0 }
    case .nowhere: []
    }
  }

  /// The bytes of the file that an export calls `path`; `nil` when there is no such file, or the
  /// path leads out of the folder where it belongs.
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

  /// A path as an export writes it, without its leading slash; `nil` when it is odd.
  static func relative(_ path: String) -> String? {
    let path = path.hasPrefix("/") ? String(path.dropFirst()) : path
    return folder(of: path) == nil ? nil : path
  }

  /// The folder of a path of just a folder and a name; `nil` for any other path.
  private static func folder(of path: String) -> Folder? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !["", ".", ".."].contains(parts[1]), !path.utf8.contains(0) else {
      return nil
    }
    return Folder(rawValue: String(parts[0]))
  }

  /// Whether a system hides the file at a path: it puts notes of its own beside what people have.
  private static func isHidden(_ path: String) -> Bool { path.contains("/.") }

  /// Whether a path leads to something of this kind that is no link.
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
  /// All bytes of a small file; `nil` when there are more than `limit`.
  func allBytes(limit: Int) throws(ExportError) -> [UInt8]? {
    guard byteCount <= limit else { return nil }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount + 1, alignment: 1)
    defer { buffer.deallocate() }
    let count = try readAll(into: buffer)
    return count <= byteCount ? Array(buffer.prefix(count)) : nil
  }

  /// Reads into an array from a place on; how many bytes there were, 0 only at the end.
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
