import HealthMerge
public import HealthSamples
public import HealthStore
import HealthUnits

extension SampleStore {
  /// Answers a query for interval statistics, reading only the relevant samples.
  ///
  /// Sources rank by the plan's preferred names, then by the user's stored order, then by default.
  ///
  /// Sums, counts, extremes and plain means are computed from stored aggregates; samples are read
  /// where an edge of an interval or another source cuts them, and for all other statistics.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(samples read + blocks of the period + intervals), and caching the zone once
  public func statistics(_ plan: StatisticsPlan) throws(QueryError) -> StatisticsAnswer {
    try oneState { () throws(QueryError) in try statistics(plan, portion: Self.portion) }
  }

  /// Answers a query for interval statistics from some samples only, as if the store had no others.
  ///
  /// Where the predicate is a period, sources or both, no more is read than for all samples;
  /// otherwise all samples that may match are in memory. Rows whose unit does not convert to that of
  /// the type are left out.
  ///
  /// - Throws: `QueryError` or `StoreError`
  /// - Complexity: as ``statistics(_:)`` for a period and sources, else as the form with a closure
  public func statistics(
    _ plan: StatisticsPlan, of predicate: SamplePredicate
  ) throws -> StatisticsAnswer {
    guard let choice = SampleChoice(predicate),
      !plan.policy.ranksByChange(samplesOf: plan.type)
    else {
      return try statistics(plan, of: predicate, where: { _, places in places })
    }
    return try oneState { () throws(QueryError) in try statistics(plan, of: choice) }
  }

  /// Answers from the samples of a period and of sources.
  private func statistics(
    _ plan: StatisticsPlan, of choice: SampleChoice
  ) throws(QueryError) -> StatisticsAnswer {
    let (sources, question) = try question(plan)
    let isOpen = plan.from == nil && plan.to == nil && !plan.clips && plan.average == nil
    if isOpen, let answer = try aggregated(question, of: choice, from: sources) { return answer }
    let samples = try stored { () throws(StoreError) in
      try self.samples(
        of: plan.type, in: choice.period.range, as: nil, byHardware: question.tellsDevicesApart,
        where: choice.contains)
    }
    return try question.answer(
      samples: choice.keeping(samples), averagedBy: try averagingRule(of: plan))
  }

  /// Which days count in the averages of a plan; `nil` for a plan without.
  private func averagingRule(of plan: StatisticsPlan) throws(QueryError) -> WholeIntervals? {
    plan.average == nil ? nil : try wholeIntervals(at: now.instant)(plan.type)
  }

  /// Answers from stored aggregates; `nil` where they do not tell.
  private func aggregated(
    _ question: ResolvedPlan, of choice: SampleChoice, from sources: [SourceSummary]
  ) throws(QueryError) -> StatisticsAnswer? {
    let (type, range) = (question.plan.type, choice.period.range)
    let met = sources.count { choice.contains($0.source) }
    var boundaries: Boundaries?
    if !question.plan.isSingle {
      // Samples of the period may be long: the chunks say how far they reach at most.
      let reach = try stored { () throws(StoreError) in try span(of: type, in: range) }
      guard let reach else { return nil }
      boundaries = try? question.intervals.boundaries(
        for: SampleSpan(
          firstStart: reach.lowerBound, lastStart: reach.upperBound, lastEnd: reach.upperBound),
        sourceCount: met)
    }
    guard let groups = question.groups(over: boundaries) else { return nil }
    let found = try stored { () throws(StoreError) in
      try preaggregatedSamples(
        of: type, in: choice.period, by: groups, onlyUncontested: question.sourcesInteract,
        byHardware: question.tellsDevicesApart, where: choice.contains)
    }
    // The answer has the intervals of these samples, as if there were no others.
    let exact = try question.intervals.boundaries(for: SampleSpan(of: found), sourceCount: met)
    return question.answer(
      try question.tables(samples: found.samples, adding: found.aggregates, over: exact))
  }

