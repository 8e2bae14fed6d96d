public import HealthQuery
public import HealthSamples
public import HealthStore

/// A question about activity rings: how much of each goal was reached, day by day.
public struct RingPlan: Sendable, Hashable {
  /// The first day; the first of all when `nil`.
  public var from: QueryDate?
  /// The last day is that of the moment before it; the last of all when `nil`.
  public var to: QueryDate?
  /// The zones of the calendar of ``from`` and ``to``.
  public var timeZone: ZoneTimeline

  /// Makes a plan for all days.
  public init(timeZone: ZoneTimeline) { self.timeZone = timeZone }

  /// The member of a question in JSON that asks for runs of days.
  package static let streaks = MemberFacts(
    .truth, "Runs of days with all rings closed, the longest first, in place of the days.")
}

/// A ring: an amount of a day, and its goal.
public enum ActivityRing: String, Sendable, Hashable, CaseIterable {
  /// Kilocalories of activity.
  case move
  /// Minutes of moving, for people who track these instead of energy.
  case moveTime
  /// Minutes of exercise.
  case exercise
  /// Hours with at least a minute of standing.
  case stand

  /// The unit of the amount: `kcal`, `min`, `hr`.
  public var unit: String {
    switch self {
    case .move: "kcal"
    case .moveTime, .exercise: "min"
    case .stand: "hr"
    }
  }

  /// The amount of a day; `nil` where none was recorded.
  public func value(of day: ActivitySummaries.Row) -> Double? {
    switch self {
    case .move: day.activeEnergy
    case .moveTime: day.moveMinutes
    case .exercise: day.exerciseMinutes
    case .stand: day.standHours
    }
  }

  /// The goal of a day as recorded; 0 or `nil` where none was set.
  public func goal(of day: ActivitySummaries.Row) -> Double? {
    switch self {
    case .move: day.activeEnergyGoal
    case .moveTime: day.moveMinutesGoal
    case .exercise: day.exerciseMinutesGoal
    case .stand: day.standHoursGoal
    }
  }

  /// The share of the goal that was reached, 1 for all of it; `nil` without a goal or an amount.
  public func share(of day: ActivitySummaries.Row) -> Double? {
    guard let value = value(of: day), let goal = goal(of: day), goal > 0 else { return nil }
    return value / goal
  }
}

/// The answer to a ``RingPlan``.
public struct RingAnswer: Sendable, Hashable {
  /// One row for each date that has a summary, ascending.
  public let days: [ActivitySummaries.Row]
  /// The days that count: those that are over and that the data cover.
  ///
  /// An export has empty summaries of days before the first sample, on which no ring was missed.
  public let counted: [ActivitySummaries.Row]
  /// The days that do not, in order.
  public let leftOut: [LeftOutInterval]
  /// The rings of any day: energy or minutes of moving, exercise, stand.
  public let rings: [ActivityRing]

  /// On how many of the days that count a ring was closed: its goal reached.
  public func closed(_ ring: ActivityRing) -> Int {
    counted.count { (ring.share(of: $0) ?? 0) >= 1 }
  }

  /// On how many of the days that count all rings that have a goal were closed.
  public var closedAll: Int { counted.count(where: isClosed) }

  /// Runs of days in a row on which all rings that have a goal were closed, as numbers of days: the
  /// longest first, of equal ones the earliest.
  ///
  /// A day without a summary ends a run, and so does one that does not count.
  public var streaks: [ClosedRange<Int>] {
    var runs: [ClosedRange<Int>] = []
    for day in counted where isClosed(day) {
      if let run = runs.last, run.upperBound + 1 == day.day {
        runs[runs.count - 1] = run.lowerBound...day.day
      } else {
        runs.append(day.day...day.day)
      }
    }
    return runs.sorted { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }
  }

  private func isClosed(_ day: ActivitySummaries.Row) -> Bool {
    let shares = rings.compactMap { $0.share(of: day) }
    return !shares.isEmpty && shares.allSatisfy { $0 >= 1 }
  }

  init(
    _ days: [ActivitySummaries.Row], leavingOut leftOut: (ActivitySummaries.Row) -> LeftOutInterval?
  ) {
    let lacks = days.map(leftOut)
    (self.days, self.leftOut) = (days, lacks.compactMap { $0 })
    counted = zip(days, lacks).filter { $1 == nil }.map(\.0)
    rings = ActivityRing.allCases.filter { ring in
      ring != .moveTime || days.contains { (ring.goal(of: $0) ?? 0) > 0 }
    }
  }
}

extension SampleStore {
  /// Answers a question about activity rings.
  ///
  /// Of a day that was recorded twice, with other goals, the later row counts.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(*n* log *n*) for *n* days
  public func rings(_ plan: RingPlan) throws(QueryError) -> RingAnswer {
    if let from = plan.from, let to = plan.to, from.instant >= to.instant {
      throw QueryError(.emptyPeriod(from: from.instant, to: to.instant))
    }
    return try oneState { () throws(QueryError) in
      let days = try stored { () throws(StoreError) in try activitySummaries() }.byDay
      return try rings(plan, among: days)
    }
  }

  private func rings(
    _ plan: RingPlan, among days: [ActivitySummaries.Row]
  ) throws(QueryError) -> RingAnswer {
    let first = plan.from.map { LocalTime($0.instant, in: plan.timeZone).date.dayNumber }
    let last = plan.to.map { LocalTime($0.instant.nextDown, in: plan.timeZone).date.dayNumber }
    let asked = days.filter { $0.day >= first ?? .min && $0.day <= last ?? .max }
    let rule = try ringRule()
    let bounds = [asked.first?.day, asked.last?.day].compactMap { $0 }
      .map { Double($0 * CivilDate.secondsPerDay) }
    guard let lower = bounds.first, let upper = bounds.last else {
      return RingAnswer([]) { _ in nil }
    }
    let clock = WallClock(of: plan.timeZone, over: lower...upper)
    return RingAnswer(asked) { day in
      let start = clock.instant(ofDay: day.day, seconds: 0)
      return rule.lack(from: start, to: clock.instant(ofDay: day.day + 1, seconds: 0))
        .map { LeftOutInterval(start: start, lack: $0) }
    }
  }

  /// Which days count in rings: those of the samples that rings are made of, where the store has any.
  private func ringRule() throws(QueryError) -> WholeIntervals {
    let told = try stored { () throws(StoreError) in try toldTime(until: now.instant) }
    let spans = Self.ringTypes.flatMap { told[$0] ?? [] }
    return WholeIntervals(
      at: now.instant, told: spans.isEmpty ? [-.infinity ... .infinity] : spans)
  }

  private static let ringTypes = [
    HKQuantityTypeIdentifier.activeEnergyBurned, .appleMoveTime, .appleExerciseTime,
    .appleStandTime,
  ].map(\.rawValue)
}
