import HealthSamples

extension SampleColumns {
  /// The policy `subtractive`: the amounts by which samples exceed what higher sources counted
  /// inside their spans.
  ///
  /// - Throws: ``MergeError`` when long samples overlap too many pieces of other samples
  /// - Complexity: O(*n* log *n* + pieces overlapped + segments)
  func remainders(_ order: [Int]) throws(MergeError) -> SegmentColumns {
    var segments = SegmentBuilder(samples: self, sharesByTime: false)
    var covered = CoverLayers()
    var counted = AmountLayers()
    var steps = 0
    for (rank, source) in order.enumerated() {
      let rows = rows(ofSource: source)
      let cover = covered.cover(meeting: starts, ends, rows: rows)
      counted.join(forRows: rows.count)
      for row in rows {
        appendRemainder(
          ofRow: row, source: source, covered: cover, counted: counted, steps: &steps,
          to: &segments)
        try segments.checkLimit(of: source, besides: steps)
      }
      segments.endSource(source)
      guard rank < order.count - 1 else { break }
      guard segments.addLastSource(to: &counted) else {
        throw MergeError(
          source: sources[source], reason: .tooManySegments(limit: segments.limit))
      }
      covered.add(CoveredTime(starts: starts, ends: ends, rows: rows))
    }
    return segments.columns
  }

  private func appendRemainder(
    ofRow row: Int, source: Int, covered: CoveredTime, counted: AmountLayers,
    steps: inout Int, to segments: inout SegmentBuilder
  ) {
    let (start, end) = (starts[row], ends[row])
    var remainder = values[row]
    if let amount = counted.amount(from: start, to: end, steps: &steps) {
      remainder = max(0, remainder - amount)
      if remainder == 0 { return segments.appendMasked(row: row) }
    }
    let parts = covered.gaps(from: start, to: end)
    steps += parts.count
    // Quarters, so that no sum of differences between instants overflows.
    func length(_ part: (start: Double, end: Double)) -> Double { part.end / 4 - part.start / 4 }
    let total = parts.reduce(0) { $0 + length($1) }
    guard parts.count > 1 else {
      let part = parts.first ?? (start, end)
      return segments.append(
        row: row, of: source, start: part.start, end: part.end, value: remainder)
    }
    for part in parts {
      segments.append(
        row: row, of: source, start: part.start, end: part.end,
        value: remainder * (length(part) / total))
    }
  }
}

extension CoveredTime {
  /// The parts of a span that are not covered, ascending.
  ///
  /// - Complexity: O(log spans + parts)
  fileprivate func gaps(from start: Double, to end: Double) -> [(start: Double, end: Double)] {
    withUnsafeEdges { spans in
      var gaps: [(start: Double, end: Double)] = []
      var open = start
      var span = spans.firstSpan(endingAtOrAfter: start, from: 0)
      while open < end {
        let next = min(spans.start(ofSpan: span), end)
        if open < next { gaps.append((open, next)) }
        guard next < end else { break }
        open = max(open, spans.end(ofSpan: span))
        span += 1
      }
      return gaps
    }
  }
}
