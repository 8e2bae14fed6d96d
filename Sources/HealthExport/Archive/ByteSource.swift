/// A stream of bytes: a file, or an entry of an archive as it was before it was packed.
protocol ByteSource: AnyObject {
  /// Fills the front of `buffer`, which is not empty, and says how far; 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int
  /// How many bytes the stream is said to have.
  var byteCount: Int { get }
  /// Whether the stream broke off before its own end. Meaningful at the end.
  var endedEarly: Bool { get }
}
