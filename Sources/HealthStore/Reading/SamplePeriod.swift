import HealthSamples

/// The rules as conditions of SQL; their arguments are the upper and the lower bound of a range.
extension SampleTime {
  /// Whether the range has an element.
  static let elementIsInRange = isInRange(from: "start", to: "max(start, end)")
  /// Whether the range may have samples of a chunk.
  static let chunkIsInRange = isInRange(from: "firstStart", to: "lastEnd")

  /// What `hasSample(from:to:)` of a range decides, of columns with the end that counts.
  static func isInRange(
    from start: String, to end: String, upper: String = "?", lower: String = "?"
  ) -> String {
    "\(start) < \(upper) AND \(end) >= \(lower)"
  }
}

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

  /// The time of samples that end at or after an instant and start before another one.
  package init(firstEnd: Double = -.infinity, startLimit: Double = .infinity) {
    (self.firstEnd, self.startLimit) = (firstEnd, startLimit)
  }

  /// The time of the samples of a range.
  init(of range: Range<Double>) {
    self.init(firstEnd: range.lowerBound, startLimit: range.upperBound)
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
