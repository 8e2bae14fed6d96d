import HealthMerge
import HealthSamples
public import HealthStore

extension SampleStore {
  /// Answers a question for interval statistics, reading only the samples that can matter.
  ///
  /// Sources rank by the plan's preferred names, then by the user's stored order, then by default.
  ///
  /// - Throws: ``QueryError``, with ``QueryError/Reason/store(_:)`` for what went wrong on disk
  /// - Complexity: O(samples of the period + intervals) beside reading the zone once
  public func statistics(_ plan: StatisticsPlan) throws(QueryError) -> StatisticsAnswer {
    let contents = try contents(for: plan)
    return try plan.answer(
      samples: contents.samples, facts: contents.facts, preferred: contents.preferred,
      recordedUnit: contents.recordedUnit, lastModified: contents.lastModified)
  }

  private func contents(for plan: StatisticsPlan) throws(QueryError) -> (
    samples: SampleColumns, lastModified: [Double]?, facts: [SourceFacts], preferred: [String],
    recordedUnit: String?
  ) {
    let type = plan.type
    let facts: [SourceFacts]
    let preferred: [String]
    let recordedUnit: String?
    do {
      facts = try sourceFacts(of: type)
      preferred = try preferredSources(of: type)
      recordedUnit = try types().first { $0.type == type }?.recordedUnit
    } catch {
      throw QueryError(.store(error))
    }
    let range = try plan.sampleRange(firstSample: facts.map(\.firstStart).min())
    do {
      guard plan.policy.ranksByChange(samplesOf: type) else {
        return (try samples(of: type, in: range), nil, facts, preferred, recordedUnit)
      }
      let dated = try datedSamples(of: type, in: range)
      return (dated.samples, dated.lastModified, facts, preferred, recordedUnit)
    } catch {
      throw QueryError(.store(error))
    }
  }
}
