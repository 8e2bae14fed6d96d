import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthUnits

/// Durations and counts of the values of a category type over some intervals.
struct CategoryKernel {
  private let samples: SampleColumns
  private let boundaries: Boundaries?
  private let rowCount: Int
  private let priority: SourcePriority
  private let isMerged: Bool
  /// The values that occur, ascending.
  private let distinct: [Double]
  /// The type with durations as values.
  private let durations: SampleType

  /// Without boundaries there is one row over all samples, each whole.
  init(
    samples: SampleColumns, boundaries: Boundaries?, rowCount: Int, priority: SourcePriority,
    isMerged: Bool, sourceCount: Int
  ) throws(QueryError) {
    (self.samples, self.boundaries, self.rowCount) = (samples, boundaries, rowCount)
    (self.priority, self.isMerged) = (priority, isMerged)
    distinct = Set(samples.values).sorted()
    guard distinct.count <= StatisticsPlan.categoryValueLimit else {
      throw QueryError(.tooManyValues(limit: StatisticsPlan.categoryValueLimit))
    }
    let limit = StatisticsPlan.intervalLimit
    guard rowCount <= limit / max(1, distinct.count * sourceCount) else {
      throw QueryError(.tooManyIntervals(limit: limit))
    }
    durations = try samples.type.asDuration()
  }

  /// Whether any sample lies in an interval.
  func hasData() throws(QueryError) -> [Bool] {
    let whole: SegmentColumns
    do {
      whole = try samples.merged(by: priority, policy: .unmerged)
    } catch {
      throw QueryError(.merge(error))
    }
    let hasData = try table { () throws(StatisticsError) in
      try whole.table(over: boundaries, of: [.count])
    }.hasData
    return hasData.isEmpty ? Array(repeating: false, count: rowCount) : hasData
  }

  /// All sources merged.
  func values() throws(QueryError) -> [CategoryAnswer.ValueColumns] { try values(of: samples) }

  /// Each source as if it were the only one, in rank order.
  func sourcesAlone() throws(QueryError) -> [CategoryAnswer.SourceColumns] {
    var sources: [CategoryAnswer.SourceColumns] = []
    for source in priority.ranking(of: samples).order {
      let alone = samples.keeping(rows: Array(samples.rows(ofSource: source)))
      sources.append(.init(source: samples.sources[source], values: try values(of: alone)))
    }
    return sources
  }

  /// The contribution of each source, in rank order.
  func contributions() throws(QueryError) -> [CategoryAnswer.SourceColumns] {
    var columns: [[CategoryAnswer.ValueColumns]] = []
    for value in distinct {
      let segments = segments(of: value, in: samples)
      let tables = try table { () throws(StatisticsError) in
        try segments.tables(over: boundaries, of: [.sum, .count])
      }
      columns.append(tables.map { self.columns($0, of: value) })
    }
    return priority.ranking(of: samples).order.enumerated().map { rank, source in
      .init(source: samples.sources[source], values: columns.map { $0[rank] })
    }
  }

  private func values(
    of samples: SampleColumns
  ) throws(QueryError) -> [CategoryAnswer.ValueColumns] {
    var values: [CategoryAnswer.ValueColumns] = []
    for value in distinct {
      let segments = segments(of: value, in: samples)
      let table = try table { () throws(StatisticsError) in
        try segments.table(over: boundaries, of: [.sum, .count])
      }
      values.append(columns(table, of: value))
    }
    return values
  }

  private func segments(of value: Double, in samples: SampleColumns) -> SegmentColumns {
    samples.time(ofValue: value, by: priority, isMerged: isMerged, as: durations)
  }

  private func table<Table>(
    _ statistics: () throws(StatisticsError) -> Table
  ) throws(QueryError) -> Table {
    do {
      return try statistics()
    } catch {
      throw QueryError(.statistics(error))
    }
  }

  private func columns(
    _ table: StatisticsColumns, of value: Double
  ) -> CategoryAnswer.ValueColumns {
    // Without segments the single row over all samples is missing.
    let isEmpty = table.count < rowCount
    return CategoryAnswer.ValueColumns(
      value: value,
      constant: Int(exactly: value).flatMap {
        Catalogue.constant(
          ofRawValue: $0, of: HKCategoryTypeIdentifier(rawValue: samples.type.identifier))
      },
      durations: isEmpty ? Array(repeating: 0, count: rowCount) : table[raw: .sum] ?? [],
      counts: isEmpty ? Array(repeating: 0, count: rowCount) : table.counts)
  }
}

extension SampleType {
  /// The same type with durations in seconds as values.
  func asDuration() throws(QueryError) -> SampleType {
    guard let second = try? UnitExpression("s") else { throw QueryError(.notACategory(self)) }
    return SampleType(
      identifier: identifier, kind: .quantity(canonicalUnit: second, style: .cumulative))
  }
}
