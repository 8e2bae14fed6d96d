/// How a merge is divided among threads; the result does not depend on it.
package struct MergeWork: Sendable, Hashable {
  /// The number of threads.
  package let threads: Int
  /// The number of samples that a thread takes at a time.
  package let samplesPerPiece: Int

  /// Divides work; numbers below 1 count as 1.
  package init(threads: Int, samplesPerPiece: Int = 1 << 14) {
    self.threads = max(1, threads)
    self.samplesPerPiece = min(max(1, samplesPerPiece), 1 << 20)
  }

  /// The division for a number of samples: two threads where each has milliseconds of work.
  package static func usual(forSamples count: Int) -> MergeWork {
    MergeWork(threads: count < 1 << 20 ? 1 : 2)
  }
}
