public import HealthMerge
public import HealthSamples
public import HealthStore

extension SampleStore {
  /// The parts of samples of a type that count where sources overlap, in the canonical unit.
  ///
  /// Sources rank by `preferred`, then by the user's stored order, then by default.
  ///
  /// - Parameters:
  ///   - type: a quantity type
  ///   - range: merges the samples that end at or after its lower bound and start before its upper
  ///   - policy: the rule for overlapping sources
  ///   - preferred: names of sources that rank above all others, highest first
  /// - Returns: segments by rank of source
  /// - Throws: `QueryError`
  /// - Complexity: O(samples)
  public func mergedSamples(
    of type: SampleType, in range: Range<Double>, policy: MergePolicy, preferred: [String] = []
  ) throws(QueryError) -> SegmentColumns {
    try oneState { () throws(QueryError) in
      try merged(of: type, in: range, policy: policy, preferred: preferred)
    }
  }

  private func merged(
    of type: SampleType, in range: Range<Double>, policy: MergePolicy, preferred: [String]
  ) throws(QueryError) -> SegmentColumns {
    let (facts, stored) = try order(of: type)
    let samples: SampleColumns
    var lastModified: [Double]?
    do {
      if policy.ranksByChange(samplesOf: type) {
        let dated = try datedSamples(of: type, in: range, byHardware: true)
        (samples, lastModified) = (dated.samples, dated.lastModified)
      } else {
        samples = try self.samples(of: type, in: range, as: nil, byHardware: true)
      }
    } catch {
      throw QueryError(.store(error))
    }
    let priority = SourcePriority.standard(for: facts, preferred: preferred + stored)
    let unlisted = priority.ranking(of: samples).unlisted
    do {
      return try samples.merged(
        by: SourcePriority(order: priority.order + unlisted), policy: policy,
        lastModified: lastModified)
    } catch {
      throw QueryError(.merge(error))
    }
  }
}

extension SourceFacts {
  /// The facts about a source from a store.
  init(_ source: SourceSummary) {
    self.init(
      source: source.source, deviceKind: source.deviceKind, firstStart: source.firstStart)
  }
}
