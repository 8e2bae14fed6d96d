import CISAL

/// The bytes of an entry that an archive holds deflated (RFC 1951), checked against its CRC-32.
final class InflatedBytes: ByteSource {
  private static let blockBytes = 1 << 18

  private let file: File
  private let entry: ZipEntry
  private let state: UnsafeMutablePointer<inflate_state>
  private let block: UnsafeMutableRawBufferPointer
  private var compressedPosition: Int
  private let compressedEnd: Int
  private var produced = 0
  private var checksum: UInt32 = 0
  private var isFinished = false

  /// Makes a stream of `entry`, whose compressed data begin at `start`.
  init(file: File, entry: ZipEntry, start: Int) {
    self.file = file
    self.entry = entry
    compressedPosition = start
    compressedEnd = min(start + entry.compressedByteCount, file.byteCount)
    block = .allocate(byteCount: Self.blockBytes, alignment: 64)
    state = .allocate(capacity: 1)
    isal_inflate_init(state)
  }

  deinit {
    block.deallocate()
    state.deallocate()
  }

  var byteCount: Int { entry.byteCount }
  var endedEarly: Bool { !isFinished }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    if isFinished { return 0 }
    let wanted = UInt32(clamping: buffer.count)
    state.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = wanted
    while state.pointee.avail_out > 0, !isFinished {
      let isExhausted = state.pointee.avail_in == 0 ? try !readBlock() : false
      let free = state.pointee.avail_out
      // A negative result is damage; the others ask for more input or more room.
      guard isal_inflate(state) >= ISAL_DECOMP_OK else { throw damage(.damagedArchive) }
      isFinished = state.pointee.block_state == ISAL_BLOCK_FINISH
      // What inflate still holds comes out without input; then the entry ends too early.
      if isExhausted, state.pointee.avail_out == free { break }
    }
    let count = Int(wanted - state.pointee.avail_out)
    produced += count
    checksum = crc32_gzip_refl(checksum, buffer.baseAddress, UInt64(count))
    if produced > entry.byteCount || isFinished && produced != entry.byteCount {
      throw damage(.damagedArchive)
    }
    if isFinished, checksum != entry.checksum { throw damage(.checksumMismatch) }
    return count
  }

  private func readBlock() throws(ExportError) -> Bool {
    let wanted = min(block.count, compressedEnd - compressedPosition)
    let count = try file.read(
      into: UnsafeMutableRawBufferPointer(rebasing: block.prefix(max(0, wanted))),
      at: compressedPosition)
    compressedPosition += count
    state.pointee.next_in = block.baseAddress?.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_in = UInt32(count)
    return count > 0
  }

  private func damage(_ reason: ExportError.Reason) -> ExportError {
    ExportError(
      reason, path: file.path, entry: entry.name,
      offset: compressedPosition - Int(state.pointee.avail_in))
  }
}
