import HealthMerge
import HealthSamples
public import HealthStore

extension SampleStore {
  /// Answers a question for interval statistics, reading only the samples that can matter.
  ///
  /// Sources rank by the plan's preferred names, then by the user's stored order, then by default.
  ///
  /// Sums, counts, extremes and plain means come from the summaries of what is stored; samples are
  /// read where an edge of an interval or another source cuts them, and for all other statistics.
  ///
  /// - Throws: ``QueryError``, with ``QueryError/Reason/store(_:)`` for what went wrong on disk
  /// - Complexity: O(samples that are read + blocks of the period + intervals) beside reading the
  ///   zone once
  public func statistics(_ plan: StatisticsPlan) throws(QueryError) -> StatisticsAnswer {
    let (sources, question) = try question(plan)
    if let found = try summarised(for: question, sources: sources) {
      return try question.answer(
        samples: found.samples, beside: found.summaries, over: found.boundaries)
    }
    let range = try plan.sampleRange(firstSample: sources.map(\.firstStart).min())
    let found: (samples: SampleColumns, lastModified: [Double]?)
    do {
      if plan.policy.ranksByChange(samplesOf: question.type) {
        let dated = try datedSamples(of: plan.type, in: range)
        found = (dated.samples, dated.lastModified)
      } else {
        found = (try samples(of: plan.type, in: range), nil)
      }
    } catch {
      throw QueryError(.store(error))
    }
    return try question.answer(samples: found.samples, lastModified: found.lastModified)
  }

  /// The sources of the type, and the question that they make of a plan.
  private func question(
    _ plan: StatisticsPlan
  ) throws(QueryError) -> (sources: [SourceSummary], question: Question) {
    let sources: [SourceSummary]
    let preferred: [String]
    let recordedUnit: String?
    do {
      sources = try self.sources(of: plan.type)
      preferred = try preferredSources(of: plan.type)
      recordedUnit = try types().first { $0.type == plan.type }?.recordedUnit
    } catch {
      throw QueryError(.store(error))
    }
    let facts = sources.map {
      SourceFacts(source: $0.source, deviceKind: $0.deviceKind, firstStart: $0.firstStart)
    }
    return (
      sources,
      try Question(plan, facts: facts, preferred: preferred, recordedUnit: recordedUnit)
    )
  }

  /// The samples of a question, summed up where only their sums matter, and its intervals; `nil`
  /// for a question that needs every sample.
  private func summarised(
    for question: Question, sources: [SourceSummary]
  ) throws(QueryError) -> (
    samples: SampleColumns, summaries: SummaryColumns, boundaries: Boundaries?
  )? {
    let summarises = question.summarises
    guard summarises.isPossible else { return nil }
    let range = question.choice.sampleRange
    var groups = SampleGroups(wholeIn: range)
    var boundaries: Boundaries?
    if question.plan.interval != nil {
      let met = sources.filter { $0.lastEnd >= range.lowerBound && $0.firstStart < range.upperBound }
      boundaries = try question.choice.boundaries(
        for: SampleSpan(of: met), sourceCount: met.count)
      guard let boundaries else { return nil }
      groups = SampleGroups(boundaries)
    }
    do {
      let found = try summarisedSamples(
        of: question.plan.type, in: range, by: groups, whereAlone: summarises.whereAlone)
      return (found.samples, found.summaries, boundaries)
    } catch {
      throw QueryError(.store(error))
    }
  }
}
