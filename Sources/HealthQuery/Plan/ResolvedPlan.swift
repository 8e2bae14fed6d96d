package import HealthMerge
package import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// A plan with everything resolved that does not depend on samples: type, style, statistics, unit,
/// intervals and the ranks of sources.
package struct ResolvedPlan {
  private(set) var plan: StatisticsPlan
  /// The type with the aggregation style of the query.
  let type: SampleType
  let style: AggregationStyle
  private(set) var statistics: [Statistic]
  /// The statistics over the totals of days or hours.
  let spread: [Statistic]
  /// Whether this is the ``counting`` variant, which determines which parts of intervals have data.
  private var isCounting = false
  let intervals: IntervalResolver
  /// The type in the unit of the answer, for exact sums and means; else `nil`.
  ///
  /// They are converted from recorded values to the answer in one step.
  let exactType: SampleType?
  private let unit: UnitExpression
  private let conversion: OutputConversion
  private let facts: [SourceFacts]
  private let priority: SourcePriority

  /// - Throws: ``QueryError`` when the plan contradicts itself or its type
  package init(
    _ plan: StatisticsPlan, facts: [SourceFacts], preferred: [String], recordedUnit: String?
  ) throws(QueryError) {
    self.plan = plan
    self.facts = facts
    type = try plan.chosenType()
    guard let style = type.style, let canonicalUnit = type.canonicalUnit else {
      throw QueryError(.notAQuantity(type))
    }
    self.style = style
    guard plan.average == nil || style.isCumulative else {
      throw QueryError(.averageDoesNotFit(type))
    }
    if plan.explains, !style.isCumulative { throw QueryError(.notMerged(type)) }
    (statistics, spread) = try plan.statistics(for: style)
    let output = try plan.output(canonicalUnit: canonicalUnit, recordedUnit: recordedUnit)
    unit = output.unit
    let isDirect = plan.isExact && output.conversion?.isLinear ?? true
    conversion = OutputConversion(isDirect ? nil : output.conversion)
    exactType =
      isDirect
      ? SampleType(
        identifier: type.identifier, kind: .quantity(canonicalUnit: unit, style: style)) : nil
    intervals = try IntervalResolver(plan, firstSample: facts.map(\.firstStart).min())
    priority = .standard(for: facts, preferred: plan.preferredSources + preferred)
  }
}

extension ResolvedPlan {
  /// The same query for the days of its intervals: whether each has data, and its sum where sums of
  /// single days are needed.
  func counting(_ parts: AverageParts) -> ResolvedPlan {
    var question = self
    question.isCounting = true
    question.plan.interval = CalendarInterval(.day)
    (question.plan.explains, question.plan.isExact, question.plan.average) = (false, false, nil)
    question.plan.boundaries = nil
    let needsSums = !spread.isEmpty || !parts.areAllWhole
    question.statistics = needsSums ? [.sum, .count] : [.count]
    return question
  }

  /// The statistics to compute, which include ``statistics``.
  private var computed: [Statistic] {
    plan.average == nil || statistics.contains(.sum) ? statistics : statistics + [.sum]
  }

  /// The groups for which stored aggregates can replace samples; `nil` if each sample is needed.
  func groups(over boundaries: Boundaries?) -> SampleGroups? {
    let mean: Set<Statistic> = style == .discreteArithmetic ? [.mean] : []
    guard !plan.isExact, isOneTable,
      mean.union([.sum, .min, .max, .count]).isSuperset(of: computed)
    else { return nil }
    if case .onAll = plan.policy.dependence(of: type) { return nil }
    return plan.isSingle
      ? SampleGroups(wholeIn: intervals.sampleRange) : boundaries.map { SampleGroups($0) }
  }

  private var isOneTable: Bool { !plan.explains && !plan.separatesSources }

  /// Whether a long period can be computed in partitions of time.
  var canPartition: Bool {
    if case .onAll = plan.policy.dependence(of: type) { false } else { isOneTable }
  }

  /// Whether samples of one source affect how much of another source counts.
  var sourcesInteract: Bool {
    if case .onNothing = plan.policy.dependence(of: type) { false } else { true }
  }

