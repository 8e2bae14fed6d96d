import CFiles
import Foundation
import HealthStore

/// A folder of files that changes whole or not at all.
///
/// The files are written into a folder of their own beside it. A new folder gets its name when all
/// of them are whole; one that holds nothing but files of that kind changes places with it in one
/// step. Where a folder holds other things too, they stay: each file changes places by itself, and
/// all go back when one cannot.
final class OutputFolder {
  private let path: String
  private let replaces: Bool
  /// The folder as it stands, without links; `nil` when there is none.
  private let standing: String?
  /// Where the files are written.
  private let staging: String
  /// Whether that is within the folder itself, because there is no room beside it.
  private let isWithin: Bool
  /// The names that files of this kind can have.
  private let known: Set<String>
  private var names: [String] = []

  /// Begins a folder.
  ///
  /// - Parameters:
  ///   - path: where it will stand
  ///   - replaces: whether files may take the place of others there
  ///   - known: the names that its files can have
  /// - Throws: ``OutputError`` when something else stands there, or no folder can be made
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

  /// Puts the files, all of which are finished, in their place.
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

  /// Whether a folder may change places as a whole: it holds nothing that would be lost, and is
  /// no working directory.
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

  /// Lets two files change places, in three steps where the file system does not know one.
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
