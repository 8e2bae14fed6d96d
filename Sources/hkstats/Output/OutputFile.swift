import Foundation

/// A text file that appears whole or not at all.
///
/// Nothing stands at its path before ``finish()``; a file that is not finished leaves nothing. It
/// has mode 0600, as the store.
final class OutputFile: TextOutput {
  private let path: String
  private let fileDescriptor: Int32
  private var isFinished = false

  private var unfinishedPath: String { path + ".unfinished" }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: where the file will stand
  ///   - replaces: whether it may take the place of a file that stands there
  /// - Throws: ``Failure`` when there is a file already, or none can be made
  init(path: String, replaces: Bool) throws(Failure) {
    guard replaces || access(path, F_OK) != 0 else { throw Failure.fileExists(path: path) }
    unlink(path + ".unfinished")
    let opened = open(path + ".unfinished", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw Failure.cannotWrite(path: path, errno) }
    self.path = path
    fileDescriptor = opened
    super.init(descriptor: opened)
  }

  deinit {
    guard !isFinished else { return }
    close(fileDescriptor)
    unlink(unfinishedPath)
  }

  /// Writes what is left and puts the file in its place.
  override func finish() throws(Failure) {
    try flush()
    guard fsync(fileDescriptor) == 0, rename(unfinishedPath, path) == 0 else {
      throw Failure.cannotWrite(path: path, errno)
    }
    close(fileDescriptor)
    isFinished = true
  }
}
