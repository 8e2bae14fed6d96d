import HealthMerge
public import HealthQuery
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
}
