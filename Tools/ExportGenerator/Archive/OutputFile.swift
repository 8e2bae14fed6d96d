import Foundation

/// A file being written from its start to its end; one that cannot be is taken away.
final class OutputFile {
  private let handle: FileHandle
  private let path: String
  /// The number of bytes written.
  private(set) var count = 0

  /// Makes an empty file, in place of one that may be there.
  init(path: String) throws(OutputError) {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw OutputError(path: path, reason: .cannotCreate) }
    self.handle = handle
    self.path = path
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let written = Foundation.write(handle.fileDescriptor, base, rest.count)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else {
        let error = OutputError(path: path, reason: .cannotWrite(errno))
        unlink(path)
        throw error
      }
      count += written
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try bytes.span.withUnsafeBytes { (bytes) throws(OutputError) in try write(bytes) }
  }
}

/// Why a file could not be written.
struct OutputError: Error, CustomStringConvertible {
  enum Reason {
    case cannotCreate
    case cannotWrite(Int32)
    case cannotCompress
    case tooLarge
  }

  let path: String
  let reason: Reason

  var description: String {
    switch reason {
    case .cannotCreate: "Cannot make \(path)."
    case .cannotWrite(let code): "Cannot write \(path): \(String(cString: strerror(code)))."
    case .cannotCompress: "Cannot compress into \(path)."
    case .tooLarge: "\(path) grew larger than its zip header can say."
    }
  }
}
