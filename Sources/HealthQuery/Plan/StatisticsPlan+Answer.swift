import Foundation
public import HealthMerge
public import HealthSamples
import HealthStatistics
import HealthUnits

extension StatisticsPlan {
  /// The samples that can matter to the answer, as a store selects them:
  /// `end >= lowerBound && start < upperBound`; the bounds may be infinite.
  ///
  /// `firstSample` is the earliest start of any sample of the type; `nil` without samples.
  ///
  /// - Throws: ``QueryError`` when the plan asks for a period that makes no sense
  public func sampleRange(firstSample: Double?) throws(QueryError) -> Range<Double> {
    let range = try IntervalChoice(self, firstSample: firstSample).sampleRange
    guard interval != nil, type.style != nil, try chosenType().style == .discreteTemporallyWeighted
    else {
      return range
    }
    // Beyond the gap that can be bridged nothing shapes the curve; a second more, for rounding.
    let reach = 2 * hold + 1
    return (range.lowerBound - reach)..<(range.upperBound + reach)
  }

  /// Answers from columns.
  ///
  /// - Parameters:
  ///   - samples: the samples of the type, at least those of ``sampleRange(firstSample:)``
  ///   - facts: one entry for each source that the type has, for the default order
  ///   - preferred: the user's stored order, which ranks after the plan's own
  ///   - recordedUnit: the unit text that most samples were recorded with; the canonical unit
  ///     stands in for `nil` and for a text that is no unit of the type
  ///   - lastModified: when each sample was last changed, which the policy `hc` asks for
  /// - Returns: the answer in the unit of the plan
  /// - Throws: ``QueryError``
  /// - Complexity: O(samples + intervals) beside reading the zone once
  public func answer(
    samples: SampleColumns, facts: [SourceFacts], preferred: [String] = [],
    recordedUnit: String? = nil, lastModified: [Double]? = nil
  ) throws(QueryError) -> StatisticsAnswer {
    let type = try chosenType()
    guard let style = type.style, let canonicalUnit = type.canonicalUnit else {
      throw QueryError(.notAQuantity(type))
    }
    let samples = samples.retyped(as: type)
    let statistics = try statistics(for: style)
    let (unit, conversion) = try output(canonicalUnit: canonicalUnit, recordedUnit: recordedUnit)
    let choice = try IntervalChoice(self, firstSample: facts.map(\.firstStart).min())
    let names = preferredSources + preferred
    let priority = SourcePriority.standard(for: facts, preferred: names)
    let unlisted = priority.ranking(of: samples).unlisted
    let ranked = SourcePriority(order: priority.order + unlisted)

    // Samples that only shape a curve stand outside of the intervals and do not choose them.
    let isShaped = interval != nil && style == .discreteTemporallyWeighted
    let rows = isShaped || interval == nil ? samples.rows(matching: choice.sampleRange) : nil
    let chosen = rows.map(samples.keeping) ?? samples
    let matching = isShaped ? samples : chosen
    let dates = lastModified.map { dates in
      isShaped ? dates : rows.map { rows in rows.map { dates[$0] } } ?? dates
    }
    let merging = try Merging(
      policy: policy, of: type,
      priority: policy.ignoresUnlistedSources(of: type) ? priority : ranked,
      lastModified: dates, isExact: isExact, hold: hold)
    let boundaries =
      interval == nil ? emptyPeriod(of: matching) : try choice.boundaries(for: chosen)
    // Without intervals a collection has no row; the single rule needs none.
    let hasRows = interval == nil || boundaries != nil
    let taken = hasRows ? matching : SampleColumns(type: type)
    let tables = try Tables(
      samples: taken, boundaries: boundaries, merging: hasRows ? merging : merging.dated(by: nil),
      statistics: statistics, plan: self)
    let contributions =
      explains ? try merging.contributions(of: taken, over: boundaries, to: tables.total) : []
    return StatisticsAnswer(
      type: type, unit: unit, timeZone: timeZone, policy: policy, style: style,
      styleVersion: styleVersion(of: style), method: style.meanMethod,
      hold: style.meanMethod == .temporallyWeighted ? hold : nil, isExact: isExact,
      rule: interval == nil ? .single : .collection, priority: ranked.order,
      unlistedSources: unlisted,
      unmatchedPreferredSources: SourcePriority.unmatched(preferredSources, in: facts),
      statistics: statistics,
      intervals: tables.total.converted(
        by: conversion.values, stretching: conversion.distances),
      sources: tables.sources.map {
        StatisticsAnswer.SourceStatistics(
          source: $0.source,
          intervals: $0.intervals.converted(
            by: conversion.values, stretching: conversion.distances))
      }, isExplained: explains,
      contributions: contributions.map { $0.converted(by: conversion.values) })
  }
}

