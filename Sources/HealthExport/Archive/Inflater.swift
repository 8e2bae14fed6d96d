import CISAL

/// Unpacks deflated data (RFC 1951) from a stream of bytes.
final class Inflater {
  private static let blockBytes = 1 << 18
  /// How many bytes inflate may have taken and not used when the data end.
  private static let mostUnused = 8

  private let packed: any ByteSource
  private let path: String
  private let entry: String?
  private let state: UnsafeMutablePointer<inflate_state>
  /// The last bytes of the block before, and the block.
  private let block: UnsafeMutableRawBufferPointer
  /// Where in the file the block ends.
  private var blockEnd: Int

  /// Makes an unpacker of what `packed` gives, which stands at byte `start` of the file at `path`.
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

  /// Whether the data have come to their own end.
  var isFinished: Bool { state.pointee.block_state == ISAL_BLOCK_FINISH }

  func stop() { packed.stop() }

  /// Fills the front of `buffer` and says how far; less than all of it only where the data end.
  func inflate(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    let wanted = UInt32(clamping: buffer.count)
    state.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = wanted
    while state.pointee.avail_out > 0, !isFinished {
      let isExhausted = state.pointee.avail_in == 0 ? try !readBlock() : false
      let free = state.pointee.avail_out
      // A negative result is damage; the others ask for more input or more room.
      guard isal_inflate(state) >= ISAL_DECOMP_OK else { throw error(.damagedArchive) }
      // What inflate still holds comes out without input; then the data end too early.
      if isExhausted, state.pointee.avail_out == free { break }
    }
    return Int(wanted - state.pointee.avail_out)
  }

  /// Gives back what was taken behind the end of the data, for ``nextByte()``.
  func returnUnused() {
    let unused = state.pointee.read_in_length / 8
    state.pointee.next_in -= Int(unused)
    state.pointee.avail_in += UInt32(unused)
  }

  /// Makes ready for data that begin at the next byte.
  func restart() { isal_inflate_reset(state) }

  /// The next byte of the stream as it is; `nil` at its end.
  func nextByte() throws(ExportError) -> UInt8? {
    if state.pointee.avail_in == 0, try !readBlock() { return nil }
    defer {
      state.pointee.next_in += 1
      state.pointee.avail_in -= 1
    }
    return state.pointee.next_in.pointee
  }

  /// An error where the stream stands.
  func error(_ reason: ExportError.Reason) -> ExportError {
    ExportError(
      reason, path: path, entry: entry, offset: blockEnd - Int(state.pointee.avail_in))
  }

  private func readBlock() throws(ExportError) -> Bool {
    // The last bytes move in front of those that come: they may be given back.
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
