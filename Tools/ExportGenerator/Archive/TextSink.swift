/// Where the text of an export goes.
protocol TextSink: ~Copyable {
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)
}

/// A bare file.
struct PlainSink: TextSink {
  let file: OutputFile
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) { try file.write(bytes) }
}

/// Nowhere: only the length counts.
struct CountingSink: TextSink {
  private(set) var count = 0
  mutating func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
}
