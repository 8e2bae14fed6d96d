import CKernels
public import HealthSamples

extension SegmentColumns {
  /// Statistics of each interval.
  ///
  /// ```swift
  /// let days = try steps.merged(by: priority).statistics(over: boundaries)
  /// days[.sum]  // one number a day, nil on a day without data
  /// ```
  ///
  /// - Segments of a cumulative type that straddle an edge are divided by time; those of another
  ///   type count whole in every interval that they overlap.
  /// - Every sum is within 2^-50 of Σ|terms|. The total is the sum over sources in rank order. It
  ///   is infinite when it is out of the range of `Double`.
  /// - The mean is that of the type's style. No row depends on samples outside its interval.
  /// - `recent` and `first` are about whole samples: compute them from unmerged segments.
  ///
  /// - Parameters:
  ///   - boundaries: the intervals
  ///   - statistics: what to compute; the defaults of the type's style when `nil`
  ///   - rounding: how sums and means are rounded
  ///   - hold: the hold time of a temporally weighted type, in seconds (see `MeanMethod`); at least
  ///     0
  ///   - threads: the most threads for the rows of a source; `nil` for one per processor. Results
  ///     are the same bit for bit, and a source below a million rows uses one
  /// - Returns: one row per interval
  /// - Throws: `StatisticsError` for a statistic that the type does not have, for one that does not
  ///   support exact rounding if that is requested, and for a hold time below 0
  /// - Complexity: O(*n* + intervals overlapped); percentiles sort the values of each interval
  public func statistics(
    over boundaries: Boundaries, of statistics: [Statistic]? = nil,
    rounding: Rounding = .compensated, hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    try check(statistics, rounding)
    return try table(
      over: boundaries, of: statistics, rounding: rounding, hold: hold, threads: threads)
  }

  /// Statistics over all time: one row, in which every segment counts whole.
  ///
  /// The row spans from the earliest start to the latest end; without segments there is no row.
  /// Parameters as in `statistics(over:of:rounding:hold:threads:)`.
  ///
  /// - Throws: `StatisticsError`
  /// - Complexity: O(*n*); percentiles sort all values
  public func overallStatistics(
    of statistics: [Statistic]? = nil, rounding: Rounding = .compensated,
    hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    try check(statistics, rounding)
    return try table(over: nil, of: statistics, rounding: rounding, hold: hold, threads: threads)
  }

