/// Sweeps two sorted lists, the samples of one source and the time that higher ones cover, and
/// finds the uncovered parts of the samples.
///
/// Whether a sample or a span comes next depends on the data, and a mispredicted branch costs more
/// than the rest of a step. So each step is branch-free: it writes a candidate part, adds one to
/// the count if it is a part, and moves on to the next span or sample. Where eight consecutive
/// samples all lie between two spans, or all inside one, they are skipped as a block; a long range
/// between two spans is recorded as a range of samples, and no parts are written for it.
struct UncoveredSweep {
  private let samples: UnsafeSampleRows
  private let covered: UnsafeSpanEdges
  private var row = 0
  /// The next span: those before it end at or before the start of the current sample, or before the
  /// end of the last written part of it.
  private var span: Int
  private var instant: Int

  /// The most parts that one batch of steps writes.
  static let batch = SegmentBuilder.shortestPiece

  /// Makes a sweep over at least one sample.
  init(_ samples: UnsafeSampleRows, covered: UnsafeSpanEdges) {
    precondition(samples.count > 0)
    self.samples = samples
    self.covered = covered
    let start = samples.starts[0]
    span = covered.firstSpan(endingAtOrAfter: start, from: 0)
    instant = covered.instants.firstIndex(notBelow: start, from: 0)
  }

  /// Writes the uncovered parts; stops soon after there are more than `limit`.
  ///
  /// - Complexity: O(samples + log spans + spans overlapped)
  mutating func run(into parts: UnsafeUncoveredParts, limit: Int) {
    while row < samples.count, parts.totalCount <= limit {
      if parts.capacity - parts.count < Self.batch { parts.grow() }
      if !skipBlocksOfEight(parts) { runBatch(parts) }
    }
  }

  /// Runs the steps of one batch.
  private mutating func runBatch(_ parts: UnsafeUncoveredParts) {
    let (starts, ends, rows) = (parts.starts, parts.ends, parts.rows)
    let (samples, edges) = (samples, covered.edges)
    var (count, row, span) = (parts.count, self.row, self.span)
    // A step completes at most one sample.
    var steps = min(Self.batch, samples.count - row - 1)
    while steps > 0 {
      let start = samples.starts[row]
      let end = samples.ends[row]
      // Rare, so the branch predicts well: an instant, or a sample that the next one overlaps.
      guard start < end, end <= samples.starts[row &+ 1] else { break }
      let before = edges[2 &* span]
      let spanStart = edges[2 &* span &+ 1]
      let goesOn = edges[2 &* span &+ 2] < end ? 1 : 0
      let open = before > start ? before : start
      let partEnd = spanStart < end ? spanStart : end
      starts[count] = open
      ends[count] = partEnd
      rows[count] = UInt32(truncatingIfNeeded: row)
      count &+= open < partEnd ? 1 : 0
      span &+= goesOn
      row &+= 1 &- goesOn
      steps &-= 1
    }
    parts.count = count
    (self.row, self.span) = (row, span)
    if steps <= 0, row < samples.count - 1 { return }
    passSample(parts)
  }

  /// Runs the remaining steps of one sample of any kind, as long as there is room.
  private mutating func passSample(_ parts: UnsafeUncoveredParts) {
    let (start, end) = (samples.starts[row], samples.ends[row])
    while covered.end(ofSpan: span) < end {
      writePart(parts, from: start, to: end)
      span += 1
      if parts.count == parts.capacity { return }
    }
    if start == end { markInstant(parts) } else { writePart(parts, from: start, to: end) }
    row += 1
    guard row < samples.count, samples.starts[row] < end else { return }
    span = covered.firstSpan(endingAtOrAfter: samples.starts[row], before: span)
  }

  /// Writes the part of a sample before the next span.
  private func writePart(_ parts: UnsafeUncoveredParts, from start: Double, to end: Double) {
    let open = max(start, covered.edges[2 * span])
    let partEnd = min(covered.start(ofSpan: span), end)
    if open < partEnd { parts.append(start: open, end: partEnd, row: row) }
  }

  /// Writes the current sample, which has zero length, masked or not; the next span ends at or
  /// after it.
  private mutating func markInstant(_ parts: UnsafeUncoveredParts) {
    let time = samples.starts[row]
    let instants = covered.instants
    instant = instants.firstIndex(notBelow: time, from: instant)
    let isHeld =
      instant < instants.count
      && ZeroLengthRule.span(from: instants[instant], to: instants[instant], holds: time)
    let isInSpan = ZeroLengthRule.span(
      from: covered.start(ofSpan: span), to: covered.end(ofSpan: span), holds: time)
    if isHeld || isInSpan { parts.masked.append(parts.count) }
    parts.append(start: time, end: time, row: row)
  }

  /// Skips the next samples in blocks of eight, as long as all of a block are whole or all of them
  /// are covered; returns whether any were.
  ///
  /// - Precondition: there is room for a batch.
  private mutating func skipBlocksOfEight(_ parts: UnsafeUncoveredParts) -> Bool {
    let first = row
    let before = covered.edges[2 * span]
    let spanStart = covered.start(ofSpan: span)
    let spanEnd = covered.end(ofSpan: span)
    var wholeEnd = row
    while row + 8 < samples.count {
      let start = samples.starts[row]
      let end = samples.ends[row + 7]
      let isBefore = end <= spanStart && before <= start
      guard isBefore || (spanStart <= start && end <= spanEnd) else { break }
      let starts = UnsafeRawPointer(samples.starts + row).loadUnaligned(as: SIMD8<Double>.self)
      let ends = UnsafeRawPointer(samples.ends + row).loadUnaligned(as: SIMD8<Double>.self)
      let latest = SIMD8(repeating: isBefore ? spanStart : spanEnd)
      guard all((starts .< ends) .& (ends .<= latest)) else { break }
      row += 8
      // Whole samples come first: starts ascend, so none after a covered one lies before the span.
      if isBefore { wholeEnd = row }
    }
    if wholeEnd - first >= SegmentBuilder.shortestPiece {
      parts.append(whole: first..<wholeEnd)
    } else {
      for row in first..<wholeEnd {
        parts.append(start: samples.starts[row], end: samples.ends[row], row: row)
      }
    }
    return row > first
  }
}
