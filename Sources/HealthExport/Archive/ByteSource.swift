/// A stream of bytes: a file, a pipe, or an entry of an archive as it was before it was packed.
protocol ByteSource: AnyObject {
  /// Fills the front of `buffer`, which is not empty, and says how far; 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int
  /// How many bytes the stream is said to have; 0 when nobody knows.
  var byteCount: Int { get }
  /// Whether the stream broke off before its own end. Meaningful at the end.
  var endedEarly: Bool { get }
  /// Makes a read that waits for somebody to write give up. Any thread may call this.
  func stop()
}

extension ByteSource {
  func stop() {}

  /// Fills `buffer` as far as the stream has bytes, and says how far.
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