  /// The statistics of each source alone, from the highest rank down.
  ///
  /// Each source has the same rows, even those without data; parameters as in
  /// `statistics(over:of:rounding:hold:threads:)`.
  ///
  /// - Throws: `StatisticsError`
  /// - Complexity: O(*n* + sources × intervals)
  public func statisticsBySource(
    over boundaries: Boundaries, of statistics: [Statistic]? = nil,
    rounding: Rounding = .compensated, hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> [StatisticsColumns] {
    try check(statistics, rounding)
    return try tables(
      over: boundaries, of: statistics, rounding: rounding, hold: hold, threads: threads)
  }

  /// The statistics of each source alone over all time, from the highest rank down.
  ///
  /// Parameters as in `statistics(over:of:rounding:hold:threads:)`; a source without segments has
  /// a table without rows.
  ///
  /// - Throws: `StatisticsError`
  /// - Complexity: O(*n*)
  public func overallStatisticsBySource(
    of statistics: [Statistic]? = nil, rounding: Rounding = .compensated,
    hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> [StatisticsColumns] {
    try check(statistics, rounding)
    return try tables(over: nil, of: statistics, rounding: rounding, hold: hold, threads: threads)
  }

  /// - Throws: `StatisticsError` if a statistic does not support exact rounding and that is
  ///   requested
  private func check(_ statistics: [Statistic]?, _ rounding: Rounding) throws(StatisticsError) {
    guard rounding == .exact, let style = type.style else { return }
    for statistic in statistics ?? Statistic.defaults(for: style)
    where statistic.isAvailable(for: style) && !statistic.isExactlyAvailable(for: style) {
      throw StatisticsError(type: type, reason: .notExact(statistic, style))
    }
  }
}

extension SampleColumns {
  /// Statistics of each interval, for samples that need no merging: those of a type that is not
  /// cumulative, and those of one source.
  ///
  /// ```swift
  /// let days = try rates.statistics(over: boundaries, of: [.mean])
  /// ```
  ///
  /// Parameters as in `SegmentColumns/statistics(over:of:rounding:hold:threads:)`.
  ///
  /// - Throws: `StatisticsError`, with reason `StatisticsError/Reason/needsMerging(sources:)` for a
  ///   cumulative type of several sources, which may have counted the same activity
  /// - Complexity: O(*n* + intervals overlapped); percentiles sort the values of each interval
  public func statistics(
    over boundaries: Boundaries, of statistics: [Statistic]? = nil,
    rounding: Rounding = .compensated, hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    try unmerged().statistics(
      over: boundaries, of: statistics, rounding: rounding, hold: hold, threads: threads)
  }

  /// Statistics over all time, for samples that need no merging: one row, in which every sample
  /// counts whole.
  ///
  /// Parameters as in `SegmentColumns/statistics(over:of:rounding:hold:threads:)`.
  ///
  /// - Throws: `StatisticsError`, as `statistics(over:of:rounding:hold:threads:)`
  /// - Complexity: O(*n*); percentiles sort all values
  public func overallStatistics(
    of statistics: [Statistic]? = nil, rounding: Rounding = .compensated,
    hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    try unmerged().overallStatistics(
      of: statistics, rounding: rounding, hold: hold, threads: threads)
  }

  private func unmerged() throws(StatisticsError) -> SegmentColumns {
    guard type.style?.isCumulative != true || sources.count < 2 else {
      throw StatisticsError(type: type, reason: .needsMerging(sources: sources.count))
    }
    return SegmentColumns(whole: self)
  }
}

extension SegmentColumns {
  /// The most parts of samples, besides whole ones: some seconds of work.
  private static let partLimit = 1 << 31

  /// The statistics of some sources together, or of all.
  ///
  /// Without boundaries there is one row over all segments, each whole, as in
  /// ``overallStatistics(of:rounding:hold:threads:)``. Exact rounding applies to the statistics
  /// that support it. With preaggregated samples only sums, counts, smallest and largest values and
  /// plain means are computed.
  ///
  /// - Precondition: `sources` has each source of `aggregates`.
  /// - Throws: `StatisticsError`
  /// - Complexity: O(*n* + groups + intervals overlapped)
  package func table(
    over boundaries: Boundaries?, of statistics: [Statistic]? = nil, sources: Range<Int>? = nil,
    rounding: Rounding = .compensated, hold: Double = MeanMethod.standardHold,
    adding aggregates: AggregateColumns = AggregateColumns(), threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    let style = type.style
    guard hold >= 0 else { throw StatisticsError(type: type, reason: .holdOutOfRange) }
    for statistic in statistics ?? [] {
      guard style.map(statistic.isAvailable(for:)) ?? (statistic == .count) else {
        throw StatisticsError(type: type, reason: .notAvailable(statistic, style))
      }
    }
    guard rounding == .compensated || sharesByTime else {
      throw StatisticsError(type: type, reason: .notSharedByTime)
    }
    let wanted = Set(statistics ?? style.map(Statistic.defaults(for:)) ?? [.count])
    let rows: (starts: [Double], ends: [Double])
    if let boundaries {
      rows = (Array(boundaries.edges.dropLast()), Array(boundaries.edges.dropFirst()))
    } else {
      let span = span
      rows = (
        [span?.start, aggregates.firstStarts.min()].compactMap(\.self).min().map { [$0] } ?? [],
        [span?.end, aggregates.lastEnds.max()].compactMap(\.self).max().map { [$0] } ?? []
      )
    }
    let edges = boundaries.map(IntervalEdges.init) ?? .unbounded
    guard !rows.starts.isEmpty else {
      return StatisticsColumns(withoutRowsOf: wanted)
    }
    let builder = StatisticsBuilder(
      segments: self, aggregates: aggregates, sources: sources ?? self.sources.indices,
      edges: edges,
      hold: hold, partLimit: Self.partLimit,
      kernel: SumKernel(threads: threads ?? hk_processor_count()))
    return try builder.table(
      starts: rows.starts, ends: rows.ends, wanted: wanted, rounding: rounding)
  }

  /// The statistics of each source alone; parameters as in
  /// `table(over:of:sources:rounding:hold:adding:threads:)`.
  package func tables(
    over boundaries: Boundaries?, of statistics: [Statistic]? = nil,
    rounding: Rounding = .compensated, hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> [StatisticsColumns] {
    var tables: [StatisticsColumns] = []
    for source in sources.indices {
      tables.append(
        try table(
          over: boundaries, of: statistics, sources: source..<source + 1, rounding: rounding,
          hold: hold, threads: threads))
    }
    return tables
  }
}
