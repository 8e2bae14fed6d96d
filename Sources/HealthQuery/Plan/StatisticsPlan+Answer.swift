import Foundation
public import HealthMerge
public import HealthSamples
import HealthStatistics
public import HealthStore

extension StatisticsPlan {
  /// The samples that can matter to the answer, as a store selects them:
  /// `end >= lowerBound && start < upperBound`; the bounds may be infinite.
  ///
  /// `firstSample` is the earliest start of any sample of the type; `nil` without samples.
  ///
  /// - Throws: ``QueryError`` when the plan asks for a period that makes no sense
  public func sampleRange(firstSample: Double?) throws(QueryError) -> Range<Double> {
    try IntervalResolver(self, firstSample: firstSample).sampleRange
  }

  /// Answers from columns.
  ///
  /// - Parameters:
  ///   - samples: the samples of the type, at least those of ``sampleRange(firstSample:)``
  ///   - facts: one entry for each source that the type has, for the default order; when empty they
  ///     are those of the samples, whose kinds of device their names tell
  ///   - preferred: the user's stored order, which ranks after the plan's own
  ///   - recordedUnit: the unit text that most samples were recorded with; the canonical unit
  ///     stands in for `nil` and for a text that is no unit of the type
  ///   - lastModified: when each sample was last changed, which the policy `hc` asks for
  /// - Returns: the answer in the unit of the plan
  /// - Throws: ``QueryError``
  /// - Complexity: O(samples + intervals), and reading the zone once
  public func answer(
    samples: SampleColumns, facts: [SourceFacts], preferred: [String] = [],
    recordedUnit: String? = nil, lastModified: [Double]? = nil
  ) throws(QueryError) -> StatisticsAnswer {
    let facts = facts.isEmpty ? samples.sourceFacts : facts
    return try ResolvedPlan(self, facts: facts, preferred: preferred, recordedUnit: recordedUnit)
      .answer(samples: samples, lastModified: lastModified)
  }

  /// Answers from packed samples.
  ///
  /// For sums, counts, extremes and plain means it decodes only what an edge of an interval or
  /// another source cuts; for all else, and for `hc`, it unpacks them.
  ///
  /// Parameters, but for `samples`, as for
  /// ``answer(samples:facts:preferred:recordedUnit:lastModified:)``.
  ///
  /// - Throws: ``QueryError``, with ``QueryError/Reason/store(_:)`` for bytes that do not hold
  ///   together
  /// - Complexity: O(blocks + intervals × samples of a block)
  public func answer(
    packed samples: PackedSamples, facts: [SourceFacts], preferred: [String] = [],
    recordedUnit: String? = nil
  ) throws(QueryError) -> StatisticsAnswer {
    if facts.isEmpty {
      let whole: SampleColumns
      do {
        whole = try samples.samples(in: -.infinity ..< .infinity)
      } catch {
        throw QueryError(.store(error))
      }
      return try answer(
        samples: whole, facts: [], preferred: preferred, recordedUnit: recordedUnit)
    }
    let question = try ResolvedPlan(
      self, facts: facts, preferred: preferred, recordedUnit: recordedUnit)
    let range = question.intervals.sampleRange
    let boundaries = try question.intervals.boundaries(
      for: samples.span(in: range).map(SampleSpan.init), sourceCount: samples.sources.count)
    let found: PreaggregatedSamples
    do {
      // Averages ask twice, over other groups.
      if average == nil, let groups = question.groups(over: boundaries) {
        found = try samples.preaggregatedSamples(
          in: range, by: groups, onlyUncontested: question.sourcesInteract)
      } else {
        found = PreaggregatedSamples(try samples.samples(in: range, as: question.exactType))
      }
    } catch {
      throw QueryError(.store(error))
    }
    return try question.answer(
      samples: found.samples, beside: found.summaries, over: boundaries)
  }
}

extension SampleColumns {
  /// What samples alone tell of their sources.
  fileprivate var sourceFacts: [SourceFacts] {
    sources.indices.compactMap { index in
      starts[rows(ofSource: index)].min().map { start in
        SourceFacts(
          source: sources[index],
          deviceKind: DeviceKind(device: "", sourceName: sources[index].name), firstStart: start)
      }
    }
  }
}
