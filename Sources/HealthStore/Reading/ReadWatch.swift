import Synchronization

/// Progress and cancellation of a long read.
///
/// A question reads several times; each reading is a share of the whole.
struct ReadWatch: Sendable {
  private let isCancelled: @Sendable () -> Bool
  private let progress: @Sendable (Double) -> Void
  private let farthest = Farthest()
  private var start = 0.0
  private var length = 1.0

  private final class Farthest: Sendable {
    private let share = Mutex(0.0)

    /// Whether a share is more than all before.
    func moves(to next: Double) -> Bool {
      share.withLock { share in
        guard next > share else { return false }
        share = next
        return true
      }
    }
  }

  init(
    isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Double) -> Void
  ) {
    (self.isCancelled, self.progress) = (isCancelled, progress)
  }

  /// The watch of one of several equal parts of this share.
  func part(_ parts: Range<Int>, of count: Int) -> ReadWatch {
    guard count > 0 else { return self }
    var watch = self
    watch.start = start + length * Double(parts.lowerBound) / Double(count)
    watch.length = length * Double(parts.count) / Double(count)
    return watch
  }

  /// Throws if the read is cancelled.
  ///
  /// - Throws: ``StoreError/Reason/cancelled``
  func check() throws(StoreError) {
    if isCancelled() { throw StoreError(.cancelled, path: "") }
  }

  /// Reports that some of the chunks are read.
  ///
  /// - Throws: ``StoreError/Reason/cancelled``
  func advance(to done: Int, of count: Int) throws(StoreError) {
    try check()
    let share = min(1, start + length * Double(done) / Double(max(count, 1)))
    guard farthest.moves(to: share) else { return }
    progress(share)
    // After the last chunk there is no other check: merging is not interrupted.
    try check()
  }
}

/// The chunks of one reading, counted for its watch.
struct ReadSteps {
  private let watch: ReadWatch?
  /// The number of chunks.
  var count: Int
  private var done = 0

  init(_ watch: ReadWatch?, of count: Int) { (self.watch, self.count) = (watch, count) }

  /// Begins the next chunk.
  ///
  /// - Throws: ``StoreError/Reason/cancelled``
  mutating func begin() throws(StoreError) {
    try watch?.advance(to: done, of: count)
    done += 1
  }

  /// Ends the reading after the last chunk.
  ///
  /// - Throws: ``StoreError/Reason/cancelled``
  func end() throws(StoreError) { try watch?.advance(to: 1, of: 1) }
}

extension SampleStore {
  /// The same store, with progress and cancellation for one question.
  ///
  /// ```swift
  /// let answer = try store.watching { print("\(Int(100 * $0)) %") }.answer(question)
  /// ```
  ///
  /// Both closures are called on the thread that asks, before each chunk of samples and after the
  /// last one; reads of elements only look whether to stop. What is read is merged after that, and
  /// merging is not interrupted. Cancelling the task that asks ends the question.
  ///
  /// - Parameters:
  ///   - isCancelled: whether to stop, with ``StoreError/Reason/cancelled``; by default whether the
  ///     task is cancelled
  ///   - progress: gets the share that is read, up to 1, more each time. One watched store is for one
  ///     question: the next one says nothing until it is farther than this
  /// - Returns: a store of the same file
  /// - Complexity: O(1)
  public func watching(
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) -> SampleStore {
    watched(by: ReadWatch(isCancelled: isCancelled, progress: progress))
  }

  /// The store for one of several parts of a question.
  package func part(_ part: Int, of count: Int) -> SampleStore {
    self.part(part..<part + 1, of: count)
  }

  /// The store for some of the parts of a question.
  package func part(_ parts: Range<Int>, of count: Int) -> SampleStore {
    watch.map { watched(by: $0.part(parts, of: count)) } ?? self
  }

  /// Reports that the whole question is read.
  package func endWatching() throws(StoreError) { try watch?.advance(to: 1, of: 1) }
}
