import HealthMerge
import HealthSamples
public import HealthStore

extension SampleStore {
  /// Answers a query for a category type, reading only the relevant samples.
  ///
  /// Sources rank by the plan's preferred names, then by the user's stored order, then by default.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func categoryStatistics(_ plan: StatisticsPlan) throws(QueryError) -> CategoryAnswer {
    try oneState { () throws(QueryError) in
      let (facts, preferred) = try order(of: plan.type)
      let range = try plan.sampleRange(firstSample: facts.map(\.firstStart).min())
      return try plan.categoryAnswer(
        samples: try stored { () throws(StoreError) in try samples(of: plan.type, in: range) },
        facts: facts, preferred: preferred)
    }
  }

  /// Runs several reads in one snapshot of the store.
  func oneState<Value>(_ read: () throws(QueryError) -> Value) throws(QueryError) -> Value {
    let isOuter = try stored { () throws(StoreError) in try beginSnapshot() }
    defer { endSnapshot(isOuter) }
    return try read()
  }

  /// The input for ranking the sources of a type: facts about them, and the user's preferences.
  func order(
    of type: SampleType
  ) throws(QueryError) -> (facts: [SourceFacts], preferred: [String]) {
    let facts = try stored { () throws(StoreError) in try sources(of: type) }.map(SourceFacts.init)
    return (facts, try stored { () throws(StoreError) in try preferredSources(of: type) })
  }

  /// Reads from the store.
  package func stored<Value>(_ read: () throws(StoreError) -> Value) throws(QueryError) -> Value {
    do {
      return try read()
    } catch {
      throw QueryError(.store(error))
    }
  }
}
