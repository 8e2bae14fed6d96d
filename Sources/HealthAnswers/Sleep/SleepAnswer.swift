public import HealthMerge
public import HealthQuery
public import HealthSamples
public import HealthStore

/// The answer to a ``SleepPlan``.
public struct SleepAnswer: Sendable {
  /// The zones of the days of nights.
  public let timeZone: ZoneTimeline
  /// The longest gap without any sample within one sleep, in seconds.
  public let longestGap: Double
  /// The sources from the highest rank down, as used.
  public let priority: [Source]
  /// Preferred names of the plan without a source of sleep.
  public let unmatchedPreferredSources: [String]
  /// One row per night.
  public let nights: NightColumns
  /// How many of the nights are of days that are over; those after them are in no mean.
  public let overCount: Int
}

extension SleepPlan {
  /// The type of the samples of nights.
  public static let type = SampleType(
    identifier: "HKCategoryTypeIdentifierSleepAnalysis", kind: .category)

  /// Answers from columns.
  ///
  /// At each moment the top-ranked source that records asleep or awake counts, and of those that
  /// record in bed the top-ranked one. A night belongs to the day on which it ends, when the person
  /// was last asleep.
  ///
  /// - Parameters:
  ///   - samples: all samples of sleep analysis
  ///   - facts: one entry for each source, for the default order
  ///   - preferred: the user's stored order, which ranks below the plan's own
  /// - Returns: one row for each day of the plan's period, with a night or without
  /// - Throws: `QueryError`
  /// - Complexity: O(*n* log *n* + nights)
  public func answer(
    samples: SampleColumns, facts: [SourceFacts], preferred: [String] = []
  ) throws(QueryError) -> SleepAnswer {
    try answer(samples: samples, facts: facts, preferred: preferred, at: .infinity)
  }

  /// The same at a moment, at which the last days may not be over.
  fileprivate func answer(
    samples: SampleColumns, facts: [SourceFacts], preferred: [String], at now: Double
  ) throws(QueryError) -> SleepAnswer {
    guard Self.gapRange.contains(longestGap) else {
      throw QueryError(.gapOutOfRange(allowed: Self.gapRange))
    }
    if let from, let to, from.instant >= to.instant {
      throw QueryError(.emptyPeriod(from: from.instant, to: to.instant))
    }
    let listed = SourcePriority.standard(for: facts, preferred: preferredSources + preferred)
    let priority = SourcePriority(order: listed.order + listed.ranking(of: samples).unlisted)
    let sessions = try samples.sleepSessions(by: priority, longestGap: longestGap)
    let order = priority.ranking(of: samples).order.map { samples.sources[$0] }
    let (nights, overCount) = try nights(of: sessions, order: order, at: now)
    return SleepAnswer(
      timeZone: timeZone, longestGap: longestGap, priority: priority.order,
      unmatchedPreferredSources: SourcePriority.unmatched(preferredSources, in: facts),
      nights: nights, overCount: overCount)
  }

  private func nights(
    of sessions: [SleepSession], order: [Source], at now: Double
  ) throws(QueryError) -> (NightColumns, overCount: Int) {
    let ends = sessions.map(\.dating)
    var nights = NightColumns()
    guard let first = from?.instant ?? ends.min() ?? to?.instant,
      let last = to?.end(ofDataEnding: ends.max())?.instant.nextDown ?? ends.max() ?? from?.instant,
      first <= last
    else { return (nights, 0) }
    for instant in [from?.instant, to?.instant.nextDown].compactMap({ $0 }) {
      guard QueryDate.range.contains(instant) else { throw QueryError(.dateOutOfRange) }
    }
    guard ends.allSatisfy(QueryDate.range.contains) else { throw QueryError(.sampleOutOfRange) }
    let clock = WallClock(
      of: timeZone, over: min(first, ends.min() ?? first)...max(last, ends.max() ?? last))
    let days = clock.day(containing: first)...clock.day(containing: last)
    guard days.count <= Self.nightLimit else {
      throw QueryError(.tooManyIntervals(limit: Self.nightLimit))
    }
    let byDay = Dictionary(grouping: sessions.indices) { clock.day(containing: ends[$0]) }
    let rule = WholeIntervals(at: now, told: [])
    var overCount = 0
    for day in days {
      let start = clock.instant(ofDay: day, seconds: 0)
      let end = clock.instant(ofDay: day + 1, seconds: 0)
      // A journey may skip a date.
      guard start < end else { continue }
      if rule.lack(from: start, to: end) != .notOver { overCount += 1 }
      nights.append(
        day: start, sessions: (byDay[day] ?? []).map { sessions[$0] }, order: order)
    }
    return (nights, overCount)
  }
}

extension SampleStore {
  /// Answers a query for nights of sleep.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(*n* log *n*) for all *n* samples of sleep analysis, since a sleep may start
  ///   any time before its night
  public func sleep(_ plan: SleepPlan) throws(QueryError) -> SleepAnswer {
    try oneState { () throws(QueryError) in
      let (facts, preferred) = try order(of: SleepPlan.type)
      return try plan.answer(
        samples: try stored { () throws(StoreError) in try samples(of: SleepPlan.type) },
        facts: facts, preferred: preferred, at: now.instant)
    }
  }
}
