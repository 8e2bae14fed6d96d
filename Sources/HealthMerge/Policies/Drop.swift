import HealthSamples

extension SampleColumns {
  /// The policy `drop`: the samples that overlap no counted sample of a higher source.
  ///
  /// - Complexity: O((*n* + segments) × log *k*) for *k* sources
  func notDropped(_ order: [Int]) -> SegmentColumns {
    var segments = SegmentBuilder(samples: self)
    var covered = CoverLayers()
    for source in order {
      var sweep = OverlapSweep(
        covered: covered.cover(meeting: starts, ends, rows: rows(ofSource: source)))
      var kept: (starts: [Double], ends: [Double]) = ([], [])
      for row in rows(ofSource: source) {
        let (start, end) = (starts[row], ends[row])
        if sweep.overlaps(start, end) {
          segments.appendMasked(row: row)
        } else {
          segments.append(row: row, of: source, start: start, end: end)
          kept.starts.append(start)
          kept.ends.append(end)
        }
      }
      segments.endSource(source)
      covered.add(
        CoveredTime(starts: kept.starts, ends: kept.ends, rows: kept.starts.indices))
    }
    return segments.columns
  }
}

/// Tests samples, in the order of columns, for overlap with covered time.
private struct OverlapSweep {
  private let covered: CoveredTime
  private var span = 0
  private var instant = 0

  init(covered: CoveredTime) { self.covered = covered }

  /// Whether a sample overlaps a span, or one of the two is an instant that the other contains.
  mutating func overlaps(_ start: Double, _ end: Double) -> Bool {
    let isInstant = start == end
    let edges = covered.edges
    while edges[2 * span + 2] < start || (!isInstant && edges[2 * span + 2] == start) { span += 1 }
    let instants = covered.instants
    while instant < instants.count, instants[instant] < start { instant += 1 }
    if instant < instants.count,
      ZeroLengthRule.span(from: start, to: end, holds: instants[instant])
    {
      return true
    }
    let (spanStart, spanEnd) = (edges[2 * span + 1], edges[2 * span + 2])
    return isInstant
      ? ZeroLengthRule.span(from: spanStart, to: spanEnd, holds: start) : spanStart < end
  }
}
