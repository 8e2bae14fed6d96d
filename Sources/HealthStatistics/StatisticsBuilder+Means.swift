import HealthSamples

extension StatisticsBuilder {
  /// The rule of the mean; `nil` for a type that has none.
  var method: MeanMethod? { segments.type.style?.meanMethod }

  /// The means by the rule of the style; 0 where an interval has no data.
  ///
  /// - Precondition: `sums` has extremes if the mean needs them.
  func means(
    of sums: SumTable, exact: ExactTable?, in table: StatisticsColumns
  ) -> [Double]? {
    switch method {
    case .equivalentContinuousLevel:
      let levels = LevelTable(segments, rows: rows, edges: edges)
      return bounded(table.starts.indices.map { levels.mean(interval: $0) }, by: sums)
    case .temporallyWeighted:
      if let exact { return exactWeightedMeans(by: exact, in: table) }
      guard let plain = plainMeans(of: sums) else { return nil }
      return bounded(weightedMeans(in: table, plain: plain), by: sums)
    case .arithmetic, nil:
      return exact.map { $0.means() } ?? plainMeans(of: sums)
    }
  }

  /// Whether the mean is clamped by the extremes.
  var boundsMean: Bool { method != .arithmetic && method != nil }

  /// Means clamped to the smallest and the largest value: where rounding exceeds one, that value is
  /// nearer to the exact mean.
  private func bounded(_ means: [Double], by sums: SumTable) -> [Double] {
    means.indices.map { min(max(means[$0], sums.minimums[$0]), sums.maximums[$0]) }
  }

  /// The share of each interval that has data; 1 for a row of a single instant.
  func coverages(in table: StatisticsColumns, durations: [Double]) -> [Double] {
    let curve = method == .temporallyWeighted ? curve(of: pooled, scale: 1) : nil
    return table.starts.indices.map { row in
      let length = table.ends[row] - table.starts[row]
      guard table.hasData[row], length > 0 else { return table.hasData[row] ? 1 : 0 }
      return min((curve?.length(interval: row) ?? durations[row]) / length, 1)
    }
  }

  private func plainMeans(of sums: SumTable) -> [Double]? {
    column(of: sums) { $0.means(on: kernel.instructions) }
  }

  /// The means of the curve, and the plain ones where it is not defined.
  private func weightedMeans(in table: StatisticsColumns, plain: [Double]) -> [Double] {
    let rows = pooled
    func means(scale: Double) -> [Double?] {
      let curve = curve(of: rows, scale: scale)
      return table.starts.indices.map { table.hasData[$0] ? curve.mean(interval: $0) : 0 }
    }
    var result = means(scale: 1)
    if !result.allSatisfy({ $0?.isFinite ?? true }) {
      result = zip(result, means(scale: Self.smallScale)).map { plain, scaled in
        plain?.isFinite ?? true ? plain : scaled
      }
    }
    return zip(result, plain).map { $0 ?? $1 }
  }

  private func exactWeightedMeans(by exact: ExactTable, in table: StatisticsColumns) -> [Double] {
    let rows = pooled
    var curve = CurveSweep.integrating(
      of: rows, over: edges,
      into: ExactCurveTable(
        of: rows, values: exact.values(ofSegments: rows.segments), edges: edges, hold: hold))
    curve.close()
    let isWeighted = zip(curve.means, table.hasData).allSatisfy { $0 != nil || !$1 }
    let plain = isWeighted ? [] : exact.means()
    return curve.means.indices.map { row in
      table.hasData[row] ? curve.means[row] ?? plain[row] : 0
    }
  }

  private func curve(of rows: PooledRows, scale: Double) -> CurveTable {
    CurveSweep.integrating(
      of: rows, over: edges,
      into: CurveTable(of: rows, edges: edges, hold: hold, scale: scale, on: kernel.instructions))
  }

  private var pooled: PooledRows { PooledRows(of: segments, sources: sources) }

  private var rows: [Int] { TimeOrder.rows(of: segments, sources: sources) }

  /// The requested percentiles and standard deviations; `nil` if there are none.
  func distribution(of wanted: Set<Statistic>) -> DistributionTable? {
    let percentiles = Set(wanted.compactMap { $0.percentile ?? $0.timePercentile })
    let wantsDeviations = wanted.contains(.standardDeviation)
    guard wantsDeviations || !percentiles.isEmpty else { return nil }
    return DistributionTable(
      segments, rows: rows, edges: edges, of: percentiles, wantsDeviations: wantsDeviations)
  }

  /// The requested percentiles by time; `nil` if there are none.
  func curveDistribution(of wanted: Set<Statistic>) -> CurveDistribution? {
    let percentiles = Set(wanted.compactMap(\.timePercentile))
    guard !percentiles.isEmpty else { return nil }
    let rows = pooled
    var distribution = CurveSweep.integrating(
      of: rows, over: edges,
      into: CurveDistribution(
        of: percentiles, rows, edges: edges, hold: hold, on: kernel.instructions))
    distribution.close()
    return distribution
  }
}
