public import Foundation
public import HealthQuery
public import HealthSamples
public import HealthStore

/// A question about workouts: totals of each interval, and the best times over their routes.
///
/// ```swift
/// var plan = WorkoutPlan(ElementPeriod(timeZone: zones, interval: CalendarInterval(.month)))
/// plan.activity = "running"
/// plan.statistics = [.count, .distance, .pace, .best5k]
/// let months = try store.workouts(plan)
/// months.values(.best5k)  // seconds of the fastest 5 km of each month
/// ```
public struct WorkoutPlan: Sendable, Hashable, Codable {
  /// The activity, such as `running` or `HKWorkoutActivityTypeRunning`; all when `nil`.
  public var activity: String?
  /// The period and its intervals.
  public var period: ElementPeriod
  /// What to compute.
  public var statistics: [WorkoutStatistic]
  /// What each workout must be.
  public var conditions: [WorkoutCondition]
  /// How many kinds have totals of their own: those that took most time, and the others together;
  /// `nil` for none.
  public var kinds: Int?

  /// Makes a plan for all workouts of a period; set other properties as needed.
  public init(_ period: ElementPeriod) {
    self.period = period
    statistics = WorkoutStatistic.standard
    conditions = []
  }
}

/// What a workout must be to count.
public enum WorkoutCondition: Sendable, Hashable, Codable {
  /// A number of it, in ``WorkoutStatistic/unit``; false where it is not known.
  case value(WorkoutStatistic, Comparison, Double)
  /// Its source has the name (see `Source.isNamed(_:)`).
  case source(named: String)
  /// Its source does not have the name.
  case notSource(named: String)

  /// Whether a workout meets it.
  func holds(for facts: WorkoutFacts) -> Bool {
    switch self {
    case .value(let statistic, let compares, let given):
      facts.value(statistic).map { compares($0, given) } ?? false
    case .source(let name): facts.workout.facts.source.isNamed(name)
    case .notSource(let name): !facts.workout.facts.source.isNamed(name)
    }
  }

  /// The number that it asks for.
  var statistic: WorkoutStatistic? {
    if case .value(let statistic, _, _) = self { statistic } else { nil }
  }
}

/// The answer to a ``WorkoutPlan``: a row for each interval, those without workouts too.
public struct WorkoutAnswer: Sendable, Hashable {
  /// The zones of the calendar of the intervals.
  public let timeZone: ZoneTimeline
  /// What was computed, in the requested order.
  public let statistics: [WorkoutStatistic]
  /// The start of each interval, in seconds since 2001-01-01 UTC.
  public let starts: [Double]
  /// The end of each interval.
  public let ends: [Double]
  /// How many workouts start in each interval.
  public let counts: [Int]
  /// The totals of each interval.
  public let rows: [WorkoutTotals]
  /// The totals of all intervals together.
  public let total: WorkoutTotals
  /// The kinds that a plan asked for, the one that took most time first, the others together last.
  public let kinds: [WorkoutKind]

  /// A column, in ``WorkoutStatistic/unit``; `nil` where no workout knows the number.
  public func values(_ statistic: WorkoutStatistic) -> [Double?] {
    rows.map { $0.value(statistic) }
  }
}

/// What several workouts amount to.
///
/// Durations, distances, energies and climbs are sums of what is known. Pace and speed are those of
/// all workouts with a distance together, the mean heart rate weighs each workout by its duration,
/// and a best time is that of the fastest workout.
public struct WorkoutTotals: Sendable, Hashable {
  /// The number of workouts.
  public private(set) var count = 0
  private var sums: [WorkoutStatistic: Double] = [:]
  private var least: [WorkoutStatistic: Double] = [:]
  private var highestRate: Double?
  /// Seconds and metres of workouts that have both.
  private var paced = (seconds: 0.0, metres: 0.0)
  /// Beats and minutes of workouts with a mean heart rate.
  private var beats = (sum: 0.0, seconds: 0.0)

  /// No workouts.
  public init() {}

