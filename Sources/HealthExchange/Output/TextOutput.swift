package import Foundation
import HealthStore

/// Text on its way out, gathered into large writes: to an open descriptor, into a file that appears
/// whole or not at all, or into memory.
///
/// Nothing changes at the path of a file before ``finish()``, and one that is not finished leaves
/// nothing. It has mode 0600, as the store.
package final class TextOutput {
  private var buffer: [UInt8] = []
  /// Where it goes; `nil` for memory.
  private let descriptor: Int32?
  /// How its comma-separated text is written.
  package let csv: CommaSeparated
  private let path: String?
  private let file: UnfinishedFile?
  /// Keeps the descriptor open.
  private let handle: FileHandle?

  /// Writes to an open file; a terminal gets no control characters.
  package init(_ handle: FileHandle, csv: CommaSeparated = CommaSeparated()) {
    descriptor = handle.fileDescriptor
    var csv = csv
    csv.isForTerminal = isatty(handle.fileDescriptor) == 1
    self.csv = csv
    self.handle = handle
    (path, file) = (nil, nil)
  }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: where the file will stand
  ///   - replacing: whether it may take the place of a file that stands there
  ///   - csv: how its comma-separated text is written
  /// - Throws: ``OutputError`` when there is a file already, or none can be made
  package init(
    path: String, replacing: Bool, csv: CommaSeparated = CommaSeparated()
  ) throws(OutputError) {
    do throws(UnfinishedFile.Problem) {
      let file = try UnfinishedFile(for: path, replaces: replacing)
      descriptor = file.descriptor
      self.file = file
    } catch {
      throw OutputError(error, path: path)
    }
    self.csv = csv
    self.path = path
    handle = nil
  }

  /// Gathers everything in memory.
  package init() {
    csv = CommaSeparated()
    (descriptor, path, file, handle) = (nil, nil, nil, nil)
  }

  /// The bytes that have gathered and are not written yet.
  package var gathered: [UInt8] { buffer }

  /// Appends bytes to the buffer; writes the buffer when it is full.
  package func append(_ fill: (inout [UInt8]) -> Void) throws(OutputError) {
    fill(&buffer)
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Adds text.
  package func write(_ text: String) throws(OutputError) {
    try append { $0.append(text: text) }
  }

  /// Adds a line.
  package func line(_ text: String) throws(OutputError) {
    try append { bytes in
      bytes.append(text: text)
      bytes.append(mark: "\n")
    }
  }

  /// Adds a record of comma-separated text.
  package func record(_ fields: [String]) throws(OutputError) {
    let csv = csv
    try append { csv.append(record: fields, to: &$0) }
  }

  /// Makes sure that all has arrived, and puts a file in its place.
  package func finish() throws(OutputError) {
    try flush()
    guard let file else { return }
    do throws(UnfinishedFile.Problem) {
      try file.finish()
    } catch {
      throw OutputError(error, path: path)
    }
  }

  /// Writes what has gathered.
  package func flush() throws(OutputError) {
    guard let descriptor else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    var written = 0
    while written < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        Foundation.write(
          descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw OutputError(.notWritable(errno: errno), path: path)
      }
      written += count
    }
  }
}

extension OutputError {
  fileprivate init(_ problem: UnfinishedFile.Problem, path: String?) {
    let reason: Reason =
      switch problem.errorNumber {
      case EEXIST: .alreadyThere
      case ENODEV: .notAFile
      case let number: .notWritable(errno: number)
      }
    self.init(reason, path: path)
  }
}
