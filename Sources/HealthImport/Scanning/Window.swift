/// The part of the text that is in memory: it slides along the blocks of a source.
///
/// ``TextBlock/padding`` zero bytes follow the text.
struct Window: ~Copyable {
  private let reader: BlockReader
  private let limit: Int
  /// The block of the window, or the next one if it is partly shown.
  private var block: TextBlock?
  /// The number of bytes of the block that have been shown.
  private var shown = 0
  /// A buffer for contiguous text that is longer than the room before a block.
  private var long: UnsafeMutablePointer<UInt8>?
  private var longCapacity = 0
  /// The first byte in memory.
  private(set) var start: UnsafePointer<UInt8>
  /// After the last byte in memory.
  private(set) var end: UnsafePointer<UInt8>
  /// The offset of the window in the text.
  private(set) var offset = 0
  /// Whether the source has no more bytes.
  private(set) var isAtEnd = false
  /// The contents of an empty window.
  private let nothing: UnsafeMutablePointer<UInt8>

  /// Makes an empty window of at most `limit` bytes.
  init(reader: BlockReader, limit: Int) {
    self.reader = reader
    self.limit = limit
    nothing = .allocate(capacity: TextBlock.padding)
    nothing.initialize(repeating: 0, count: TextBlock.padding)
    start = UnsafePointer(nothing)
    end = start
  }

  deinit {
    nothing.deallocate()
    long?.deallocate()
  }

  /// Whether the source ended prematurely.
  var endedEarly: Bool { isAtEnd && reader.endedEarly }

  /// The result of ``refill(keepingFrom:)``.
  enum Refill {
    /// There is more text.
    case more
    /// The source has no more.
    case atEnd
    /// The kept text already has the maximum length.
    case full
  }

  /// Drops the text before `place` and reads more.
  ///
  /// After ``Refill/more`` the text at `place` is at ``start`` and all other pointers are invalid;
  /// otherwise nothing has moved.
  mutating func refill(keepingFrom place: UnsafePointer<UInt8>) throws(ExportError) -> Refill {
    if isAtEnd { return .atEnd }
    let kept = end - place
    if kept >= limit { return .full }
    let isShown = block.map { shown == $0.count } ?? true
    let next = isShown ? try reader.next() : block
    guard let next else {
      isAtEnd = true
      return .atEnd
    }
    let dropped = place - start
    let first = isShown ? 0 : shown
    let rest = next.count - first
    if kept <= TextBlock.room, kept + rest <= limit {
      let front = next.start + first - kept
      front.update(from: place, count: kept)
      start = UnsafePointer(front)
      end = UnsafePointer(next.start + next.count)
      shown = next.count
      replaceBlock(by: next)
    } else {
      try gather(keepingFrom: place, kept: kept, next, from: first)
    }
    offset += dropped
    return .more
  }

  /// Copies the kept text and the next block to one buffer: enough at once that long texts are not
  /// rescanned too often.
  private mutating func gather(
    keepingFrom place: UnsafePointer<UInt8>, kept: Int, _ next: TextBlock, from first: Int
  ) throws(ExportError) {
    let capacity = min(limit, max(longCapacity, 2 * (kept + next.count)))
    let target: UnsafeMutablePointer<UInt8>
    if let long, capacity <= longCapacity {
      target = long
      target.update(from: place, count: kept)
    } else {
      target = .allocate(capacity: capacity + TextBlock.padding)
      target.initialize(from: place, count: kept)
      long?.deallocate()
      (long, longCapacity) = (target, capacity)
    }
    replaceBlock(by: next)
    shown = first
    var count = kept
    while let piece = block, count < capacity {
      let length = min(piece.count - shown, capacity - count)
      (target + count).update(from: piece.start + shown, count: length)
      count += length
      shown += length
      if shown < piece.count || count == capacity { break }
      guard let following = try reader.next() else { break }
      replaceBlock(by: following)
      shown = 0
    }
    (target + count).initialize(repeating: 0, count: TextBlock.padding)
    start = UnsafePointer(target)
    end = start + count
  }

  private mutating func replaceBlock(by next: TextBlock) {
    if let block, block !== next { reader.recycle(block) }
    block = next
  }
}