  /// Adds a workout.
  public mutating func add(_ workout: WorkoutFacts) {
    count += 1
    for statistic in [WorkoutStatistic.duration, .distance, .energy, .elevation] {
      if let value = workout.value(statistic) { sums[statistic, default: 0] += value }
    }
    let seconds = workout.value(.duration) ?? 0
    if let metres = workout.value(.distance), workout.value(.pace) != nil {
      paced.seconds += seconds
      paced.metres += metres
    }
    if let rate = workout.value(.heartRate), seconds > 0 {
      beats.sum += rate * seconds
      beats.seconds += seconds
    }
    if let rate = workout.value(.heartRateMax) { highestRate = max(rate, highestRate ?? rate) }
    for statistic in WorkoutStatistic.allCases where statistic.stretch != nil {
      if let time = workout.value(statistic) {
        least[statistic] = min(time, least[statistic] ?? time)
      }
    }
  }

  /// A total, in ``WorkoutStatistic/unit``; `nil` where no workout knows the number.
  public func value(_ statistic: WorkoutStatistic) -> Double? {
    switch statistic {
    case .count: Double(count)
    case .duration, .distance, .energy, .elevation: sums[statistic]
    case .pace: paced.metres > 0 ? paced.seconds / paced.metres * 1000 : nil
    case .speed: paced.seconds > 0 ? paced.metres / paced.seconds : nil
    case .heartRate: beats.seconds > 0 ? beats.sum / beats.seconds : nil
    case .heartRateMax: highestRate
    case .best1k, .best5k, .best10k: least[statistic]
    }
  }
}

extension WorkoutTotals {
  /// Whether two have the same totals.
  public static func == (left: Self, right: Self) -> Bool {
    WorkoutStatistic.allCases.allSatisfy { left.value($0) == right.value($0) }
  }

  /// Hashes the totals.
  public func hash(into hasher: inout Hasher) {
    for statistic in WorkoutStatistic.allCases { hasher.combine(value(statistic)) }
  }
}

extension WorkoutPlan {
  /// What a workout must be able to tell.
  var needed: Set<WorkoutStatistic> {
    Set(statistics).union(conditions.compactMap(\.statistic))
  }

  /// Whether a workout is of the activity.
  package func isAsked(_ workout: Workouts.Row) -> Bool {
    guard let activity else { return true }
    return WorkoutPlan.key(of: workout.activity) == WorkoutPlan.key(of: activity)
  }

  /// An activity as it is compared: letters in lower case without the common prefix.
  static func key(of activity: String) -> String {
    let prefix = "HKWorkoutActivityType"
    let name =
      activity.hasPrefix(prefix) ? String(activity.dropFirst(prefix.count)) : activity
    return name.lowercased().filter(\.isLetter)
  }

  /// Answers from workouts.
  ///
  /// - Throws: `QueryError` for an invalid period, or too many intervals
  /// - Complexity: O(workouts + intervals)
  public func answer(_ workouts: [WorkoutFacts]) throws(QueryError) -> WorkoutAnswer {
    let workouts = workouts.filter { facts in
      isAsked(facts.workout) && conditions.allSatisfy { $0.holds(for: facts) }
    }
    let intervals = try period.intervals(of: workouts.map(\.workout.facts.start))
    var rows = Array(repeating: WorkoutTotals(), count: intervals.count)
    var total = WorkoutTotals()
    var known: [(row: Int, workout: WorkoutFacts)] = []
    for workout in workouts {
      guard let row = intervals.row(of: workout.workout.facts.start) else { continue }
      rows[row].add(workout)
      total.add(workout)
      if kinds != nil { known.append((row, workout)) }
    }
    return WorkoutAnswer(
      timeZone: period.timeZone, statistics: statistics, starts: intervals.starts,
      ends: intervals.ends,
      counts: rows.map(\.count), rows: rows, total: total,
      kinds: kinds.map { WorkoutKind.most($0, of: known, rowCount: rows.count) } ?? [])
  }
}

