/// A block of text in memory, with room before and zero bytes after it.
///
/// The unread rest of the previous block is copied into the room, so that the text is contiguous
/// and only those few bytes are copied.
final class TextBlock: @unchecked Sendable {
  /// The number of bytes of room.
  static let room = 1 << 14
  /// The number of zero bytes after the text, so that comparisons may read a little past its end.
  static let padding = 64

  /// The first byte of the block.
  let start: UnsafeMutablePointer<UInt8>
  /// The number of bytes in the block.
  private(set) var count = 0
  private let storage: UnsafeMutablePointer<UInt8>
  private let capacity: Int

  /// Makes an empty block for up to `capacity` bytes.
  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(capacity: Self.room + capacity + Self.padding)
    start = storage + Self.room
  }

  deinit { storage.deallocate() }

  /// Reads the next bytes of `source`, none at its end.
  func fill(from source: any ByteSource) throws(ExportError) {
    count = 0
    count = try source.read(into: UnsafeMutableRawBufferPointer(start: start, count: capacity))
    (start + count).initialize(repeating: 0, count: Self.padding)
  }
}