  /// Whether devices of one name that recorded at one time are sources of their own.
  var tellsDevicesApart: Bool { plan.policy != .unmerged }

  /// Answers from all relevant samples.
  ///
  /// - Parameters:
  ///   - samples: samples, in the type of the query or with another style
  ///   - lastModified: when each sample was last modified, for policies that rank by it
  ///   - rule: which days count in averages; those that the samples cover when `nil`
  /// - Returns: the answer in the unit of the plan
  /// - Throws: ``QueryError``
  func answer(
    samples: SampleColumns, lastModified: [Double]? = nil, averagedBy rule: WholeIntervals? = nil
  ) throws(QueryError) -> StatisticsAnswer {
    let answer = answer(try tables(samples: samples, lastModified: lastModified))
    // Which intervals are whole takes a pass over the samples, which only averages need.
    guard plan.average != nil,
      let parts = try averageParts(of: answer.intervals, by: rule ?? wholeIntervals(of: samples))
    else { return answer }
    let counting = counting(parts)
    let counted = try counting.tables(
      samples: samples, over: parts.boundaries, lastModified: lastModified)
    return answer.averaged(by: parts, counted: counting.answer(counted), spread: spread)
  }

  /// Answers for given intervals, as the rule of the plan has it.
  package func answer(
    samples: SampleColumns, over boundaries: Boundaries
  ) throws(QueryError) -> StatisticsAnswer {
    answer(try tables(samples: samples, over: boundaries))
  }

  /// The intervals that samples without a store cover, each source from its first one to the last of all.
  private func wholeIntervals(of samples: SampleColumns) -> WholeIntervals {
    let end = samples.span?.lastEnd ?? -.infinity
    let firsts = facts.map(\.firstStart).filter { $0 <= end }
    return WholeIntervals(at: .infinity, told: firsts.map { $0...end })
  }

  /// The tables of the answer, in the canonical unit or that of ``exactType``.
  ///
  /// - Parameters:
  ///   - samples: samples, in the type of the query or with another style
  ///   - aggregates: further samples, already aggregated
  ///   - known: the intervals, if known; otherwise they follow from the span of the samples
  ///   - lastModified: when each sample was last modified, for policies that rank by it
  /// - Returns: the tables, empty for a query without intervals
  /// - Throws: ``QueryError``
  func tables(
    samples: SampleColumns, adding aggregates: AggregateColumns = AggregateColumns(),
    over known: Boundaries? = nil, lastModified: [Double]? = nil
  ) throws(QueryError) -> AnswerTables {
    var (samples, lastModified) = (
      exactType.map { samples.exact(in: $0) } ?? samples.retyped(as: type), lastModified
    )
    if !plan.isSingle, let nights = samples.datedByNights(in: plan.timeZone) {
      samples = nights.samples
      lastModified = lastModified.map { dates in nights.rows.map { dates[$0] } }
    }
    let unlisted = priority.ranking(of: samples).unlisted
    let ranked = SourcePriority(order: priority.order + unlisted)

    // The single row uses only the samples that the store would select.
    let rows =
      plan.isSingle || isCounting ? samples.rows(matching: intervals.sampleRange) : nil
    let matching = rows.map(samples.keeping) ?? samples
    let dates = lastModified.map { dates in rows.map { rows in rows.map { dates[$0] } } ?? dates }
    let merging = try Merging(
      policy: plan.policy, of: samples.type,
      priority: plan.policy.ignoresUnlistedSources(of: type) ? priority : ranked,
      lastModified: dates, isExact: plan.isExact, hold: plan.hold)
    let boundaries: Boundaries?
    if let known {
      boundaries = known
    } else if plan.isSingle {
      boundaries = matching.isEmpty && aggregates.count == 0 ? plan.emptyPeriod : nil
    } else {
      boundaries = try intervals.boundaries(for: matching.span, sourceCount: matching.sources.count)
    }
    // Without intervals a collection has no row; a single row needs none.
    let hasRows = plan.isSingle || boundaries != nil
    let taken = hasRows ? matching : SampleColumns(type: samples.type)
    var tables = try AnswerTables(
      samples: taken, adding: aggregates, boundaries: boundaries,
      merging: hasRows ? merging : merging.dated(by: nil), statistics: computed, plan: plan)
    tables.unlisted = unlisted
    if plan.explains {
      tables.contributions = try merging.contributions(
        of: taken, over: boundaries, to: tables.total)
    }
    return tables
  }