extension StatisticsPlan {
  private func statistics(for style: AggregationStyle) throws(QueryError) -> [Statistic] {
    for statistic in statistics ?? [] where !statistic.isAvailable(for: style) {
      throw QueryError(
        .statistics(StatisticsError(type: type, reason: .notAvailable(statistic, style))))
    }
    let statistics = statistics ?? Statistic.defaults(for: style)
    if isExact, let refused = statistics.first(where: { !$0.isExactlyAvailable(for: style) }) {
      throw QueryError(.statistics(StatisticsError(type: type, reason: .notExact(refused, style))))
    }
    return statistics
  }

  private func output(
    canonicalUnit: UnitExpression, recordedUnit: String?
  ) throws(QueryError) -> (UnitExpression, OutputConversion) {
    let recorded = recordedUnit.flatMap { try? UnitExpression($0) }
    for candidate in [unit, recorded, canonicalUnit].compactMap({ $0 }) {
      guard let conversion = try? UnitConversion(from: canonicalUnit, to: candidate) else {
        if candidate == unit {
          throw QueryError(.incompatibleUnit(candidate, canonical: canonicalUnit))
        }
        continue
      }
      return (candidate, OutputConversion(conversion))
    }
    return (canonicalUnit, OutputConversion(nil))
  }

  /// The one row of a period that the plan names in full and that holds no sample.
  func emptyPeriod(of samples: SampleColumns) -> Boundaries? {
    guard samples.isEmpty, let from, let to else { return nil }
    return Boundaries(edges: [from.instant, to.instant])
  }
}

/// The tables of one answer, in the canonical unit.
private struct Tables {
  let total: StatisticsColumns
  let sources: [(source: Source, intervals: StatisticsColumns)]

  /// Statistics that speak of whole samples, and are asked of unmerged ones.
  private static let ofWholeSamples: Set<Statistic> = [.duration, .coverage, .recent, .first]

  init(
    samples: SampleColumns, boundaries: Boundaries?, merging: Merging,
    statistics: [Statistic], plan: StatisticsPlan
  ) throws(QueryError) {
    let exact = plan.isExact ? samples : nil
    let hold = plan.hold
    let whole = statistics.filter(Self.ofWholeSamples.contains)
    let table = try merging.statistics(
      of: samples, over: boundaries, statistics.filter { !whole.contains($0) } + [.count])
    guard !whole.isEmpty || plan.separatesSources else {
      (total, sources) = (table, [])
      return
    }
    let unmerged = try merging.unmerged(samples)
    let wholeTable = try Merging.run {
      () throws(StatisticsError) in
      try unmerged.statistics(over: boundaries, of: whole, hold: hold)
    }
    total = table.taking(wholeSampleColumnsOf: wholeTable)
    guard plan.separatesSources else {
      sources = []
      return
    }
    let tables = try Merging.run {
      () throws(StatisticsError) in
      try unmerged.statisticsBySource(
        over: boundaries, of: statistics, exactlyFrom: exact, hold: hold)
    }
    sources = zip(unmerged.sources, tables).map { ($0, $1) }
  }
}
