/// The part of the text that is in memory: a buffer that slides along a source of bytes.
///
/// Behind the text stand ``padding`` zero bytes, so that a comparison that begins inside the text
/// may read a little past its end.
struct Window: ~Copyable {
  /// How many bytes may be read past ``end``.
  static let padding = 64
  private static let blockBytes = 1 << 19

  private let source: any ByteSource
  private let limit: Int
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0
  /// Where in the text the buffer begins.
  private(set) var offset = 0
  /// Whether the source has no more bytes.
  private(set) var isAtEnd = false

  /// Makes an empty window that never grows beyond `limit` bytes.
  init(source: any ByteSource, limit: Int) {
    self.source = source
    self.limit = limit
    capacity = min(Self.blockBytes, limit)
    buffer = .allocate(capacity: capacity + Self.padding)
    buffer.initialize(repeating: 0, count: Self.padding)
  }

  deinit { buffer.deallocate() }

  /// The first byte in memory.
  var start: UnsafePointer<UInt8> { UnsafePointer(buffer) }
  /// The place behind the last byte in memory.
  var end: UnsafePointer<UInt8> { UnsafePointer(buffer + count) }
  /// Whether the source broke off before its own end.
  var endedEarly: Bool { isAtEnd && source.endedEarly }

  /// What became of a wish for more text.
  enum Refill {
    /// There may be more text.
    case more
    /// The source has no more.
    case atEnd
    /// What is to be kept takes all the room that the window may have.
    case full
  }

  /// Drops what stands before `place` and reads on.
  ///
  /// After ``Refill/more`` the text from `place` on stands at ``start`` and every other pointer is
  /// void; else nothing has moved.
  mutating func refill(keepingFrom place: UnsafePointer<UInt8>) throws(ExportError) -> Refill {
    if isAtEnd { return .atEnd }
    let dropped = place - start
    let kept = count - dropped
    if kept == limit { return .full }
    if kept == capacity {
      grow()
    } else if dropped > 0 {
      buffer.update(from: buffer + dropped, count: kept)
    }
    offset += dropped
    count = kept
    let free = UnsafeMutableRawBufferPointer(start: buffer + kept, count: capacity - kept)
    let read = try source.read(into: free)
    count += read
    (buffer + count).initialize(repeating: 0, count: Self.padding)
    isAtEnd = read == 0
    return .more
  }

  private mutating func grow() {
    let larger = min(capacity * 2, limit)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger + Self.padding)
    moved.initialize(from: buffer, count: count)
    buffer.deallocate()
    buffer = moved
    capacity = larger
  }
}
