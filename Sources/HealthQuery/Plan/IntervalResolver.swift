import HealthMerge
package import HealthSamples
package import HealthStore

/// The intervals of a plan: the range of relevant samples is resolved before samples are read, open
/// ends after that.
package struct IntervalResolver {
  /// The range of relevant samples, as `hasSample(from:to:)` decides.
  package let sampleRange: Range<Double>

  private let plan: StatisticsPlan
  /// The instant that anchors the grid, and the calendar unit to whose start it is moved; `nil`
  /// when neither the plan nor the data define an instant.
  private let anchor: (instant: Double, alignment: CalendarInterval.Alignment?)?

  /// Resolves what depends only on the plan and on the earliest start of all samples of the type,
  /// `nil` without samples.
  package init(_ plan: StatisticsPlan, firstSample: Double?) throws(QueryError) {
    self.plan = plan
    if let edges = plan.boundaries?.edges {
      guard let first = edges.first, let last = edges.last else {
        (anchor, sampleRange) = (nil, 0..<0)
        return
      }
      guard QueryDate.range.contains(first), QueryDate.range.contains(last) else {
        throw QueryError(.dateOutOfRange)
      }
      (anchor, sampleRange) = (nil, first..<last)
      return
    }
    let (from, to) = (plan.from?.instant, plan.to?.instant)
    for instant in [from, to, plan.anchor?.instant].compactMap({ $0 }) {
      guard QueryDate.range.contains(instant) else { throw QueryError(.dateOutOfRange) }
    }
    if let firstSample, !QueryDate.range.contains(firstSample) {
      throw QueryError(.sampleOutOfRange)
    }
    if let from, let to, from >= to { throw QueryError(.emptyPeriod(from: from, to: to)) }
    anchor = Self.anchor(of: plan, firstSample: firstSample)
    guard let interval = plan.interval, let anchor, !plan.clips else {
      sampleRange = (from ?? -.infinity)..<(to ?? .infinity)
      return
    }
    func grid(near instant: Double) -> IntervalGrid {
      IntervalGrid(
        interval, anchor: anchor.instant, alignment: anchor.alignment, zones: plan.timeZone,
        range: instant...instant, walks: plan.policy.followsHealthConnectIntervals)
    }
    let lower = from.map { instant in
      let grid = grid(near: instant)
      return grid.edge(grid.index(containing: instant))
    }
    // An interval that holds today is whole, and has nothing of later days.
    let isLimit = plan.to?.isLimit ?? false
    let upper = to.map { instant in
      let grid = grid(near: instant)
      return isLimit ? instant : grid.edge(grid.index(endingAtOrAfter: instant) + 1)
    }
    sampleRange = (lower ?? -.infinity)..<(upper ?? .infinity)
  }

  /// The intervals of a collection, `nil` when there are none; an open end of the plan is that of
  /// the relevant samples.
  package func boundaries(
    for span: SampleSpan?, sourceCount: Int
  ) throws(QueryError) -> Boundaries? {
    guard !plan.isSingle else { return nil }
    if let own = plan.boundaries {
      guard own.count <= StatisticsPlan.intervalLimit / self.sourceCount(sourceCount) else {
        throw QueryError(.tooManyIntervals(limit: StatisticsPlan.intervalLimit))
      }
      return own.count == 0 ? nil : own
    }
    guard let interval = plan.interval else { return clippedPeriod(for: span) }
    guard let anchor else { return nil }
    let (from, to) = (plan.from?.instant, plan.to?.end(ofDataEnding: span?.end)?.instant)
    guard let first = from ?? span?.firstStart ?? to, let last = to ?? span?.lastEnd ?? from
    else { return nil }
    // Dates of the plan have been checked in init.
    for instant in [first, last] {
      guard QueryDate.range.contains(instant) else { throw QueryError(.sampleOutOfRange) }
    }
    let limit = StatisticsPlan.intervalLimit
    let sourceCount = self.sourceCount(sourceCount)
    // A rough count first, with a margin of one: too many are refused before the grid exists.
    guard (last - first) / interval.meanSeconds <= Double(limit / sourceCount) + 1 else {
      throw QueryError(.tooManyIntervals(limit: limit))
    }
    let grid = IntervalGrid(
      interval, anchor: anchor.instant, alignment: anchor.alignment, zones: plan.timeZone,
      range: min(first, last)...max(first, last),
      walks: plan.policy.followsHealthConnectIntervals)
    var lower = grid.index(containing: first)
    var upper = grid.index(endingAtOrAfter: last)
    if to == nil {
      // An instant on an edge belongs to the interval that starts there.
      upper = max(upper, (span?.lastStart).map(grid.index(containing:)) ?? lower)
    }
    // If one side is open and there are no samples, the given side is used.
    if from == nil { lower = min(lower, upper) } else { upper = max(lower, upper) }
    guard upper - lower < limit / sourceCount else {
      throw QueryError(.tooManyIntervals(limit: limit))
    }
    let boundaries = grid.boundaries(lower...upper)
    if plan.clips { return boundaries?.cut(from: from ?? -.infinity, to: to ?? .infinity) }
    guard plan.policy.followsHealthConnectIntervals, let to else { return boundaries }
    return boundaries?.cut(from: -.infinity, to: to)
  }

  /// By how many sources the intervals are multiplied.
  private func sourceCount(_ count: Int) -> Int {
    let needsSources =
      plan.separatesSources || plan.explains || plan.policy.choosesSourceOfInterval(of: plan.type)
    return needsSources ? max(1, count) : 1
  }

  /// The single interval of the plan; an open end is that of the samples.
  private func clippedPeriod(for span: SampleSpan?) -> Boundaries? {
    guard let first = plan.from?.instant ?? span?.firstStart else { return nil }
    // Intervals are half-open: the edge must be after an instant at the end.
    let end = span.map { $0.lastStart < $0.lastEnd ? $0.lastEnd : $0.lastEnd + 1 }
    let to = plan.to?.end(ofDataEnding: span?.end)?.instant
    guard let last = to ?? end, first < last else { return nil }
    return Boundaries(ascendingEdges: [first, last])
  }

  private static func anchor(
    of plan: StatisticsPlan, firstSample: Double?
  ) -> (instant: Double, alignment: CalendarInterval.Alignment?)? {
    if let anchor = plan.anchor { return (anchor.instant, nil) }
    let alignment = plan.interval?.alignment
    if let from = plan.from {
      return (from.instant, from.alignsIntervals ? alignment : nil)
    }
    return (firstSample ?? plan.to?.instant).map { ($0, alignment ?? .day) }
  }
}

