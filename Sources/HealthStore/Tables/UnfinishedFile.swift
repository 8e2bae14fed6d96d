import Foundation

/// A file that is written under a temporary name in the folder of its destination, and renamed when
/// it is complete.
///
/// The destination stays unchanged until ``finish()``; an unfinished file is deleted. It has mode
/// 0600. Several for one destination do not interfere: the last to finish wins, or the first if
/// none may be replaced.
package final class UnfinishedFile {
  /// The temporary path.
  package let path: String
  /// Open for reading and writing for the lifetime of the value.
  package let descriptor: Int32
  private let destination: String
  private let replaces: Bool
  private var isFinished = false

  /// The error of the system for a file that cannot be created or renamed.
  package struct Problem: Error {
    /// `EEXIST` if the destination exists, `ENODEV` if it is a device, a pipe or a socket.
    package let errorNumber: Int32

    package init(_ errorNumber: Int32) { self.errorNumber = errorNumber }
  }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - destination: the path of the file
  ///   - replaces: whether it may replace an existing file
  /// - Throws: ``Problem`` with `EEXIST` if the file exists and must not be replaced, and for a
  ///   destination that is neither a file nor a link to one, or has too long a name
  package init(for destination: String, replaces: Bool) throws(Problem) {
    let (folder, name) = Self.parts(of: destination)
    guard !name.isEmpty else { throw Problem(EISDIR) }
    switch Self.kind(of: destination) {
    case nil: guard errno != ENAMETOOLONG else { throw Problem(ENAMETOOLONG) }
    // With the slash a link to a folder is one, too.
    case _ where Self.kind(of: destination + "/") == S_IFDIR: throw Problem(EISDIR)
    case S_IFREG, S_IFLNK: guard replaces else { throw Problem(EEXIST) }
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
      // A link fails if the destination has been created meanwhile; a rename would replace it.
      if link(path, destination) == 0 {
        unlink(path)
        return
      }
      // Not every file system supports links.
      let isWithoutLinks = [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno)
      guard isWithoutLinks else { throw Problem(errno) }
      guard Self.kind(of: destination) == nil else { throw Problem(EEXIST) }
    }
    guard rename(path, destination) == 0 else { throw Problem(errno) }
  }

  /// Writes all of some bytes to an open file, where it stands or from a place on.
  static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, at place: Int? = nil
  ) throws(Problem) {
    var rest = bytes
    while !rest.isEmpty {
      let offset = place.map { off_t($0 + bytes.count - rest.count) }
      let written = rest.withUnsafeBytes { rest in
        offset.map { pwrite(descriptor, rest.baseAddress, rest.count, $0) }
          ?? Foundation.write(descriptor, rest.baseAddress, rest.count)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Problem(errno) }
      rest = rest.dropFirst(written)
    }
  }

  /// The folder of a path, never empty and never with a URL scheme, and the file name.
  package static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    let name = String(path[path.index(after: slash)...])
    if path.hasPrefix("/") { return (folder, name) }
    return ("./" + folder, name)
  }

  /// The type of the file at a path, such as `S_IFREG`, without following a link; `nil` if there is
  /// none.
  package static func kind(of path: String) -> UInt32? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }

  /// Flushes the names in a folder to the disk, if the file system supports that.
  package static func synchronize(folder: String) {
    let opened = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }
}
