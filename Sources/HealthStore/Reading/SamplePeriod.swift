/// Bounds of the starts and of the ends of samples; an end before its start is treated as the start.
package struct SamplePeriod: Sendable, Hashable {
  /// No start is earlier.
  package var firstStart = -Double.infinity
  /// Starts are earlier.
  package var startLimit = Double.infinity
  /// No end is earlier.
  package var firstEnd = -Double.infinity
  /// Ends are earlier.
  package var endLimit = Double.infinity

  /// All time.
  package init() {}

  /// The time of samples that end at or after the lower bound of a range and start before its upper
  /// one.
  init(overlapping range: Range<Double>) {
    (firstEnd, startLimit) = (range.lowerBound, range.upperBound)
  }

  /// At least these samples, as a scan takes them.
  package var range: Range<Double> {
    let limit = min(startLimit, endLimit)
    return min(max(firstStart, firstEnd), limit)..<limit
  }

  /// Whether a sample is in the period.
  package func contains(start: Double, end: Double) -> Bool {
    start >= firstStart && start < startLimit && end >= firstEnd && end < endLimit
  }

  /// Whether any sample of a block may be in the period.
  func mayContain(_ block: BlockStatistics) -> Bool {
    block.lastStart >= firstStart && block.firstStart < min(startLimit, endLimit)
      && block.lastEnd >= firstEnd
  }

  /// Whether all samples of a block are in the period.
  func contains(_ block: BlockStatistics) -> Bool {
    block.firstStart >= max(firstStart, firstEnd) && block.lastStart < startLimit
      && block.lastEnd < endLimit
  }

  /// Moves the rows of the period to the front of a block, and returns their number.
  func select(_ count: Int, of block: RowBlock) -> Int {
    block.keep(count) { contains(start: block.starts[$0], end: block.ends[$0]) }
  }
}
