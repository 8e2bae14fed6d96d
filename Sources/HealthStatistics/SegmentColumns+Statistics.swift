import CKernels
public import HealthSamples

extension SegmentColumns {
  /// What happened in each interval.
  ///
  /// ```swift
  /// let days = try steps.merged(by: priority).statistics(over: boundaries)
  /// days.sums  // one number a day
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
  ///   - boundaries: the intervals; `nil` gives one row over all segments, each whole, from the
  ///     earliest start to the latest end, and no row when there is no segment
  ///   - statistics: what to compute; the defaults of the type's style when `nil`
  ///   - samples: the samples that were merged, to get correctly rounded sums and means that do not
  ///     depend on any order, where `Statistic.isExactlyAvailable(for:)` says so; `nil` for the
  ///     default ones
  ///   - hold: for how long a lone value of a temporally weighted type stands, in seconds (see
  ///     `MeanMethod`); at or above 0
  ///   - threads: how many threads may add up the rows of a source; `nil` for one a processor. It
  ///     changes no bit, and a source below a million rows takes one
  /// - Returns: one row an interval
  /// - Throws: `StatisticsError`
  /// - Complexity: O(*n* + intervals met); percentiles sort the values of each interval
  public func statistics(
    over boundaries: Boundaries?, of statistics: [Statistic]? = nil,
    exactlyFrom samples: SampleColumns? = nil, hold: Double = MeanMethod.standardHold,
    threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    try table(
      over: boundaries, of: statistics, sources: sources.indices, exactlyFrom: samples, hold: hold,
      threads: threads)
  }

  /// What happened in each interval, with samples that are known by what they add up to.
  ///
  /// Parameters as in ``statistics(over:of:exactlyFrom:hold:)``. Sums, counts, smallest and largest
  /// values and plain means are answered.
  ///
  /// - Precondition: `sources` holds each source of `summaries`.
  /// - Throws: `StatisticsError`
  /// - Complexity: O(*n* + runs + intervals met)
  package func statistics(
    over boundaries: Boundaries?, of statistics: [Statistic], beside summaries: SummaryColumns
  ) throws(StatisticsError) -> StatisticsColumns {
    try table(
      over: boundaries, of: statistics, sources: sources.indices, exactlyFrom: nil,
      beside: summaries)
  }

  /// The statistics of each source alone, from the highest rank down.
  ///
  /// Rows are the same for each source, be it without data in some; parameters as in
  /// ``statistics(over:of:exactlyFrom:hold:threads:)``.
  ///
  /// - Throws: `StatisticsError`
  /// - Complexity: O(*n* + sources × intervals)
  public func statisticsBySource(
    over boundaries: Boundaries?, of statistics: [Statistic]? = nil,
    exactlyFrom samples: SampleColumns? = nil, hold: Double = MeanMethod.standardHold,
    threads: Int? = nil
  ) throws(StatisticsError) -> [StatisticsColumns] {
    var tables: [StatisticsColumns] = []
    for source in sources.indices {
      tables.append(
        try table(
          over: boundaries, of: statistics, sources: source..<source + 1, exactlyFrom: samples,
          hold: hold, threads: threads))
    }
    return tables
  }

  /// How many parts of samples beside whole ones are worth adding up: some seconds of work.
  private static let partLimit = 1 << 31

  /// The statistics of some sources together.
  func table(
    over boundaries: Boundaries?, of statistics: [Statistic]?, sources: Range<Int>,
    exactlyFrom samples: SampleColumns?, hold: Double = MeanMethod.standardHold,
    beside summaries: SummaryColumns = SummaryColumns(), threads: Int? = nil
  ) throws(StatisticsError) -> StatisticsColumns {
    let style = type.style
    for statistic in statistics ?? [] {
      guard style.map(statistic.isAvailable(for:)) ?? (statistic == .count) else {
        throw StatisticsError(type: type, reason: .notAvailable(statistic, style))
      }
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
      segments: self, summaries: summaries, sources: sources, edges: edges, hold: hold,
      partLimit: Self.partLimit, kernel: SumKernel(threads: threads ?? hk_processor_count()))
    return try builder.table(
      starts: rows.starts, ends: rows.ends, wanted: wanted, exactlyFrom: samples)
  }
}
