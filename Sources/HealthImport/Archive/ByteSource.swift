/// A stream of bytes: a file, a pipe, or an unpacked entry of an archive.
protocol ByteSource: AnyObject {
  /// Reads into the start of `buffer`, which is not empty, and returns the number of bytes; 0 only
  /// at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int
  /// The stated size of the stream; 0 when unknown.
  var byteCount: Int { get }
  /// Whether the stream ended prematurely. Valid only at the end.
  var endedEarly: Bool { get }
  /// Makes a blocked read return. Thread-safe.
  func stop()
}

extension ByteSource {
  func stop() {}

  /// Reads into `buffer` until it is full or the stream ends; returns the number of bytes.
  func readAll(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}