/// The time span of samples.
package struct SampleSpan {
  package let firstStart: Double
  package let lastStart: Double
  package let lastEnd: Double

  package init(firstStart: Double, lastStart: Double, lastEnd: Double) {
    (self.firstStart, self.lastStart, self.lastEnd) = (firstStart, lastStart, lastEnd)
  }

  /// After every sample, an instant at the end included.
  package var end: Double { max(lastEnd, lastStart.nextUp) }
}

extension SampleSpan {
  /// The span of the samples of some sources, from the source summaries of a store; `nil` without
  /// samples.
  ///
  /// It is exact on each side where the query is open.
  package init?(of sources: [SourceSummary]) {
    guard let first = sources.map(\.firstStart).min(), let last = sources.map(\.lastStart).max(),
      let end = sources.map(\.lastEnd).max()
    else { return nil }
    self.init(firstStart: first, lastStart: last, lastEnd: end)
  }
}

extension SampleSpan {
  /// The span of samples, some of which are aggregated; `nil` without any.
  ///
  /// An aggregate lies in one interval: its first start tells it where all its samples are instants
  /// at the edge.
  init?(of found: PreaggregatedSamples) {
    let (one, many) = (found.samples.span, found.aggregates)
    let starts = [one?.firstStart, many.firstStarts.min()].compactMap(\.self)
    let lastStarts = [one?.lastStart, many.firstStarts.max()].compactMap(\.self)
    let ends = [one?.lastEnd, many.lastEnds.max()].compactMap(\.self)
    guard let first = starts.min(), let last = lastStarts.max(), let end = ends.max() else {
      return nil
    }
    self.init(firstStart: first, lastStart: last, lastEnd: end)
  }
}

extension SampleColumns {
  /// The time span of the samples; `nil` without any.
  package var span: SampleSpan? {
    // Starts ascend within a source.
    let rows = sources.indices.map(rows(ofSource:)).filter { !$0.isEmpty }
    guard let first = rows.map({ starts[$0.lowerBound] }).min(),
      let last = rows.map({ starts[$0.upperBound - 1] }).max()
    else { return nil }
    return SampleSpan(
      firstStart: first, lastStart: last, lastEnd: ends.largest(in: ends.indices))
  }

  /// The rows of the samples of `range`; `nil` for all rows.
  package func rows(matching range: Range<Double>) -> [Int]? {
    func matches(_ row: Int) -> Bool { range.hasSample(from: starts[row], to: ends[row]) }
    return starts.indices.allSatisfy(matches) ? nil : starts.indices.filter(matches)
  }

  /// The samples of some rows in ascending order.
  package func keeping(rows: [Int]) -> SampleColumns {
    var offsets = [0]
    var place = 0
    for source in sources.indices {
      while place < rows.count, rows[place] < self.offsets[source + 1] { place += 1 }
      offsets.append(place)
    }
    return SampleColumns(
      type: type, sources: sources, offsets: offsets, starts: rows.map { starts[$0] },
      ends: rows.map { ends[$0] }, values: rows.map { values[$0] },
      recorded: recorded?.keeping(rows: rows))
  }
}

extension Boundaries {
  /// The parts of the intervals between two instants; `nil` if there are none.
  package func cut(from lower: Double, to upper: Double) -> Boundaries? {
    guard let first = edges.first, let last = edges.last else { return nil }
    let bounds = (lower: max(lower, first), upper: min(upper, last))
    guard bounds.lower < bounds.upper else { return nil }
    let inner = edges.filter { bounds.lower < $0 && $0 < bounds.upper }
    return Boundaries(ascendingEdges: [bounds.lower] + inner + [bounds.upper])
  }
}
