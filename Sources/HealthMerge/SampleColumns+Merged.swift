public import HealthSamples

extension SampleColumns {
  /// The parts of the samples that count when sources overlap.
  ///
  /// ```swift
  /// let days = try steps.merged(by: priority).statistics(over: boundaries)
  /// ```
  ///
  /// Sources are taken from the highest rank down. A sample keeps its value bit for bit where no
  /// higher source covers any of it; otherwise each uncovered part gets its share by time.
  /// Overlaps within one source are not masked. A zero-length sample counts in full unless a higher
  /// source has a sample open at its instant, ends included; then a segment with value 0, marked
  /// ``SegmentColumns/masked``, stands for it, so that its interval is 0 and not empty.
  /// Samples of a type that is not cumulative all count.
  ///
  /// - Throws: ``MergeError`` when overlapping samples of one source fall into so many parts that
  ///   their number has nothing to do with the size of the input any more.
  /// - Complexity: O(*n* + segments + sources × spans)
  public func merged(
    by priority: SourcePriority, policy: MergePolicy = .hk
  ) throws(MergeError) -> SegmentColumns {
    let order = priority.ranking(of: self).order
    let masks = type.style?.isCumulative == true && policy.masksLowerSources
    var segments = SegmentBuilder(samples: self)
    var covered = CoveredTime()
    for (rank, source) in order.enumerated() {
      if masks, rank > 0 {
        try segments.append(source: source, uncoveredBy: covered)
      } else {
        segments.append(source: source)
      }
      if masks, rank < order.count - 1 {
        covered.formUnion(starts: starts, ends: ends, rows: rows(ofSource: source))
      }
    }
    return segments.columns
  }
}
