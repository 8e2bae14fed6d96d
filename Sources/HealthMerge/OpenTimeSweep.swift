import HealthSamples

/// One sweep over two sorted lists, the samples of one source and the time that higher ones cover:
/// it finds the parts of the samples that nothing covers.
///
/// Who comes next, a sample or a span, nobody can foretell, and a wrong guess costs the processor
/// more than all else here. So a step has no branch: it writes what may be a part, counts it if it
/// is one, and goes on to the next span or sample. Stretches in which eight samples lie between
/// two spans, or inside of one, are passed eight at a time; of a long one between two spans no part
/// is written.
struct OpenTimeSweep {
  private let samples: SampleRows
  private let covered: SpanEdges
  private var row = 0
  /// No span before this one ends after the start of the sample at hand, or its parts before the
  /// end of such a span are written.
  private var span: Int
  private var instant: Int

  /// How many parts one turn may write.
  static let turn = SegmentBuilder.shortestPiece

  /// Makes a sweep over at least one sample.
  init(_ samples: SampleRows, covered: SpanEdges) {
    precondition(samples.count > 0)
    self.samples = samples
    self.covered = covered
    let start = samples.starts[0]
    span = covered.firstSpan(endingAtOrAfter: start, from: 0)
    instant = covered.instants.firstPlace(from: 0) { $0 >= start }
  }

  /// Writes the parts that are open; stops soon after there are more than `limit`.
  ///
  /// - Complexity: O(samples + log spans + spans met)
  mutating func run(into parts: OpenParts, limit: Int) {
    while row < samples.count, parts.totalCount <= limit {
      if parts.capacity - parts.count < Self.turn { parts.grow() }
      if !passEights(parts) { turn(parts) }
    }
  }

  /// Takes the next steps.
  private mutating func turn(_ parts: OpenParts) {
    let (starts, ends, rows) = (parts.starts, parts.ends, parts.rows)
    let (samples, edges) = (samples, covered.edges)
    var (count, row, span) = (parts.count, self.row, self.span)
    // A step passes at most one sample.
    var steps = min(Self.turn, samples.count - row - 1)
    while steps > 0 {
      let start = samples.starts[row]
      let end = samples.ends[row]
      // Rare, so both are foreseen: an instant, or the next sample overlaps this one.
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

  /// Takes the steps that are left for one sample, whatever it is like, as long as there is room.
  private mutating func passSample(_ parts: OpenParts) {
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

  /// Writes what is open of a sample before the span at hand.
  private func writePart(_ parts: OpenParts, from start: Double, to end: Double) {
    let open = max(start, covered.edges[2 * span])
    let partEnd = min(covered.start(ofSpan: span), end)
    if open < partEnd { parts.append(start: open, end: partEnd, row: row) }
  }

  /// Writes the zero-length sample at hand, masked or not; the span at hand ends at or after it.
  private mutating func markInstant(_ parts: OpenParts) {
    let time = samples.starts[row]
    let instants = covered.instants
    instant = instants.firstPlace(from: instant) { $0 >= time }
    let isCovered = instant < instants.count && instants[instant] == time
    if isCovered || covered.start(ofSpan: span) <= time { parts.masked.append(parts.count) }
    parts.append(start: time, end: time, row: row)
  }

  /// Passes the next samples, eight at a time, as long as all of eight are whole or all of them
  /// are covered; the answer is whether some are.
  ///
  /// - Precondition: there is room for a turn.
  private mutating func passEights(_ parts: OpenParts) -> Bool {
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
      // Whole ones come first: none that starts later lies before the span.
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
