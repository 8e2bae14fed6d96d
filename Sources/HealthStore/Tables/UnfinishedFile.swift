import Foundation

/// A file that is written under a temporary name in the folder of its destination, and renamed when
/// it is whole.
///
/// The destination stays as it is until ``finish()``; a file that is not finished leaves nothing.
/// It has mode 0600. Several for one destination do not harm each other: the last to finish stays,
/// or the first where none may be replaced.
package final class UnfinishedFile {
  /// Where it is written.
  package let path: String
  /// Open for reading and writing for as long as the value lives.
  package let descriptor: Int32
  private let destination: String
  private let replaces: Bool
  private var isFinished = false

  /// The error of the system for a file that cannot be created or renamed.
  package struct Problem: Error {
    /// `EEXIST` when there is a file already, `ENODEV` where a device, a pipe or a socket lies.
    package let errorNumber: Int32

    package init(_ errorNumber: Int32) { self.errorNumber = errorNumber }
  }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - destination: the path of the file
  ///   - replaces: whether it may replace an existing file
  /// - Throws: ``Problem`` with `EEXIST` when there is a file and none may be replaced, and for what
  ///   is neither a file nor a link to one
  package init(for destination: String, replaces: Bool) throws(Problem) {
    let (folder, name) = Self.parts(of: destination)
    guard !name.isEmpty else { throw Problem(EISDIR) }
    switch Self.kind(of: destination) {
    case nil: break
    case S_IFREG, S_IFLNK, S_IFDIR: guard replaces else { throw Problem(EEXIST) }
    default: throw Problem(ENODEV)
    }
    var template = Array((folder + "/.hkstats-XXXXXX").utf8CString)
    let opened = mkstemp(&template)
    guard opened >= 0 else { throw Problem(errno) }
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    descriptor = opened
    self.destination = destination
    self.replaces = replaces
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(path) }
  }

  /// Renames the file once its bytes are on the disk.
  package func finish() throws(Problem) {
    guard fsync(descriptor) == 0 else { throw Problem(errno) }
    try move()
    isFinished = true
    Self.synchronize(folder: Self.parts(of: destination).folder)
  }

  private func move() throws(Problem) {
    if !replaces {
      // A link fails where a file has come meanwhile; a new name for the file would replace it.
      if link(path, destination) == 0 {
        unlink(path)
        return
      }
      // Not every file system has links.
      let isWithoutLinks = [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno)
      guard isWithoutLinks else { throw Problem(errno) }
      guard Self.kind(of: destination) == nil else { throw Problem(EEXIST) }
    }
    guard rename(path, destination) == 0 else { throw Problem(errno) }
  }

  /// The folder of a path, never empty and never with a scheme before it, and the name in it.
  package static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    let name = String(path[path.index(after: slash)...])
    if path.hasPrefix("/") { return (folder, name) }
    return ("./" + folder, name)
  }

  /// The type of the file at a path, as `S_IFREG`; a link is not followed, and `nil` is nothing.
  package static func kind(of path: String) -> UInt32? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }

  /// Makes sure that the names in a folder are on the disk; file systems that cannot do without.
  package static func synchronize(folder: String) {
    let opened = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }
}
