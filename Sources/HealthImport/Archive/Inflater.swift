import CISAL

/// Unpacks deflated data (RFC 1951) from a stream of bytes.
final class Inflater {
  private static let blockBytes = 1 << 18
  /// The most bytes that inflate may have read beyond the end of the data.
  private static let mostUnused = 8

  private let packed: any ByteSource
  private let path: String
  private let entry: String?
  private let state: UnsafeMutablePointer<inflate_state>
  /// The last bytes of the previous block, and the block.
  private let block: UnsafeMutableRawBufferPointer
  /// The offset in the file of the end of the block.
  private var blockEnd: Int

  /// Unpacks `packed`, whose offset is `start` in the file at `path`.
  init(_ packed: any ByteSource, path: String, entry: String? = nil, start: Int = 0) {
    self.packed = packed
    self.path = path
    self.entry = entry
    blockEnd = start
    block = .allocate(byteCount: Self.mostUnused + Self.blockBytes, alignment: 64)
    block.initializeMemory(as: UInt8.self, repeating: 0)
    state = .allocate(capacity: 1)
    isal_inflate_init(state)
  }

  deinit {
    block.deallocate()
    state.deallocate()
  }

  /// Whether the end of the data has been reached.
  var isFinished: Bool { state.pointee.block_state == ISAL_BLOCK_FINISH }

  func stop() { packed.stop() }

  /// Unpacks into the start of `buffer` and returns the number of bytes; less than all only at the
  /// end of the data.
  func inflate(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    let wanted = UInt32(clamping: buffer.count)
    state.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = wanted
    while state.pointee.avail_out > 0, !isFinished {
      let isExhausted = state.pointee.avail_in == 0 ? try !readBlock() : false
      let free = state.pointee.avail_out
      // A negative result is damage; the others request more input or output space.
      guard isal_inflate(state) >= ISAL_DECOMP_OK else { throw error(.damagedArchive) }
      // inflate flushes its output without input; after that the data ends prematurely.
      if isExhausted, state.pointee.avail_out == free { break }
    }
    return Int(wanted - state.pointee.avail_out)
  }

  /// Returns bytes that were read beyond the end of the data, for ``nextByte()``.
  func returnUnused() {
    let unused = state.pointee.read_in_length / 8
    state.pointee.next_in -= Int(unused)
    state.pointee.avail_in += UInt32(unused)
  }

  /// Resets for data that starts at the next byte.
  func restart() { isal_inflate_reset(state) }

  /// The next raw byte of the stream; `nil` at its end.
  func nextByte() throws(ExportError) -> UInt8? {
    if state.pointee.avail_in == 0, try !readBlock() { return nil }
    defer {
      state.pointee.next_in += 1
      state.pointee.avail_in -= 1
    }
    return state.pointee.next_in.pointee
  }

  /// An error at the current offset.
  func error(_ reason: ExportError.Reason) -> ExportError {
    ExportError(
      reason, path: path, entry: entry, offset: blockEnd - Int(state.pointee.avail_in))
  }

  private func readBlock() throws(ExportError) -> Bool {
    // The last bytes are kept before the new block, because they may be returned.
    if let next = state.pointee.next_in {
      block.baseAddress?.copyMemory(from: next - Self.mostUnused, byteCount: Self.mostUnused)
    }
    let free = UnsafeMutableRawBufferPointer(rebasing: block[Self.mostUnused...])
    let count = try packed.read(into: free)
    blockEnd += count
    state.pointee.next_in = free.baseAddress?.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_in = UInt32(count)
    return count > 0
  }
}
