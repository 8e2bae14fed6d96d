/// A piece of text in memory, with room in front and zero bytes behind.
///
/// What the piece before left over is copied into the room, so that the text goes on without a gap
/// and only those few bytes are ever copied.
final class TextBlock: @unchecked Sendable {
  /// How many bytes fit in front.
  static let room = 1 << 14
  /// How many zero bytes stand behind the text, so that a comparison that begins inside it may read
  /// a little past its end.
  static let padding = 64

  /// The first byte of the piece.
  let start: UnsafeMutablePointer<UInt8>
  /// How many bytes the piece has.
  private(set) var count = 0
  private let storage: UnsafeMutablePointer<UInt8>
  private let capacity: Int

  /// Makes an empty piece for up to `capacity` bytes.
  init(capacity: Int) {
    self.capacity = capacity
    storage = .allocate(capacity: Self.room + capacity + Self.padding)
    start = storage + Self.room
  }

  deinit { storage.deallocate() }

  /// Takes the next bytes of `source`, none at its end.
  func fill(from source: any ByteSource) throws(ExportError) {
    count = 0
    count = try source.read(into: UnsafeMutableRawBufferPointer(start: start, count: capacity))
    (start + count).initialize(repeating: 0, count: Self.padding)
  }
}
