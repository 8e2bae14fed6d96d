import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// Workouts with their distance, energy and heart rates, or totals of intervals, as a table.
///
/// ```json
/// {"activity": "running", "from": "2026", "heartRateZones": [120, 140, 155, 170]}
/// {"by": "month", "stat": ["count", "distance", "pace"], "kinds": 3}
/// ```
///
/// The units are the same for every store, so that a program has the same columns. What a workout
/// consists of is in the elements of the kind `workout`.
enum WorkoutTable {
  enum Member: String, RequestMember {
    case activity, from, to, timezone, zones, source, exclude, heartRateZones, by, stat, kinds

    var own: MemberFacts? {
      switch self {
      case .activity, .by, .stat, .kinds: WorkoutQuestion.Member(rawValue: rawValue)?.facts
      case .heartRateZones:
        MemberFacts(
          .numbers, "Ascending bounds in count/min, with a column for each zone: [120, 140, 155].")
      case .from, .to, .timezone, .zones, .source, .exclude: nil
      }
    }
  }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`, or an error of the store
  static func answer(json: String, in store: SampleStore) throws -> FoundTable {
    let members = try QuestionKeys<Member>(json: json)
    let question: WorkoutQuestion = try JSONDecoder().question(from: Data(json.utf8))
    let part = try RequestedPart(members, in: store)
    let bounds: [Double] = try members.value(.heartRateZones, .rates) ?? []
    guard HeartRateZones.areBounds(bounds) else {
      throw QueryError(.wrongMember(Member.heartRateZones.rawValue, .rates))
    }
    let plan = question.plan(
      of: try question.activity.map { try part.store.activity(named: $0) }, over: part.asked,
      in: part.zones)
    let units = try ActivityUnits.ofTables
    if question.interval != nil {
      guard bounds.isEmpty else {
        throw QueryError(.membersExclude(Member.by.rawValue, Member.heartRateZones.rawValue))
      }
      let answer = try part.store.workouts(plan)
      try part.store.endWatching()
      return FoundTable(answer.table(in: units, activity: plan.activity))
    }
    let workouts = try part.store.workouts(in: part.period.range).rows.filter(plan.isAsked)
    let rows = try WorkoutSummary.all(
      of: workouts, in: part.store, bounds: bounds, keepsRoutes: false)
    try part.store.endWatching()
    return FoundTable(.workouts(rows, in: units, bounds: bounds, zones: part.zones))
  }
}

extension ActivityUnits {
  /// The units of tables, the same for every store.
  fileprivate static var ofTables: Self {
    get throws { try Self(distance: UnitExpression("m"), energy: UnitExpression("kcal")) }
  }
}

/// The activity rings of days, or the runs of days on which all were closed, as a table.
///
/// ```json
/// {"from": "-30d"}
/// {"streaks": true}
/// ```
enum RingTable {
  enum Member: String, RequestMember {
    case from, to, timezone, zones, streaks

    var own: MemberFacts? { self == .streaks ? RingPlan.streaks : nil }
  }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`
  static func answer(json: String, in store: SampleStore) throws -> FoundTable {
    let members = try QuestionKeys<Member>(json: json)
    let part = try RequestedPart(members, in: store)
    var plan = RingPlan(timeZone: part.zones)
    (plan.from, plan.to) = (part.asked.from, part.asked.to)
    let answer = try part.store.rings(plan)
    let units = try ActivityUnits.ofTables
    let table =
      try members.truth(.streaks)
      ? answer.streaksTable(zones: part.zones) : answer.table(in: units, zones: part.zones)
    try part.store.endWatching()
    return FoundTable(
      table,
      trailing: JSON.Member.leftOut(
        answer.leftOut.sentence(by: CalendarInterval(.day), in: part.zones)))
  }
}
