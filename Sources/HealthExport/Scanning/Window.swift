/// The part of the text that is in memory: it slides along the blocks of a source.
///
/// Behind the text stand ``TextBlock/padding`` zero bytes.
struct Window: ~Copyable {
  private let reader: BlockReader
  private let limit: Int
  /// The block that the window lies in, or of which a part is still to be shown.
  private var block: TextBlock?
  /// How many bytes of the block have been shown.
  private var shown = 0
  /// Where text stands together that is longer than the room in front of a block.
  private var long: UnsafeMutablePointer<UInt8>?
  private var longCapacity = 0
  /// The first byte in memory.
  private(set) var start: UnsafePointer<UInt8>
  /// The place behind the last byte in memory.
  private(set) var end: UnsafePointer<UInt8>
  /// Where in the text the window begins.
  private(set) var offset = 0
  /// Whether the source has no more bytes.
  private(set) var isAtEnd = false
  /// What an empty window shows.
  private let nothing: UnsafeMutablePointer<UInt8>

  /// Makes an empty window that never grows beyond `limit` bytes.
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

  /// Whether the source broke off before its own end.
  var endedEarly: Bool { isAtEnd && reader.endedEarly }

  /// What became of a wish for more text.
  enum Refill {
    /// There is more text.
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

  /// Copies what is kept and what comes next to one place: so much that a text that needs ever more
  /// is not walked through too often.
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
