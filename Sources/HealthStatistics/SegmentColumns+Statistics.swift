import CKernels
public import HealthSamples

extension SegmentColumns {
  /// What happened in each interval.
  ///
  /// ```swift
  /// let days = try steps.merged(by: priority).statistics(over: boundaries)
  /// days[.sum]  // one number a day
  /// ```
  ///
  /// - Segments of a cumulative type that straddle an edge are shared out by time; of another
  ///   type they enter every interval they meet, whole.
  /// - Every sum is within 2^-50 of Σ|terms|. The total is the sum over sources in rank order.
  ///   It is infinite when it leaves the range of `Double`.
  /// - The mean is that of the type's style. No row depends on samples outside of its interval.
  /// - `recent` and `first` speak of whole samples: ask them of segments that no policy has cut.
  ///
  /// - Parameters:
  ///   - boundaries: the intervals
  ///   - statistics: what to compute; the defaults of the type's style when `nil`
  ///   - rounding: how sums and means are rounded
  ///   - hold: for how long a lone value of a temporally weighted type stands, in seconds (see
  ///     `MeanMethod`); at or above 0
  ///   - threads: how many threads may add up the rows of a source; `nil` for one a processor. It
  ///     changes no bit, and a source below a million rows takes one
  /// - Returns: one row an interval
  /// - Throws: `StatisticsError` for a statistic that the type does not have, and for one that
  ///   cannot be exact where that is asked for
  /// - Complexity: O(*n* + intervals met); percentiles sort the values of each interval
  public func statistics(
    over boundaries: Boundaries, of statistics: [Statistic]? = nil,
    rounding: Rounding = .compensated, hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    try check(statistics, rounding)
    return try table(
      over: boundaries, of: statistics, rounding: rounding, hold: hold, threads: threads)
  }

  /// What happened over all time: one row, in which every segment counts whole.
  ///
  /// The row goes from the earliest start to the latest end; without segments there is no row.
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
  /// Rows are the same for each source, be it without data in some; parameters as in
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

  /// - Throws: `StatisticsError` for a statistic that cannot be exact where that is asked for
  private func check(_ statistics: [Statistic]?, _ rounding: Rounding) throws(StatisticsError) {
    guard rounding == .exact, let style = type.style else { return }
    for statistic in statistics ?? Statistic.defaults(for: style)
    where statistic.isAvailable(for: style) && !statistic.isExactlyAvailable(for: style) {
      throw StatisticsError(type: type, reason: .notExact(statistic, style))
    }
  }
}

extension SampleColumns {
  /// What happened in each interval, for samples with nothing to merge: those of a type that is not
  /// cumulative, and those of one source.
  ///
  /// ```swift
  /// let days = try rates.statistics(over: boundaries, of: [.mean])
  /// ```
  ///
  /// Parameters as in `SegmentColumns/statistics(over:of:rounding:hold:threads:)`.
  ///
  /// - Throws: `StatisticsError`, with reason `StatisticsError/Reason/needsMerging(sources:)` for
  ///   a cumulative type of several sources, which may have counted the same things twice
  /// - Complexity: O(*n* + intervals met); percentiles sort the values of each interval
  public func statistics(
    over boundaries: Boundaries, of statistics: [Statistic]? = nil,
    rounding: Rounding = .compensated, hold: Double = MeanMethod.standardHold, threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    try unmerged().statistics(
      over: boundaries, of: statistics, rounding: rounding, hold: hold, threads: threads)
  }

  /// What happened over all time, for samples with nothing to merge: one row, in which every sample
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
  /// How many parts of samples beside whole ones are worth adding up: some seconds of work.
  private static let partLimit = 1 << 31

  /// The statistics of some sources together, those of all without a range.
  ///
  /// Without boundaries there is one row over all segments, each whole, as in
  /// ``overallStatistics(of:rounding:hold:threads:)``. Exact rounding is for the statistics that can
  /// have it; others are answered as ever. With samples that are known by what they add up to, sums,
  /// counts, smallest and largest values and plain means are answered.
  ///
  /// - Precondition: `sources` has each source of `summaries`.
  /// - Throws: `StatisticsError`
  /// - Complexity: O(*n* + runs + intervals met)
  package func table(
    over boundaries: Boundaries?, of statistics: [Statistic]? = nil, sources: Range<Int>? = nil,
    rounding: Rounding = .compensated, hold: Double = MeanMethod.standardHold,
    beside summaries: SummaryColumns = SummaryColumns(), threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    let style = type.style
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
        [span?.start, summaries.firstStarts.min()].compactMap(\.self).min().map { [$0] } ?? [],
        [span?.end, summaries.lastEnds.max()].compactMap(\.self).max().map { [$0] } ?? []
      )
    }
    let edges = boundaries.map(IntervalEdges.init) ?? .unbounded
    guard !rows.starts.isEmpty else {
      return StatisticsColumns(withoutRowsOf: wanted)
    }
    let builder = StatisticsBuilder(
      segments: self, summaries: summaries, sources: sources ?? self.sources.indices, edges: edges,
      hold: hold, partLimit: Self.partLimit,
      kernel: SumKernel(threads: threads ?? hk_processor_count()))
    return try builder.table(
      starts: rows.starts, ends: rows.ends, wanted: wanted, rounding: rounding)
  }

  /// The statistics of each source alone; parameters as in
  /// `table(over:of:sources:rounding:hold:beside:threads:)`.
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
