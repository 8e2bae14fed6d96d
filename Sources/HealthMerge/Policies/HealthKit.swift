import HealthSamples

extension SampleColumns {
  /// The policy `hk`: the parts of samples that no higher source covers.
  ///
  /// The highest source counts whole; each lower one is swept against the time covered by those
  /// above it, and its remainder is added to that time.
  ///
  /// - Throws: ``MergeError`` when overlapping samples split into too many parts
  /// - Complexity: O((*n* + segments) × log *k*) for *k* sources
  func uncovered(_ order: [Int], _ work: MergeWork) throws(MergeError) -> SegmentColumns {
    var segments = SegmentBuilder(samples: self)
    var covered = CoverLayers()
    let sweep = PieceSweep(work, forSamples: count)
    for source in order {
      let rows = rows(ofSource: source)
      let cover = covered.cover(meeting: starts, ends, rows: rows)
      guard cover.count > 0 else {
        segments.append(whole: rows, of: source)
        segments.endSource(source)
        if source != order.last {
          covered.add(CoveredTime(starts: starts, ends: ends, rows: rows))
        }
        continue
      }
      var added = source == order.last ? nil : CoveredTime()
      let isWithinLimit = withUnsafeRows(ofSource: source) {
        sweep.append(
          $0, of: source, firstRow: rows.lowerBound, uncoveredBy: cover, to: &segments,
          covering: &added)
      }
      guard isWithinLimit else {
        throw MergeError(
          source: sources[source], reason: .tooManySegments(limit: segments.limit))
      }
      segments.endSource(source)
      if let added { covered.add(added) }
    }
    return segments.columns
  }
}