  /// Answers a query for interval statistics from some samples only, as if the store had no others.
  ///
  /// All samples are in memory. Rows whose unit does not convert to that of the type are left out.
  ///
  /// - Parameters:
  ///   - plan: the plan
  ///   - predicate: what samples must be
  ///   - choose: gets rows of a batch that are so; returns those that count
  /// - Returns: the answer
  /// - Throws: `QueryError`, `StoreError`, or what `choose` throws
  /// - Complexity: as ``forEachSample(_:_:)``, and O(samples + intervals)
  public func statistics(
    _ plan: StatisticsPlan, of predicate: SamplePredicate,
    where choose: (RecordColumns, [Int]) throws -> [Int]
  ) throws -> StatisticsAnswer {
    try snapshot {
      var rows: [SampleColumns.Row] = []
      try forEachSample(SampleQuery(types: [plan.type], predicate: predicate)) { batch, places in
        let conversions = batch.labelTable.map { batch.type.conversion(from: $0, to: nil) }
        for place in try choose(batch, places) {
          guard let conversion = conversions[Int(batch.labels[place])] else { continue }
          rows.append(
            SampleColumns.Row(
              source: batch.source, start: batch.starts[place], end: batch.ends[place],
              value: conversion(batch.values[place])))
        }
        return true
      }
      return try plan.answer(
        samples: SampleColumns(type: plan.type, rows: rows),
        facts: try sources(of: plan.type).map(SourceFacts.init),
        preferred: try preferredSources(of: plan.type), recordedUnit: try outputUnit(of: plan.type))
    }
  }

  /// The number of samples that are read at once.
  private static let portion = 1 << 21

  /// Answers with about `portion` samples in memory, if samples at other times do not matter.
  func statistics(
    _ plan: StatisticsPlan, portion: Int
  ) throws(QueryError) -> StatisticsAnswer {
    let (sources, question) = try question(plan)
    let range = question.intervals.sampleRange
    let met = sources.filter { range.hasSample(from: $0.firstStart, to: $0.lastEnd) }
    // The first night may begin on the day before its own.
    let boundaries =
      Catalogue.isMeasuredOverNights(plan.type)
      ? nil
      : try question.intervals.boundaries(for: SampleSpan(of: met), sourceCount: met.count)
    let count = met.reduce(0) { $0 + $1.count }
    func answer(
      _ question: ResolvedPlan, over boundaries: Boundaries?, _ part: Int
    ) throws(QueryError) -> StatisticsAnswer {
      let store = self.part(part, of: plan.average == nil ? 1 : 2)
      if let boundaries, question.canPartition, count > 2 * portion {
        return try store.inPortions(question, over: boundaries, portion: portion)
      }
      return try store.atOnce(question, over: boundaries)
    }
    let answered = try answer(question, over: boundaries, 0)
    guard let rule = try averagingRule(of: plan),
      let parts = try question.averageParts(of: answered.intervals, by: rule)
    else { return answered }
    return answered.averaged(
      by: parts, counted: try answer(question.counting(parts), over: parts.boundaries, 1),
      spread: question.spread)
  }

  /// Answers with all samples in memory.
  private func atOnce(
    _ question: ResolvedPlan, over boundaries: Boundaries?
  ) throws(QueryError) -> StatisticsAnswer {
    let (plan, range) = (question.plan, question.intervals.sampleRange)
    let found: PreaggregatedSamples
    var lastModified: [Double]?
    do {
      if plan.policy.ranksByChange(samplesOf: question.type) {
        let dated = try datedSamples(of: plan.type, in: range, byHardware: true)
        (found, lastModified) = (PreaggregatedSamples(dated.samples), dated.lastModified)
      } else {
        found = try samples(for: question, in: range, by: question.groups(over: boundaries))
      }
    } catch {
      throw QueryError(.store(error))
    }
    return question.answer(
      try question.tables(
        samples: found.samples, adding: found.aggregates, over: boundaries,
        lastModified: lastModified))
  }

  /// The samples of a query, or their aggregates.
  func samples(
    for question: ResolvedPlan, in range: Range<Double>, by groups: SampleGroups?
  ) throws(StoreError) -> PreaggregatedSamples {
    if let groups {
      return try preaggregatedSamples(
        of: question.plan.type, in: range, by: groups, onlyUncontested: question.sourcesInteract,
        byHardware: question.tellsDevicesApart)
    }
    return PreaggregatedSamples(
      try samples(
        of: question.plan.type, in: range, as: question.exactType,
        byHardware: question.tellsDevicesApart))
  }

  /// The sources of the type, and the resolved query.
  private func question(
    _ plan: StatisticsPlan
  ) throws(QueryError) -> (sources: [SourceSummary], question: ResolvedPlan) {
    let sources: [SourceSummary]
    let preferred: [String]
    let recordedUnit: String?
    do {
      sources = try self.sources(of: plan.type)
      preferred = try preferredSources(of: plan.type)
      recordedUnit = try outputUnit(of: plan.type)
    } catch {
      throw QueryError(.store(error))
    }
    let facts = sources.map(SourceFacts.init)
    return (
      sources,
      try ResolvedPlan(plan, facts: facts, preferred: preferred, recordedUnit: recordedUnit)
    )
  }
}
