import Foundation

/// Reads a source of bytes block by block, optionally on another thread, a few blocks ahead.
///
/// Blocks are reused, so memory does not depend on the length of the source.
final class BlockReader {
  private static let blockBytes = 1 << 19
  /// One block is being filled and one scanned; more blocks mean fewer thread switches.
  private static let blocksAhead = 8
  /// One block is being filled while the end of the previous one is still needed.
  private static let blocksInTurn = 2

  private let work: Work
  private let isAhead: Bool

  /// Makes a reader of `source` with at most `limit` bytes per block.
  init(_ source: any ByteSource, limit: Int, isAhead: Bool) {
    let count = isAhead ? Self.blocksAhead : Self.blocksInTurn
    work = Work(source, blockCount: count, blockBytes: min(Self.blockBytes, limit))
    self.isAhead = isAhead
    // The thread does not reference the reader, so that it does not keep it alive.
    if isAhead { Thread { [work] in while work.step() {} }.start() }
  }

  deinit { work.stop() }

  /// Whether the source ended prematurely; valid at the end.
  var endedEarly: Bool { work.source.endedEarly }

  /// The next block; `nil` at the end of the source, and after an error.
  func next() throws(ExportError) -> TextBlock? {
    if !isAhead { _ = work.step() }
    switch work.filled.take() {
    case .block(let block): return block
    case .failed(let error): throw error
    case nil: return nil
    }
  }

  /// Returns a block for reuse.
  func recycle(_ block: TextBlock) { _ = work.free.put(block) }
}

/// Fills blocks; only one thread runs its steps.
private final class Work: @unchecked Sendable {
  enum Filled: Sendable {
    case block(TextBlock)
    case failed(ExportError)
  }

  let source: any ByteSource
  let free: BoundedQueue<TextBlock>
  let filled: BoundedQueue<Filled>
  private var isDone = false

  init(_ source: any ByteSource, blockCount: Int, blockBytes: Int) {
    self.source = source
    free = BoundedQueue(capacity: blockCount)
    filled = BoundedQueue(capacity: blockCount)
    for _ in 0..<blockCount { _ = free.put(TextBlock(capacity: blockBytes)) }
  }

  /// Fills a block; false if that was the last step.
  func step() -> Bool {
    guard !isDone, let block = free.take() else { return false }
    do throws(ExportError) {
      try block.fill(from: source)
      isDone = block.count == 0 || !filled.put(.block(block))
    } catch {
      _ = filled.put(.failed(error))
      isDone = true
    }
    if isDone { filled.close() }
    return !isDone
  }

  /// Stops: blocks are no longer needed.
  func stop() {
    free.close()
    filled.close()
    source.stop()
  }
}
