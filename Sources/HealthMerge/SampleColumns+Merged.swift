public import HealthSamples

extension SampleColumns {
  /// The parts of the samples that count when sources overlap.
  ///
  /// ```swift
  /// let days = try steps.merged(by: priority).statistics(over: boundaries)
  /// ```
  ///
  /// A sample keeps its value bit for bit where nothing is removed from it; otherwise each part
  /// that counts gets its share by time. A masked sample whose interval could look empty becomes a
  /// segment with value 0, marked by `SegmentColumns.isMasked(row:)`, so that the sum of the
  /// interval is 0 and not missing. Samples of a type that is not cumulative all count.
  ///
  /// - `hk`: a zero-length sample counts in full unless a higher source has a sample open at its
  ///   instant, ends included.
  /// - `hc`: the same is true for records; see `lastModified`.
  /// - `subtractive`: the remainder of a sample is spread over its time that no higher source
  ///   covers, or over its whole span when there is none. A sample from which nothing is subtracted
  ///   and that no higher one covers stays unchanged.
  /// - `drop`: samples that only touch do not overlap; an instant at an end of a span does.
  /// - `highest`: the segments are those of `none`; statistics choose a source for each interval.
  ///
  /// - Parameters:
  ///   - priority: the ranks of the sources
  ///   - policy: the rule for overlaps
  ///   - lastModified: when each row was last modified, for the policy `hc`; a date that is no
  ///     number counts as unknown, before all others. `nil` if all rows were modified at the same
  ///     time
  /// - Returns: the segments that count, by source in rank order
  /// - Throws: `MergeError` when overlapping samples of one source split into more parts than a
  ///   bound that is linear in the number of samples.
  /// - Precondition: `lastModified` has one entry for each row.
  /// - Complexity: O((*n* + segments) log *k*) for *k* sources; O(*n* log *n*) for `hc` and
  ///   `subtractive`
  public func merged(
    by priority: SourcePriority, policy: MergePolicy = .healthKit, lastModified: [Double]? = nil
  ) throws(MergeError) -> SegmentColumns {
    try merged(
      by: priority, policy: policy, lastModified: lastModified,
      work: .usual(forSamples: count))
  }

  /// The same with the work divided as `work` says; the result is the same bit for bit.
  package func merged(
    by priority: SourcePriority, policy: MergePolicy, lastModified: [Double]?, work: MergeWork
  ) throws(MergeError) -> SegmentColumns {
    precondition(lastModified.map { $0.count == count } ?? true, "Each row needs a date of change.")
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
}
