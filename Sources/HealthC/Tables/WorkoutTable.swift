import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// Workouts with their distance, energy and heart rates, as a table.
///
/// ```json
/// {"activity": "running", "from": "2026", "heartRateZones": [120, 140, 155, 170]}
/// ```
///
/// The units are the same for every store, so that a program has the same columns. What a workout
/// consists of is in the elements of the kind `workout`.
enum WorkoutTable {
  enum Member: String, RequestMember {
    case activity, from, to, timezone, zones, source, exclude, heartRateZones

    var own: MemberFacts? {
      switch self {
      case .activity: MemberFacts(.text, "The only activity: running, cycling, swimming.")
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
    let part = try RequestedPart(members, in: store)
    let bounds: [Double] = try members.value(.heartRateZones, .rates) ?? []
    guard HeartRateZones.areBounds(bounds) else {
      throw QueryError(.wrongMember(Member.heartRateZones.rawValue, .rates))
    }
    var plan = WorkoutPlan(ElementPeriod(timeZone: part.zones))
    plan.activity = try members.text(.activity).map { try part.store.activity(named: $0) }
    let workouts = try part.store.workouts(in: part.period.range).rows.filter(plan.isAsked)
    let rows = try WorkoutSummary.all(
      of: workouts, in: part.store, bounds: bounds, keepsRoutes: false)
    try part.store.endWatching()
    return FoundTable(
      .workouts(
        rows, in: try ActivityUnits(distance: UnitExpression("m"), energy: UnitExpression("kcal")),
        bounds: bounds, zones: part.zones))
  }
}
