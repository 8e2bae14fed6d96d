import CISAL

/// The text of one zip entry, deflated on its way to the file.
struct ZipEntrySink: TextSink, ~Copyable {
  private let file: OutputFile
  private let path: String
  private let stream: UnsafeMutablePointer<isal_zstream>
  private let workspace: UnsafeMutableRawBufferPointer
  private let output: UnsafeMutableBufferPointer<UInt8>

  /// The CRC-32 of the text so far.
  private(set) var checksum: UInt32 = 0
  /// The number of deflated bytes.
  private(set) var compressedCount = 0
  /// The number of bytes of text.
  private(set) var count = 0

  private static let level: UInt32 = 1
  /// More than ISA-L asks for at this level (`ISAL_DEF_LVL1_DEFAULT`: 276 KiB).
  private static let workspaceCount = 1 << 19
  private static let outputCount = 1 << 18
  private static let done: Int32 = 0
  /// The most that ISA-L takes in one call, whose counters have 32 bits.
  private static let inputCount = 1 << 30

  init(file: OutputFile, path: String) throws(OutputError) {
    self.file = file
    self.path = path
    stream = .allocate(capacity: 1)
    workspace = .allocate(byteCount: Self.workspaceCount, alignment: 64)
    output = .allocate(capacity: Self.outputCount)
    isal_deflate_init(stream)
    stream.pointee.level = Self.level
    stream.pointee.level_buf = workspace.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.level_buf_size = UInt32(Self.workspaceCount)
  }

  deinit {
    stream.deallocate()
    workspace.deallocate()
    output.deallocate()
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    var rest = bytes
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.inputCount))
      try deflate(part)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
    }
  }

  /// Ends the deflated stream.
  mutating func finish() throws(OutputError) {
    stream.pointee.end_of_stream = 1
    try deflate(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private mutating func deflate(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    let input = bytes.assumingMemoryBound(to: UInt8.self)
    checksum = crc32_gzip_refl(checksum, input.baseAddress, UInt64(input.count))
    count += input.count
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    repeat {
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      guard isal_deflate(stream) == Self.done else {
        throw OutputError(path: path, reason: .cannotCompress)
      }
      let produced = output.count - Int(stream.pointee.avail_out)
      try file.write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<produced]))
      compressedCount += produced
    } while stream.pointee.avail_out == 0
  }
}
