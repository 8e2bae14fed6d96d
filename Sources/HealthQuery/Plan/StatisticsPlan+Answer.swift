public import HealthMerge
public import HealthSamples

extension StatisticsPlan {
  /// The relevant samples, as a store selects them: `end >= lowerBound && start < upperBound`; the
  /// bounds may be infinite.
  ///
  /// `firstSample` is the earliest start of any sample of the type; `nil` without samples.
  ///
  /// - Throws: ``QueryError`` for an invalid period
  public func sampleRange(firstSample: Double?) throws(QueryError) -> Range<Double> {
    try IntervalResolver(self, firstSample: firstSample).sampleRange
  }

  /// Answers from columns.
  ///
  /// - Parameters:
  ///   - samples: the samples of the type, at least those of ``sampleRange(firstSample:)``
  ///   - facts: one entry for each source of the type, for the default order; when empty the
  ///     sources of the samples, with the kinds of device derived from their names
  ///   - preferred: the user's stored order, which ranks below the plan's own
  ///   - recordedUnit: the unit text of most samples; the canonical unit replaces `nil` and a text
  ///     that is not a unit of the type
  ///   - lastModified: when each sample was last modified, for the policy `hc`
  /// - Returns: the answer in the unit of the plan
  /// - Throws: ``QueryError``
  /// - Complexity: O(samples + intervals), and caching the zone once
  public func answer(
    samples: SampleColumns, facts: [SourceFacts], preferred: [String] = [],
    recordedUnit: String? = nil, lastModified: [Double]? = nil
  ) throws(QueryError) -> StatisticsAnswer {
    let facts = facts.isEmpty ? samples.sourceFacts : facts
    return try ResolvedPlan(self, facts: facts, preferred: preferred, recordedUnit: recordedUnit)
      .answer(samples: samples, lastModified: lastModified)
  }
}

extension SampleColumns {
  /// The facts about sources that follow from samples alone.
  fileprivate var sourceFacts: [SourceFacts] {
    sources.indices.compactMap { index in
      starts[rows(ofSource: index)].min().map { start in
        SourceFacts(
          source: sources[index],
          deviceKind: DeviceKind(of: sources[index], device: ""), firstStart: start)
      }
    }
  }
}
