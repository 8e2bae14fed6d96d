import HealthSamples

/// Runs the kernels that a question needs, and combines their columns.
struct StatisticsBuilder {
  let segments: SegmentColumns
  /// Preaggregated samples of the same sources.
  let aggregates: AggregateColumns
  /// The sources to use.
  let sources: Range<Int>
  let edges: IntervalEdges
  /// The hold time of a temporally weighted type.
  let hold: Double
  /// The most parts of samples, besides whole ones.
  let partLimit: Int
  let kernel: SumKernel

  /// The most shares of samples, besides the first of each, in exact sums: some seconds of work,
  /// since each is a fraction.
  var exactPartLimit = 1 << 22

  /// The table.
  ///
  /// - Throws: ``StatisticsError`` when there are too many parts
  func table(
    starts: [Double], ends: [Double], wanted: Set<Statistic>, rounding: Rounding
  ) throws(StatisticsError) -> StatisticsColumns {
    let tooManyParts = StatisticsError(
      type: segments.type, reason: .tooManyParts(limit: partLimit))
    let wantsExtremes =
      !wanted.isDisjoint(with: [.min, .max]) || wanted.contains(.mean) && boundsMean
    guard let sums = sums(scale: 1, wantsExtremes: wantsExtremes) else {
      throw tooManyParts
    }
    var table = StatisticsColumns(
      starts: starts, ends: ends, hasData: sums.hasData, counts: sums.totals.counts)
    let exact =
      rounding == .exact ? ExactTable(segments: segments, sources: sources, edges: edges) : nil
    let distribution = distribution(of: wanted)
    let curve = curveDistribution(of: wanted)
    let durations =
      wanted.isDisjoint(with: [.duration, .coverage])
      ? [] : DurationTable.durations(of: segments, sources: sources, edges: edges)
    for statistic in wanted {
      let column: [Double]?
      switch statistic {
      case .sum:
        if let exact { column = try exactSums(exact) } else { column = plainSums(of: sums) }
      case .mean: column = means(of: sums, exact: exact, in: table)
      case .min: column = sums.minimums
      case .max: column = sums.maximums
      case .count: continue
      case .median, .percentile:
        column = statistic.percentile.flatMap { distribution?.percentiles[$0] }
      case .timePercentile(let percentile):
        // Where the curve is defined nowhere each sample counts once.
        column = curve?.percentiles[percentile].map { heights in
          heights.indices.map {
            table.hasData[$0] ? heights[$0] ?? distribution?.percentiles[percentile]?[$0] ?? 0 : 0
          }
        }
      case .standardDeviation: column = distribution?.standardDeviations
      case .duration: column = durations
      case .coverage: column = coverages(in: table, durations: durations)
      case .recent, .first:
        let found = boundarySamples(wantsLatest: statistic == .recent)
        table.spans[statistic] = found.spans
        column = found.values
      }
      guard let column else { throw tooManyParts }
      table[raw: statistic] = column
    }
    return table
  }
}

extension StatisticsBuilder {
  /// Sums that overflow are computed again in units of 2^128: a column is infinite only where its
  /// result is.
  static let smallScale = 0x1p-128

  private var isCumulative: Bool { segments.type.style?.isCumulative == true }

  private func sums(scale: Double, wantsExtremes: Bool) -> SumTable? {
    var table = SumTable(
      edges: edges, scale: scale, limit: partLimit, wantsExtremes: wantsExtremes, kernel: kernel)
    for source in sources {
      let isWithinLimit = table.add(
        segments, rows: segments.rows(ofSource: source), splits: isCumulative, adding: aggregates,
        groups: aggregates.groups(of: segments.sources[source]))
      guard isWithinLimit else { return nil }
    }
    return table
  }

  func column(
    of sums: SumTable, _ results: (SumColumns) -> (column: [Double], isFinite: Bool)
  ) -> [Double]? {
    let plain = results(sums.totals)
    if plain.isFinite { return plain.column }
    guard let scaled = self.sums(scale: Self.smallScale, wantsExtremes: false) else { return nil }
    return zip(plain.column, results(scaled.totals).column).map {
      $0.isFinite ? $0 : $1 / Self.smallScale
    }
  }

  private func plainSums(of sums: SumTable) -> [Double]? {
    column(of: sums) { $0.results(on: kernel.instructions) }
  }

  private func exactSums(_ exact: ExactTable) throws(StatisticsError) -> [Double] {
    guard let sums = exact.sums(limit: exactPartLimit) else {
      throw StatisticsError(
        type: segments.type, reason: .tooManyExactParts(limit: exactPartLimit))
    }
    return sums
  }

  private func boundarySamples(wantsLatest: Bool) -> BoundarySamples {
    var table = BoundarySamples(edges: edges, wantsLatest: wantsLatest)
    for source in sources {
      table.add(segments, rows: segments.rows(ofSource: source), rank: source)
    }
    return table
  }
}