extension SampleStore {
  /// Answers a question about workouts.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(workouts + intervals); best times and climbs read each route, one at a time
  public func workouts(_ plan: WorkoutPlan) throws(QueryError) -> WorkoutAnswer {
    try oneState { () throws(QueryError) in
      let range = try plan.period.range()
      let rows = try stored { () throws(StoreError) in try workouts(in: range) }.rows
      return try plan.answer(
        try facts(of: rows.filter(plan.isAsked), statistics: plan.needed))
    }
  }

  /// The numbers of workouts, in their order.
  ///
  /// - Parameters:
  ///   - workouts: workouts of the store
  ///   - statistics: what is needed; only these are looked for in routes and samples
  /// - Returns: the numbers of each
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func facts(
    of workouts: [Workouts.Row], statistics: Set<WorkoutStatistic>
  ) throws(QueryError) -> [WorkoutFacts] {
    let tracks =
      statistics.contains(where: \.needsRoutes) ? try tracks(of: workouts) : [:]
    let needsRates = statistics.contains(where: \.needsHeartRates)
    var heartRates = WorkoutHeartRates(of: workouts, in: self)
    var facts: [WorkoutFacts] = []
    for workout in workouts {
      let rates =
        needsRates && !workout.knowsHeartRates ? try heartRates.rates(in: workout) : []
      facts.append(
        WorkoutFacts(
          workout, tracks: tracks[WorkoutKey(workout)] ?? [], heartRates: rates,
          statistics: statistics))
    }
    return facts
  }

  /// The workouts that meet conditions, in the order of a number or of their starts.
  ///
  /// Where the number is not known a workout is last, whatever the order. Equal ones keep theirs.
  ///
  /// - Parameters:
  ///   - workouts: workouts of the store
  ///   - conditions: what each must be
  ///   - statistic: the number of the order; the start when `nil`
  ///   - order: the direction, such as `WorkoutStatistic.usualOrder`; as given when `nil`
  ///   - limit: how many at most
  /// - Returns: the workouts, with the number of the order
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func workouts(
    _ workouts: [Workouts.Row], meeting conditions: [WorkoutCondition] = [],
    by statistic: WorkoutStatistic? = nil, order: SortOrder? = nil, limit: Int? = nil
  ) throws(QueryError) -> [WorkoutFacts] {
    let needed = Set(conditions.compactMap(\.statistic) + [statistic].compactMap(\.self))
    var facts = try facts(of: workouts, statistics: needed)
      .filter { one in conditions.allSatisfy { $0.holds(for: one) } }
    if let order {
      func key(_ one: WorkoutFacts) -> Double {
        guard let statistic else {
          return order == .forward ? one.workout.facts.start : -one.workout.facts.start
        }
        guard let value = one.value(statistic) else { return .infinity }
        return order == .forward ? value : -value
      }
      let keys = facts.map(key)
      facts = facts.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { facts[$0] }
    }
    return Array(facts.prefix(limit ?? .max))
  }

  /// The ways of the routes of workouts, in order of time.
  func tracks(of workouts: [Workouts.Row]) throws(QueryError) -> [WorkoutKey: [Track]] {
    var tracks: [WorkoutKey: [Track]] = [:]
    // Locations take memory: of each route only its way is kept.
    try eachRoute(of: workouts) { route, track in
      tracks[WorkoutKey(route), default: []].append(track)
    }
    return tracks.mapValues { $0.sorted { ($0.times.first ?? 0) < ($1.times.first ?? 0) } }
  }
}

/// What ties a route to its workout.
package struct WorkoutKey: Sendable, Hashable {
  package let start: Double
  package let end: Double
  private let activity: String

  /// Of a workout.
  package init(_ workout: Workouts.Row) {
    (start, end, activity) = (workout.facts.start, workout.facts.end, workout.activity)
  }

  /// Of the workout of a route.
  package init(_ route: Routes.Row) {
    (start, end, activity) = (route.workoutStart, route.workoutEnd, route.activity)
  }
}

extension Workouts.Row {
  /// Its time, in which its routes and samples lie.
  package var time: Range<Double> { facts.start..<facts.time.upperBound.nextUp }
}