  /// The answer in the unit of the plan.
  func answer(_ tables: AnswerTables) -> StatisticsAnswer {
    func converted(_ table: StatisticsColumns) -> StatisticsColumns {
      table.converted(by: conversion.values, stretching: conversion.distances)
    }
    return StatisticsAnswer(
      type: type, unit: unit, timeZone: plan.timeZone, policy: plan.policy, style: style,
      styleVersion: plan.styleVersion(of: style), method: style.meanMethod,
      hold: style.meanMethod == .temporallyWeighted ? plan.hold : nil, isExact: plan.isExact,
      rule: plan.isSingle ? .single : .collection,
      priority: SourcePriority(order: priority.order + tables.unlisted).order,
      unlistedSources: tables.unlisted,
      unmatchedPreferredSources: SourcePriority.unmatched(plan.preferredSources, in: facts),
      statistics: statistics, intervals: converted(tables.total),
      sources: tables.sources.map {
        StatisticsAnswer.SourceStatistics(
          source: $0.source, intervals: converted($0.intervals))
      }, isExplained: plan.explains,
      contributions: tables.contributions.map { $0.converted(by: conversion.values) })
  }
}

extension SampleColumns {
  /// The samples converted to the unit of another type, with the recorded numbers; unchanged if
  /// they are already in that unit.
  fileprivate func exact(in type: SampleType) -> SampleColumns {
    guard let from = self.type.canonicalUnit, let to = type.canonicalUnit, from != to,
      let conversion = try? UnitConversion(from: from, to: to),
      let constants = RecordedValues.Conversion(conversion)
    else { return retyped(as: type) }
    return SampleColumns(
      type: type, sources: sources, offsets: offsets, starts: starts, ends: ends,
      values: conversion.converted(values), recorded: RecordedValues(values, constants))
  }
}

extension StatisticsPlan {
  /// The statistics of intervals, and those of the totals of their days or hours.
  fileprivate func statistics(
    for style: AggregationStyle
  ) throws(QueryError) -> (own: [Statistic], spread: [Statistic]) {
    let asked = statistics ?? []
    let spread = average == nil ? [] : asked.filter(\.isOfTotals)
    for statistic in asked where !spread.contains(statistic) && !statistic.isAvailable(for: style) {
      throw QueryError(
        .statistics(StatisticsError(type: type, reason: .notAvailable(statistic, style))))
    }
    var statistics = statistics ?? Statistic.defaults(for: style)
    statistics.removeAll(where: spread.contains)
    if !spread.isEmpty, statistics.isEmpty { statistics = [.sum] }
    if isExact, let refused = statistics.first(where: { !$0.isExactlyAvailable(for: style) }) {
      throw QueryError(.statistics(StatisticsError(type: type, reason: .notExact(refused, style))))
    }
    return (statistics, spread)
  }

  fileprivate func output(
    canonicalUnit: UnitExpression, recordedUnit: String?
  ) throws(QueryError) -> (unit: UnitExpression, conversion: UnitConversion?) {
    let recorded = recordedUnit.flatMap { try? UnitExpression($0) }
    for candidate in [unit, recorded, canonicalUnit].compactMap({ $0 }) {
      guard let conversion = try? UnitConversion(from: canonicalUnit, to: candidate) else {
        if candidate == unit {
          throw QueryError(.incompatibleUnit(candidate, canonical: canonicalUnit))
        }
        continue
      }
      return (candidate, conversion)
    }
    return (canonicalUnit, nil)
  }

  /// The single row of a period that the plan gives in full and that has no sample.
  package var emptyPeriod: Boundaries? {
    guard let from, let to, from.instant < to.instant else { return nil }
    return Boundaries(ascendingEdges: [from.instant, to.instant])
  }
}
