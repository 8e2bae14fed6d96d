import HealthSamples
import HealthStatistics

/// The tables of one answer, in the canonical unit.
struct AnswerTables {
  let total: StatisticsColumns
  let sources: [(source: Source, intervals: StatisticsColumns)]
  /// Sources of the data that the order does not list, by rank.
  var unlisted: [Source] = []
  var contributions: [SourceContribution] = []

  /// Joins tables of consecutive intervals, without separate sources.
  init(joining tables: [StatisticsColumns]) {
    total = StatisticsColumns(joining: tables)
    sources = []
  }

  init(
    samples: SampleColumns, adding aggregates: AggregateColumns, boundaries: Boundaries?,
    merging: Merging, statistics: [Statistic], plan: StatisticsPlan
  ) throws(QueryError) {
    let rounding: Rounding = plan.isExact ? .exact : .compensated
    let hold = plan.hold
    let whole = statistics.filter(\.isOfWholeSamples)
    let table = try merging.statistics(
      of: samples, over: boundaries, statistics.filter { !whole.contains($0) } + [.count],
      adding: aggregates)
    guard !whole.isEmpty || plan.separatesSources else {
      (total, sources) = (table, [])
      return
    }
    let unmerged = try merging.unmerged(samples)
    let wholeTable = try Merging.run {
      () throws(StatisticsError) in
      try unmerged.table(over: boundaries, of: whole, hold: hold)
    }
    total = table.taking(wholeSampleColumnsOf: wholeTable)
    guard plan.separatesSources else {
      sources = []
      return
    }
    let tables = try Merging.run {
      () throws(StatisticsError) in
      try unmerged.tables(over: boundaries, of: statistics, rounding: rounding, hold: hold)
    }
    sources = zip(unmerged.sources, tables).map { ($0, $1) }
  }
}
