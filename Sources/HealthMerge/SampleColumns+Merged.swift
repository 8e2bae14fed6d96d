public import HealthSamples

extension SampleColumns {
  /// The parts of the samples that count when sources overlap.
  ///
  /// ```swift
  /// let days = try steps.merged(by: priority).statistics(over: boundaries)
  /// ```
  ///
  /// A sample keeps its value bit for bit where nothing is taken from it; otherwise each part that
  /// counts gets its share by time. Where a sample is masked and its interval could look empty, a
  /// segment with value 0, marked ``SegmentColumns/masked``, stands for it, so that the interval is
  /// 0 and not empty. Samples of a type that is not cumulative all count.
  ///
  /// - `hk`: a zero-length sample counts in full unless a higher source has a sample open at its
  ///   instant, ends included.
  /// - `hc`: the same holds among records; see `lastModified`.
  /// - `subtractive`: what is left of a sample is spread over its time that no higher source
  ///   covers, over its whole span when there is none. A sample from which nothing is taken and
  ///   that no higher one covers stays as it is.
  /// - `drop`: touching is no overlap, an instant at an end of a span is one.
  /// - `highest`: the segments are those of `none`; statistics choose a source for each interval.
  ///
  /// - Parameters:
  ///   - priority: the order in which sources are believed
  ///   - policy: what happens where they overlap
  ///   - lastModified: when each row was last changed, for the policy `hc`; rows changed at the
  ///     same time when `nil`
  /// - Returns: the segments that count, by source in rank order
  /// - Throws: `MergeError` when overlapping samples of one source fall into more parts than a
  ///   bound that is linear in the number of samples.
  /// - Precondition: `lastModified` has one entry for each row.
  /// - Complexity: O((*n* + segments) log *k*) for *k* sources; O(*n* log *n*) for `hc` and
  ///   `subtractive`
  public func merged(
    by priority: SourcePriority, policy: MergePolicy = .hk, lastModified: [Double]? = nil
  ) throws(MergeError) -> SegmentColumns {
    try merged(
      by: priority, policy: policy, lastModified: lastModified,
      work: .usual(forSamples: count))
  }

  /// The same with the work cut up in a certain way, of which no bit depends.
  package func merged(
    by priority: SourcePriority, policy: MergePolicy, lastModified: [Double]?, work: MergeWork
  ) throws(MergeError) -> SegmentColumns {
    precondition(lastModified.map { $0.count == count } ?? true, "A date for each row is needed.")
    let ranking = priority.ranking(of: self)
    var order = ranking.order
    if policy.ignoresUnlistedSources(of: type) { order.removeLast(ranking.unlisted.count) }
    switch policy.masking(of: type) {
    case .nothing: return whole(order)
    case .coveredTime: return try uncovered(order, work)
    case .countedAmount: return try remainders(order)
    case .overlappingSamples: return notDropped(order)
    case .allButTopRecord: return topRecords(order, lastModified: lastModified)
    case .nothingAtStarts: return atStarts(order)
    }
  }

  /// All samples, each as an instant.
  private func atStarts(_ order: [Int]) -> SegmentColumns {
    var segments = SegmentBuilder(samples: self)
    for source in order {
      for row in rows(ofSource: source) {
        segments.append(row: row, of: source, start: starts[row], end: starts[row])
      }
      segments.endSource(source)
    }
    return segments.columns
  }
}
