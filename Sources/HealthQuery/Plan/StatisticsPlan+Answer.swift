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
    try IntervalChoice(self, firstSample: firstSample).sampleRange
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
    guard let style = type.style, let canonicalUnit = type.canonicalUnit else {
      throw QueryError(.notAQuantity(type))
    }
    let statistics = try statistics(for: style)
    let (unit, conversion) = try output(canonicalUnit: canonicalUnit, recordedUnit: recordedUnit)
    let choice = try IntervalChoice(self, firstSample: facts.map(\.firstStart).min())
    let names = preferredSources + preferred
    let priority = SourcePriority.standard(for: facts, preferred: names)
    let unlisted = priority.ranking(of: samples).unlisted
    let ranked = SourcePriority(order: priority.order + unlisted)

    let rows = interval == nil ? samples.rows(matching: choice.sampleRange) : nil
    let matching = rows.map(samples.keeping) ?? samples
    let merging = try Merging(
      policy: policy, of: type,
      priority: policy.ignoresUnlistedSources(of: type) ? priority : ranked,
      lastModified: rows.flatMap { rows in lastModified.map { dates in rows.map { dates[$0] } } }
        ?? lastModified, isExact: isExact)
    let boundaries =
      interval == nil ? emptyPeriod(of: matching) : try choice.boundaries(for: samples)
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
      method: style.isCumulative ? nil : .arithmetic,
      isMethodOfStyle: style.isCumulative || style == .discreteArithmetic,
      rule: interval == nil ? .single : .collection, priority: ranked.order,
      unlistedSources: unlisted,
      unmatchedPreferredSources: SourcePriority.unmatched(preferredSources, in: facts),
      statistics: statistics, intervals: tables.total.converted(by: conversion),
      sources: tables.sources.map {
        StatisticsAnswer.SourceStatistics(
          source: $0.source, intervals: $0.intervals.converted(by: conversion))
      }, isExplained: explains,
      contributions: contributions.map { $0.converted(by: conversion) })
  }
}

extension StatisticsPlan {
  private func statistics(for style: AggregationStyle) throws(QueryError) -> [Statistic] {
    for statistic in statistics ?? [] where !statistic.isAvailable(for: style) {
      throw QueryError(
        .statistics(StatisticsError(type: type, reason: .notAvailable(statistic, style))))
    }
    return statistics ?? Statistic.defaults(for: style)
  }

  private func output(
    canonicalUnit: UnitExpression, recordedUnit: String?
  ) throws(QueryError) -> (UnitExpression, (inout [Double]) -> Void) {
    let recorded = recordedUnit.flatMap { try? UnitExpression($0) }
    for candidate in [unit, recorded, canonicalUnit].compactMap({ $0 }) {
      guard let conversion = try? UnitConversion(from: canonicalUnit, to: candidate) else {
        if candidate == unit {
          throw QueryError(.incompatibleUnit(candidate, canonical: canonicalUnit))
        }
        continue
      }
      return (candidate, { column in if !conversion.isIdentity { conversion.apply(to: &column) } })
    }
    return (canonicalUnit, { _ in })
  }

  /// The one row of a period that the plan names in full and that holds no sample.
  private func emptyPeriod(of samples: SampleColumns) -> Boundaries? {
    guard samples.isEmpty, let from, let to else { return nil }
    return Boundaries(edges: [from.instant, to.instant])
  }
}

/// The tables of one answer, in the canonical unit.
private struct Tables {
  let total: StatisticsColumns
  let sources: [(source: Source, intervals: StatisticsColumns)]

  /// Statistics that speak of whole samples, and are asked of unmerged ones.
  private static let ofWholeSamples: Set<Statistic> = [.duration, .recent, .first]

  init(
    samples: SampleColumns, boundaries: Boundaries?, merging: Merging,
    statistics: [Statistic], plan: StatisticsPlan
  ) throws(QueryError) {
    let exact = plan.isExact ? samples : nil
    let whole = statistics.filter(Self.ofWholeSamples.contains)
    let table = try merging.statistics(
      of: samples, over: boundaries, statistics.filter { !whole.contains($0) } + [.count])
    guard !whole.isEmpty || plan.separatesSources else {
      (total, sources) = (table, [])
      return
    }
    let unmerged = try merging.unmerged(samples)
    let wholeTable = try Merging.run {
      () throws(StatisticsError) in try unmerged.statistics(over: boundaries, of: whole)
    }
    total = table.taking(wholeSampleColumnsOf: wholeTable)
    guard plan.separatesSources else {
      sources = []
      return
    }
    let tables = try Merging.run {
      () throws(StatisticsError) in
      try unmerged.statisticsBySource(over: boundaries, of: statistics, exactlyFrom: exact)
    }
    sources = zip(unmerged.sources, tables).map { ($0, $1) }
  }
}
