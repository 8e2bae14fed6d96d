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
  /// The rings of any day: energy or minutes of moving, exercise, stand.
  public let rings: [ActivityRing]

  /// On how many days a ring was closed: its goal reached.
  public func closed(_ ring: ActivityRing) -> Int { days.count { (ring.share(of: $0) ?? 0) >= 1 } }

  /// On how many days all rings that have a goal were closed.
  public var closedAll: Int {
    days.count { day in
      let shares = rings.compactMap { $0.share(of: day) }
      return !shares.isEmpty && shares.allSatisfy { $0 >= 1 }
    }
  }

  init(_ days: [ActivitySummaries.Row]) {
    self.days = days
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
    let days = try stored { () throws(StoreError) in try activitySummaries() }.byDay
    let first = plan.from.map { LocalTime($0.instant, in: plan.timeZone).date.dayNumber }
    let last = plan.to.map { LocalTime($0.instant.nextDown, in: plan.timeZone).date.dayNumber }
    return RingAnswer(
      days.filter { $0.day >= first ?? .min && $0.day <= last ?? .max })
  }
}
