import CFiles
import Foundation
import HealthStore

/// A folder of files that is replaced completely or not at all.
///
/// The files are written to a staging folder next to it. A new folder is renamed when all of them
/// are complete; a folder with only such files is exchanged in one step. If a folder has other
/// contents they stay: each file is exchanged individually, and all are rolled back if one fails.
final class OutputFolder {
  private let path: String
  private let replaces: Bool
  /// The existing folder with links resolved; `nil` if there is none.
  private let standing: String?
  /// The staging folder.
  private let staging: String
  /// Whether that is inside the folder itself, because there is no room next to it.
  private let isWithin: Bool
  /// The names of files of this kind.
  private let known: Set<String>
  private var names: [String] = []

  /// Begins a folder.
  ///
  /// - Parameters:
  ///   - path: the path of the folder
  ///   - replaces: whether existing files may be replaced
  ///   - known: the names that its files can have
  /// - Throws: ``OutputError`` if the path is something else, or the folder cannot be created
  init(path: String, replaces: Bool, known: Set<String>) throws(OutputError) {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.path = trimmed
    self.replaces = replaces
    self.known = known
    standing = Self.resolved(trimmed)
    if let standing {
      guard UnfinishedFile.kind(of: standing) == S_IFDIR else {
        throw OutputError(.notWritable(errno: ENOTDIR), path: path)
      }
      let parent = UnfinishedFile.parts(of: standing).folder
      let beside =
        Self.device(of: parent + "/") == Self.device(of: standing)
        ? Self.temporaryFolder(in: parent) : nil
      isWithin = beside == nil
      guard let staging = beside ?? Self.temporaryFolder(in: standing) else {
        throw OutputError(.notWritable(errno: errno), path: path)
      }
      self.staging = staging
    } else {
      guard UnfinishedFile.kind(of: trimmed) == nil else {
        throw OutputError(.alreadyThere, path: path)
      }
      isWithin = false
      guard let staging = Self.temporaryFolder(in: UnfinishedFile.parts(of: trimmed).folder) else {
        throw OutputError(.notWritable(errno: errno), path: path)
      }
      self.staging = staging
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: staging) }

  /// Begins a file in the folder.
  func file(_ name: String, csv: CommaSeparated) throws(OutputError) -> TextOutput {
    if !replaces, UnfinishedFile.kind(of: "\(path)/\(name)") != nil {
      throw OutputError(.alreadyThere, path: "\(path)/\(name)")
    }
    let file = try TextOutput(path: "\(staging)/\(name)", replacing: false, csv: csv)
    names.append(name)
    return file
  }

  /// Moves the files, which are all complete, to the folder.
  func finish() throws(OutputError) {
    if let standing, !isReplaceable(standing) {
      try exchangeFiles(with: standing)
      UnfinishedFile.synchronize(folder: standing)
    } else if let standing {
      var facts = stat()
      if stat(standing, &facts) == 0 { chmod(staging, facts.st_mode & 0o7777) }
      guard hk_exchange(staging, standing) == 0 || rename(staging, standing) == 0 else {
        return try exchangeFiles(with: standing)
      }
      UnfinishedFile.synchronize(folder: UnfinishedFile.parts(of: standing).folder)
    } else {
      guard rename(staging, path) == 0 else {
        throw OutputError(.notWritable(errno: errno), path: path)
      }
      UnfinishedFile.synchronize(folder: UnfinishedFile.parts(of: path).folder)
    }
  }

  /// Whether a folder can be exchanged as a whole: it has no other contents, and is not a working
  /// directory.
  private func isReplaceable(_ folder: String) -> Bool {
    guard !isWithin, let entries = try? FileManager.default.contentsOfDirectory(atPath: folder),
      Self.resolved(".") != folder
    else { return false }
    return entries.isEmpty
      || replaces
        && entries.allSatisfy {
          known.contains($0) && UnfinishedFile.kind(of: "\(folder)/\($0)") == S_IFREG
        }
  }

  private func exchangeFiles(with folder: String) throws(OutputError) {
    var moved: [(new: String, place: String, isExchanged: Bool)] = []
    for name in names {
      let (new, place) = ("\(staging)/\(name)", "\(folder)/\(name)")
      let kind = UnfinishedFile.kind(of: place)
      let isAllowed = kind == nil || replaces && (kind == S_IFREG || kind == S_IFLNK)
      let isDone =
        isAllowed && (kind == nil ? rename(new, place) : Self.exchange(new, place)) == 0
      guard isDone else {
        let number = errno
        for file in moved.reversed() {
          _ =
            file.isExchanged
            ? Self.exchange(file.new, file.place) : rename(file.place, file.new)
        }
        throw isAllowed
          ? OutputError(.notWritable(errno: number), path: "\(path)/\(name)")
          : OutputError(.alreadyThere, path: "\(path)/\(name)")
      }
      moved.append((new, place, kind != nil))
    }
  }

  /// Exchanges two files, in three steps if the file system does not support it.
  private static func exchange(_ one: String, _ other: String) -> Int32 {
    if hk_exchange(one, other) == 0 { return 0 }
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { return -1 }
    let aside = one + ".aside"
    guard rename(other, aside) == 0 else { return -1 }
    guard rename(one, other) == 0 else {
      rename(aside, other)
      return -1
    }
    return rename(aside, one)
  }

  private static func temporaryFolder(in parent: String) -> String? {
    var template = Array((parent + "/.hkstats-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private static func device(of path: String) -> dev_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_dev : nil
  }
}
